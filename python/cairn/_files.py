"""Distributed matrices from and to files."""

from typing import Any

from . import _arguments as args
from . import _memory, _mpi
from . import layout as layouts
from ._core import Layout
from ._matrix import DistMatrix, require_layout
from ._operands import require_matrix
from ._with_mpi import MPI, agreed, comm_of, handle_of


def load(
    path: args.FileName, layout: Layout | None = None, *, dtype: Any = None, comm: Any = None, allow_nonfinite: bool = False
) -> DistMatrix:
    """Reads a matrix from a .npy file, or from a Matrix Market file that may be compressed; each rank reads its part. `path` is
    text, or bytes where a name is not UTF-8. If `layout` is absent, it is by rows; if `dtype` is absent, it is the file's.
    Raises FileError, an OSError, for files that are missing, damaged or hold NaN or infinity, ValueError for a layout of
    another size or a dtype that would lose digits, or if arguments differ between ranks."""
    comm = MPI.COMM_WORLD if comm is None else comm
    handle = handle_of(comm)
    with agreed(handle):
        name, nonfinite = args.file_name(path), bool(allow_nonfinite)
    file = _mpi.inspect(handle, name)
    with agreed(handle, "layout or dtype") as same:
        type = file.type if dtype is None else args.scalar_type(dtype)
        layout = layouts.rows(*file.shape, comm.Get_size()) if layout is None else layout
        require_layout(layout, comm)
        if layout.shape != file.shape:
            raise ValueError(f"layout: of a {layout.shape} matrix, expected {file.shape}, the size of {path!r}")
        same.text = f"{type.name}, {args.layout_text(layout)}"
    part = _mpi.read(handle, file, layout, type, nonfinite)
    return DistMatrix._of(_memory.shaped(part.memory(), layout, comm.Get_rank()), layout, comm, comm.Get_rank())


def save(
    path: args.FileName, A: DistMatrix, *, order: args.OrderName = "C", vector: bool = False, comm: Any = None
) -> None:
    """Writes a .npy file, each rank its part. The file takes its name when all of it is on the disk. `order`: of the array in
    the file; `vector`: a matrix of one column as an array of one dimension. comm: as in :func:`cairn.multiply`. Raises
    FileError, an OSError, if the file cannot be written. For block-sparse matrices see :func:`cairn.sparse.save`."""
    comm = comm_of(A, comm=comm)
    handle = handle_of(comm)
    with agreed(handle):
        require_matrix("A", A, comm=comm)
        name, stored, flat = args.file_name(path), args.order(order), bool(vector)
    _mpi.write(handle, name, A._part, stored, flat)
