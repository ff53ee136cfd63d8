"""A module of Python, linked with a ScaLAPACK that nobody else sees, with the drop-in preloaded: as linked.py."""
import os
import subprocess
import sys
import unittest

CALL = "import ctypes; ctypes.CDLL(None).pdgemm_(*[0] * 19)"
LOAD = 'import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).main(1, (ctypes.c_char_p * 2)(b"module", None)))'
PRELOAD = 'LD_PRELOAD="$LD_PRELOAD $PRELOAD" exec "$0" "$@"'  # the launcher may preload something itself
DROP_IN, COUNTS = os.environ["CAIRN_SCALAPACK_DROPIN"], os.environ["CAIRN_SCALAPACK_HANDED_BACK"]
USES = (("always", "handled"), ("auto", "handed back: too small"), ("off", None))
RANKS = 3


class Module(unittest.TestCase):
    def check(self, preload, use, said, counted=None):
        """Runs the module with these libraries preloaded; `counted`: calls that the tool sees on a rank."""
        command = [os.environ["CAIRN_LAUNCHER"], "-n", str(RANKS), "sh", "-c", PRELOAD, sys.executable, "-c", LOAD,
                   os.environ["CAIRN_SCALAPACK_MODULE"]]
        environment = dict(os.environ, CAIRN_SCALAPACK=use, CAIRN_VERBOSE="1", PRELOAD=" ".join(preload))
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        lines = [line for line in run.stderr.splitlines() if line.startswith("cairn:")]
        self.assertEqual(len(lines), 2 if said else 0, run.stderr)
        for line in lines:
            self.assertIn(f"PDGEMM N N 70x50x60 on 3x1: {said}", line)
        if counted is not None:
            self.assertEqual(run.stderr.count(f"handed back: {counted}\n"), RANKS, run.stderr)

    def test_is_served_and_what_it_calls_can_be_handed_back(self):
        for use, said in USES:
            with self.subTest(use):
                self.check([DROP_IN], use, said)

    def test_is_served_behind_a_tool_that_passes_its_calls_on(self):
        for use, said in USES:
            with self.subTest(use):
                self.check([COUNTS, DROP_IN], use, said, counted=2)

    def test_is_served_before_a_tool_that_passes_its_calls_on(self):
        for use, said in USES:
            with self.subTest(use):
                self.check([DROP_IN, COUNTS], use, said, counted=0 if use == "always" else 2)

    def test_without_scalapack_a_tool_that_passes_its_calls_on_is_not_taken_for_it(self):
        command = [os.environ["CAIRN_LAUNCHER"], "-n", "1", "sh", "-c", PRELOAD, sys.executable, "-c", CALL]
        environment = dict(os.environ, CAIRN_SCALAPACK="off", PRELOAD=f"{COUNTS} {DROP_IN}")
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("the routine that was taken for ScaLAPACK's calls Cairn's", run.stderr)


if __name__ == "__main__":
    unittest.main()
