"""mpi4py, and whether it is for the MPI that Cairn was built with: looked at before any handle is handed over."""

import os
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

try:
    from . import _mpi
except ImportError as error:
    raise ImportError("cairn: this package was built without MPI, or its MPI cannot be loaded: " + str(error)) from error

_OPEN_MPI_HANDLE = 8  # bytes: Open MPI's are pointers, MPICH's are integers

if "mpi4py.MPI" not in sys.modules:  # mpi4py's own wheels run with either, and read this when they are first imported
    os.environ.setdefault("MPI4PY_MPIABI", "openmpi" if _mpi.handle_bytes() == _OPEN_MPI_HANDLE else "mpich")
try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:
    raise ImportError(
        f"cairn: distributed matrices need mpi4py for {_mpi.mpi_library()}: pip install 'cairn[mpi]' ({error})"
    ) from error

__all__ = ["MPI", "handle_of", "made_together", "spelled", "together"]
Made = TypeVar("Made")

_theirs = MPI.Get_library_version()
if MPI._sizeof(MPI.Comm) != _mpi.handle_bytes() or _theirs != _mpi.library_version():
    raise ImportError(
        f"cairn: built for {_mpi.mpi_library()}, but mpi4py runs with {_theirs.strip().splitlines()[0]}; build either "
        "for the other's MPI: CAIRN_MPI_FLAVOUR=openmpi or mpich when Cairn is installed, MPI4PY_MPIABI when mpi4py is "
        "imported (docs/python.md)"
    )

if "OPENBLAS_NUM_THREADS" not in os.environ:
    _mpi.use_one_blas_thread()  # ranks are the parallelism

_hook_before = sys.excepthook


def _ended_together(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
    """Ctrl-C reaches all ranks, or only one for which others wait: it ends all of them, and one says so."""
    if not issubclass(kind, KeyboardInterrupt) or MPI.Is_finalized() or MPI.COMM_WORLD.Get_size() == 1:
        _hook_before(kind, value, trace)
        return
    time.sleep(0.3 * min(MPI.COMM_WORLD.Get_rank(), 5))  # the first that is interrupted ends the others before they speak
    print("cairn: interrupted", file=sys.stderr, flush=True)
    time.sleep(0.1)  # until the launcher has it
    MPI.COMM_WORLD.Abort(130)


sys.excepthook = _ended_together


def handle_of(comm: Any) -> int:
    """The communicator as the library takes it. Raises TypeError for what is none, ValueError for a freed one, MpiError
    before MPI is initialised or after it is finalised."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm: {type(comm).__name__}, expected a communicator of mpi4py")
    if MPI.Is_finalized() or not MPI.Is_initialized():
        from ._core import MpiError

        raise MpiError("comm: expected a call between MPI_Init and MPI_Finalize")
    if comm == MPI.COMM_NULL:
        raise ValueError("comm: a freed communicator, or none of which this rank is a member")
    return comm.py2f()


def spelled(problem: Exception | None) -> str | None:
    """A problem of this rank as all ranks are told of it; see agree() in python/src/parts.cpp."""
    if problem is None:
        return None
    text = str(problem)
    if isinstance(problem, TypeError):
        return "TypeError: " + text
    if isinstance(problem, MemoryError):
        return "MemoryError: " + text
    return text if isinstance(problem, ValueError) else f"{type(problem).__name__}: {text}"


def made_together(handle: int, make: Callable[[], Made]) -> Made:
    """What `make` returns; a MemoryError on every rank if any rank has too little. Collective."""
    made, problem = [], None
    try:
        made.append(make())
    except MemoryError as error:
        problem = error
    together(handle, problem)
    return made[0]


def together(handle: int, problem: Exception | None, what: str = "", text: str = "") -> None:
    """The problem of the first rank that has one, raised on every rank; or that `text`, of which `what` names the
    meaning, differs between ranks. Collective."""
    try:
        _mpi.agree(handle, spelled(problem), what, text)
    except (TypeError, ValueError, MemoryError) as error:
        raise error from problem
