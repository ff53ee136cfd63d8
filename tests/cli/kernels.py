#!/usr/bin/env python3
"""Kernels of OpenBLAS: `cairn info` and `calibrate` measure them, `multiply` sets the fastest where nobody chose, and
plans assume what is in use.

How fast this machine is, and how busy, is of no importance here: what was measured is written into the cache by the
tests themselves where something depends on it."""
import json
import os
import subprocess
import struct
import sys
import tempfile
import unittest
from pathlib import Path

from support.files import CAIRN, PATIENCE

WIDE = {"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"}  # AVX2 and AVX-512
SLOW = "Nehalem"  # SSE: any x86-64 runs them, at less than half the speed of these


def npy(n):
    text = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (n, n)
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + struct.pack("<%dd" % (n * n), *range(n * n))


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="cairn_cli.")
        self.addCleanup(directory.cleanup)
        self.dir = Path(directory.name)
        self.a = self.dir / "A.npy"
        self.a.write_bytes(npy(8))
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("OPENBLAS_CORETYPE", "CAIRN_KERNELS_INSTEAD_OF")}
        self.environment["XDG_CACHE_HOME"] = str(self.dir)
        self.cache = self.dir / "cairn" / "blas_kernels.json"

    def run_command(self, command, **variables):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE,
                              check=False, env={**self.environment, **variables})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def cairn(self, *arguments, **variables):
        return self.run_command([CAIRN, *arguments], **variables)

    def info(self, **variables):
        blas = json.loads(self.cairn("info", "--json", **variables).stdout)["blas"]
        if not blas["kernels"]:
            self.assertEqual((blas["measured"], blas["faster"]), ([], None))
            self.assertFalse(self.cache.exists())
            self.skipTest("this BLAS does not tell its kernels")
        return blas

    def slow(self):
        """What is told of slow kernels, where there are much faster ones."""
        blas = self.info(OPENBLAS_CORETYPE=SLOW)
        if blas["kernels"] != SLOW or not WIDE & {rate["kernels"] for rate in blas["measured"]}:
            self.skipTest("this OpenBLAS has no choice of kernels, or this processor none that are much faster")
        return blas

    def multiply_command(self, *arguments):
        return [CAIRN, "multiply", self.a, self.a, "-o", self.dir / "C.npy", *arguments]

    def multiply(self, *arguments, **variables):
        """What the report says of kernels, and the plan."""
        report = json.loads(self.run_command(self.multiply_command("--json", *arguments), **variables).stdout)
        return report["kernels"], report["plan"].get("kernels")

    def pretend(self, times):
        """Others are so many times as fast as those that OpenBLAS takes by itself: (these, others)."""
        self.info()
        cache = json.loads(self.cache.read_text())
        host = cache["hosts"][0]
        others = [rate for rate in host["rates"] if rate["kernels"] != host["by_itself"]]
        if not others:
            self.skipTest("this processor runs no others")
        for rate in host["rates"]:
            rate["flops_per_second"] = 1e9 * (times if rate is others[0] else 1)
        self.cache.write_text(json.dumps(cache))
        return host["by_itself"], others[0]["kernels"]


class Info(Case):
    def test_what_it_says_is_what_it_measured(self):
        blas = self.info()
        rates = {rate["kernels"]: rate["gflops"] for rate in blas["measured"]}
        self.assertEqual(len(rates), len(blas["measured"]))
        own, most = rates[blas["kernels"]], max(rates.values())
        self.assertGreater(own, 0)
        if blas["faster"]:
            self.assertEqual(rates[blas["faster"]["kernels"]], most)
            self.assertAlmostEqual(blas["faster"]["times"], most / own)
            self.assertGreater(most, 1.1 * own)
            self.assertEqual(blas["faster"]["set"], "export OPENBLAS_CORETYPE=" + blas["faster"]["kernels"].upper())
        else:
            self.assertLessEqual(most, 1.1 * own)
        host = json.loads(self.cache.read_text())["hosts"][0]
        self.assertEqual(host["by_itself"], blas["kernels"])
        self.assertEqual({rate["kernels"] for rate in host["rates"]}, set(rates))

    def test_slow_kernels_are_told_of_with_the_line_to_set(self):
        blas = self.slow()
        self.assertIn(blas["faster"]["kernels"], WIDE)
        text = self.cairn("info", OPENBLAS_CORETYPE=SLOW).stdout
        self.assertRegex(text, rf"BLAS kernels +{SLOW}, [0-9.]+ GFLOP/s on one core\n")
        advice = text.strip().splitlines()[-1]
        self.assertRegex(advice, r"^OpenBLAS multiplies [0-9.]+ times as fast on this processor with its \w+ kernels as "
                                 rf"with {SLOW}, which OPENBLAS_CORETYPE={SLOW} asks for.*: "
                                 r"export OPENBLAS_CORETYPE=[A-Z]+$")

    def test_a_name_that_openblas_does_not_know_is_no_kernels(self):
        blas = self.info(OPENBLAS_CORETYPE="NONSENSE")
        self.assertNotIn("NONSENSE", [rate["kernels"].upper() for rate in blas["measured"]])
        self.assertIn(blas["kernels"], [rate["kernels"] for rate in blas["measured"]])

    def test_kernels_that_the_processor_cannot_run_are_survived(self):
        blas = self.info(OPENBLAS_CORETYPE="BULLDOZER")  # its instructions are AMD's of 2011 to 2016 alone
        self.assertTrue(blas["measured"])

    def test_how_it_measures_is_in_no_list(self):
        self.assertNotIn("rate-of-kernels", self.cairn("--help").stdout)


