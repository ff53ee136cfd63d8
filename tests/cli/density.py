#!/usr/bin/env python3
"""`cairn density` from outside: the density matrix of real water against the dense solution, and one clear error for
every bad input."""
import gzip
import json
import os
import sys
import unittest
from pathlib import Path

from support.files import Case, main, npy, npy_header, read_npy

DATA = Path(__file__).resolve().parents[2] / "data"
H, S = DATA / "water128_szv_H.mtx.gz", DATA / "water128_szv_S.mtx.gz"
WATER = json.loads((DATA / "water128_szv.json").read_text())
REFERENCE = WATER["reference_from_stored_matrices"]
KEYS = ["operation", "n", "blocks", "ranks", "type", "h", "s", "output", "method", "eps", "band_energy", "electrons",
        "chemical_potential", "idempotency", "occupancy", "iterations", "products", "flops", "received_words", "seconds",
        "dense_seconds", "history"]


def chain(n, diagonal, beside):
    """Matrix Market text of a symmetric tridiagonal matrix."""
    entries = ["%d %d %r" % (i, i, diagonal) for i in range(1, n + 1)] + ["%d %d %r" % (i + 1, i, beside) for i in range(1, n)]
    return "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n%s\n" % (n, n, len(entries), "\n".join(entries))


class Density(Case):
    subcommand = "density"

    def report(self, *arguments):
        done = self.succeed(*arguments, "--json")
        return json.loads(done.stdout)

    def expect_water(self, found, tolerance):
        self.assertEqual((found["n"], found["type"]), (768, "float64"))
        self.assertLess(abs(found["band_energy"] - REFERENCE["band_energy_tr_PH"]), tolerance)
        self.assertLess(abs(found["electrons"] - 1024), tolerance)
        self.assertTrue(REFERENCE["homo"] < found["chemical_potential"] < REFERENCE["lumo"], found["chemical_potential"])

    def test_water_by_electrons(self):
        p = self.dir / "P.npy"
        found = self.report(H, S, "--electrons", 1024, "--blocks", 6, "--eps", "1e-7", "--ranks", 4, "-o", p)
        self.expect_water(found, 1e-5)
        self.assertEqual((found["method"], found["blocks"], list(found)), ("trs4", 128, KEYS))
        self.assertEqual(found["iterations"], len(found["history"]))
        for key in ("products", "flops"):
            self.assertEqual(found[key], sum(i[key] for i in found["history"]))
        self.assertLessEqual(found["received_words"]["mean"], found["received_words"]["max"])
        matrix = read_npy(p)[0]
        for i, j, x in REFERENCE["P_first_entries"]:
            self.assertLess(abs(matrix[i - 1][j - 1] - x), 1e-6, (i, j))

    def test_water_by_chemical_potential_in_blocks_of_atoms(self):
        found = self.report(H, S, "--mu", REFERENCE["chemical_potential"], "--blocks", "4,1,1", "--eps", "1e-5", "--ranks", 2)
        self.expect_water(found, 1e-3)
        self.assertEqual((found["method"], found["blocks"], found["output"]), ("sign", 384, None))

    def test_the_table_and_files_of_blocks(self):
        h, s = self.file("h.mtx", chain(60, 0.0, -1.0)), self.file("s.mtx", chain(60, 1.0, 0.1))
        first = self.succeed(h, s, "--electrons", 60, "--blocks", 5, "--ranks", 3, "-o", self.dir / "P.mtx", "--method", "mcweeny")
        for text in ("12 of 5", "residual", "inverse", "last step", "mcweeny, eps 1e-06", "tr(PH)", "60.000", "faster"):
            self.assertIn(text, first.stdout)
        self.assertEqual(first.stderr, "")
        self.assertEqual(sorted(os.listdir(self.dir)), ["P.mtx", "P.mtx.cols", "P.mtx.rows", "h.mtx", "s.mtx"])
        # A file that knows its blocks, read on other ranks, and one that does not but has the sizes beside it
        os.rename(self.dir / "P.mtx.rows", self.dir / "h.mtx.rows")
        os.rename(self.dir / "P.mtx.cols", self.dir / "h.mtx.cols")
        found = self.report(h, s, "--electrons", 60, "--ranks", 1, "-o", self.dir / "P.cbs")
        again = self.report(self.dir / "P.cbs", s, "--mu", 1.0, "--ranks", 2)  # as a Hamiltonian
        self.assertEqual((found["blocks"], again["blocks"]), (12, 12))
        self.assertIn("energy", first.stdout)
        self.assertAlmostEqual(found["band_energy"], float(first.stdout.split("energy")[1].split()[0]), places=4)

    def test_complex_and_few_blocks_on_more_ranks(self):
        h = self.file("h.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 0 1\n")
        s = self.file("s.mtx", chain(2, 1.0, 0.0))
        found = self.report(h, s, "--electrons", 2, "--blocks", 1, "--ranks", 5, "-o", self.dir / "P.npy")
        self.assertEqual(found["type"], "complex128")
        self.assertAlmostEqual(found["band_energy"], -2.0, places=9)
        self.assertLess(abs(read_npy(self.dir / "P.npy")[0][0][1] - 1j), 1e-9)


