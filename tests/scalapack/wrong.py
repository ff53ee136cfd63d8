"""Calls that differ between ranks or name what is not there: all ranks end, with a message that names the argument."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import testers

LOCKED_UP = """
import subprocess, sys, threading
if sys.argv[1] == "--version":
    sys.exit("Open MPI")
subprocess.Popen(["true"])
lock = threading.Lock()
lock.acquire()
lock.acquire()
"""
DEAD, NOWHERE = "expected a context of the calling process", "from {-1,-1}"  # PBLAS says where in the grid of a context
ODD = 1  # the rank that calls with something else


def nobody(returned):
    """Calls that wait for each other: all ranks find it before any goes on."""
    return not returned


def seen_by_second(returned):
    """Small products, which nobody waits for: of two ranks that differ, whoever calls second finds it, and the other may
    have returned by then, as it may from ScaLAPACK."""
    return ODD not in returned or returned == {ODD}


class Wrong(unittest.TestCase):
    def run_with(self, arguments, use):
        return self.run_program("CAIRN_SCALAPACK_WRONG", arguments, use)

    def run_program(self, program, arguments, use):
        command = [os.environ["CAIRN_LAUNCHER"], "-n", "3", os.environ[program], *arguments]
        environment = dict(os.environ, CAIRN_SCALAPACK=use)
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def test_nothing_wrong_returns(self):
        run = self.run_with([""], "always")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.count("the call returned"), 3)

    @unittest.skipIf(testers.SAMPLE, "the launcher is a stand-in, whatever the MPI")
    def test_launcher_that_locked_itself_up_is_ended(self):
        """As Open MPI's may be after runs like those below; they would wait for ever."""
        with tempfile.TemporaryDirectory() as folder:
            stuck = Path(folder) / "mpiexec"
            stuck.write_text(f"#!{sys.executable}\n" + LOCKED_UP)
            stuck.chmod(0o755)
            run = subprocess.run([os.environ["CAIRN_LAUNCHER"], "true"], env={**os.environ, "CAIRN_MPIEXEC": str(stuck)},
                                 capture_output=True, check=False, timeout=100)
        self.assertIn(run.returncode, (128 + signal.SIGKILL, -signal.SIGKILL))

    def test_names_the_argument(self):
        differ = {"m": "M", "n": "N", "k": "K", "ia": "IA", "transb": "TRANSB", "descb": "DESCB", "alpha": "ALPHA",
                  "routine": "the routine"}
        expected = {what: f"{name} differs between ranks, expected the same on all" for what, name in differ.items()}
        expected["type"] = "DESCA(DTYPE) is 502, expected 1 or 2"
        expected["leading"] = "DESCC(LLD) is 39, expected at least 40"
        expected["null"] = "B is null, expected an array"
        expected["context"] = "DESCA(CTXT) is 0, expected a context of the calling process"
        calls = [(what, "always", message) for what, message in expected.items()]
        self.end([*calls, ("k", "auto", expected["k"])])  # compared before it is decided who multiplies

    # After some, small products go back to ScaLAPACK at once, which would wait for ever. 100 are more than there are
    # places for notices.
    def test_names_the_argument_of_small_products(self):
        self.assertEqual(self.run_with(" 200".split(" "), "auto").returncode, 0)
        differ = {"m": "M", "transb": "TRANSB", "alpha": "ALPHA", "ia": "IA, JA or DESCA", "descb": "IB, JB or DESCB",
                  "routine": "the routine"}
        calls = [(f"{what} 100", "auto", f"{name} differs between ranks, expected the same on all")
                 for what, name in differ.items()]
        self.end([*calls, ("transposes 20", "auto", "expected the same")], seen_by_second)
        self.end([("context 20", "auto", "DESCA(CTXT) is 0, expected a context of the calling process")])

    def test_names_the_argument_of_solves(self):
        differ = {"m": "M", "n": "N", "uplo": "UPLO", "descb": "DESCB", "alpha": "ALPHA", "gemm": "the routine"}
        calls = [(what, "always", f"{name} differs between ranks, expected the same on all")
                 for what, name in differ.items()]
        self.end([*calls, ("n", "auto", calls[1][2])], program="CAIRN_SCALAPACK_WRONG_TRIANGLES")
        calls = [(f"{what} 20", "auto", message) for what, _, message in calls if what != "descb"]
        self.end([*calls, ("potrf_trsm 20", "auto", "expected the same")], seen_by_second,
                 program="CAIRN_SCALAPACK_WRONG_TRIANGLES")

    # Small ones are compared by ScaLAPACK, which says so on all ranks; a large one waits for others of its kind.
    def test_factorisations_say_on_all_ranks_what_differs(self):
        for what, use, info in (("potrf_n", "always", -2), ("potrf_n", "auto", -2), ("potrf_n 20", "auto", -2),
                                ("potrf_uplo", "always", -1), ("potrf_uplo 20", "auto", -1),
                                ("potrf_type", "always", -601), ("potrf_type 20", "auto", -601),
                                ("potrf_large", "auto", -2)):
            run = self.run_program("CAIRN_SCALAPACK_WRONG_TRIANGLES", what.split(" "), use)
            said = re.findall(r"rank \d: info (-?\d+)", run.stdout)
            self.assertEqual((run.returncode, said), (0, [str(info)] * 3), (what, use, run.stderr))
        self.end([("potrf_large 20", "auto", "the routine, or N, differs between ranks")], seen_by_second,
                 program="CAIRN_SCALAPACK_WRONG_TRIANGLES")

    def end(self, calls, may_return=nobody, program="CAIRN_SCALAPACK_WRONG"):
        """Each of (what, use, message) ends so. Two at a time, since starting and ending ranks is mostly waiting. Who notices
        what does not depend on the MPI, but how ranks end does."""
        calls = calls[::4] if testers.SAMPLE else calls
        with ThreadPoolExecutor(max_workers=2) as pool:
            for fault in pool.map(lambda call: self.fault(*call, may_return, program), calls):
                with self.subTest(fault):
                    self.assertIsNone(fault)

    def fault(self, what, use, message, may_return, program):
        said = ""
        # MPICH's launcher may lose what was printed just before an abort.
        for _ in range(10 if "mpich" in os.environ["CAIRN_MPIEXEC"] else 1):
            run = self.run_program(program, what.split(" "), use)
            said = run.stdout + run.stderr
            returned = {int(rank) for rank in re.findall(r"rank (\d+): the call returned", run.stdout)}
            if run.returncode == 0 or not may_return(returned):
                return f"{what}, {use}: it returned: {said}"
            if message in said:
                return None if DEAD in message or NOWHERE not in said else f"{what}, {use}: it was said from nowhere: {said}"
        return f"{what}, {use}: '{message}' was not said: {said}"

    def test_redistributions_that_can_be_carried_out_return(self):
        for what in ("nothing 0", "m 0", "a.type 502", "a.context part", "a.mb -1"):
            with self.subTest(what):
                run = self.run_program("CAIRN_SCALAPACK_WRONG_GEMR2D", what.split(" "), "always")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(run.stdout.count("the call returned"), 3)

    def test_what_scalapack_refuses_to_redistribute_ends_as_there(self):
        expected = {"ia 0": "??MR2D:Bad submatrix:i=-1,j=0,", "jb 9": "??MR2D:Bad submatrix:i=0,j=8,",
                    "a.m 5": "??MR2D:Bad submatrix:i=0,j=0,", "a.rsrc 3": "??MR2D:Bad first processor coordinates",
                    "b.csrc -1": "??MR2D:Bad first processor coordinates",
                    "a.context -1": "xxGEMR2D:something wrong in the parameters"}
        self.end([(what, use, message) for what, message in expected.items() for use in ("off", "always")],
                 program="CAIRN_SCALAPACK_WRONG_GEMR2D")

    # ScaLAPACK hangs, crashes, goes on as if nothing were, or is said to be out of memory.
    def test_what_scalapack_does_not_notice_in_a_redistribution_is_named(self):
        expected = {"m 0 1": "M differs between ranks, expected the same on all",
                    "b.n 39 1": "DESCB differs between ranks, expected the same on all",
                    "routine 1 1": "the routine differs between ranks, expected the same on all",
                    "m -1": "M is -1, expected 0 or more",
                    "a.mb 0": "DESCA(MB) is 0, expected at least 1",
                    "b.lld 1 2": "DESCB(LLD) is 1, expected at least 12",
                    "a.context dead 1": "DESCA(CTXT) is a 1x3 grid, expected all of its ranks in CTXT, with this grid",
                    "context -1": "CTXT is -1, expected a context of the calling process"}
        calls = [(what, "always", message) for what, message in expected.items()]
        self.end([*calls, ("ia 2 1", "auto", "IA differs between ranks")], program="CAIRN_SCALAPACK_WRONG_GEMR2D")


if __name__ == "__main__":
    unittest.main()
