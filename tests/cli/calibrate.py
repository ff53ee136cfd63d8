#!/usr/bin/env python3
"""`cairn calibrate` from outside: what it writes is a machine that the planner takes, and nothing is left half-written."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from support.files import CAIRN, PATIENCE


def cairn(*arguments):
    return subprocess.run([CAIRN, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, check=False)


class Calibrate(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="cairn_cli.")
        self.addCleanup(directory.cleanup)
        self.dir = Path(directory.name)
        self.file = self.dir / "machine.json"

    def refused(self, expected, *arguments, code=2):
        done = cairn("calibrate", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(expected, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_writes_a_machine_that_plans_are_made_for(self):
        done = cairn("calibrate", "--ranks", 2, "--seconds", 1, "--name", "bench", "-o", self.file)
        self.assertEqual(done.returncode, 0, done.stderr)
        for said in ("local products", "messages", "memory", "allgather", "a step of the executor", str(self.file)):
            self.assertIn(said, done.stdout)
        machine = json.loads(self.file.read_text())
        self.assertEqual(machine["name"], "bench")
        self.assertIn("2 ranks", machine["source"])
        self.assertEqual([level["ranks"] for level in machine["levels"]], [0])
        sizes = [m["bytes"] for m in machine["levels"][0]["messages"]]
        self.assertEqual(sizes, sorted(sizes))
        self.assertEqual({c["name"] for c in machine["collectives"]}, {"allgather=direct", "reduce_scatter=direct", "bcast=binomial"})
        for rate in machine["gemm"]["flops_per_second"].values():
            self.assertTrue(1e8 < rate < 1e13, rate)
        self.assertEqual(max(machine["gemm"]["efficiency"]["values"]), 1)
        plan = cairn("plan", "gemm", 512, 512, 512, "--ranks", 2, "--machine", self.file, "--json")
        self.assertEqual(plan.returncode, 0, plan.stderr)
        self.assertEqual(json.loads(plan.stdout)["machine"], "bench")

    def test_one_rank_needs_no_messages(self):
        done = cairn("calibrate", "--ranks", 1, "--seconds", 0.5, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        machine = json.loads(done.stdout)
        self.assertNotIn("messages", machine["levels"][0])
        self.assertIn("one rank sends no messages, so they cost nothing on this machine", done.stderr)

    def test_bad_arguments(self):
        self.refused("--seconds 0: expected a number above 0", "--seconds", 0)
        self.refused("--seconds", "--seconds", "soon")
        self.refused("--ranks", "--ranks", 0)
        self.refused("cannot be written", "--ranks", 1, "-o", self.dir / "nowhere" / "m.json", code=1)

    def test_interrupted_leaves_nothing_half_written(self):
        self.file.write_text("before")
        run = subprocess.Popen([CAIRN, "calibrate", "--ranks", "2", "--seconds", "50", "-o", str(self.file)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(2)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=PATIENCE)
        self.assertNotEqual(run.returncode, 0, errors)
        self.assertEqual([p.name for p in self.dir.iterdir()], ["machine.json"])
        self.assertEqual(self.file.read_text(), "before")


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
