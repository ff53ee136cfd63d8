"""mpi4py, and whether it is for the MPI that Cairn was built with: looked at before any handle is handed over."""

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

try:
    from . import _mpi
except ImportError as error:
    raise ImportError("cairn: this package was built without MPI, or its MPI cannot be loaded: " + str(error)) from error

from . import _arguments as args

_OPEN_MPI_HANDLE = 8  # bytes: Open MPI's are pointers, MPICH's are integers
_for_open_mpi = _mpi.handle_bytes() == _OPEN_MPI_HANDLE


def _built_for() -> str:
    """The MPI that the package was built for. If another one is loaded, that one answers instead: then only the kind is known."""
    answers = _mpi.mpi_library()
    if answers.startswith("Open MPI") == _for_open_mpi:
        return answers
    return "Open MPI" if _for_open_mpi else "MPICH"


if "mpi4py.MPI" not in sys.modules:  # mpi4py's own wheels run with either, and read this when they are first imported
    os.environ.setdefault("MPI4PY_MPIABI", "openmpi" if _for_open_mpi else "mpich")
try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:
    raise ImportError(
        f"cairn: distributed matrices need mpi4py for {_built_for()}: pip install 'cairn[mpi]' ({error})"
    ) from error

from ._core import FileError, MpiError

__all__ = [
    "MPI",
    "agreed",
    "comm_of",
    "duplicate_of",
    "handle_of",
    "made_together",
    "one_of_together",
    "raised_together",
    "ranks_text",
    "spelled",
    "together",
]
Made = TypeVar("Made")

_theirs = MPI.Get_library_version()
if MPI._sizeof(MPI.Comm) != _mpi.handle_bytes() or _theirs != _mpi.library_version():
    raise ImportError(
        f"cairn: built for {_built_for()}, but mpi4py runs with {_theirs.strip().splitlines()[0]}; build either "
        "for the other's MPI: CAIRN_MPI_FLAVOUR=openmpi or mpich when Cairn is installed, MPI4PY_MPIABI when mpi4py is "
        "imported (docs/python.md)"
    )

if "OPENBLAS_NUM_THREADS" not in os.environ:
    _mpi.use_one_blas_thread()  # ranks are the parallelism

# Ctrl-C ends all ranks, and one says so. MPICH's launcher hands it on to all ranks; Open MPI's keeps it to itself, and ends
# ranks by SIGTERM, as it does when one of them aborts. There it is always rank 0 that speaks.
_by_sigterm = "OMPI_COMM_WORLD_RANK" in os.environ  # which only Open MPI's launcher sets
_hook_before = sys.excepthook


