"""Programs linked with the drop-in, not preloaded: results are right, whether Cairn multiplies or hands back."""
import os
import subprocess
import unittest


USES = (("always", "handled"), ("auto", "handed back: too small"), ("off", "nothing"))
MOVES = [f"P{letter}GEMR2D 70x50 from 3x1 to 1x3" for letter in "SDCZI"]
TRANSPOSITIONS = [f"{name} 70x50 on 3x1" for name in ("PSTRAN", "PDTRAN", "PCTRANU", "PCTRANC", "PZTRANU", "PZTRANC")]
SOLVES = [f"PDTRSM L L {trans} N 70x50 on 3x1" for trans in "NT"]
FACTOR_AND_SOLVE = ["PDPOTRF L 70 on 3x1", *SOLVES]
CLEARED = SOLVES[:1]
ON_RANK_1 = '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 1 ] || export "$1"; shift; exec "$@"'


class Linked(unittest.TestCase):
    def check(self, program, use, said, calls=("PDGEMM N N 70x50x60 on 3x1",) * 2):
        command = [os.environ["CAIRN_LAUNCHER"], "-n", "3", program]
        environment = dict(os.environ, CAIRN_SCALAPACK=use, CAIRN_VERBOSE="1")
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        lines = [line for line in run.stderr.splitlines() if line.startswith("cairn:")]
        self.assertEqual(len(lines), 0 if use == "off" else len(calls), run.stderr)
        for line, call in zip(lines, calls):
            self.assertTrue(line.startswith(f"cairn: {call}: {said}"), line)

    def test_by_cairns_own_name(self):
        for use, said in USES:
            with self.subTest(use):
                self.check(os.environ["CAIRN_SCALAPACK_NAMED"], use, said)
                self.check(os.environ["CAIRN_SCALAPACK_NAMED_MOVES"], use, said, MOVES + TRANSPOSITIONS)
                # The two solves of ScaLAPACK's pdpotrs come to the library that is linked before it.
                self.check(os.environ["CAIRN_SCALAPACK_NAMED_TRIANGLES"], use, said,
                           FACTOR_AND_SOLVE + SOLVES + CLEARED)

    def said(self, program, setting, only_on_rank_1=False):
        """What Cairn says of a program that must end well."""
        name, value = setting.split("=")
        environment = dict(os.environ, CAIRN_SCALAPACK="always", CAIRN_MPI_TIMEOUT="60")
        command = [os.environ[f"CAIRN_SCALAPACK_{program}"]]
        if only_on_rank_1:
            command = ["sh", "-c", ON_RANK_1, "sh", setting, *command]
        else:
            environment[name] = value
        run = subprocess.run([os.environ["CAIRN_LAUNCHER"], "-n", "3", *command], env=environment, capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return [line for line in run.stderr.splitlines() if line.startswith("cairn:")]

    def test_the_model_of_scalapack_is_for_the_machine_of_the_plans(self):
        seconds = {}
        for machine in ("", "local", "generic"):
            environment = dict(os.environ, CAIRN_SCALAPACK="always", CAIRN_SUMMARY="1", CAIRN_MACHINE=machine)
            run = subprocess.run([os.environ["CAIRN_LAUNCHER"], "-n", "3", os.environ["CAIRN_SCALAPACK_NAMED"]],
                                 env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            row = next(line for line in run.stderr.splitlines() if line.split()[:1] == ["PDGEMM"])
            seconds[machine] = float(row.split()[3])
        self.assertEqual(seconds[""], seconds["local"])  # all ranks share a node
        self.assertLess(seconds["local"], seconds["generic"])

    def check_handed_back(self, why, why_triangles, *setting):
        for program, expected in (("NAMED", [f"70x50x60 on 3x1: handed back: {why}"]),
                                  ("NAMED_TRIANGLES", [f"{call}: handed back: {why_triangles}" for call in FACTOR_AND_SOLVE])):
            said = self.said(program, *setting)
            self.assertEqual(len(said), len(expected), said)
            for line, start in zip(said, expected):
                self.assertIn(start, line)

    def test_what_does_not_fit_on_any_rank_is_handed_back_with_the_reason(self):
        for only_on_rank_1 in (False, True):
            self.check_handed_back("memory: 128 words a rank are too few", "memory: 128 words, too few",
                                   "CAIRN_MEMORY=1KiB", only_on_rank_1)
        self.said("NAMED_MOVES", "CAIRN_MEMORY=1KiB", True)

    def test_where_a_rank_cannot_read_its_machine_all_is_handed_back(self):
        why = "CAIRN_MACHINE: /none: expected a readable JSON file with a machine's figures (rank 1)"
        self.check_handed_back(why, why, "CAIRN_MACHINE=/none", True)

    def test_ranks_that_plan_for_different_machines_end(self):
        for program in ("NAMED", "NAMED_TRIANGLES"):
            self.said(program, "CAIRN_MACHINE=hopper", True)

    def test_by_a_name_that_the_linker_wraps(self):
        for use, said in USES:
            with self.subTest(use):
                self.check(os.environ["CAIRN_SCALAPACK_WRAPPED"], use, said)
                twice = [move for move in MOVES for _ in ("by Fortran's name", "by C's name")]
                self.check(os.environ["CAIRN_SCALAPACK_WRAPPED_MOVES"], use, said, twice + TRANSPOSITIONS)
                self.check(os.environ["CAIRN_SCALAPACK_WRAPPED_TRIANGLES"], use, said, FACTOR_AND_SOLVE + CLEARED)


if __name__ == "__main__":
    unittest.main()
