#!/usr/bin/env python3
"""`cairn cholesky` and `cairn solve` from outside: results of every type and format, and one clear error for every bad
input."""
import gzip
import json
import os
import struct
import sys
import unittest

from support.files import (EPSILON, FORMATS, Case, adjoint, largest_difference, main, matrix_market, npy, npy_header, numbers,
                           product, read_npy, transpose)

N = 37


def positive_definite(n, seed, type_name="float64"):
    """G·Gᴴ + n, exactly Hermitian, its elements rounded to the type."""
    g = numbers(n, n, seed, type_name)
    a = [[complex(x) for x in row] for row in product(g, adjoint(g))]
    for i in range(n):
        a[i][i] = complex(a[i][i].real + n)
        for j in range(i):
            a[j][i] = a[i][j].conjugate()
    code = FORMATS[type_name][1]
    def rounded(x):
        return struct.unpack("<" + code, struct.pack("<" + code, x))[0]
    if FORMATS[type_name][2] == 2:
        return [[complex(rounded(x.real), rounded(x.imag)) for x in row] for row in a]
    return [[rounded(x.real) for x in row] for row in a]


def vector(path):
    """Elements of a float64 .npy file with one dimension."""
    data = path.read_bytes()
    header = eval(data[10:10 + struct.unpack("<H", data[8:10])[0]], {})  # written by this test's own program
    (n,) = header["shape"]
    return [[x] for x in struct.unpack("<%dd" % n, data[-8 * n:])]


def npy_vector(x):
    return npy([[v] for v in x]).replace(b"(%d, 1), }  " % len(x), b"(%d,), }    " % len(x))


class Cholesky(Case):
    subcommand = "cholesky"

    def factor(self, a, *arguments):
        self.succeed(a, "-o", self.c, "--ranks", 3, "--check", "--verify-counts", *arguments)
        return read_npy(self.c)

    def expect_factor(self, found, a, type_name="float64"):
        self.assertTrue(all(found[i][j] == 0 for i in range(N) for j in range(i + 1, N)), "zeros above the diagonal")
        self.expect_close(product(found, adjoint(found)), a, type_name, k=20 * N)

    def test_every_type_and_order(self):
        for type_name in FORMATS:
            a = positive_definite(N, 1, type_name)
            order_in, order_out = ("C", "F") if type_name.startswith("float") else ("F", "C")
            with self.subTest(type=type_name):
                found, found_type, order = self.factor(self.file("A.npy", npy(a, type_name, order_in)), "--order", order_out)
                self.assertEqual((found_type, order), (type_name, order_out))
                self.expect_factor(found, a, type_name)

    def test_with_uplo_the_other_triangle_does_not_matter(self):
        a = positive_definite(N, 2, "complex128")
        for uplo, counts in (("lower", lambda i, j: i >= j), ("upper", lambda i, j: i <= j)):
            other = {2: float("nan"), 3: float("inf")}
            half = [[a[i][j] if counts(i, j) else other.get(j % 5, 1e300) for j in range(N)] for i in range(N)]
            found, _, _ = self.factor(self.file("A.npy", npy(half, "complex128")), "--uplo", uplo)
            self.expect_factor(found if uplo == "lower" else adjoint(found), a)

    def test_matrix_market(self):
        a = positive_definite(N, 3)
        symmetric = self.file("a.mtx.gz", gzip.compress(matrix_market(a, "symmetric", lambda i, j: i >= j).encode()))
        self.expect_factor(self.factor(symmetric)[0], a)
        half = self.file("half.mtx", matrix_market(a, "general", lambda i, j: i >= j))
        self.expect_factor(self.factor(half, "--uplo", "lower")[0], a)

    def test_small_orders_on_more_ranks_than_elements(self):
        for n in (0, 1, 2):
            a = positive_definite(n, 4)
            content = npy(a) if n else npy_header("float64", 0, 0)
            self.succeed(self.file("A.npy", content), "-o", self.c, "--ranks", 5, "--check", "--verify-counts")
            if n:
                found = read_npy(self.c)[0]
                self.assertLess(largest_difference(product(found, transpose(found)), a), 1e-14 * n)

    def test_reports(self):
        a = self.file("A.npy", npy(positive_definite(64, 5)))
        trace = self.dir / "t.json"
        done = self.succeed(a, "-o", self.c, "--ranks", 4, "--check", "--algorithm", "cholesky 2x2 b=16", "--trace", trace)
        for text in ("A = L·Lᴴ", "cholesky 2x2 b=16", "equal on every rank", "lower bound", "passed"):
            self.assertIn(text, done.stdout)
        self.assertEqual(done.stderr, "")
        events = json.loads(trace.read_text())["traceEvents"]
        self.assertEqual({e["pid"] for e in events if e["ph"] == "X"}, {0, 1, 2, 3})
        self.assertEqual(sorted(os.listdir(self.dir)), ["A.npy", "C.npy", "t.json"])
        none = self.file("none.npy", npy_header("float64", 0, 0))
        self.succeed(none, "-o", self.c, "--ranks", 2, "--trace", trace)
        self.assertEqual([e["pid"] for e in json.loads(trace.read_text())["traceEvents"]], [0, 1])
        report = json.loads(self.succeed(a, "-o", self.c, "--ranks", 4, "--check", "--json", "--memory", "3200words").stdout)
        self.assertEqual((report["operation"], report["n"], report["uplo"]), ("cholesky", 64, "lower"))
        self.assertTrue(report["check"]["passed"] and report["received_words"]["equal_on_every_rank"])
        self.assertLessEqual(report["plan"]["peak_words"]["max"], 3200)
        self.assertEqual(report["received_words"]["bound"], report["plan"]["bounds"]["tight"])


