#!/usr/bin/env python3
"""`cairn inverse`, `inverse-sqrt` and `sign` from outside: results that products in Python confirm, and one clear error for
every bad input."""
import json
import math
import re
import sys
from pathlib import Path

from support.files import Case, adjoint, largest_difference, main, matrix_market, npy_header, product, read_npy

S = Path(__file__).resolve().parents[2] / "data" / "water128_szv_S.mtx.gz"
KEYS = ["operation", "n", "blocks", "ranks", "type", "input", "output", "eps", "error", "occupancy", "iterations", "products",
        "flops", "received_words", "seconds", "dense_seconds", "history"]


def chain(n, diagonal, beside):
    """A Hermitian tridiagonal matrix; its eigenvalues are diagonal + 2·|beside|·cos(kπ/(n+1))."""
    return [[diagonal if i == j else beside if j == i + 1 else beside.conjugate() if i == j + 1 else 0.0
             for j in range(n)] for i in range(n)]


def one(n):
    return [[float(i == j) for j in range(n)] for i in range(n)]


def off_one(x):
    """‖1 − X‖_F/√n"""
    return math.sqrt(sum(abs(v - (i == j)) ** 2 for i, row in enumerate(x) for j, v in enumerate(row)) / len(x))


class Functions(Case):
    def run_on(self, function, a, *arguments):
        """The report, and what was written."""
        self.subcommand = function
        x = self.dir / "X.npy"
        done = self.succeed(a, "--json", "--check", "-o", x, *arguments)
        return json.loads(done.stdout), read_npy(x)[0]

    def hermitian(self, name, a):
        kind = "complex" if any(isinstance(v, complex) for row in a for v in row) else "real"
        return self.file(name, matrix_market(a, "hermitian" if kind == "complex" else "symmetric", lambda i, j: i >= j, kind))

    def test_inverse(self):
        a = chain(45, 2.0, -0.7)
        found, x = self.run_on("inverse", self.hermitian("a.mtx", a), "--blocks", "4,1", "--eps", "1e-10", "--ranks", 4)
        self.assertEqual((found["operation"], found["n"], found["blocks"], found["ranks"], list(found)), ("inverse", 45, 18, 4, KEYS))
        self.assertLess(largest_difference(product(a, x), one(45)), 1e-8)
        self.assertEqual(x, adjoint(x))
        self.assertAlmostEqual(found["error"], off_one(product(a, x)), delta=1e-12)
        self.assertEqual((found["iterations"], found["products"]), (len(found["history"]), sum(i["products"] for i in found["history"])))

    def test_progress_stays_out_of_the_lines_of_the_table(self):
        """Also where a launcher passes on what ranks print."""
        self.subcommand = "inverse"
        a = self.hermitian("a.mtx", chain(45, 2.0, -0.7))
        for ranks in (1, 2):
            printed = self.on_a_terminal(a, "--blocks", 3, "-o", self.dir / "X.npy", "--ranks", ranks)
            self.assertIn("\r\033[K[", printed)
            shown = [line.rsplit("\033[K", 1)[-1] for line in printed.split("\r\n")]
            self.assertEqual([line for line in shown if re.search(r"\[=*> *\] \d", line)], [], printed)
            self.assertTrue(any(re.match(r"\W*inverse  ", line) for line in shown), printed)

    def test_what_filters_leave_out_is_told(self):
        """An error that is larger than the residuals, since products were filtered."""
        a = chain(60, 2.0, -0.7)
        found, x = self.run_on("inverse", self.hermitian("a.mtx", a), "--blocks", 3, "--eps", "1e-3", "--ranks", 2)
        self.assertGreater(found["error"], 1e-6)
        self.assertAlmostEqual(found["error"], off_one(product(a, x)), delta=1e-12)

    def test_inverse_square_root_of_a_complex_matrix(self):
        a = chain(30, 2.0, 0.3 + 0.6j)
        found, x = self.run_on("inverse-sqrt", self.hermitian("a.mtx", a), "--blocks", 3, "--eps", "1e-10", "--order", 3, "--ranks", 3)
        self.assertEqual((found["operation"], found["type"]), ("inverse_sqrt", "complex128"))
        xax = product(x, product(a, x))
        self.assertLess(largest_difference(xax, one(30)), 1e-8)
        self.assertAlmostEqual(found["error"], off_one(xax), delta=1e-12)

    def test_sign(self):
        n, a = 24, chain(24, 0.5, 1.0)
        found, x = self.run_on("sign", self.hermitian("a.mtx", a), "--blocks", 4, "--eps", "1e-12", "--ranks", 2)
        positive = sum(0.5 + 2 * math.cos(k * math.pi / (n + 1)) > 0 for k in range(1, n + 1))
        self.assertAlmostEqual(sum(x[i][i] for i in range(n)), 2 * positive - n, places=8)
        self.assertLess(largest_difference(product(x, x), one(n)), 1e-8)
        self.assertLess(largest_difference(product(a, x), product(x, a)), 1e-8)
        self.assertLess(found["error"], 1e-8)

    def test_sign_of_a_matrix_that_is_not_hermitian(self):
        a = [[1.0, 5.0, 0.0], [0.0, -2.0, 3.0], [0.0, 0.0, 4.0]]
        path = self.file("a.mtx", matrix_market(a, "general", lambda i, j: True))
        _, x = self.run_on("sign", path, "--blocks", 1, "--eps", 0, "--ranks", 5)
        self.assertEqual([round(x[i][i], 9) for i in range(3)], [1, -1, 1])
        self.assertLess(largest_difference(product(x, x), one(3)), 1e-9)
        self.succeed(path, "--blocks", 1, "-o", self.dir / "X.mtx")
        self.assertTrue((self.dir / "X.mtx").read_text().startswith("%%MatrixMarket matrix coordinate real general"))

    def test_the_table_and_files_of_blocks(self):
        """Water's overlap matrix, and its inverse square root's inverse's square."""
        self.subcommand = "inverse-sqrt"
        z = self.dir / "Z.cbs"
        done = self.succeed(S, "--blocks", 6, "--eps", "1e-7", "-o", z, "--ranks", 2)
        for text in ("X = S^(-½)   float64, 2 ranks", "128 of 6", "residual", "inverse square root", "eps 1e-07", "words", "faster"):
            self.assertIn(text, done.stdout)
        self.assertNotIn("error", done.stdout)
        self.assertEqual(done.stderr, "")
        self.subcommand = "inverse"
        found = json.loads(self.succeed(z, "--check", "--json", "--eps", "1e-7", "-o", self.dir / "root.mtx", "--ranks", 3).stdout)
        self.assertEqual((found["blocks"], found["input"]["format"].startswith("block-sparse")), (128, True), found["input"])
        self.assertLess(found["error"], 1e-5)
        self.assertTrue((self.dir / "root.mtx").read_text().startswith("%%MatrixMarket matrix coordinate real symmetric"))

    def test_nothing_is_written_unless_asked(self):
        self.subcommand = "inverse"
        found = json.loads(self.succeed(self.hermitian("a.mtx", chain(6, 2.0, -0.5)), "--blocks", 2, "--json").stdout)
        self.assertEqual((found["output"], found["error"]), (None, None))

    def test_no_row(self):
        path = self.file("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n0 0 0\n")
        for function in ("inverse", "inverse-sqrt", "sign"):
            found, x = self.run_on(function, path, "--blocks", 4, "--ranks", 2)
            self.assertEqual((found["n"], x), (0, []))


