"""Grids end whenever a rank ends them, in whatever order; they leave nothing behind, and take nothing of /dev/shm."""
import os
import re
import subprocess
import unittest

RANKS = 3
SMALL = "mount -t tmpfs -o size=20m tmpfs /dev/shm && "  # as containers have it
COUNT = "; status=$?; echo left $(ls -A /dev/shm | wc -l); exit $status"


def run(how, use, shm=None):
    """The program's end, stdout and stderr; with `shm`, in a /dev/shm of its own, of which it is said what is left."""
    command = [os.environ["CAIRN_LAUNCHER"], "-n", str(RANKS), os.environ["CAIRN_SCALAPACK_GRIDS"], how]
    if shm:
        command = ["unshare", "-m", "sh", "-c", shm + '"$@"' + COUNT, "sh", *command]
    environment = dict(os.environ, CAIRN_SCALAPACK=use, CAIRN_VERBOSE="1")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def has_own_mounts():
    return subprocess.run(["unshare", "-m", "sh", "-c", SMALL + "true"], capture_output=True, check=False).returncode == 0


class Grids(unittest.TestCase):
    def expect_end(self, result):
        status, said, errors = result
        self.assertEqual(status, 0, said + errors)
        self.assertEqual(said.count("ended"), RANKS, said + errors)

    def mapped(self, result):
        return sorted(map(int, re.findall(r"^mapped (\d+)$", result[1], re.M)))

    def test_end_on_each_rank_when_it_likes(self):
        for use in ("auto", "always"):
            for how in ("same", "order", "later", "never"):
                with self.subTest(how=how, use=use):
                    self.expect_end(run(how, use))

    def test_take_nothing_of_dev_shm(self):
        for how in ("same", "alive"):
            stock = run(how, "off")
            self.expect_end(stock)
            for use in ("auto", "always"):
                with self.subTest(how=how, use=use):
                    cairns = run(how, use)
                    self.expect_end(cairns)
                    self.assertEqual(self.mapped(cairns), self.mapped(stock))

    @unittest.skipUnless(has_own_mounts(), "needs mounts of its own, which root has")
    def test_end_where_dev_shm_is_small_and_leave_nothing_there(self):
        for how in ("alive", "never", "killed"):
            left = {}
            for use in ("off", "auto", "always"):
                with self.subTest(how=how, use=use):
                    result = run(how, use, shm=SMALL)
                    if how == "killed":
                        self.assertNotEqual(result[0], 0)
                    else:
                        self.expect_end(result)
                    left[use] = int(re.search(r"^left (\d+)$", result[1], re.M)[1])
                    self.assertLessEqual(left[use], left["off"])

    def test_do_without_notices_where_any_rank_is_refused_memory_and_say_so(self):
        for use in ("auto", "always"):
            result = run("refused", use)
            self.expect_end(result)
            said = result[2].count("is compared by a reduction: their node has no memory for notices")
            self.assertEqual(said, 2 if use == "auto" else 0, result[2])  # once a grid

    # A search for a plan takes as long as Cairn gains in a few of these.
    def test_plan_a_product_once_it_was_repeated_often_enough(self):
        result = run("repeats", "auto")
        self.expect_end(result)
        lines = [line for line in result[2].splitlines() if "PDGEMM N N 640x640x640 on 1x3" in line]
        back = [": handed back: a plan would cost more than such calls could have gained so far" in line for line in lines]
        self.assertEqual(back, [True] * 3 + [False] * 5, result[2])
        for line in lines[3:]:
            self.assertIn(": handled: ", line)

    # Each plan takes some 15 kB: if all were kept it would be 60 MB. The memory of MPI itself grows, too.
    def test_keep_no_more_for_ever_new_sizes(self):
        most = {}
        for use in ("off", "always"):
            result = run("sizes", use)
            self.expect_end(result)
            grown = list(map(int, re.findall(r"grown by (-?\d+) kB", result[1])))
            self.assertEqual(len(grown), RANKS)
            most[use] = max(grown)
        self.assertLess(most["always"], most["off"] + 6144, "kB")


if __name__ == "__main__":
    unittest.main()
