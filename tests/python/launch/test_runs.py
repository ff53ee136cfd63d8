"""What ends a process, or happens before or after MPI: each in processes of its own."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

LAUNCH = [os.environ["CAIRN_LAUNCHER"], "-n"]
THIS, OTHER = ("mpich", "openmpi") if "mpich" in os.environ["CAIRN_MPIEXEC"] else ("openmpi", "mpich")


def run(code: str, ranks: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """On ranks of an MPI run, or with 0 by itself."""
    launch = [*LAUNCH, str(ranks)] if ranks else []
    return subprocess.run(
        [*launch, sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ | {"MPI4PY_MPIABI": THIS} | environment,
    )


def last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


def test_after_the_end_of_mpi() -> None:
    code = """
import cairn
from mpi4py import MPI
A = cairn.DistMatrix.zeros(cairn.layout.rows(8, 8, 2))
run = cairn.Multiplication(cairn.plan(8, 8, 8, ranks=2))
a = run.new_a()
S = cairn.BlockSparse.zeros([2] * 4, [2] * 4)
for i, j in [(i, j) for i in range(4) for j in range(4) if S.here(i, j)]:
    S.put(i, j, [[1, 2], [3, 4]])
shown = [block for _, _, block in S.items()]
MPI.Finalize()
dense = [lambda: A @ A, lambda: A.gather(), lambda: run(a, a), lambda: cairn.DistMatrix.zeros(A.layout), lambda: cairn.cholesky(A)]
sparse = [lambda: S @ S, S.blocks, S.norm, lambda: S.get(0, 0), lambda: S.put(0, 0, [[1, 2], [3, 4]]), S.pattern, S.clear, lambda: S + S]
sparse += [lambda: cairn.sparse.inverse(S), lambda: cairn.sparse.load("x.cbs"), lambda: cairn.sparse.save("x.cbs", S)]
for use in dense + sparse:
    try:
        use()
    except cairn.MpiError as error:
        assert str(error) == "comm: expected a call between MPI_Init and MPI_Finalize", error
    else:
        raise AssertionError
assert A.local.sum() == 0 and cairn.plan(8, 8, 8).received == 0 and all(block.sum() == 10 for block in shown)
"""
    done = run(code, ranks=2)
    assert done.returncode == 0, done.stderr


def test_leaves_nothing_to_say_at_the_end() -> None:
    code = """
import cairn
A = cairn.DistMatrix.zeros(cairn.layout.rows(8, 8, 2))
B = A @ A
kept = cairn.Multiplication(cairn.plan(8, 8, 8, ranks=2))
"""
    done = run(code, ranks=2)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_mpi4py() -> None:
    done = run("import sys; sys.modules['mpi4py'] = None; import cairn; cairn.plan(8, 8, 8); cairn.DistMatrix")
    assert done.returncode == 1
    assert last_line(done.stderr).startswith("ImportError: cairn: distributed matrices need mpi4py for ")


def test_without_mpi_in_the_package() -> None:
    done = run("import sys; sys.modules['cairn._mpi'] = None; import cairn; cairn.plan(8, 8, 8); cairn.multiply")
    assert last_line(done.stderr).startswith("ImportError: cairn: this package was built without MPI")


def test_with_mpi4py_for_another_mpi() -> None:
    for code in ("import cairn; cairn.DistMatrix", "from mpi4py import MPI; import cairn; cairn.DistMatrix"):
        done = run(code, MPI4PY_MPIABI=OTHER)
        assert done.returncode == 1, done.stdout
        assert last_line(done.stderr).startswith("ImportError: cairn: built for "), done.stderr
        assert "CAIRN_MPI_FLAVOUR=openmpi or mpich" in last_line(done.stderr)


def test_chooses_the_mpi_of_mpi4py() -> None:
    code = """
import os
del os.environ["MPI4PY_MPIABI"]
import cairn
cairn.DistMatrix
from mpi4py import MPI
print(MPI.Get_library_version())
"""
    done = run(code)
    assert done.returncode == 0 and ("MPICH" in done.stdout) == (THIS == "mpich")


MULTIPLIES = """
n = 1200
A = cairn.DistMatrix.from_function(lambda i, j: i + j, cairn.layout.rows(n, n, 2))
B = A @ A
ready()
while True:
    B = A @ A
