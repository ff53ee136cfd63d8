#!/usr/bin/env python3
"""Random tests of p?gemm and p?trsm by PBLAS's own testers, with the drop-in preloaded. By hand: random_tests.py SEED ..."""
import os
import sys
import unittest

import random_dat
import testers

SEEDS = [1, 2, 3, 4]  # one for each family of grids


def letters(seed):
    """Of the types for this family of grids: each family has another one, or all where all is asked for."""
    return "sdcz" if "CAIRN_TEST_ALL" in os.environ else "sdcz"[seed % 4]


class Random(unittest.TestCase):
    def passes(self, letter, seed, routine="GEMM"):
        data = testers.pblas_data(letter, text=random_dat.data(letter, seed, routine))
        result = testers.dropped_in(f"PBLAS/{letter}pb3tst", data)
        expected = random_dat.expected(letter, routine)
        self.assertEqual(testers.pblas_faults(result, expected), [], (letter, seed, result[2]))
        for counted in ("", "p?trsm"):
            self.assertEqual(testers.handed_back(result[2], counted), 0, (letter, seed))

    def test_every_type(self):
        for seed in SEEDS:
            for letter in letters(seed):
                self.passes(letter, seed)

    def test_solves_of_every_type(self):
        for seed in SEEDS[:2] if testers.SAMPLE else SEEDS:
            for letter in letters(seed):
                self.passes(letter, seed, "TRSM")


if __name__ == "__main__":
    SEEDS = list(map(int, sys.argv[1:])) or SEEDS
    unittest.main(argv=sys.argv[:1])
