#!/usr/bin/env python3
"""What the other tests rest on: stock ScaLAPACK passes, and every kind of spoilt drop-in is found out."""
import os
import subprocess
import unittest
from pathlib import Path

import testers

SPOILT = os.environ["CAIRN_SCALAPACK_SPOILT"]
PROGRAM, DATA = "PBLAS/dpb3tst", testers.pblas_data("d")


class Spoilt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stock = testers.launch(PROGRAM, DATA)
        cls.expected = testers.pblas_counts(cls.stock[1])

    def faults(self, how, patience=30):
        result = testers.launch(PROGRAM, DATA, [SPOILT], patience, SPOILT=how)
        return "\n".join(testers.pblas_faults(result, self.expected))

    def test_stock_passes(self):
        self.assertEqual(self.expected["PDGEMM"], (16, 16, 0, 0))
        self.assertEqual(testers.pblas_faults(self.stock, self.expected), [])

    def test_a_library_that_hands_all_back_passes_and_is_counted(self):
        result = testers.launch(PROGRAM, DATA, [SPOILT, testers.HANDED_BACK])
        self.assertEqual(testers.pblas_faults(result, self.expected), [])
        self.assertGreater(testers.handed_back(result[2]), 4 * 16)

    def test_a_library_that_is_not_loaded_is_noticed(self):
        self.assertIsNone(testers.handed_back(testers.launch(PROGRAM, DATA)[2]))

    def test_missing_checks_and_other_codes_are_found(self):
        self.assertIn("SHOULD HAVE BEEN     -3", self.faults("unchecked"))
        self.assertIn("CODE RETURNED =     -1 SHOULD HAVE BEEN     -3", self.faults("other code"))

    def test_wrong_products_are_found(self):
        for how in ("inexact", "idle"):
            self.assertIn("less than half accurate", self.faults(how), how)

    def test_writing_where_nothing_may_be_written_is_found(self):
        self.assertIn("PARALLEL_C modified", self.faults("outside"))
        self.assertIn("PARALLEL_A modified", self.faults("input"))
        self.assertIn("memory overwrite in lda-m gap", self.faults("padding"))

    def test_programs_that_do_not_end_well_are_found(self):
        for how, patience in (("leaves", 30), ("crashes", 30), ("hangs", 3)):
            self.assertIn("the end was not reached", self.faults(how, patience), how)

    def test_comparisons_with_scalapack_find_what_pblas_testers_find_and_more(self):
        for how in ("slightly inexact", "idle", "outside", "input", "padding"):
            said = self.compare("gemm", "*/1.AgreesOnRandomCalls", how)
            self.assertRegex(said, r"matrix \d \(-?\d+, -?\d+\) is ", how)
        for how in ("unchecked", "other code"):
            self.assertIn("Expected equality", self.compare("arguments", "*/1.*", how), how)

    def test_comparisons_find_what_testers_of_factorisations_do_not(self):
        for how in ("anywhere", "info elsewhere", "other info", "other triangle", "padding"):
            said = self.compare("potrf", "*/1.AgreesOnRandomCalls:*/1.SaysOnEveryRank*", how)
            self.assertRegex(said, r"\(-?\d+, -?\d+\) is |Expected equality", how)

    def test_comparisons_find_wrong_solves(self):
        for how in ("ones", "keeps what is not read", "padding", "outside", "slightly inexact"):
            said = self.compare("trsm", "*/1.AgreesOn*", how)
            self.assertRegex(said, r"matrix \d \(-?\d+, -?\d+\) is ", how)
        self.assertIn("Expected equality", self.compare("trsm", "*/1.EveryBad*", "other code"))

    def compare(self, name, tests, how):
        """What the comparison prints of a routine with a spoilt library in front; it must fail, and ends where it does."""
        done = subprocess.run(
            [testers.LAUNCHER, "-n", "6", "sh", "-c", 'LD_PRELOAD="$LD_PRELOAD $CAIRN_SCALAPACK_SPOILT" exec "$0" "$1"',
             str(Path(os.environ["CAIRN_SCALAPACK_COMPARISONS"], f"scalapack_{name}_test")), f"--gtest_filter={tests}"],
            capture_output=True, text=True, check=False,
            env={**os.environ, "CAIRN_MPI_TIMEOUT": "60", "CAIRN_SCALAPACK": "always", "SPOILT": how,
                 "GTEST_THROW_ON_FAILURE": "1", "GTEST_CATCH_EXCEPTIONS": "0"})
        self.assertNotEqual(done.returncode, 0, how)
        return done.stdout + done.stderr


if __name__ == "__main__":
    unittest.main()