"""
WAITS = """
A = cairn.DistMatrix.zeros(cairn.layout.rows(8, 8, 2))
ready()
if MPI.COMM_WORLD.rank == 0:
    A.gather()
time.sleep(60)
"""


READY = """
import os, time
import cairn
from cairn._with_mpi import MPI

def ready():
    pids = MPI.COMM_WORLD.gather(os.getpid())
    if pids:
        print(*pids, flush=True)
"""


def environment() -> dict[str, str]:
    made = os.environ | {"MPI4PY_MPIABI": THIS}
    made.pop("CAIRN_MPI_TIMEOUT", None)  # by a process that hands signals on twice
    return made


def interrupted(code: str, to: str, signal: int) -> tuple[int, str, float]:
    """The exit status, what is printed, and the seconds from the signal on, which goes to the launcher, as a terminal sends it, or to
    the process of one rank."""
    process = subprocess.Popen(
        [*LAUNCH, "2", sys.executable, "-c", READY + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=environment(),
    )
    assert process.stdout
    pids = [int(pid) for pid in process.stdout.readline().split()]
    time.sleep(0.3)
    start = time.monotonic()
    if to == "all":
        os.killpg(process.pid, signal)
    else:
        os.kill(pids[int(to)], signal)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, err, time.monotonic() - start


@pytest.mark.parametrize("to", ["all", "0", "1"])
def test_an_interrupt_ends_all_ranks_with_one_message(to: str) -> None:
    status, err, seconds = interrupted(MULTIPLIES, to, signal.SIGINT)
    assert status != 0 and seconds < 20
    assert "Traceback" not in err and err.count("cairn: interrupted") == 1, err


def test_an_interrupt_ends_ranks_that_wait_for_others() -> None:
    """In MPI, where Python hears of nothing."""
    status, err, seconds = interrupted(WAITS, "all", signal.SIGINT)
    assert status != 0 and seconds < 20 and "Traceback" not in err and err.count("cairn: interrupted") == 1, err


def test_a_second_interrupt_is_not_silent_and_leaves_no_rank() -> None:
    """At a terminal, where Ctrl-C is a key; Open MPI's launcher ends of the second one and passes on no more words."""
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            signal.signal(signal.SIGINT, lambda *_: None)  # as a shell, which stays
            subprocess.run([*LAUNCH, "2", sys.executable, "-c", READY + WAITS], env=environment())
            time.sleep(60)
        finally:
            os._exit(0)
    try:
        end, said = time.monotonic() + 60, ""
        while "\n" not in said and time.monotonic() < end:
            said += heard(terminal, 1)
        ranks = [int(rank) for rank in said.split()]
        for _ in range(2):
            time.sleep(0.3)
            os.write(terminal, b"\x03")
        while any(map(runs, ranks)) and time.monotonic() < end:
            said += heard(terminal, 0.05)
        said += heard(terminal, 0.2)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert not any(map(runs, ranks))
    assert said.count("cairn: interrupted") == 1 if THIS == "openmpi" else "interrupted" in said or "mpiexec" in said, said


def heard(terminal: int, seconds: float) -> str:
    """What is written within some time, or the first of it."""
    return os.read(terminal, 10_000).decode() if select.select([terminal], [], [], seconds)[0] else ""


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(THIS != "openmpi", reason="whose launcher ends ranks by SIGTERM")
def test_a_program_may_take_its_end_into_its_own_hands() -> None:
    own = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("mine", file=sys.stderr, flush=True)))
"""
    for code in (own + "import cairn; cairn.DistMatrix\n" + MULTIPLIES, "cairn.DistMatrix\n" + own + MULTIPLIES):
        _, err, _ = interrupted(code, "all", signal.SIGINT)
        assert "cairn: interrupted" not in err and "mine" in err, err


def test_children_end_without_a_word() -> None:
    code = """
import multiprocessing, time
import cairn
cairn.DistMatrix
from mpi4py import MPI
child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
child.start()
time.sleep(0.2)
child.terminate()
child.join()
assert child.exitcode == -15
MPI.COMM_WORLD.Barrier()
"""
    done = run(code, ranks=2)
    assert done.returncode == 0 and "cairn" not in done.stderr, done.stderr
