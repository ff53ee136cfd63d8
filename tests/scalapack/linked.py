"""Programs linked with the drop-in, not preloaded: results are right, whether Cairn multiplies or hands back."""
import os
import subprocess
import unittest


class Linked(unittest.TestCase):
    def check(self, program, use, said):
        command = [os.environ["CAIRN_LAUNCHER"], "-n", "3", program]
        environment = dict(os.environ, CAIRN_SCALAPACK=use, CAIRN_VERBOSE="1")
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([line for line in run.stderr.splitlines() if line.startswith("cairn: PDGEMM N N 70x50x60 on 3x1: " + said)],
                         [line for line in run.stderr.splitlines() if line.startswith("cairn:")])
        self.assertEqual(run.stderr.count("cairn:"), 0 if use == "off" else 1)

    def test_by_cairns_own_name(self):
        for use, said in (("always", "handled"), ("auto", "handed back: too small"), ("off", "nothing")):
            with self.subTest(use):
                self.check(os.environ["CAIRN_SCALAPACK_NAMED"], use, said)

    def test_by_a_name_that_the_linker_wraps(self):
        for use, said in (("always", "handled"), ("auto", "handed back: too small"), ("off", "nothing")):
            with self.subTest(use):
                self.check(os.environ["CAIRN_SCALAPACK_WRAPPED"], use, said)


if __name__ == "__main__":
    unittest.main()
