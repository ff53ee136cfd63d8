#!/usr/bin/env python3
"""ScaLAPACK's LAPACK-level test programs that call p?gemm, p?potrf or p?trsm, with the drop-in preloaded; one of each type. By hand
also others: lapack.py PROGRAM ..."""
import sys
import unittest

import testers

# What a program does -> its data and how many of its tests pass with stock ScaLAPACK; qr calls none of Cairn's routines.
KINDS = {
    "llt": ("LLT.dat", 432),
    "lu": ("LU.dat", 240),
    "ls": ("LS.dat", 1152),
    "inv": ("INV.dat", 320),
    "brd": ("BRD.dat", 64),
    "hrd": ("HRD.dat", 48),
    "trd": ("TRD.dat", 134),
    "nep": ("NEP.dat", 42),
}
PROGRAMS = ["xdlu", "xzinv", "xsbrd", "xcnep", "xdllt", "xcllt"]
if testers.SAMPLE:
    PROGRAMS = PROGRAMS[:1]


class Lapack(unittest.TestCase):
    def test_all_pass(self):
        for program in PROGRAMS:
            data, passed = KINDS[program[2:]]
            result = testers.dropped_in(program, testers.lapack_data(data))
            self.assertEqual(testers.lapack_faults(result, passed), [], program + result[2])
            for counted in ("", "p?potrf", "p?trsm"):
                self.assertEqual(testers.handed_back(result[2], counted), 0, program + counted)


if __name__ == "__main__":
    PROGRAMS = sys.argv[1:] or PROGRAMS
    unittest.main(argv=sys.argv[:1])
