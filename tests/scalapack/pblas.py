#!/usr/bin/env python3
"""PBLAS's own level-3 testers, all four types, with the drop-in preloaded: all pass, nothing is handed back."""
import unittest

import testers


class Pblas(unittest.TestCase):
    def passes(self, letter):
        program, data = f"PBLAS/{letter}pb3tst", testers.pblas_data(letter)
        expected = testers.pblas_counts(testers.launch(program, data)[1])
        self.assertEqual(len(expected), 8 if letter in "sd" else 11)
        self.assertEqual(set(expected.values()), {(16, 16, 0, 0)})
        result = testers.dropped_in(program, data)
        self.assertEqual(testers.pblas_faults(result, expected), [], result[2])
        self.assertEqual(testers.handed_back(result[2]), 0, result[2])

    @unittest.skipIf(testers.SAMPLE, "a second MPI meets two of the types")
    def test_single(self):
        self.passes("s")

    def test_double(self):
        self.passes("d")

    def test_complex(self):
        self.passes("c")

    @unittest.skipIf(testers.SAMPLE, "a second MPI meets two of the types")
    def test_double_complex(self):
        self.passes("z")


if __name__ == "__main__":
    unittest.main()
