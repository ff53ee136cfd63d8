"""What tests of commands on files of matrices share: matrices and files of their own, and how the command is run.

Standard library only. The command's path is in CAIRN. Matrices are lists of rows of Python numbers."""
import contextlib
import os
import pty
import random
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CAIRN = os.environ["CAIRN"]
PATIENCE = 500  # seconds; a hang is a failure, a busy machine is none
FORMATS = {"float32": ("<f4", "f", 1), "float64": ("<f8", "d", 1), "complex64": ("<c8", "f", 2), "complex128": ("<c16", "d", 2)}
OF_THE_LAUNCHER = "[warn] Epoll "  # Open MPI's may say so while it ends all ranks
EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52, "complex64": 2.0**-23, "complex128": 2.0**-52}


# --- matrices and files, independently of Cairn

def numbers(m, n, seed, type_name="float64"):
    rng = random.Random(seed)
    single = FORMATS[type_name][1] == "f"
    def one():
        x = rng.uniform(-1, 1)
        return struct.unpack("<f", struct.pack("<f", x))[0] if single else x
    if FORMATS[type_name][2] == 2:
        return [[complex(one(), one()) for _ in range(n)] for _ in range(m)]
    return [[one() for _ in range(n)] for _ in range(m)]


def transpose(x):
    return [list(row) for row in zip(*x)]


def adjoint(x):
    return [[complex(v).conjugate() for v in row] for row in transpose(x)]


def product(a, b, alpha=1, beta=0, c=None):
    columns = transpose(b)
    out = [[alpha * sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]
    if beta:
        out = [[x + beta * y for x, y in zip(r, s)] for r, s in zip(out, c)]
    return out


def npy_header(type_name, m, n, order="C"):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }" % (FORMATS[type_name][0], order == "F", m, n)
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def npy(x, type_name="float64", order="C"):
    m, n = len(x), len(x[0]) if x else 0
    flat = [v for row in (x if order == "C" else transpose(x)) for v in row]
    if FORMATS[type_name][2] == 2:
        flat = [part for v in flat for part in (complex(v).real, complex(v).imag)]
    return npy_header(type_name, m, n, order) + struct.pack("<%d%s" % (len(flat), FORMATS[type_name][1]), *flat)


def read_npy(path):
    """(matrix, type, order)"""
    data = Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length], {})  # written by this test's own program
    type_name = next(t for t, f in FORMATS.items() if f[0] == header["descr"])
    m, n = header["shape"]
    _, code, parts = FORMATS[type_name]
    flat = struct.unpack("<%d%s" % (m * n * parts, code), data[10 + length:])
    if parts == 2:
        flat = [complex(re, im) for re, im in zip(flat[::2], flat[1::2])]
    if header["fortran_order"]:
        return transpose([list(flat[j * m:(j + 1) * m]) for j in range(n)]), type_name, "F"
    return [list(flat[i * n:(i + 1) * n]) for i in range(m)], type_name, "C"


def matrix_market(a, kind, keep, field="real"):
    """The elements (i, j) that keep(i, j) names."""
    def text(x):
        return "%r %r" % (complex(x).real, complex(x).imag) if field == "complex" else "%r" % x
    n = len(a[0]) if a else 0
    lines = ["%d %d %s" % (i + 1, j + 1, text(a[i][j])) for i in range(len(a)) for j in range(n) if keep(i, j)]
    return "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n%s\n" % (field, kind, len(a), n, len(lines), "\n".join(lines))


def largest_difference(x, y):
    assert len(x) == len(y) and all(len(r) == len(s) for r, s in zip(x, y)), "sizes differ"
    return max((abs(u - v) for r, s in zip(x, y) for u, v in zip(r, s)), default=0)


# --- the command

class Case(unittest.TestCase):
    """A folder for files, and a subcommand that writes self.c."""
    subcommand = "multiply"

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="cairn_cli.")
        self.addCleanup(directory.cleanup)
        self.dir = Path(directory.name)
        self.c = self.dir / "C.npy"

    def command(self, *arguments):
        return [CAIRN, self.subcommand, *map(str, arguments)]

    def cairn(self, *arguments, **more):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=PATIENCE, check=False, **more)

    def with_colours(self):
        return {**{name: value for name, value in os.environ.items() if name != "NO_COLOR"}, "TERM": "xterm"}

    def on_a_terminal(self, *arguments):
        """What the command prints where both of its streams are one."""
        ours, theirs = pty.openpty()
        run = subprocess.Popen(self.command(*arguments), stdout=theirs, stderr=theirs, env=self.with_colours())
        os.close(theirs)
        printed = b""
        with open(ours, "rb", buffering=0) as terminal, contextlib.suppress(OSError):  # once nobody is left that prints
            while piece := terminal.read(4096):
                printed += piece
        self.assertEqual(run.wait(PATIENCE), 0, printed)
        return printed.decode()

    def file(self, name, content):
        path = self.dir / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def succeed(self, *arguments):
        done = self.cairn(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def expect_close(self, found, expected, type_name="float64", k=20):
        self.assertLess(largest_difference(found, expected), 8 * k * EPSILON[type_name])

    def fails(self, code, *says, arguments, ranks=3, **more):
        """Exit code, one error line that holds the texts, the old output unharmed, nothing left behind."""
        if "-o" not in arguments:
            self.c.write_bytes(b"precious")
            arguments = [*arguments, "-o", self.c]
        before = sorted(os.listdir(self.dir))
        done = self.cairn(*arguments, *(["--ranks", ranks] if ranks else []), **more)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = [line for line in done.stderr.strip().splitlines() if line and not line.startswith(OF_THE_LAUNCHER)]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("cairn: error: "), lines[0])
        for text in says:
            self.assertIn(text, lines[0])
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(os.listdir(self.dir)), before)
        if self.c.exists():
            self.assertEqual(self.c.read_bytes(), b"precious")


def single_tests(suite):
    for test in suite:
        yield from single_tests(test) if isinstance(test, unittest.TestSuite) else [test]


def main():
    """The tests of the script that was started, several at a time, since starting and ending ranks is mostly waiting.
    Arguments: names, else all tests."""
    load, module = unittest.defaultTestLoader, sys.modules["__main__"]
    names = sys.argv[1:]
    tests = list(single_tests(load.loadTestsFromNames(names, module) if names else load.loadTestsFromModule(module)))

    def outcome(test):
        start, result = time.monotonic(), test.run()
        text = "".join(trace for _, trace in result.failures + result.errors)
        skipped = " (skipped: %s)" % result.skipped[0][1] if result.skipped else ""
        print("%s %s, %.1f s%s" % ("FAILED" if text else "ok", test.id(), time.monotonic() - start, skipped), flush=True)
        return text

    with ThreadPoolExecutor(max_workers=4) as pool:
        wrong = [text for text in pool.map(outcome, tests) if text]
    print(*wrong, "%d of %d tests failed" % (len(wrong), len(tests)), sep="\n")
    return 1 if wrong or not tests else 0
