"""What Python adds to the C++ calls, as CSV: question, microseconds or share, best allowed.

    mpiexec -n 2 --bind-to core python bench/python/overhead.py

Planned products: the time of a call less that which the run itself reports. Plans: the time of cairn.plan when nothing is
planned. A @ B, which makes a new matrix, beside the function of the library with a new matrix, and multiply(out=C) beside the
same with C, in turn, the shortest of each: on a virtual machine, memory that has not been touched for seconds may cost a tenth of
such a product. Otherwise medians. Set OPENBLAS_NUM_THREADS=1.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import cairn
from cairn import DistMatrix, _core, _memory, _mpi, layout
from cairn import _arguments as args
from cairn._with_mpi import MPI

COMM = MPI.COMM_WORLD


def tell(question: str, value: float, limit: str) -> None:
    if COMM.rank == 0:
        print(f"{question},{value:.4g},{limit}", flush=True)


def import_time() -> None:
    code = "import time; t = time.perf_counter(); import cairn; print(time.perf_counter() - t)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout) for _ in range(11)]
    tell("milliseconds to import without mpi4py", 1e3 * statistics.median(times), "150")


def seconds(f: Callable[[], object], calls: int) -> float:
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        f()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def planning() -> None:
    made, planner = _core.plan_gemm(64, 64, 64, 4, *_asked()), _core.plan_gemm
    _core.plan_gemm = lambda *arguments: made
    try:
        tell("microseconds of cairn.plan without the planning", 1e6 * seconds(lambda: cairn.plan(64, 64, 64, ranks=4), 20000), "20")
    finally:
        _core.plan_gemm = planner
    tell("microseconds of the planning", 1e6 * seconds(lambda: planner(64, 64, 64, 4, *_asked()), 200), "")


def _asked() -> tuple[Any, ...]:
    type, op = args.scalar_type("float64"), args.op("op", "N")
    return type, op, op, None, None, None, args.options(type)


def small_product() -> None:
    n = 64
    plan = cairn.plan(n, n, n, comm=COMM)
    run = cairn.Multiplication(plan, COMM)
    A, B, C = run.new_a(), run.new_b(), run.new_c()
    above, inside = [], []
    for _ in range(20000):
        start = time.perf_counter()
        run(A, B, C)
        took = time.perf_counter() - start
        assert run.report is not None
        above.append(took - run.report.seconds)
        inside.append(run.report.seconds)
    tell("microseconds of a planned product of 64 above C++", 1e6 * statistics.median(above[1000:]), "5")
    tell("microseconds of it in C++", 1e6 * statistics.median(inside[1000:]), "")


def large_product(n: int) -> None:
    A, B = (DistMatrix.from_function(lambda i, j: np.cos(i + seed * j), layout.rows(n, n, COMM.size)) for seed in (1, 2))
    C, handle, none, options = A @ B, COMM.py2f(), args.op("op", "N"), _core.Options()

    def new() -> DistMatrix:
        return DistMatrix._of(_memory.allocate(C.layout, COMM.rank, C._type), C.layout, COMM, COMM.rank)

    def in_cpp(into: DistMatrix) -> DistMatrix:
        _mpi.multiply(handle, none, none, 1, A._part, B._part, 0, into._part, options)
        return into

    calls: dict[str, Callable[[], DistMatrix]] = {
        "A @ B": lambda: A @ B,
        "multiply(A; B; out=C)": lambda: cairn.multiply(A, B, out=C),
        "the same in C++": lambda: in_cpp(new()),  # when the memory of the other new matrix is as long gone
        "this in C++": lambda: in_cpp(C),
    }
    shortest = dict.fromkeys(calls, float("inf"))
    for _ in range(9):
        for name, call in calls.items():
            COMM.Barrier()
            start = time.perf_counter()
            call()
            shortest[name] = min(shortest[name], time.perf_counter() - start)
    for name, cpp in (("A @ B", "the same in C++"), ("multiply(A; B; out=C)", "this in C++")):
        share = shortest[cpp] / shortest[name]
        tell(f"seconds of the C++ call over those of {name} of {n} on {COMM.size} ranks", share, "0.99")


if COMM.rank == 0:
    print("question,measured,limit")
    import_time()
    planning()
COMM.Barrier()
small_product()
large_product(int(sys.argv[1]) if len(sys.argv) > 1 else 4096)