class Solve(Case):
    subcommand = "solve"

    def solution(self, a, b, *arguments):
        self.succeed(a, b, "-o", self.c, "--ranks", 3, "--check", "--verify-counts", *arguments)
        return read_npy(self.c)

    def test_every_type_with_several_columns(self):
        for type_name, uplo in zip(FORMATS, ((), ("--uplo", "upper"), ("--uplo", "lower"), ())):
            a, x = positive_definite(N, 1, type_name), numbers(N, 4, 2, type_name)
            b = product(a, x)
            with self.subTest(type=type_name):
                fa, fb = self.file("A.npy", npy(a, type_name)), self.file("b.npy", npy(b, type_name, "F"))
                found, found_type, _ = self.solution(fa, fb, *uplo)
                self.assertEqual(found_type, type_name)
                self.expect_close(found, x, type_name, k=20 * N)

    def test_a_vector_stays_a_vector(self):
        a, x = positive_definite(N, 3), numbers(N, 1, 4)
        fa = self.file("a.mtx", matrix_market(a, "symmetric", lambda i, j: i >= j))
        fb = self.file("b.npy", npy_vector([v[0] for v in product(a, x)]))
        self.succeed(fa, fb, "-o", self.c, "--ranks", 4, "--check")
        self.expect_close(vector(self.c), x, k=20 * N)

    def test_the_solution_may_take_the_place_of_b(self):
        a, x = positive_definite(N, 5), numbers(N, 2, 6)
        self.c.write_bytes(npy(product(a, x)))
        self.expect_close(self.solution(self.file("A.npy", npy(a)), self.c)[0], x, k=20 * N)

    def test_no_columns_and_no_rows(self):
        a = self.file("A.npy", npy(positive_definite(N, 7)))
        self.solution(a, self.file("b.npy", npy_header("float64", N, 0)))
        self.assertEqual(self.c.read_bytes(), npy_header("float64", N, 0))
        self.solution(self.file("none.npy", npy_header("float64", 0, 0)), self.file("b.npy", npy_header("float64", 0, 2)))

    def test_reports(self):
        a, b = self.file("A.npy", npy(positive_definite(64, 8))), self.file("b.npy", npy(numbers(64, 3, 9)))
        trace = self.dir / "t.json"
        other = self.file("t.json.part0", b"somebody's")  # parts of a timeline were called so, and went
        done = self.succeed(a, b, "-o", self.c, "--ranks", 4, "--check", "--trace", trace)
        for text in ("A·x = b", "to factorise", "to solve", "equal on every rank", "scaled residual"):
            self.assertIn(text, done.stdout)
        names = [e["name"] for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"]
        self.assertTrue(any("potrf" in name for name in names) and any("trsm" in name for name in names), names[:9])
        self.assertEqual(sorted(os.listdir(self.dir)), ["A.npy", "C.npy", "b.npy", "t.json", "t.json.part0"])
        self.assertEqual(other.read_bytes(), b"somebody's")
        report = json.loads(self.succeed(a, b, "-o", self.c, "--ranks", 4, "--check", "--json").stdout)
        self.assertEqual([stage["name"] for stage in report["stages"]], ["factorise", "solve"])
        self.assertEqual([len(stage["plans"]) for stage in report["stages"]], [1, 2])
        self.assertTrue(all(stage["received_words"]["equal_on_every_rank"] for stage in report["stages"]))
        self.assertTrue(0 < report["check"]["scaled_residual"] < 1, report["check"])

    def test_the_check_sees_errors_where_sums_of_rows_are_beyond_all_numbers(self):
        a = [[1.7e308 * (i == j) for j in range(8)] for i in range(8)]
        a[0][1] = a[1][0] = 1e308
        b = [[1e300 * x for x in row] for row in numbers(8, 3, 12)]
        report = json.loads(self.succeed(self.file("A.npy", npy(a)), self.file("b.npy", npy(b)), "-o", self.c, "--ranks", 2, "--check",
                                         "--json").stdout)
        self.assertTrue(0 < report["check"]["scaled_residual"] < 1, report["check"])

    def test_numbers_in_b_that_are_not_finite_pass_when_allowed(self):
        a, b = positive_definite(N, 10), numbers(N, 2, 11)
        b[3][0] = float("nan")
        fa, fb = self.file("A.npy", npy(a)), self.file("b.npy", npy(b))
        self.fails(1, "b (", "NaN or infinity", "row 3, column 0", arguments=[fa, fb])
        self.assertIn("undecided", self.succeed(fa, fb, "-o", self.c, "--ranks", 3, "--check", "--allow-nonfinite").stdout)


class BadInput(Case):
    subcommand = "solve"

    def setUp(self):
        super().setUp()
        self.a = self.file("A.npy", npy(positive_definite(N, 1)))
        self.b = self.file("b.npy", npy(numbers(N, 2, 2)))

    def test_not_positive_definite(self):
        a = positive_definite(N, 3)
        a[20][20] = -1.0
        wrong = self.file("W.npy", npy(a))
        says = ("W.npy", "not positive definite: its leading minor of order 21 is not positive; nothing was written")
        self.fails(1, *says, arguments=[wrong, self.b])
        self.fails(1, *says, arguments=[wrong, self.b, "--trace", self.dir / "t.json"], ranks=1)
        self.subcommand = "cholesky"
        self.fails(1, *says, arguments=[wrong, "--uplo", "upper"])

    def test_sizes_that_do_not_fit(self):
        wide = self.file("wide.npy", npy(numbers(N, 5, 4)))
        self.fails(2, "A is 37x5, expected a square matrix", arguments=[wide, self.b])
        self.fails(2, "b is 5x37, expected 37 rows, as many as A has",
                   arguments=[self.a, self.file("tall.npy", npy(numbers(5, N, 4)))])
        self.fails(2, "b is 3x1, expected 37 rows", arguments=[self.a, self.file("v.npy", npy_vector([1.0, 2.0, 3.0]))])
        self.subcommand = "cholesky"
        self.fails(2, "A is 37x5, expected a square matrix", arguments=[wide])

    def test_not_symmetric(self):
        a = positive_definite(N, 5)
        a[2][7] += 1e-9
        self.fails(1, "A (", "W.npy", "row 7, column 2", "expected a symmetric matrix, or --uplo lower or upper",
                   arguments=[self.file("W.npy", npy(a)), self.b])
        h = positive_definite(N, 5, "complex128")
        self.fails(1, "expected a Hermitian matrix", arguments=[self.file("W.npy", npy(transpose(h)[::-1], "complex128")), self.b])
        h[3][3] += 0.5j
        self.fails(1, "row 3, column 3 (counted from 0) is ", "whose imaginary part is not 0",
                   arguments=[self.file("W.npy", npy(h, "complex128")), self.b])

    def test_numbers_that_are_not_finite(self):
        a = positive_definite(N, 5)
        a[5][9] = float("nan")
        wrong = self.file("W.npy", npy(a))
        self.fails(1, "A (", "found NaN or infinity in row 5, column 9", arguments=[wrong, self.b])
        self.fails(1, "A (", "found NaN or infinity in row 5, column 9", arguments=[wrong, self.b, "--uplo", "upper"])
        self.fails(1, "expected a symmetric matrix", arguments=[wrong, self.b, "--allow-nonfinite"])
        a[5][9] = float("inf")
        a[30][2] += 1
        self.fails(1, "expected a symmetric matrix",
                   arguments=[self.file("W.npy", npy(a)), self.b, "--allow-nonfinite"])

    def test_files_that_are_none_or_in_each_others_place(self):
        self.fails(2, "argument 3: an empty text, expected a value", arguments=[self.a, ""])
        self.fails(2, "-o: an empty text, expected a value", arguments=[self.a, self.b, "-o", ""])
        missing, other_name = self.dir / "x.npy", os.path.relpath(self.dir / "x.npy")
        self.fails(2, "--trace", "the same file as -o", arguments=[self.a, self.b, "-o", missing, "--trace", other_name])
        self.fails(2, "--trace", "a file that is read", arguments=[self.a, self.b, "--trace", self.dir / "." / "b.npy"])

    def test_files_and_types(self):
        self.fails(1, "A (", "none.npy", "No such file", arguments=[self.dir / "none.npy", self.b])
        short = self.file("short.npy", self.b.read_bytes()[:-8])
        self.fails(1, "b (", "truncated", arguments=[self.a, short])
        self.fails(2, "A (", "float64 numbers cannot be read as float32", arguments=[self.a, self.b, "--type", "float32"])
        self.fails(1, "-o (", "cannot be written", arguments=[self.a, self.b, "-o", self.dir / "none/x.npy"])
        self.fails(1, "--trace (", "cannot be written", arguments=[self.a, self.b, "--trace", self.dir / "none/t.json"])

    def test_usage(self):
        self.fails(2, "--memory 64B", "expected at least", "for the factorisation alone", arguments=[self.a, self.b, "--memory", "64B"])
        self.fails(2, "--uplo 'full': expected lower or upper", arguments=[self.a, self.b, "--uplo", "full"])
        self.fails(2, "'cosma' is unknown, expected one of cholesky", arguments=[self.a, self.b, "--algorithm", "cosma"])
        self.fails(2, "b", arguments=[self.a])
        self.fails(2, "x.txt: expected a file that ends with .npy", arguments=[self.a, self.b, "-o", self.dir / "x.txt"], ranks=1)
        self.fails(2, "'cholesky25d' has no variant to compare", arguments=[self.a, self.b, "--algorithm", "cholesky25d"])
        self.fails(2, "--ranks: '0', expected a whole number, 1 to 2147483647", arguments=[self.a, self.b, "--ranks", "0"], ranks=None)
        self.fails(2, "--transport", arguments=[self.a, self.b, "--transport", "one-sided"])


if __name__ == "__main__":
    sys.exit(main())
