#!/usr/bin/env python3
"""`cairn bench gemm` from outside: its figures are those of the plans, every product is right, and bad input is refused."""
import csv
import io
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


def bench(*arguments):
    return cairn("bench", "gemm", *arguments)


class Bench(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="cairn_cli.")
        self.addCleanup(directory.cleanup)
        self.dir = Path(directory.name)

    def succeed(self, *arguments):
        done = bench(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, expected, *arguments, code=2):
        done = bench(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(expected, done.stderr)
        self.assertEqual((done.stderr.count("\n"), done.stdout), (1, ""), done)

    def test_counts_are_those_of_the_plan(self):
        spelling = "cosma pm2,sk4"
        report = json.loads(self.succeed("--algorithms", spelling + ";cosma pk2", "--sizes", "96x80x64", "--ranks", 2,
                                         "--repeats", 3, "--check", "--json", "--look-ahead", "0,1"))
        rows = report["rows"]
        self.assertEqual([(r["algorithm"], r["look_ahead"]) for r in rows],
                         [(spelling, 0), (spelling, 1), ("cosma pk2", 0), ("cosma pk2", 1)])
        plan = json.loads(cairn("plan", "gemm", 96, 80, 64, "--ranks", 2, "--algorithm", spelling, "--json").stdout)
        for r in rows:
            self.assertLessEqual(r["residual"], 1)
            self.assertGreater(r["seconds"], 0)
            self.assertGreater(r["predicted_seconds"], 0)
            self.assertEqual(len(r["rounds"]), 3)
        self.assertEqual(rows[0]["words"], plan["wire_words"]["max"])
        self.assertEqual(rows[0]["messages"], plan["messages"]["max"])
        self.assertEqual(rows[0]["speed"], 1)

    def test_transports_side_by_side(self):
        rows = json.loads(self.succeed("--algorithms", "cosma pm2; cosma pk2,sn2", "--transports",
                                       "two-sided,node-shared", "--sizes", "60x50x40", "--ranks", 2, "--repeats", 2,
                                       "--check", "--json"))["rows"]
        self.assertEqual([r["transport"] for r in rows], ["two-sided", "node-shared"] * 2)
        self.assertTrue(all(r["residual"] <= 1 and r["computing_seconds"] > 0 for r in rows))
        self.assertGreater(rows[0]["words"], rows[1]["words"])  # shared panels do not travel

    def test_all_algorithms_on_all_shapes(self):
        text = self.succeed("--memory", "100KB", "--ranks", 2, "--repeats", 1, "--check", "--csv", "--type", "complex64")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual({r["shape"] for r in rows}, {"square", "largeK", "largeM", "flat"})
        self.assertTrue(all(r["type"] == "complex64" and float(r["residual"]) <= 1 for r in rows))
        for r in rows:  # mn + mk + nk words fill the memory of two ranks
            m, n, k = int(r["m"]), int(r["n"]), int(r["k"])
            if r["shape"] != "flat":
                self.assertAlmostEqual((m * n + m * k + n * k) / 25000, 1, delta=0.1)

    def test_limited_and_extra_memory(self):
        def n(regime, ranks):
            text = self.succeed("--memory", "100KB", "--ranks", ranks, "--repeats", 1, "--csv", "--shapes", "square",
                                "--regime", regime, "--algorithms", "planner")
            return int(next(csv.DictReader(io.StringIO(text)))["n"])
        self.assertEqual(n("strong", 4), n("strong", 2))
        self.assertAlmostEqual(n("limited", 4) ** 2 * 3, 4 * 12500, delta=2000)
        self.assertAlmostEqual(n("extra", 4) ** 2 * 3, 4 ** (2 / 3) * 12500, delta=2000)

    def test_text_names_what_it_shows(self):
        path = self.dir / "bench.txt"
        self.succeed("--sizes", "64x64x64", "--ranks", 1, "--repeats", 1, "--algorithms", "cosma pm1", "-o", path)
        text = path.read_text()
        for said in ("64 x 64 x 64", "1 rank, 1 round\n", "cosma pm1", "GFLOP/s", "hidden", "Predictions"):
            self.assertIn(said, text)

    def test_bad_arguments(self):
        self.refused("'strassen' is unknown, expected one of cosma", "--algorithms", "strassen")
        self.refused("--shapes 'cube': expected one of square, largeK, largeM, flat", "--shapes", "cube")
        self.refused("--regime 'weak': expected one of strong, limited, extra", "--regime", "weak")
        self.refused("transport: 'pigeon'", "--transports", "pigeon")
        self.refused("--sizes '64x64': expected M x N x K", "--sizes", "64x64")
        self.refused("--repeats: '0', expected a whole number, 1 to 2147483647", "--repeats", 0)
        self.refused("--sizes ',': expected one or more, separated by ','", "--sizes", ",")
        self.refused("--algorithms: an empty text, expected a value", "--algorithms", "")
        self.refused("--look-ahead '-1'", "--look-ahead=-1")
        self.refused("--look-ahead '4294967297'", "--look-ahead", 2**32 + 1)
        self.refused("--type 'float16'", "--type", "float16")
        self.refused("machine: 'cray' is unknown", "--machine", "cray")
        self.refused("expected at most 1", "--algorithms", "cosma pm2", "--ranks", 1, "--sizes", "9x9x9")
        self.refused("error: collectives: 'foo'", "--collectives", "foo", "--ranks", 1, "--sizes", "9x9x9")
        self.refused("cannot be written", "--ranks", 1, "-o", self.dir / "nowhere" / "b.csv", code=1)

    def test_interrupted_leaves_nothing_half_written(self):
        path = self.dir / "bench.json"
        run = subprocess.Popen([CAIRN, "bench", "gemm", "--ranks", "2", "--repeats", "1000", "--json", "-o", str(path)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(2)
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=PATIENCE)
        self.assertNotEqual(run.returncode, 0, errors)
        self.assertEqual(list(self.dir.iterdir()), [])


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
