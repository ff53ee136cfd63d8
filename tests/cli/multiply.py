#!/usr/bin/env python3
"""`cairn multiply` from outside: results of every type, order, op and format, and one clear error for every bad input."""
import cmath
import contextlib
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from support.files import (CAIRN, FORMATS, PATIENCE, Case, adjoint, main, npy, npy_header, numbers, product, read_npy,
                           transpose)


def launcher():
    done = subprocess.run([CAIRN, "info", "--json"], capture_output=True, text=True, timeout=PATIENCE, check=True)
    return json.loads(done.stdout)["mpi"]["launcher"]


class Products(Case):
    def multiply(self, a, b, *arguments):
        """The product of two files, on 3 ranks, checked and with verified counts."""
        self.succeed(a, b, "-o", self.c, "--ranks", 3, "--check", "--verify-counts", *arguments)
        return read_npy(self.c)

    def test_every_type_from_both_orders_to_both_orders(self):
        m, n, k = 13, 11, 17
        for type_name in FORMATS:
            a, b = numbers(m, k, 1, type_name), numbers(k, n, 2, type_name)
            for order_in, order_out in (("C", "F"), ("F", "C")):
                with self.subTest(type=type_name, order=order_in):
                    fa = self.file("A.npy", npy(a, type_name, order_in))
                    fb = self.file("B.npy", npy(b, type_name, order_in))
                    found, found_type, found_order = self.multiply(fa, fb, "--order", order_out)
                    self.assertEqual((found_type, found_order), (type_name, order_out))
                    self.expect_close(found, product(a, b), type_name)

    def test_mixed_types_give_the_type_that_holds_both(self):
        a, b = numbers(5, 6, 1, "float64"), numbers(6, 7, 2, "complex64")
        fa, fb = self.file("A.npy", npy(a)), self.file("B.npy", npy(b, "complex64"))
        found, found_type, _ = self.multiply(fa, fb)
        self.assertEqual(found_type, "complex128")
        self.expect_close(found, product(a, b))
        self.assertEqual(self.multiply(fa, fa, "--transpose-b", "--type", "complex128")[1], "complex128")

    def test_transposes_and_adjoints(self):
        a, b = numbers(9, 7, 1, "complex128"), numbers(8, 9, 2, "complex128")
        fa, fb = self.file("A.npy", npy(a, "complex128")), self.file("B.npy", npy(b, "complex128", "F"))
        for flag_a, op_a in (("--transpose-a", transpose), ("--adjoint-a", adjoint)):
            for flag_b, op_b in (("--transpose-b", transpose), ("--adjoint-b", adjoint)):
                with self.subTest(a=flag_a, b=flag_b):
                    found, _, _ = self.multiply(fa, fb, flag_a, flag_b)
                    self.expect_close(found, product(op_a(a), op_b(b)))

    def test_alpha_and_beta(self):
        a, b, c = numbers(6, 5, 1), numbers(5, 4, 2), numbers(6, 4, 3)
        fa, fb, fc = (self.file(f"{x}.npy", npy(v)) for x, v in (("A", a), ("B", b), ("C0", c)))
        found, _, _ = self.multiply(fa, fb, "--alpha", "-0.5", "--beta", "1.5e1", "--c-in", fc)
        self.expect_close(found, product(a, b, -0.5, 15, c), k=200)
        found, _, _ = self.multiply(fa, fb, "--alpha=1-2i", "--beta=-3i", "--c-in", fc, "--type", "complex128")
        self.expect_close(found, product(a, b, 1 - 2j, -3j, c), k=200)

    def test_the_output_may_be_an_input(self):
        a, b, c = numbers(6, 5, 1), numbers(5, 4, 2), numbers(6, 4, 3)
        fa, fb = self.file("A.npy", npy(a)), self.file("B.npy", npy(b))
        self.c.write_bytes(npy(c))
        found, _, _ = self.multiply(fa, fb, "--beta", "1", "--c-in", self.c)
        self.expect_close(found, product(a, b, 1, 1, c))

    def test_matrix_market(self):
        n = 6
        h = [[complex(i * j % 5 - 2, 0 if i == j else i - j) if i >= j else 0 for j in range(n)] for i in range(n)]
        full = [[h[i][j] if i >= j else h[j][i].conjugate() for j in range(n)] for i in range(n)]
        lines = [f"{i + 1} {j + 1} {h[i][j].real} {h[i][j].imag}" for i in range(n) for j in range(i + 1)]
        hermitian = self.file("h.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n% comment\n"
                              f"{n} {n} {len(lines)}\n" + "\n".join(lines) + "\n")
        s = [[float((3 * i + 5 * j) % 7) if i >= j else 0 for j in range(n)] for i in range(n)]
        symmetric_text = f"%%MatrixMarket matrix array real symmetric\n{n} {n}\n"
        symmetric_text += "".join(f"{s[i][j]}\n" for j in range(n) for i in range(j, n))
        sym = [[s[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
        symmetric = self.file("s.mtx.gz", gzip.compress(symmetric_text.encode()))
        found, type_name, _ = self.multiply(hermitian, symmetric)
        self.assertEqual(type_name, "complex128")
        self.expect_close(found, product(full, sym), k=400)
        twice = self.file("d.mtx", "%%MatrixMarket matrix coordinate real general\n2 6 3\n1 2 1\n1 2 2\n2 6 -1\n")
        found, type_name, _ = self.multiply(twice, symmetric, "--type", "float32")
        self.assertEqual(type_name, "float32")
        self.expect_close(found, [[3 * x for x in sym[1]], [-x for x in sym[5]]], "float32")

    def test_empty_dimensions(self):
        fa, fb = self.file("A.npy", npy_header("float64", 3, 0)), self.file("B.npy", npy_header("float64", 0, 4))
        found, _, _ = self.multiply(fa, fb)
        self.assertEqual(found, [[0] * 4] * 3)
        none = self.file("N.npy", npy_header("float64", 0, 3))
        self.multiply(none, fa)
        self.assertEqual(self.c.read_bytes(), npy_header("float64", 0, 0))

    def test_one_rank_needs_no_launcher(self):
        a, b = numbers(7, 5, 1), numbers(5, 6, 2)
        fa, fb = self.file("A.npy", npy(a)), self.file("B.npy", npy(b))
        done = self.cairn(fa, fb, "-o", self.c, "--ranks", 1, "--check", env={**os.environ, "CAIRN_MPIEXEC": "/none"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_close(read_npy(self.c)[0], product(a, b))

    def test_names_may_begin_with_a_dash(self):
        a, b = numbers(7, 5, 1), numbers(5, 6, 2)
        self.file("-A.npy", npy(a)), self.file("B.npy", npy(b))
        for ranks in (("--ranks", 1), ("--ranks", 3), ()):
            done = self.cairn("-o", "-C.npy", *ranks, "--", "-A.npy", "B.npy", cwd=self.dir)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.expect_close(read_npy(self.dir / "-C.npy")[0], product(a, b))
            (self.dir / "-C.npy").unlink()

    def test_a_memory_limit_makes_rounds_and_the_same_product(self):
        a, b = numbers(24, 48, 1), numbers(48, 24, 2)
        fa, fb = self.file("A.npy", npy(a)), self.file("B.npy", npy(b))
        done = self.succeed(fa, fb, "-o", self.c, "--ranks", 4, "--memory", "1600words", "--json", "--check")
        self.assertLessEqual(json.loads(done.stdout)["plan"]["peak_words"]["max"], 1600)
        self.expect_close(read_npy(self.c)[0], product(a, b), k=48)

    def test_numbers_that_are_not_finite_pass_when_allowed(self):
        a = [[1.0, float("nan")], [2.0, float("inf")]]
        fa = self.file("A.npy", npy(a))
        found, _, _ = self.multiply(fa, fa, "--allow-nonfinite")
        self.assertTrue(all(cmath.isnan(x) for x in found[0]))


class Reports(Case):
    def setUp(self):
        super().setUp()
        self.a = self.file("A.npy", npy(numbers(32, 24, 1)))
        self.b = self.file("B.npy", npy(numbers(24, 16, 2)))

    def test_text(self):
        done = self.succeed(self.a, self.b, "-o", self.c, "--ranks", 4, "--check", "--verify-counts")
        for text in ("C = A·B", "cosma", "equal on every rank", "passed", "lower bound"):
            self.assertIn(text, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_a_flag_may_be_said_to_be_off(self):
        for ranks in (1, 3):
            done = self.succeed(self.a, self.b, "-o", self.c, "--ranks", ranks, "--json=false", "--check=false")
            self.assertIn("C = A·B", done.stdout)
            self.assertNotIn("passed", done.stdout)

    def test_colours_on_a_terminal(self):
        for ranks in (1, 3):
            self.assertIn("\033[2m", self.on_a_terminal(self.a, self.b, "-o", self.c, "--ranks", ranks))

    def test_no_colours_under_a_launcher_that_the_user_started(self):
        """Open MPI's gives ranks a terminal even if what they print goes to a file."""
        variables = {**self.with_colours(), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                     "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        done = subprocess.run([launcher(), "-n", "2", *self.command(self.a, self.b, "-o", self.c)], env=variables, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 ranks", done.stdout)
        self.assertNotIn("\033", done.stdout + done.stderr)

    def test_json_is_alone_on_standard_output(self):
        done = self.succeed(self.a, self.b, "-o", self.c, "--ranks", 4, "--check", "--json", "--algorithm", "cosma pm2,pn2")
        report = json.loads(done.stdout)
        self.assertEqual(report["ranks"], 4)
        self.assertEqual((report["m"], report["n"], report["k"]), (32, 16, 24))
        self.assertTrue(report["check"]["passed"])
        words = report["received_words"]
        self.assertTrue(words["equal_on_every_rank"])
        self.assertEqual(words["max"], words["predicted_max"])
        self.assertEqual(report["plan"]["grid"], [2, 2, 1])
        self.assertEqual(done.stderr, "")

    def test_one_sided_transport_counts_what_crosses_nodes(self):
        done = self.succeed(self.a, self.b, "-o", self.c, "--ranks", 4, "--check", "--verify-counts", "--json",
                            "--algorithm", "cosma pm2,pn2", "--transport", "one-sided", "--nodes", 2)
        report = json.loads(done.stdout)
        self.assertEqual(report["transport"], {"used": "one-sided", "obstacle": ""})
        self.assertEqual(report["plan"]["node_words"]["ranks_per_node"], 2)
        self.assertEqual(report["received_words"]["from_other_nodes_max"], report["plan"]["node_words"]["max"])
        self.assertGreater(report["plan"]["node_words"]["max"], 0)

    def test_with_alpha_0_nothing_travels(self):
        trace = self.dir / "t.json"
        found = json.loads(self.succeed(self.a, self.b, "-o", self.c, "--ranks", 2, "--algorithm", "cosma pk2", "--alpha", 0, "--trace", trace,
                                        "--verify-counts", "--json").stdout)
        self.assertTrue(found["received_words"]["equal_on_every_rank"])
        self.assertEqual([e["pid"] for e in json.loads(trace.read_text())["traceEvents"]], [0, 1])
        self.assertEqual(max(map(max, read_npy(self.c)[0])), 0)

    def test_trace_is_json_with_the_steps_of_all_ranks(self):
        trace = self.dir / "t.json"
        self.succeed(self.a, self.b, "-o", self.c, "--ranks", 2, "--algorithm", "cosma pk2", "--trace", trace)
        events = json.loads(trace.read_text())
        steps = [e for e in events["traceEvents"] if e["ph"] == "X"]
        self.assertEqual({e["pid"] for e in steps}, {0, 1})
        self.assertTrue(any("gemm" in e["name"] for e in steps))

    def test_without_ranks_it_says_how_many(self):
        done = self.succeed(self.a, self.b, "-o", self.c)
        if len(os.sched_getaffinity(0)) > 1:
            self.assertIn("--ranks", done.stderr)

    def test_info(self):
        done = subprocess.run([CAIRN, "info", "--json"], capture_output=True, text=True, timeout=PATIENCE, check=True)
        info = json.loads(done.stdout)
        self.assertIn("generic", info["machines"])
        self.assertRegex(info["mpi"]["library"], "MPI")


class BadInput(Case):
    def setUp(self):
        super().setUp()
        self.a = self.file("A.npy", npy(numbers(8, 6, 1)))
        self.b = self.file("B.npy", npy(numbers(6, 5, 2)))

    def test_missing_file(self):
        self.fails(1, "A (", "none.npy", "No such file", arguments=[self.dir / "none.npy", self.b])
        self.fails(1, "B (", "none.npy", "No such file", arguments=[self.a, self.dir / "none.npy"], ranks=1)

    def test_truncated_file(self):
        short = self.file("short.npy", self.a.read_bytes()[:-8])
        self.fails(1, "A (", "truncated", "expected 384", arguments=[short, self.b])
        head = self.file("head.npy", self.a.read_bytes()[:30])
        self.fails(1, "B (", "truncated", arguments=[self.a, head])
        half = self.file("half.mtx", "%%MatrixMarket matrix coordinate real general\n6 5 4\n1 1 1.25\n2 2 1.5\n3 3 12345.6789\n")
        self.fails(1, "B (", "half.mtx", "3 entries, expected 4", arguments=[self.a, half])
        packed = gzip.compress(b"%%MatrixMarket matrix coordinate real general\n6 5 1\n1 1 1\n" * 40)
        self.fails(1, "B (", "gzip", arguments=[self.a, self.file("half.mtx.gz", packed[:-9])])

    def test_mistyped_file(self):
        self.fails(1, "A (", "begins with 'hello", "expected a .npy file", arguments=[self.file("x", "hello, world\n"), self.b])
        whole = self.file("i.npy", self.a.read_bytes().replace(b"<f8", b"<i8"))
        self.fails(1, "B (", "'<i8'", "expected little-endian float32", arguments=[self.a, whole])
        cube = self.file("cube.npy", self.a.read_bytes().replace(b"(8, 6)", b"(8,2,3)").replace(b"  \n", b" \n"))
        self.fails(1, "A (", "3 dimensions", arguments=[cube, self.b])
        word = self.file("w.mtx", "%%MatrixMarket matrix coordinate real general\n6 5 2\n1 1 1\n2 x 1\n")
        self.fails(1, "B (", "line 4", "'x'", arguments=[self.a, word])
        self.fails(1, "A (", "empty", arguments=[self.file("empty", b""), self.b])

    def test_nan_and_infinity(self):
        x = numbers(8, 6, 1)
        x[5][2] = float("nan")
        self.fails(1, "A (", "NaN or infinity", "row 5, column 2", arguments=[self.file("nan.npy", npy(x)), self.b])
        text = "%%MatrixMarket matrix coordinate real general\n6 5 2\n1 1 1\n2 2 inf\n"
        self.fails(1, "B (", "line 4", "'inf'", arguments=[self.a, self.file("inf.mtx", text)])

    def test_narrowing(self):
        self.fails(2, "A (", "float64 numbers cannot be read as float32", arguments=[self.a, self.b, "--type", "float32"])
        self.fails(2, "--type 'int8'", "expected float32", arguments=[self.a, self.b, "--type", "int8"])
        self.fails(2, "--alpha", "complex", arguments=[self.a, self.b, "--alpha", "2i"])
        single = self.file("S.npy", npy(numbers(4, 4, 1, "float32"), "float32"))
        for name, more in (("--alpha", ()), ("--beta", ("--c-in", single))):
            self.fails(2, f"{name}: -1e+39 is too large for float32 matrices, expected at most 3.402823e+38 in size",
                       arguments=[single, single, f"{name}=-1e39", *more])

    def test_mismatched_dimensions(self):
        self.fails(2, "A is 8x6, B is 8x6: the columns of A (6) must equal the rows of B (8)", arguments=[self.a, self.a])
        self.fails(2, "the rows of A (8) must equal the rows of B (6)", arguments=[self.a, self.b, "--transpose-a"])
        self.fails(2, "--c-in is 8x6, expected 8x5", arguments=[self.a, self.b, "--beta", 1, "--c-in", self.a])

    def test_memory_too_small(self):
        self.fails(2, "--memory 64B: 8 words a rank", "expected at least", arguments=[self.a, self.b, "--memory", "64B"])
        self.fails(2, "--memory 'lots'", "expected a size", arguments=[self.a, self.b, "--memory", "lots"])

    def test_unknown_spelling_and_grid_larger_than_the_ranks(self):
        self.fails(2, "algorithm", "'strassen'", arguments=[self.a, self.b, "--algorithm", "strassen 7"])
        self.fails(2, "cosma pm4,pn4", "16 ranks", "3", arguments=[self.a, self.b, "--algorithm", "cosma pm4,pn4"])
        self.fails(2, "machine", "'nowhere'", arguments=[self.a, self.b, "--machine", "nowhere"])

    def test_usage(self):
        self.fails(2, "--ranks", arguments=[self.a, self.b, "--ranks", "0"], ranks=None)
        self.fails(2, "--ranks: 'many', expected a whole number", arguments=[self.a, self.b, "--ranks", "many"], ranks=None)
        most = 64 * len(os.sched_getaffinity(0))
        self.fails(2, f"--ranks: {most + 1}, expected at most {most}", arguments=[self.a, self.b, "--ranks", most + 1], ranks=None)
        self.fails(2, "--beta", "--c-in", arguments=[self.a, self.b, "--beta", "2"])
        for alpha in ("x", "1+2", "1-2+3i", "2i+1"):
            self.fails(2, f"--alpha '{alpha}'", "expected a number", arguments=[self.a, self.b, "--alpha", alpha])
        self.fails(2, "--order 'G'", "expected C or F", arguments=[self.a, self.b, "--order", "G"])
        self.fails(2, "'--fast' is unknown, expected what cairn multiply --help lists", arguments=[self.a, self.b, "--fast"])
        self.fails(2, "--nodes 2: 3 ranks, expected", arguments=[self.a, self.b, "--nodes", 2])
        self.fails(2, "B", arguments=[self.a])
        done = self.cairn(self.a, self.b)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--output", done.stderr)

    def test_output_that_cannot_be_written(self):
        self.fails(1, "-o (", "none/C.npy", "cannot be written", arguments=[self.a, self.b, "-o", self.dir / "none/C.npy"])
        self.fails(1, "-o (", "directory", arguments=[self.a, self.b, "-o", self.dir])
        self.fails(2, "C.mtx: expected a file that ends with .npy", arguments=[self.a, self.b, "-o", self.dir / "C.mtx"], ranks=1)
        self.fails(1, "-o (/proc/C.npy)", "cannot be written", arguments=[self.a, self.b, "-o", "/proc/C.npy"])
        self.fails(1, "-o (/dev/full)", "device", arguments=[self.a, self.b, "-o", "/dev/full"])
        self.fails(1, "--trace (", "cannot be written", arguments=[self.a, self.b, "--trace", self.dir / "none/t.json"])

    def test_report_that_cannot_be_written(self):
        for ranks in (1, 3):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run(self.command(self.a, self.b, "-o", self.c, "--ranks", ranks), stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
            self.assertEqual((done.returncode, done.stderr), (1, "cairn: error: standard output: cannot be written\n"))

    def test_output_without_permission(self):
        locked = self.dir / "locked"
        locked.mkdir(mode=0o555)
        more = {}
        if os.geteuid() == 0:  # nothing is locked for root
            os.chmod(self.dir, 0o755)
            more = self.as_nobody()
        self.fails(1, "-o (", "locked/C.npy", "Permission denied", arguments=[self.a, self.b, "-o", locked / "C.npy"], **more)

    def as_nobody(self):
        """The command run as nobody: a copy of it and its library, since nobody may not enter root's folders."""
        bin = self.dir / "bin"
        bin.mkdir(mode=0o755)
        linked = subprocess.run(["ldd", CAIRN], capture_output=True, text=True, check=True).stdout.split()
        for file in [CAIRN, *(word for word in linked if "/libcairn." in word)]:
            shutil.copy(file, bin)
        environment = {**os.environ, "HOME": "/tmp", "LD_LIBRARY_PATH": str(bin)}
        return {"user": "nobody", "group": "nogroup", "env": environment, "executable": str(bin / Path(CAIRN).name), "cwd": self.dir}

    def test_full_disk(self):
        disk = self.dir / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            self.skipTest("no right to mount a small disk")
        try:
            a = self.file("large.npy", npy([[1.0] * 4] * 128))
            old = disk / "C.npy"
            old.write_bytes(b"precious")
            self.fails(1, "-o (", "no room", "No space left on device", arguments=[a, a, "--transpose-b", "-o", old])
            self.assertEqual(old.read_bytes(), b"precious")
            self.assertEqual(os.listdir(disk), ["C.npy"])
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def test_launcher_that_does_not_exist(self):
        self.fails(1, "launcher '/none'", "CAIRN_MPIEXEC", arguments=[self.a, self.b], env={**os.environ, "CAIRN_MPIEXEC": "/none"})

    def test_launcher_that_succeeds_without_ranks(self):
        self.fails(1, "x.npy: the MPI launcher '/bin/true' has succeeded, but there is no such file", "CAIRN_MPIEXEC",
                   arguments=[self.a, self.b, "-o", self.dir / "x.npy"], env={**os.environ, "CAIRN_MPIEXEC": "/bin/true"})

    def test_ranks_that_refuse_their_arguments_say_so_once(self):
        adds = self.file("adds", f'#!/bin/sh\nexec {launcher()} "$@" --more\n')
        adds.chmod(0o755)
        self.fails(2, "'--more' is unknown, expected what cairn multiply --help lists", arguments=[self.a, self.b],
                   env={**os.environ, "CAIRN_MPIEXEC": str(adds)})

    def test_launcher_that_locked_itself_up_is_ended(self):
        """It waits for a lock that nobody releases; what it started has ended."""
        stuck = self.dir / "stuck"
        stuck.write_text("#!%s\nimport subprocess, threading\nsubprocess.Popen(['true'])\nlock = threading.Lock()\n"
                         "lock.acquire()\nlock.acquire()\n" % sys.executable)
        stuck.chmod(0o755)
        start = time.monotonic()
        self.fails(1, "a rank was killed", arguments=[self.a, self.b], env={**os.environ, "CAIRN_MPIEXEC": str(stuck)})
        self.assertLess(time.monotonic() - start, 40)

    def test_killed_rank_ends_the_run(self):
        code, errors = self.ended_by(lambda run: os.kill(self.rank_of(run.pid), signal.SIGKILL))
        self.assertEqual(code, 1, errors)
        self.assertIn("cairn: error: a rank was killed (signal 9", errors)

    def test_signals_end_the_run_without_a_word(self):
        """To the command alone, or to all of its job, as from a terminal."""
        for wish, send in ((signal.SIGINT, os.kill), (signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill), (signal.SIGHUP, os.kill)):
            code, errors = self.ended_by(lambda run, wish=wish, send=send: send(run.pid, wish))
            self.assertEqual(code, -wish, errors)
            self.assertNotIn("cairn", errors)

    def test_ranks_rest_while_the_command_does(self):
        """As Ctrl-Z asks, and what follows `fg`."""
        def rest_and_go_on(run):
            rank = self.rank_of(run.pid)
            if b"OMPI_COMM_WORLD_RANK=" not in Path(f"/proc/{rank}/environ").read_bytes():
                self.skipTest("MPICH's launcher stops alone")
            os.kill(run.pid, signal.SIGTSTP)
            self.wait_until(lambda: self.state_of(run.pid) == "T" and self.state_of(rank) == "T")
            os.kill(run.pid, signal.SIGCONT)
            self.wait_until(lambda: self.state_of(run.pid) != "T" and self.state_of(rank) != "T")
            os.kill(run.pid, signal.SIGTERM)
        code, errors = self.ended_by(rest_and_go_on)
        self.assertEqual(code, -signal.SIGTERM, errors)

    @staticmethod
    def state_of(process):
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]

    def wait_until(self, happens):
        give_up = time.monotonic() + 30
        while not happens():
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.02)

    def ended_by(self, end):
        """Exit code and errors of a run on two ranks that end(run) ends in the midst: soon, and with the old output unharmed."""
        n = 6000  # long enough for that on fast processors, too; zeros that take no room on the disk
        big = self.dir / "big.npy"
        big.write_bytes(npy_header("float64", n, n))
        os.truncate(big, len(npy_header("float64", n, n)) + 8 * n * n)
        self.c.write_bytes(b"precious")
        run = subprocess.Popen(self.command(big, big, "-o", self.c, "--ranks", 2), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, process_group=0)
        try:
            self.rank_of(run.pid)
            time.sleep(0.3)
            end(run)
            start = time.monotonic()
            _, errors = run.communicate(timeout=30)
            self.assertLess(time.monotonic() - start, 15)
            self.assertEqual(self.c.read_bytes(), b"precious")
            return run.returncode, errors
        finally:
            with contextlib.suppress(ProcessLookupError):
                run.kill()
            run.communicate()

    def rank_of(self, parent):
        """The process id of the second rank among the descendants."""
        give_up = time.monotonic() + 30
        while time.monotonic() < give_up:
            family, ranks = {parent}, []
            parents = {}
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit():
                    with contextlib.suppress(OSError, IndexError):
                        parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            for _ in range(5):
                family |= {p for p, q in parents.items() if q in family}
            for pid in family:
                with contextlib.suppress(OSError):
                    environment = Path(f"/proc/{pid}/environ").read_bytes()
                    if b"OMPI_COMM_WORLD_RANK=1\0" in environment or b"PMI_RANK=1\0" in environment:
                        ranks.append(pid)
            if ranks:
                return ranks[0]
            time.sleep(0.02)
        self.fail("no second rank was started")
        return None


if __name__ == "__main__":
    sys.exit(main())
