"""What ends a process, or happens before or after MPI: each in processes of its own."""

import os
import signal
import subprocess
import sys
import time

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
MPI.Finalize()
for use in (lambda: A @ A, lambda: A.gather(), lambda: run(a, a), lambda: cairn.DistMatrix.zeros(A.layout)):
    try:
        use()
    except cairn.MpiError as error:
        assert str(error) == "comm: expected a call between MPI_Init and MPI_Finalize", error
    else:
        raise AssertionError
assert A.local.sum() == 0 and cairn.plan(8, 8, 8).received == 0
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


@pytest.mark.parametrize("to", ["all", "one"])
def test_an_interrupt_ends_all_ranks_with_one_message(to: str) -> None:
    code = """
import os
import cairn
n = 1200
A = cairn.DistMatrix.from_function(lambda i, j: i + j, cairn.layout.rows(n, n, 2))
B = A @ A
pids = A.comm.gather(os.getpid())
if pids:
    print(*pids, flush=True)
while True:
    B = A @ A
"""
    command = [*LAUNCH, "2", sys.executable, "-c", code]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env=os.environ | {"MPI4PY_MPIABI": THIS}
    )
    assert process.stdout
    pids = [int(pid) for pid in process.stdout.readline().split()]
    time.sleep(0.3)
    start = time.monotonic()
    if to == "all":
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        os.kill(pids[1], signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0 and time.monotonic() - start < 20
    assert "Traceback" not in err and err.count("cairn: interrupted") <= 1, err
    assert to == "all" or "cairn: interrupted" in err, err
