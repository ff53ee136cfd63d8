"""Calls that differ between ranks or name what is not there: all ranks end, with a message that names the argument."""
import os
import subprocess
import unittest


class Wrong(unittest.TestCase):
    def run_with(self, what, use):
        command = [os.environ["CAIRN_LAUNCHER"], "-n", "3", os.environ["CAIRN_SCALAPACK_WRONG"], what]
        environment = dict(os.environ, CAIRN_SCALAPACK=use)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    def test_nothing_wrong_returns(self):
        run = self.run_with("", "always")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count("the call returned"), 3)

    def test_names_the_argument(self):
        differ = {"m": "M", "n": "N", "k": "K", "ia": "IA", "transb": "TRANSB", "descb": "DESCB", "alpha": "ALPHA",
                  "routine": "the routine"}
        expected = {what: f"{name} differs between ranks, expected the same on all" for what, name in differ.items()}
        expected["type"] = "DESCA(DTYPE) is 502, expected 1 or 2"
        expected["leading"] = "DESCC(LLD) is 39, expected at least 40"
        expected["null"] = "B is null, expected an array"
        expected["context"] = "DESCA(CTXT) is 0, expected a context of the calling process"
        for what, message in expected.items():
            self.ends(what, "always", message)
        self.ends("k", "auto", expected["k"])  # compared before it is decided who multiplies

    def ends(self, what, use, message):
        with self.subTest(what=what, use=use):
            said = ""
            for _ in range(10):  # MPICH's launcher may lose what was printed just before an abort
                run = self.run_with(what, use)
                self.assertNotEqual(run.returncode, 0, run.stdout)
                self.assertNotIn("the call returned", run.stdout)
                said = run.stdout + run.stderr
                if message in said:
                    break
            self.assertIn(message, said)


if __name__ == "__main__":
    unittest.main()
