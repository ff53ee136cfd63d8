"""A module of Python, linked with a ScaLAPACK that nobody else sees, with the drop-in preloaded: as linked.py."""
import os
import subprocess
import sys
import unittest

LOAD = 'import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).main(1, (ctypes.c_char_p * 2)(b"module", None)))'
PRELOAD = 'LD_PRELOAD="$LD_PRELOAD $CAIRN_SCALAPACK_DROPIN" exec "$0" "$@"'  # the launcher may preload something itself


class Module(unittest.TestCase):
    def test_is_served_and_what_it_calls_can_be_handed_back(self):
        for use, said in (("always", "handled"), ("auto", "handed back: too small"), ("off", None)):
            with self.subTest(use):
                command = [os.environ["CAIRN_LAUNCHER"], "-n", "3", "sh", "-c", PRELOAD, sys.executable, "-c", LOAD,
                           os.environ["CAIRN_SCALAPACK_MODULE"]]
                environment = dict(os.environ, CAIRN_SCALAPACK=use, CAIRN_VERBOSE="1")
                run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                lines = [line for line in run.stderr.splitlines() if line.startswith("cairn:")]
                self.assertEqual(len(lines), 1 if said else 0, run.stderr)
                for line in lines:
                    self.assertIn(f"PDGEMM N N 70x50x60 on 3x1: {said}", line)


if __name__ == "__main__":
    unittest.main()
