#!/usr/bin/env python3
"""cairn reproduce: names are listed, numbers stand beside the paper's, mistakes are one sentence."""
import json
import os
import subprocess
import unittest

CAIRN = os.environ["CAIRN"]


def run(*arguments):
    return subprocess.run([CAIRN, "reproduce", *arguments], capture_output=True, text=True, check=False)


def numbers(name):
    """Lines by what they say, and the plot."""
    done = run(name, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {line["what"]: line for line in found["lines"]}, found["plot"]


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

    def test_volumes_of_dbcsr_are_those_of_table_2_but_for_200_nodes_and_nine_layers(self):
        done = run("dbcsr-table2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = json.loads(done.stdout)["lines"]
        self.assertEqual(len(lines), 81)
        for line in lines:
            off = abs(line["ours"] - line["paper"])
            if "200 nodes" in line["what"]:
                self.assertLess(line["ours"], 0.85 * line["paper"], line)
            elif "L = 9" in line["what"]:
                self.assertLess(off, max(0.6, 0.2 * line["paper"]), line)
            elif "Equation 7" in line["what"] or "cannon" in line["what"]:
                self.assertLess(off, max(0.9, 0.04 * line["paper"]), line)
            else:  # own panels are not received
                self.assertLess(off, max(0.9, 0.06 * line["paper"]), line)

    def test_layers_gain_most_where_they_do_in_figure_1_of_dbcsr(self):
        done = run("dbcsr-figure1", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        ours = {line["what"]: line["ours"] for line in json.loads(done.stdout)["lines"]}
        for name in ("H2O-DFT-LS", "S-E", "Dense"):
            gains = [ours[f"{name}, {nodes} nodes, L = 4"] for nodes in (400, 1296, 2704)]
            self.assertEqual(gains, sorted(gains))
            self.assertGreater(gains[-1], 1.3)

    def test_messages_of_dbcsr_are_as_large_as_volumes_say_but_on_200_nodes(self):
        lines, plot = numbers("dbcsr-figure2")
        for what, line in lines.items():
            if "200 nodes" in what:
                self.assertLess(line["ours"], 0.85 * line["paper"], what)
            elif "nodes: cannon" in what or "nodes: fetch25d" in what or "S_A over S_B" in what:
                self.assertAlmostEqual(line["ours"] / line["paper"], 1, delta=0.04, msg=what)
        self.assertEqual(len(lines), 37)
        self.assertEqual(len(plot["curves"]), 6)
        for a, b in zip(plot["curves"][::2], plot["curves"][1::2]):
            self.assertEqual(a["x"], [200, 400, 729, 1296, 2704])
            self.assertAlmostEqual(a["y"][0], 2 * b["y"][0])
            self.assertEqual(a["y"][1:], b["y"][1:])

    def test_ratios_of_volumes_are_those_of_figure_3_of_dbcsr_but_for_nine_layers(self):
        lines, plot = numbers("dbcsr-figure3")
        self.assertEqual(len(lines), 36)
        for what, line in lines.items():
            self.assertAlmostEqual(line["ours"] / line["paper"], 1, delta=0.2 if "L = 9" in what else 0.07, msg=what)
        self.assertEqual(len(plot["curves"]), 9)
        for curve in plot["curves"]:
            self.assertEqual(curve["y"], sorted(curve["y"]), "layers save more on more nodes")

    def test_layers_gain_on_many_nodes_only_in_weak_scaling(self):
        lines, plot = numbers("dbcsr-figure4")
        self.assertEqual([line["paper"] for line in lines.values() if line["paper"]], [1.7])
        for curve in plot["curves"]:
            self.assertEqual((curve["x"][0], curve["x"][-1]), (144, 3844))
        self.assertLess(lines["144 nodes: PTP, ms"]["ours"], lines["144 nodes: OS4, ms"]["ours"])
        gains = [lines[f"{nodes} nodes: PTP/Best OSL"]["ours"] for nodes in (144, 1936, 2704, 3600, 3844)]
        self.assertEqual(gains, sorted(gains))
        self.assertGreater(gains[-1], 1.2)

    def test_memory_of_layers_grows_as_equation_6_says(self):
        lines = json.loads(run("dbcsr-memory", "--json").stdout)["lines"]
        equation = [line["ours"] for line in lines if "Equation 6" in line["what"]]
        self.assertEqual(len(equation), 3)
        for found, expected in zip(equation, (2.2, 2.8, 5.217)):
            self.assertAlmostEqual(found, expected, delta=0.01)

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

    def test_what_a_figure_needs_is_missed_before_anything_is_computed(self):
        for said, code, file in (("--plot never.jpg: expected a file that ends with .svg, .png or .pdf", 2, "never.jpg"),
                                 ("--plot: nowhere/never.svg: cannot be written", 1, "nowhere/never.svg"),
                                 ("--plot: 'false' has no matplotlib, expected a Python 3 with it", 1, "never.svg")):
            done = subprocess.run([CAIRN, "reproduce", "cosma-figure3", "--plot", file], capture_output=True, text=True,
                                  check=False, env={**os.environ, "CAIRN_PYTHON": "false"})
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (code, "", 1), done)
            self.assertIn(said, done.stderr)
            self.assertFalse(os.path.exists(file))


if __name__ == "__main__":
    unittest.main()
