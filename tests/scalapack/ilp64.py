"""Where the name of ScaLAPACK's library says that its integers have 64 bits, all calls go there as they were made."""
import os
import subprocess
import unittest


class Integers64(unittest.TestCase):
    def run_program(self, program, **settings):
        command = [os.environ["CAIRN_LAUNCHER"], "-n", "2", os.environ[program]]
        environment = dict(os.environ, **settings)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    def test_calls_arrive_as_they_were_made_whatever_the_settings(self):
        for use in ("off", "auto", "always"):
            with self.subTest(use):
                run = self.run_program("CAIRN_SCALAPACK_ILP64", CAIRN_SCALAPACK=use)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertNotIn("cairn:", run.stderr)

    def test_it_is_said_once(self):
        run = self.run_program("CAIRN_SCALAPACK_ILP64", CAIRN_VERBOSE="1")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        said = [line for line in run.stderr.splitlines() if line.startswith("cairn:")]
        self.assertEqual(len(said), 1, run.stderr)
        self.assertRegex(said[0], r"^cairn: all calls are handed back: .*libscalapack_ilp64\.so takes integers of 64 bits$")

    def test_another_name_is_not_taken_for_one(self):
        run = self.run_program("CAIRN_SCALAPACK_LP64")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("Cblacs_gridinfo was not found", run.stderr)  # the descriptors were looked at


if __name__ == "__main__":
    unittest.main()
