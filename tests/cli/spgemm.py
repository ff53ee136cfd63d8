#!/usr/bin/env python3
"""`cairn spgemm` from outside: products that Python confirms, filters, patterns, files of blocks, and one clear error for
every bad input."""
import json
import random
import sys

from support.files import (Case, adjoint, largest_difference, main, matrix_market, npy, product, read_npy, transpose)

KEYS = ["operation", "m", "n", "k", "ranks", "type", "op_a", "op_b", "alpha", "beta", "a", "b", "output", "eps", "distribution", "algorithm",
        "transport", "occupancy", "products", "flops", "received_words", "received_indices", "redistributed_words", "messages",
        "seconds"]


def in_blocks(m, n, size, share, seed, imaginary=False):
    """A matrix in which a block of so many rows and columns is there with that probability."""
    rng = random.Random(seed)
    there = {(i, j): rng.random() < share for i in range(m) for j in range(n)}
    def number():
        return complex(rng.uniform(-1, 1), rng.uniform(-1, 1)) if imaginary else rng.uniform(-1, 1)
    return [[number() if there[i // size, j // size] else 0.0 for j in range(n)] for i in range(m)]


class Products(Case):
    subcommand = "spgemm"

    def write(self, name, x):
        kind = "complex" if any(isinstance(v, complex) for row in x for v in row) else "real"
        return self.file(name, matrix_market(x, "general", lambda i, j: x[i][j] != 0, kind))

    def report(self, *arguments):
        return json.loads(self.succeed(*arguments, "--json").stdout)

    def test_sizes_and_words(self):
        a, b = in_blocks(24, 36, 3, 0.5, 1), in_blocks(36, 15, 3, 0.5, 2)
        found = self.report(self.write("a.mtx", a), self.write("b.mtx", b), "--blocks", 3, "-o", self.c, "--ranks", 4)
        self.expect_close(read_npy(self.c)[0], product(a, b), k=36)
        self.assertEqual((found["m"], found["n"], found["k"], found["ranks"], found["type"], list(found)), (24, 15, 36, 4, "float64", KEYS))
        there = [sum(a[3 * i][3 * l] != 0 and b[3 * l][3 * j] != 0 for l in range(12)) for i in range(8) for j in range(5)]
        self.assertEqual((found["products"], found["flops"]), (sum(there), 54 * sum(there)))
        self.assertAlmostEqual(found["occupancy"]["c"], sum(x > 0 for x in there) / 40)
        self.assertGreater(found["received_words"]["mean"], 0)
        self.assertEqual(found["received_words"]["mean"], found["received_words"]["predicted"])
        self.assertLessEqual(found["received_words"]["mean"], found["received_words"]["max"])

    def test_operands_factors_and_c_before(self):
        a, b, c = (in_blocks(*shape, 2, 0.6, seed, True) for seed, shape in enumerate(((10, 14), (8, 10), (14, 8))))
        given = [self.write("a.mtx", a), self.write("b.mtx", b), "--transpose-a", "--adjoint-b"]
        expected = product(transpose(a), adjoint(b), 2 - 1j, 0.5, c)
        for ranks in (1, 3):
            found = self.report(*given, "--alpha", "2-1i", "--beta", 0.5, "--c-in", self.write("c.mtx", c), "--blocks", 2, "-o", self.c, "--ranks", ranks)
            self.expect_close(read_npy(self.c)[0], expected, k=40)
            self.assertEqual((found["type"], found["op_a"], found["op_b"], found["alpha"]), ("complex128", "transpose", "adjoint", [2, -1]))

    def test_neighbours_lie_together(self):
        """A chain, but not a matrix without order, half of a square, a transpose, or what a spelled plan multiplies. In blocks
        of 6, as ranks ask for the blocks they need only where that saves more than a message, of 256 words, costs."""
        n = 96
        def chain(i, j):
            return 1.0 / (1 + i + 2 * j) if abs(i // 6 - j // 6) <= 1 else 0.0
        a, b = ([[chain(i, j + shift) for j in range(n)] for i in range(n)] for shift in (0, 1))
        path, other = self.write("a.mtx", a), self.write("b.mtx", b)
        before = self.write("c.mtx", b)
        words = {}
        for how, options in (("strips", ()), ("dealt", ("--algorithm", "fetch25d 2x2 layers=1x1"))):
            found = self.report(path, other, "--blocks", 6, "--beta", 2, "--c-in", before, "-o", self.c, "--ranks", 4, *options)
            self.expect_close(read_npy(self.c)[0], product(a, b, 1, 2, b))
            self.assertEqual((found["distribution"], found["redistributed_words"]), (how, 0))
            words[how] = found["received_words"]["mean"]
        self.assertLess(words["strips"], 0.5 * words["dealt"])
        done = self.succeed(path, other, "--blocks", 6, "--ranks", 4).stdout
        self.assertIn("16 of 6, in strips, in their order", done)
        self.assertEqual(self.report(path, path, "--transpose-a", "--blocks", 6, "--ranks", 4)["distribution"], "dealt")
        dense = self.write("d.mtx", [[1.0 + i * j for j in range(n)] for i in range(n)])
        self.assertEqual(self.report(dense, dense, "--blocks", 6, "--ranks", 4)["distribution"], "dealt")
        half = self.file("h.mtx", matrix_market(a, "symmetric", lambda i, j: i >= j and a[i][j] != 0))
        self.assertEqual(self.report(half, half, "--blocks", 6, "--ranks", 4)["distribution"], "dealt")

    def test_blocks_are_dealt_over_the_grid_of_the_plan(self):
        tall, small = in_blocks(120, 12, 3, 1, 5), in_blocks(12, 12, 3, 1, 6)
        a, b = self.write("a.mtx", tall), self.write("b.mtx", small)
        def run(*options):
            found = self.report(*options, "--blocks", 3, "-o", self.c, "--ranks", 4)
            self.assertEqual((found["redistributed_words"], found["received_words"]["mean"]), (0, found["received_words"]["predicted"]))
            return found
        found = run(a, b)
        self.expect_close(read_npy(self.c)[0], product(tall, small))
        self.assertEqual((found["algorithm"], found["received_words"]["mean"]), ("fetch25d 4x1", 0.75 * 12 * 12))
        run(self.write("t.mtx", transpose(tall)), b, "--transpose-a")
        self.expect_close(read_npy(self.c)[0], product(tall, small))
        for spelled, grid in (("fetch25d", "fetch25d 4x1"), ("fetch25d 1x4", "fetch25d 1x4"), ("summa 4x1 b=64", "summa 4x1 b=64")):
            self.assertEqual(run(a, b, "--algorithm", spelled)["algorithm"], grid)
        self.assertLess(run(b, b, "--algorithm", "summa 1x4 b=64")["received_words"]["max"], 12 * 12)

    def test_files_that_know_their_blocks(self):
        a = in_blocks(12, 12, 4, 0.7, 3)
        square = self.dir / "square.cbs"
        done = self.succeed(self.write("a.mtx", a), self.write("b.mtx", a), "--blocks", "4,1,1", "-o", square, "--ranks", 2)
        for text in ("C = A·B   float64, 2 ranks", "6 of 1 to 4", "fetch25d", "of blocks", "received by a rank", "in all"):
            self.assertIn(text, done.stdout)
        self.assertEqual(done.stderr, "")
        self.succeed(square, square, "-o", self.dir / "fourth.mtx", "--ranks", 3)
        found = self.report(self.dir / "fourth.mtx", square, "-o", self.c, "--ranks", 5)
        sixth = product(product(a, a), product(product(a, a), product(a, a)))
        self.assertLess(largest_difference(read_npy(self.c)[0], sixth), 1e-9)
        self.assertEqual(found["output"], str(self.c))

    def test_a_triangle_in_a_file_is_the_whole_matrix(self):
        a = in_blocks(12, 12, 3, 0.5, 4)
        a = [[a[max(i, j)][min(i, j)] for j in range(12)] for i in range(12)]
        half = self.file("a.mtx", matrix_market(a, "symmetric", lambda i, j: i >= j and a[i][j] != 0))
        copy = self.file("b.mtx", half.read_bytes())
        there = [[a[3 * i][3 * j] != 0 for j in range(4)] for i in range(4)]
        for b, computed in ((copy, lambda i, j: True), (half, lambda i, j: i <= j)):  # half of a square
            found = self.report(half, b, "--blocks", 3, "-o", self.c, "--ranks", 4)
            self.expect_close(read_npy(self.c)[0], product(a, a))
            self.assertEqual(found["products"], sum(there[i][l] and there[l][j] for i in range(4) for j in range(4) for l in range(4) if computed(i, j)))
        self.succeed(half, half, "--blocks", 3, "--transpose-a", "--alpha", "2", "-o", self.c, "--ranks", 2)
        self.expect_close(read_npy(self.c)[0], product(a, a, 2))

    def test_squares_of_complex_matrices(self):
        a = in_blocks(8, 8, 2, 0.8, 9, True)
        a = [[a[i][j] if i > j else a[j][i].conjugate() if i < j else complex(a[i][i].real) for j in range(8)] for i in range(8)]
        half = self.file("a.mtx", matrix_market(a, "hermitian", lambda i, j: i >= j, "complex"))
        for alpha in ("2", "1i"):
            self.succeed(half, half, "--blocks", 2, "--alpha", alpha, "-o", self.c, "--ranks", 3)
            self.expect_close(read_npy(self.c)[0], product(a, a, complex(alpha.replace("i", "j"))))

    def test_small_blocks_are_left_out(self):
        """Of blocks along a diagonal, each a tenth of the one before, those below the limit."""
        a = [[10.0 ** -(i // 2) if i == j else 0.0 for j in range(12)] for i in range(12)]
        path = self.write("a.mtx", a)
        found = self.report(path, path, "--blocks", 2, "--eps", "3e-4", "-o", self.c, "--ranks", 2)
        c = read_npy(self.c)[0]
        self.assertEqual([c[i][i] != 0 for i in range(0, 12, 2)], [True, True, False, False, False, False])  # √2·1e-4
        self.assertAlmostEqual(found["occupancy"]["c"], 2 / 36)
        self.assertLess(found["products"], 6)

    def test_a_pattern_is_kept(self):
        a, c = in_blocks(12, 12, 3, 0.8, 5), in_blocks(12, 12, 3, 0.3, 6)
        path, before = self.write("a.mtx", a), self.write("c.mtx", c)
        for beta in (0, 2):
            self.report(path, path, "--beta", beta, "--c-in", before, "--retain-sparsity", "--blocks", 3, "-o", self.c, "--ranks", 4)
            whole = product(a, a, 1, beta, c)
            self.expect_close(read_npy(self.c)[0], [[x if y else 0.0 for x, y in zip(r, s)] for r, s in zip(whole, c)])

    def test_spellings_transports_and_memory(self):
        a = in_blocks(16, 16, 4, 0.9, 7)
        path = self.write("a.mtx", a)
        for chosen in ({"algorithm": "fetch25d 2x2 layers=1x2", "transport": "one-sided"}, {"transport": "two-sided"}, {"memory": "1MiB"}):
            options = [word for name, value in chosen.items() for word in ("--" + name, value)]
            found = self.report(path, path, "--blocks", 4, "-o", self.c, "--ranks", 4, *options)
            self.expect_close(read_npy(self.c)[0], product(a, a))
            for name in chosen.keys() & found.keys():
                self.assertEqual(found[name], chosen[name])

    def test_a_plan_is_what_then_happens(self):
        a = in_blocks(20, 20, 2, 0.4, 8)
        given = [self.write("a.mtx", a), self.dir / "a.mtx", "--blocks", 2, "--ranks", 4]
        page = self.succeed(*given, "--plan").stdout
        planned, done = self.report(*given, "--plan"), self.report(*given)
        self.assertEqual(planned["algorithm"], done["algorithm"])
        self.assertIn("  algorithm           %s\n" % done["algorithm"], page)
        self.assertIn("words received                      %10d " % done["received_words"]["mean"], page.replace(",", ""))

    def test_checked(self):
        a, c = in_blocks(12, 12, 3, 0.6, 10), in_blocks(12, 12, 3, 0.4, 11)
        path, before = self.write("a.mtx", a), self.write("c.mtx", c)
        for options in ((), ("--eps", 0.5), ("--beta", 2, "--c-in", before), ("--adjoint-b",)):
            found = self.report(path, path, "--blocks", 3, "--check", "-o", self.c, "--ranks", 3, *options)
            self.assertEqual((found["check"]["passed"], found["check"]["rounds"], list(found)[-2]), (True, 8, "check"))
            self.assertGreater(found["seconds"]["check"], 0)
            self.assertLess(0, found["check"]["ratio"])
        given = [path, path, "--blocks", 3, "--check"]
        self.assertIn("of the rounding bound", self.succeed(*given).stdout)
        self.assertIn("of the bound of rounding and --eps", self.succeed(*given, "--eps", 0.1).stdout)

    def test_nothing_there(self):
        empty = self.file("a.mtx", "%%MatrixMarket matrix coordinate real general\n6 6 0\n")
        found = self.report(empty, empty, "--blocks", 2, "--ranks", 4)
        self.assertEqual((found["products"], found["occupancy"]["c"], found["output"]), (0, 0, None))


class BadInput(Case):
    subcommand = "spgemm"

    def setUp(self):
        super().setUp()
        self.a = self.file("a.mtx", matrix_market(in_blocks(6, 6, 2, 1.0, 1), "general", lambda i, j: True))

    def bad(self, code, *says, arguments=(), b=None, blocks=("--blocks", 2)):
        given = [self.a, b or self.a, *blocks, *arguments]
        self.fails(code, *says, arguments=given if "-o" in given else [*given, "-o", self.dir / "C.cbs"])

    def test_operands(self):
        small = self.file("b.mtx", "%%MatrixMarket matrix coordinate real general\n4 6 0\n")
        self.bad(2, "the columns of A (6) must equal the rows of B (4)", b=small)
        self.bad(2, "--c-in is 4x6, expected 6x6", arguments=["--beta", 1, "--c-in", small])
        self.bad(2, "--beta is not 0: expected --c-in", arguments=["--beta", 1])
        self.bad(2, "--c-in: not used as --beta is 0", arguments=["--c-in", self.a])
        self.bad(2, "--retain-sparsity: expected --c-in", arguments=["--retain-sparsity"])
        self.bad(2, "--alpha '1+': expected a number", arguments=["--alpha", "1+"])
        self.bad(2, "--beta: 0+1i is complex, expected a real number", arguments=["--beta", "1i", "--c-in", self.a])
        self.bad(1, "b.npy", "expected a Matrix Market file or one of Cairn's", b=self.file("b.npy", npy([[1.0] * 6] * 6)))
        self.bad(1, "B (", "none.mtx", "No such file", b=self.dir / "none.mtx")

    def test_blocks(self):
        self.bad(1, "A: --blocks is needed, or a file that knows its blocks: ", blocks=())
        self.bad(2, "A: --blocks: ", "'4': they add up to 4, which does not go into 6", blocks=("--blocks", 4))
        self.succeed(self.a, self.a, "--blocks", 3, "-o", self.dir / "b.cbs", "--ranks", 2)
        self.bad(2, "B", "expected", b=self.dir / "b.cbs")  # which is in other blocks than asked for
        self.subcommand = "multiply"
        self.bad(1, "B (", "b.cbs): a block-sparse file", "`cairn spgemm` multiplies", b=self.dir / "b.cbs", blocks=(), arguments=["-o", self.dir / "C.npy"])
        self.subcommand = "spgemm"
        self.bad(1, "A: --blocks: none: cannot be opened", blocks=("--blocks", "none"))
        half = self.file("half.mtx", "%%MatrixMarket matrix coordinate real symmetric\n6 6 0\n")
        self.file("half.mtx.rows", "2,2,2"), self.file("half.mtx.cols", "3,3"), self.file("a.mtx.rows", "2,2,2"), self.file("a.mtx.cols", "2,2,2")
        self.bad(2, "B (", "half.mtx): rows are in other blocks than columns", b=half, blocks=())
        self.bad(2, "--c-in (", "half.mtx): in other blocks than the product of A and B", blocks=(), arguments=["--beta", 1, "--c-in", half])
        other = self.file("other.mtx", "%%MatrixMarket matrix coordinate real general\n6 6 0\n")
        self.file("other.mtx.rows", "2,2,2"), self.file("other.mtx.cols", "3,3")
        self.succeed(self.a, other, "--beta", 1, "--c-in", half, "--ranks", 2)  # of C no half is kept

    def test_options(self):
        self.bad(2, "--eps: '-1', expected a number, 0 or more", arguments=["--eps", -1])
        self.bad(2, "--memory 10words: ", arguments=["--memory", "10words"])
        self.bad(2, "algorithm: '9' is not a grid", arguments=["--algorithm", "cannon 9"])
        self.bad(2, "transport", "'pigeon'", arguments=["--transport", "pigeon"])
        self.bad(2, "--plan excludes", arguments=["--plan"])
        self.bad(2, "--plan excludes --check", arguments=["--plan", "--check"])
        self.bad(2, "--retain-sparsity excludes --check", arguments=["--check", "--retain-sparsity", "--c-in", self.a])
        self.bad(2, "-o C.txt: expected a file that ends with .cbs, .mtx or .npy", arguments=["-o", "C.txt"])

    def test_a_wrong_product_is_not_written(self):
        """One that overflows."""
        large = self.file("b.mtx", matrix_market([[1e300] * 6] * 6, "general", lambda i, j: True))
        given = [large, large, "--blocks", 2, "--check", "-o"]
        self.fails(1, "--check: C holds numbers that are not finite, though A and B do not; nothing was written",
                   arguments=[*given, self.dir / "C.cbs"])
        self.assertFalse((self.dir / "C.cbs").exists())
        (self.dir / "C.mtx.cols").mkdir()  # noticed before anything is multiplied
        self.fails(1, "-o (%s): cannot be written" % (self.dir / "C.mtx.cols"), arguments=[*given, self.dir / "C.mtx"])


if __name__ == "__main__":
    sys.exit(main())
