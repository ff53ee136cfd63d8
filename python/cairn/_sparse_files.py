"""Block-sparse matrices from and to files."""

from collections.abc import Sequence
from typing import Any, SupportsIndex

from . import _arguments as args
from . import _mpi
from ._core import BlockDistribution, Symmetry
from ._sparse import BlockSparse, agree_on, require_distribution, sizes_of
from ._with_mpi import MPI, agreed, handle_of

_TEXT, _OWN = b".mtx", b".cbs"


def load(
    path: args.FileName,
    row_sizes: str | Sequence[SupportsIndex] | None = None,
    col_sizes: str | Sequence[SupportsIndex] | None = None,
    *,
    where: BlockDistribution | None = None,
    dtype: Any = None,
    comm: Any = None,
    allow_nonfinite: bool = False,
    keep_symmetry: bool = False,
) -> BlockSparse:
    """Reads a matrix from a Matrix Market file, which may be compressed, or from Cairn's own file, and recognises which by
    content. No dense matrix is formed; each rank reads slices. Collective.

    row_sizes, col_sizes: sizes of blocks, or a text for them: '6' for blocks of 6 throughout, '4,1,1' for these again and
    again, '128x6' for 128 times 6, or the name of a file of such. Columns are in the blocks of the rows if only these are
    given; if neither is, the file knows them, or files beside it, path.rows and path.cols. where: if absent, blocks are dealt
    over all ranks. dtype: if absent, it is the file's. keep_symmetry: if true, a Matrix Market file that says that its matrix
    has a symmetry gives a matrix that is stored with it; otherwise the triangle is completed. Cairn's own file gives the matrix
    as it was stored. Raises FileError, an OSError, for files that are missing, damaged or hold NaN or infinity, and where the
    sizes of blocks are not known; ValueError for sizes that do not cover the matrix, or a dtype that would lose digits. Source:
    include/cairn/block_files.hpp.
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    handle = handle_of(comm)
    with agreed(handle, "row_sizes and keep_symmetry") as same:
        name, nonfinite, kept = args.file_name(path), bool(allow_nonfinite), bool(keep_symmetry)
        require_distribution(where)
        if row_sizes is None and col_sizes is not None:
            raise TypeError("row_sizes: absent beside col_sizes, expected both or neither")
        same.text = f"{'absent' if row_sizes is None else 'given'} and {kept}"
    file = _mpi.inspect(handle, name)
    sizes = _mpi.block_shape(handle, file) if row_sizes is None else None
    with agreed(handle, "dtype") as same:
        type = file.type if dtype is None else args.scalar_type(dtype)
        same.text = type.name
        if sizes is None:
            m, n = file.shape
            rows = row_sizes if isinstance(row_sizes, str) else args.integers("row_sizes", row_sizes)
            sizes = sizes_of(_sizes("row_sizes", rows, m), _sizes("col_sizes", rows if col_sizes is None else col_sizes, n))
    made = _mpi.read_blocks(handle, file, type, *sizes, where, nonfinite, kept)
    return BlockSparse._of(made, type, sizes, comm)


def _sizes(name: str, said: Any, total: int) -> Any:
    return _mpi.block_sizes(args.file_name(said, name), total) if isinstance(said, str) else said


def save(
    path: args.FileName,
    A: BlockSparse,
    *,
    symmetry: args.SymmetryName = "general",
    comm: Any = None,
) -> None:
    """Writes a file, each rank its part. The file takes its name when all of it is on the disk. Collective.

    A path that ends with .cbs makes Cairn's own file, with every bit and the sizes of blocks. A path that ends with .mtx makes
    Matrix Market's text, and sizes of blocks beside it, path.rows and path.cols. The text has only the lower triangle of a
    matrix that is stored with a symmetry, or that has the `symmetry` that is given. comm: as in :func:`cairn.multiply`. Raises
    FileError, an OSError, if the file cannot be written; ValueError for other endings and for a matrix that does not have the
    symmetry exactly. Source: include/cairn/block_files.hpp, docs/block_files.md.
    """
    name, kind = b"", Symmetry.general

    def look() -> str:
        nonlocal name, kind
        name, kind = args.file_name(path), args.symmetry(symmetry)
        if not name.endswith((_TEXT, _OWN)):
            raise ValueError(f"path: {path!r}, expected one that ends with .cbs or .mtx")
        if name.endswith(_OWN) and symmetry != "general":
            raise ValueError(f"symmetry: {symmetry!r}, expected 'general' for a file of Cairn's own, which has the blocks that are stored")
        return f"{name!r} {symmetry}"

    agree_on(("A", A), comm=comm, also=look)
    if name.endswith(_TEXT):
        _mpi.write_matrix_market(A._made, name, kind)
    else:
        _mpi.write_blocks(A._made, name)