class BadInput(Case):
    subcommand = "density"

    def setUp(self):
        super().setUp()
        self.h, self.s = self.file("h.mtx", chain(6, 0.0, -1.0)), self.file("s.mtx", chain(6, 1.0, 0.1))

    def bad(self, code, *says, arguments=(), h=None, s=None, asked=("--electrons", 6), blocks=("--blocks", 2)):
        given = [h or self.h, s or self.s, *asked, *blocks, *arguments]
        self.fails(code, *says, arguments=given if "-o" in given else [*given, "-o", self.dir / "P.cbs"])

    def test_electrons_and_chemical_potentials(self):
        for asked in ((), ("--electrons", 6, "--mu", 0)):
            self.bad(2, "either --electrons or --mu", asked=asked)
        for electrons in (5, -2, 14):
            self.bad(2, "electrons: %d, expected an even number from 0 to 12" % electrons, asked=("--electrons", electrons))
        self.bad(2, "chemical potential: 50, expected one within the spectrum", asked=("--mu", 50), arguments=["--json"])
        self.bad(2, "trs4 needs a number of electrons", asked=("--mu", "-0.1"), arguments=["--method", "trs4"])
        self.bad(2, "--electrons: '6.5', expected a whole number", asked=("--electrons", 6.5))
        self.bad(2, "--mu: 'nan', expected a number", asked=("--mu", "nan"))

    def test_options(self):
        self.bad(2, "--method 'lanczos': expected trs4, sign or mcweeny", arguments=["--method", "lanczos"])
        self.bad(2, "--eps: '-1', expected a number, 0 or more", arguments=["--eps", -1])
        self.bad(2, "--order: '9', expected a whole number, 2 to 7", arguments=["--order", 9])
        self.bad(2, "--max-iterations: '0', expected a whole number, 1 to", arguments=["--max-iterations", 0])
        self.bad(2, "--memory 10words: 10 words", arguments=["--memory", "10words"])
        self.bad(2, "-o P.txt: expected a file that ends with .cbs, .mtx or .npy", arguments=["-o", "P.txt"])
        self.bad(1, "-o (", "cannot be written", arguments=["-o", self.dir / "none/P.cbs"])

    def test_blocks(self):
        self.bad(1, "error: H: --blocks is needed, or a file that knows its blocks: ", "h.mtx.rows", "cannot be opened", blocks=())
        self.bad(2, "'4': they add up to 4, which does not go into 6", blocks=("--blocks", 4))
        for sizes in ("-6", "4,-1,1"):
            self.bad(2, "--blocks: block sizes: found '-", "expected sizes of blocks from 0", blocks=("--blocks", sizes))
        self.bad(1, "sizes: cannot be opened", blocks=("--blocks", "sizes"))
        for size in (2, 3):
            self.succeed(self.h, self.s, "--electrons", 6, "--blocks", size, "-o", self.dir / f"in{size}.cbs")
        self.bad(2, "S (", "in3.cbs) is in other blocks than H (", h=self.dir / "in2.cbs", s=self.dir / "in3.cbs", blocks=())

    def test_files(self):
        self.bad(1, "S (", "none.mtx", "No such file", s=self.dir / "none.mtx")
        self.bad(2, "S is 4x4, expected 6x6", s=self.file("small.mtx", chain(4, 1.0, 0.0)))
        self.bad(2, "H is 2x3, expected 2x2", h=self.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 0\n"))
        self.bad(1, "a .npy file, expected a Matrix Market file or one of Cairn's", h=self.file("h.npy", npy_header("float64", 6, 6) + bytes(288)))
        cut = gzip.compress(chain(6, 0.0, -1.0).encode())[:-12]
        self.bad(1, "H (", h=self.file("cut.mtx.gz", cut))
        skew = "%%MatrixMarket matrix coordinate real general\n6 6 1\n1 6 1.0\n"
        self.bad(2, "H", "Hermitian", h=self.file("skew.mtx", skew))

    def test_an_iteration_that_fails_says_its_history(self):
        done = self.cairn(self.h, self.h, "--electrons", 6, "--blocks", 2, "--ranks", 2)
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected S to be positive definite; its residuals are", done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


if __name__ == "__main__":
    sys.exit(main())
