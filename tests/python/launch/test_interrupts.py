"""Ctrl-C ends a run on all ranks, and one of them says so."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from launches import LAUNCH, THIS

READY = """
import os, signal, sys, time
import cairn
from cairn._with_mpi import MPI

def ready():
    pids = MPI.COMM_WORLD.gather(os.getpid())
    if pids:
        print(*pids, flush=True)
"""
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
IDLES = """
ready()
time.sleep(60)
"""
OWN = """
def mine(*_):
    print("mine", file=sys.stderr, flush=True)
    os._exit(1)

signal.signal(signal.SIGTERM, mine)
"""
Ended = tuple[int, str, float]


def environment() -> dict[str, str]:
    made = os.environ | {"MPI4PY_MPIABI": THIS}
    made.pop("CAIRN_MPI_TIMEOUT", None)  # by a process that hands signals on twice
    return made


def interrupted(code: str, to: str) -> Ended:
    """The exit status, what is printed, and the seconds from the signal on, which goes to the launcher, as a terminal sends it, or to
    the process of one rank."""
    process = subprocess.Popen(
        [*LAUNCH, "2", sys.executable, "-c", code],
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
        os.killpg(process.pid, signal.SIGINT)
    else:
        os.kill(pids[int(to)], signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, err, time.monotonic() - start


@pytest.fixture(scope="module")
def ends() -> Iterator[dict[str, Future[Ended]]]:
    """Of runs beside each other, since launchers take seconds to end one."""
    runs = {
        "all": (READY + MULTIPLIES, "all"),
        "0": (READY + MULTIPLIES, "0"),
        "1": (READY + MULTIPLIES, "1"),
        "waits": (READY + WAITS, "all"),
    }
    if THIS == "openmpi":
        runs["own before"] = ("import os, signal, sys" + OWN + READY + IDLES, "all")
        runs["own after"] = (READY + OWN + IDLES, "all")
    with ThreadPoolExecutor(3) as pool:
        yield {name: pool.submit(interrupted, *run) for name, run in runs.items()}


@pytest.mark.parametrize("to", ["all", "0", "1"])
def test_an_interrupt_ends_all_ranks_with_one_message(to: str, ends: dict[str, Future[Ended]]) -> None:
    status, err, seconds = ends[to].result()
    assert status != 0 and seconds < 20
    assert "Traceback" not in err and err.count("cairn: interrupted") == 1, err


def test_an_interrupt_ends_ranks_that_wait_for_others(ends: dict[str, Future[Ended]]) -> None:
    """In MPI, where Python hears of nothing."""
    status, err, seconds = ends["waits"].result()
    assert status != 0 and seconds < 20 and "Traceback" not in err and err.count("cairn: interrupted") == 1, err


@pytest.mark.skipif(THIS != "openmpi", reason="whose launcher ends ranks by SIGTERM")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_program_may_take_its_end_into_its_own_hands(when: str, ends: dict[str, Future[Ended]]) -> None:
    _, err, _ = ends[f"own {when}"].result()
    assert "cairn: interrupted" not in err and "mine" in err, err


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
