#!/usr/bin/env python3
"""ScaLAPACK's LAPACK-level test programs that call p?gemm inside, with the drop-in preloaded."""
import unittest

import testers

# program -> its data and how many of its tests pass with stock ScaLAPACK; p?llt and p?qr do not call p?gemm
PROGRAMS = {
    "xdlu": ("LU.dat", 240),
    "xcls": ("LS.dat", 1152),
    "xsinv": ("INV.dat", 320),
    "xzinv": ("INV.dat", 320),
    "xzbrd": ("BRD.dat", 64),
    "xdhrd": ("HRD.dat", 48),
    "xctrd": ("TRD.dat", 134),
    "xsnep": ("NEP.dat", 42),
}


class Lapack(unittest.TestCase):
    def test_all_pass(self):
        for program, (data, passed) in PROGRAMS.items():
            result = testers.dropped_in(program, testers.lapack_data(data))
            self.assertEqual(testers.lapack_faults(result, passed), [], program + result[2])
            self.assertEqual(testers.handed_back(result[2]), 0, program)


if __name__ == "__main__":
    unittest.main()