class BadInput(Case):
    subcommand = "inverse"

    def setUp(self):
        super().setUp()
        self.a = self.file("a.mtx", matrix_market(chain(6, 2.0, -0.5), "symmetric", lambda i, j: i >= j))

    def bad(self, code, *says, arguments=(), a=None, blocks=("--blocks", 2)):
        given = [a or self.a, *blocks, *arguments]
        self.fails(code, *says, arguments=given if "-o" in given else [*given, "-o", self.dir / "X.cbs"])

    def test_matrices(self):
        self.bad(2, "S is 2x3, expected 2x2: a square matrix", a=self.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n"))
        skew = "%%MatrixMarket matrix coordinate real general\n6 6 1\n1 6 1.0\n"
        self.bad(2, "Hermitian", a=self.file("skew.mtx", skew))
        self.bad(1, "none.mtx", "No such file", a=self.dir / "none.mtx")
        self.bad(1, "a .npy file, expected a Matrix Market file or one of Cairn's", a=self.file("a.npy", npy_header("float64", 6, 6) + bytes(288)))

    def test_options(self):
        self.bad(2, "--eps: '-1', expected a number, 0 or more", arguments=["--eps", -1])
        self.bad(2, "--order: '1', expected a whole number, 2 to 7", arguments=["--order", 1])
        self.bad(2, "--memory 10words: 10 words", arguments=["--memory", "10words"])
        self.bad(2, "-o X.txt: expected a file that ends with .cbs, .mtx or .npy", arguments=["-o", "X.txt"])
        self.bad(1, "S: --blocks is needed, or a file that knows its blocks: ", blocks=())
        self.bad(2, "'4': they add up to 4, which does not go into 6", blocks=("--blocks", 4))

        self.file("a.mtx.rows", "2,2,2"), self.file("a.mtx.cols", "3,3")
        self.bad(2, "S (", "a.mtx): rows are in other blocks than columns", blocks=())
        large = self.file("l.mtx", matrix_market(chain(60, 2.0, 0.5), "symmetric", lambda i, j: i in (j, j + 1)))
        self.subcommand = "inverse-sqrt"
        limited = ["--blocks", 2, "--eps", 0.03, "--memory", "2250words", "--ranks", 2]
        self.succeed(large, *limited)  # 2120 suffice
        self.fails(2, "--memory 2250words: too small for the products of --check", arguments=[large, *limited, "--check", "--json"], ranks=0)  # 2376 suffice

    def test_an_iteration_that_fails_says_its_history(self):
        indefinite = self.file("i.mtx", matrix_market(chain(6, 0.0, -1.0), "symmetric", lambda i, j: i >= j))
        for self.subcommand in ("inverse", "inverse-sqrt"):
            done = self.cairn(indefinite, "--blocks", 2, "--ranks", 2)
            self.assertEqual(done.returncode, 1)
            self.assertIn("expected S to be positive definite; its residuals are", done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


if __name__ == "__main__":
    sys.exit(main())