class Calibrate(Case):
    def test_the_file_says_of_which_kernels_it_is(self):
        self.slow()
        path = self.dir / "machine.json"
        text = self.cairn("calibrate", "--ranks", 1, "--seconds", 0.5, "-o", path, OPENBLAS_CORETYPE=SLOW).stdout
        self.assertIn("export OPENBLAS_CORETYPE=", text)
        machine = json.loads(path.read_text())
        self.assertIn(f"{SLOW} kernels", machine["source"])
        self.assertEqual(machine["gemm"]["kernels"], SLOW)
        rates = {rate["kernels"]: rate["flops_per_second"] for rate in machine["gemm"]["kernel_rates"]}
        other = next(name for name in rates if name in WIDE)
        # What no kernels change: with these two, another plan may be the fastest with other kernels.
        machine["read_seconds_per_byte"] = machine["step_seconds"] = 0
        path.write_text(json.dumps(machine))

        def computation(kernels):
            plan = self.cairn("plan", "gemm", 512, 512, 512, "--ranks", 1, "--machine", path, "--kernels", kernels, "--json")
            return json.loads(plan.stdout)["predicted"]["computation"]
        self.assertAlmostEqual(computation(SLOW) / computation(other), rates[other] / rates[SLOW], delta=1e-6)


class Multiply(Case):
    def test_the_fastest_are_set_where_nobody_chose(self):
        own, other = self.pretend(2)
        for ranks in (1, 2):
            told, planned = self.multiply("--ranks", ranks)
            self.assertEqual(told, {"used": other, "set_by_cairn": True, "instead_of": own})
            self.assertEqual(planned, other)
        text = self.run_command(self.multiply_command("--ranks", 2)).stdout
        self.assertIn(f"kernels     {other}, set by cairn: 2.0 times as fast as {own}, which OpenBLAS takes by itself", text)

    def test_what_the_user_chose_stays(self):
        own, other = self.pretend(2)
        for chosen, ranks in ((own, 1), (own, 2), (other, 2)):
            told, planned = self.multiply("--ranks", ranks, OPENBLAS_CORETYPE=chosen)
            self.assertEqual(told, {"used": chosen, "set_by_cairn": False, "instead_of": None})
            self.assertEqual(planned, chosen)

    def test_nothing_is_set_that_gains_little(self):
        own, _ = self.pretend(1.05)
        self.assertRegex(self.run_command(self.multiply_command("--ranks", 2)).stdout, rf"kernels     {own}\n")

    def test_a_cache_of_no_use_is_measured_again_or_done_without(self):
        own, _ = self.pretend(2)
        known = json.loads(self.cache.read_text())
        self.cache.write_bytes(b"\x00\xff{" * 1000)
        self.multiply("--ranks", 1)
        self.assertEqual(json.loads(self.cache.read_text())["hosts"][0]["by_itself"], own)
        known["hosts"][0]["blas"] = "an older library"
        self.cache.write_text(json.dumps(known))
        self.multiply("--ranks", 1)
        self.assertEqual(len(json.loads(self.cache.read_text())["hosts"]), 2)
        told, _ = self.multiply("--ranks", 1, XDG_CACHE_HOME="/dev/null", HOME="/dev/null")
        self.assertTrue(told["used"])

    def test_ranks_that_were_started_by_hand_are_told_of_what_is_known(self):
        own, other = self.pretend(2)
        command = [os.environ["CAIRN_LAUNCHER"], "-n", 2, *self.multiply_command()]
        done = self.run_command(command)
        advice = [line for line in done.stderr.splitlines() if "OPENBLAS_CORETYPE" in line]
        self.assertEqual(len(advice), 1, done.stderr)
        self.assertIn(f"export OPENBLAS_CORETYPE={other.upper()}", advice[0])
        self.assertRegex(done.stdout, rf"kernels( |\S)+ *{own}\n")
        self.assertNotIn("OPENBLAS_CORETYPE", self.run_command([*command, "--json"]).stderr)
        self.cache.unlink()
        self.assertNotIn("OPENBLAS_CORETYPE", self.run_command(command).stderr)
        self.assertFalse(self.cache.exists())  # nothing is measured there

    def test_ranks_with_different_kernels_assume_the_slowest(self):
        # By itself, OpenBLAS takes other slow ones where it does not know the processor.
        fast = next(rate["kernels"] for rate in self.slow()["measured"] if rate["kernels"] in WIDE)
        multiply = self.multiply_command("--json")
        for first, second in ((fast, SLOW), (SLOW, fast)):
            done = self.run_command([os.environ["CAIRN_LAUNCHER"], "-n", 1, "env", "OPENBLAS_CORETYPE=" + first, *multiply,
                                     ":", "-n", 1, "env", "OPENBLAS_CORETYPE=" + second, *multiply])
            report = json.loads(done.stdout)
            self.assertEqual((report["kernels"]["used"], report["plan"]["kernels"]), (first, SLOW))


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