def _ended_together(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
    """Ctrl-C has reached all ranks, or only one for which others wait."""
    if not issubclass(kind, KeyboardInterrupt) or MPI.Is_finalized() or MPI.COMM_WORLD.Get_size() == 1:
        _hook_before(kind, value, trace)
        return
    rank = MPI.COMM_WORLD.Get_rank()
    if not _by_sigterm or rank == 0:
        time.sleep(0.3 * min(rank, 5))  # the first that is interrupted ends the others before they speak
        _mpi.leave_termination()
        print("cairn: interrupted", file=sys.stderr, flush=True)
        time.sleep(0.1)  # until the launcher has it
    MPI.COMM_WORLD.Abort(130)


sys.excepthook = _ended_together
if _by_sigterm and MPI.Is_initialized() and MPI.COMM_WORLD.Get_size() > 1:
    _mpi.handle_termination(MPI.COMM_WORLD.Get_rank() == 0)


_PATIENCE = 10.0  # seconds after which a rank says for what it waits
_waiting: list[threading.Timer] = []


def comm_of(*matrices: Any, comm: Any = None) -> Any:
    """On which a call agrees: `comm`, or that of its matrices. A rank that has neither was handed something else, or None. It tells the
    others on the world, and says what it waits for if they are elsewhere."""
    if comm is not None:
        return comm
    theirs = (getattr(x, "comm", None) for x in matrices)
    found = next((found for found in theirs if isinstance(found, MPI.Comm)), None)
    if found is not None:
        return found
    if MPI.Is_initialized() and not MPI.Is_finalized() and MPI.COMM_WORLD.Get_size() > 1:
        kinds = " and ".join(type(x).__name__ for x in matrices if x is not None) or "None"
        text = (
            f"cairn: rank {MPI.COMM_WORLD.Get_rank()} was handed {kinds} where matrices are expected, and waits on COMM_WORLD to tell all "
            "ranks; if matrices are on another communicator, say comm= in the call"
        )
        _waiting.append(threading.Timer(_PATIENCE, lambda: print(text, file=sys.stderr, flush=True)))
        _waiting[-1].daemon = True
        _waiting[-1].start()
    return MPI.COMM_WORLD


def handle_of(comm: Any) -> int:
    """The communicator as the library takes it. Raises TypeError for what is none, ValueError for a freed one, MpiError
    before MPI is initialised or after it is finalised."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm: {type(comm).__name__}, expected a communicator of mpi4py")
    if MPI.Is_finalized() or not MPI.Is_initialized():
        raise MpiError("comm: expected a call between MPI_Init and MPI_Finalize")
    if comm == MPI.COMM_NULL:
        raise ValueError("comm: a freed communicator, or none of which this rank is a member")
    return comm.py2f()


def duplicate_of(comm: Any) -> MPI.Comm:
    """The library's own communicator of the same ranks, so that no message of the package meets one of the program's. Nobody but the
    library frees it. Collective the first time. Errors are those of handle_of()."""
    return MPI.Comm.f2py(_mpi.duplicate(handle_of(comm)))


def ranks_text(comm: Any) -> str:
    """For people, of a communicator that may have been freed."""
    return "a freed communicator" if comm == MPI.COMM_NULL or MPI.Is_finalized() else args.ranks_text(comm.Get_size())


_SPELLED = (TypeError, MemoryError, FileError)


def spelled(problem: Exception | None) -> str | None:
    """A problem of this rank as all ranks are told of it; see agree() in python/src/parts.cpp."""
    if problem is None:
        return None
    kind = next((kind for kind in _SPELLED if isinstance(problem, kind)), type(problem))
    return _utf8(_text_of(problem) if isinstance(problem, ValueError) else f"{kind.__name__}: {_text_of(problem)}")


def _text_of(problem: BaseException) -> str:
    """What it says; of one of the caller's that cannot, what it is."""
    try:
        return str(problem)
    except Exception:  # whatever its __str__ raises
        return type(problem).__name__


def _utf8(text: str) -> str:
    """What the library takes: names of files need not be UTF-8, and are surrogates then."""
    return text.encode("utf-8", "backslashreplace").decode()


def together(handle: int, problem: Exception | None, what: str = "", text: str = "") -> None:
    """The problem of the first rank that has one, raised on every rank; or that `text`, of which `what` names the
    meaning, differs between ranks. Collective."""
    try:
        _mpi.agree(handle, spelled(problem), what, _utf8(text))
    except (ValueError, *_SPELLED) as error:
        raise error from problem
    finally:
        while _waiting:
            _waiting.pop().cancel()


class agreed:
    """``with agreed(handle, what) as same``: what goes wrong within it on any rank is raised on every rank, and so it is if
    `same.text`, of which `what` names the meaning, differs between ranks. Exceptions of other kinds than those of the package are
    raised as they are where they arise, and as a ValueError that names them elsewhere. Collective."""

    def __init__(self, handle: int, what: str = ""):
        self._handle, self._what, self.text = handle, what, ""

    def __enter__(self) -> "agreed":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None or isinstance(error, (ValueError, *_SPELLED)):
            together(self._handle, error, self._what, self.text)
        elif isinstance(error, Exception):
            with suppress(ValueError, *_SPELLED):  # this rank's own goes on
                together(self._handle, error)


def made_together(handle: int, make: Callable[[], Made]) -> Made:
    """What `make` returns; a MemoryError on every rank if any rank has too little. Collective."""
    with agreed(handle):
        return make()


def one_of_together(comm: Any, name: str, value: Any, all: dict[Any, Any]) -> Any:
    """As one_of(), with the same value or the same error on every rank. Collective."""
    with agreed(handle_of(comm), name) as same:
        chosen = args.one_of(name, value, all)
        same.text = str(chosen)
    return chosen


def raised_together(comm: Any, problem: BaseException | None) -> None:
    """What a function of the caller's has raised on any rank, raised on every rank: on those where it did the same object, on the
    others a copy of the first one's; MpiError where that cannot be made. Collective."""
    try:
        _mpi.agree(handle_of(comm), None if problem is None else "ValueError: of the caller's function", "", "")
        return
    except ValueError:
        pass
    said = None if problem is None else (_pickled(problem), f"{type(problem).__name__} on rank {comm.Get_rank()}: {_text_of(problem)}")
    everywhere = duplicate_of(comm).allgather(said)
    if problem is not None:
        raise problem
    rank, (copy, text) = next((rank, said) for rank, said in enumerate(everywhere) if said is not None)
    theirs = _unpickled(copy)
    if theirs is None:
        theirs = MpiError(text)
    theirs.add_note(f"(raised on rank {rank})")
    raise theirs


def _pickled(problem: BaseException) -> bytes | None:
    try:
        return pickle.dumps(problem)
    except Exception:  # whatever pickling finds
        return None


def _unpickled(copy: bytes | None) -> BaseException | None:
    """None where its class is not known, or makes something else."""
    try:
        problem = None if copy is None else pickle.loads(copy)
    except Exception:  # whatever its class finds
        return None
    return problem if isinstance(problem, BaseException) else None
