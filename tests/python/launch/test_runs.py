"""What happens before or after MPI, or without it: each in processes of its own."""

import os
import subprocess
import sys

from launches import LAUNCH, OTHER, THIS


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


def test_before_mpi_begins() -> None:
    code = """
import mpi4py
mpi4py.rc.initialize = False
import cairn
from cairn import multiply, Multiplication
from mpi4py import MPI
try:
    cairn.DistMatrix.zeros(cairn.layout.rows(8, 8, 2))
except cairn.MpiError:
    MPI.Init()
A = cairn.DistMatrix.zeros(cairn.layout.rows(8, 8, 2))
assert multiply(A, A).norm() == 0
MPI.Finalize()
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
    called = {"mpich": "MPICH", "openmpi": "Open MPI"}
    for code in ("import cairn; cairn.DistMatrix", "from mpi4py import MPI; import cairn; cairn.DistMatrix"):
        done = run(code, MPI4PY_MPIABI=OTHER)
        assert done.returncode == 1, done.stdout
        built_for, runs_with = last_line(done.stderr).split(", but mpi4py runs with ")
        assert built_for.startswith(f"ImportError: cairn: built for {called[THIS]}"), done.stderr
        assert runs_with.startswith(called[OTHER]), done.stderr
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
