#!/usr/bin/env python3
"""cairn reproduce: names are listed, numbers stand beside the paper's, mistakes are one sentence."""
import json
import os
import subprocess
import unittest

CAIRN = os.environ["CAIRN"]


def run(*arguments):
    return subprocess.run([CAIRN, "reproduce", *arguments], capture_output=True, text=True, check=False)


class Reproduce(unittest.TestCase):
    def test_lists_every_name_without_one(self):
        done = run()
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("cosma-table2", "cosma-table3", "hsumma-figure5", "overlap-figure9"):
            self.assertIn(name + " ", done.stdout)

    def test_figure_5_saves_36_percent_for_one_and_a_half(self):
        done = run("cosma-figure5", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        words, work, _ = json.loads(done.stdout)["lines"]
        self.assertAlmostEqual(words["ours"], words["paper"], delta=0.5)
        self.assertAlmostEqual(work["ours"], work["paper"], delta=0.1)

    def test_prints_paper_ours_and_ratio(self):
        done = run("cosma-figure5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"paper +ours +ratio")
        self.assertRegex(done.stdout, r"with 4 x 4 x 4 +36 +35\.\d+ +0\.99\d")

    def test_unknown_name_lists_the_known_ones(self):
        done = run("cosma-figure99")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("expected one of cosma-table2, ", done.stderr)

    def test_a_table_cannot_be_plotted(self):
        done = run("cosma-figure5", "--plot", "never.svg")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--plot: cosma-figure5 is a table", done.stderr)
        self.assertFalse(os.path.exists("never.svg"))


if __name__ == "__main__":
    unittest.main()
