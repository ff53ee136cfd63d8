"""Block-sparse matrices and their products."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsIndex

import numpy as np

from . import _arguments as args
from . import _memory, _mpi
from ._core import Op, ScalarType, words_of_memory
from ._matrix import DistMatrix, require_matrix
from ._mpi import BlockProductReport, Sparse
from ._with_mpi import MPI, handle_of, together

_MOST = 2**31 - 1  # rows of a block, and blocks of a dimension


class BlockSparse:
    """A matrix of blocks, rows and columns cut into `row_sizes` and `col_sizes`, dealt over a grid of all ranks.

    Made by :meth:`from_scipy`, :meth:`from_rows`, :meth:`from_dense` and :meth:`zeros`. Elements are float32, float64,
    complex64 or complex128.
    """

    __array_ufunc__ = None  # NumPy's scalars leave operators to this class
    __slots__ = ("_comm", "_made", "_sizes", "_type", "report")

    _comm: MPI.Comm
    _made: Sparse
    _sizes: tuple[list[int], list[int]]
    _type: ScalarType
    report: BlockProductReport | None  #: of the product that made the matrix; None if none did

    def __init__(self) -> None:
        raise TypeError("BlockSparse: made by from_scipy, from_rows, from_dense or zeros")

    @classmethod
    def _of(cls, made: Sparse, type: ScalarType, sizes: tuple[list[int], list[int]], comm: MPI.Comm) -> "BlockSparse":
        new = cls.__new__(cls)
        new._made, new._type, new._sizes, new._comm, new.report = made, type, sizes, comm, None
        return new

    # --- Making
    @classmethod
    def zeros(
        cls, row_sizes: Sequence[SupportsIndex], col_sizes: Sequence[SupportsIndex], dtype: Any = "float64", comm: Any = None
    ) -> "BlockSparse":
        """A matrix without any block. Raises ValueError for negative sizes, or if arguments differ between ranks."""
        comm = MPI.COMM_WORLD if comm is None else comm
        handle, problem, text = handle_of(comm), None, ""
        try:
            type, sizes = args.scalar_type(dtype), _sizes_of(row_sizes, col_sizes)
            text = type.name
        except (TypeError, ValueError) as error:
            problem = error
        together(handle, problem, "dtype", text)
        return cls._of(_mpi.sparse_zeros(handle, type, *sizes), type, sizes, comm)

    @classmethod
    def from_scipy(
        cls, array: Any, root: SupportsIndex = 0, comm: Any = None, *, blocks: tuple[Sequence[int], Sequence[int]] | None = None
    ) -> "BlockSparse":
        """A copy of the sparse array that rank `root` has; what other ranks pass is not looked at. Its blocks are those of
        a scipy.sparse.bsr_array; of other formats `blocks` tells the sizes, (row_sizes, col_sizes), on `root`. Raises on
        every rank what is wrong on `root`."""
        comm = MPI.COMM_WORLD if comm is None else comm
        handle, problem, told = handle_of(comm), None, None
        rows: Any = None
        try:
            root = args.integer("root", root)
            if not 0 <= root < comm.Get_size():
                raise ValueError(f"root: {root}, expected a rank of 0..{comm.Get_size() - 1}")
            if comm.Get_rank() == root:
                rows = _csr(array)
                sizes = _sizes_of(*(_blocks_of(array) if blocks is None else blocks))
                told = rows.dtype.name, sizes
        except (TypeError, ValueError) as error:
            problem = error
        together(handle, problem, "root", str(root))
        name, sizes = comm.bcast(told, root)
        return cls._from(rows, 0, name, sizes, comm)

    @classmethod
    def from_rows(
        cls,
        array: Any,
        first_row: SupportsIndex,
        row_sizes: Sequence[SupportsIndex],
        col_sizes: Sequence[SupportsIndex],
        comm: Any = None,
    ) -> "BlockSparse":
        """A copy of the rows that every rank has as a sparse array of SciPy's, those from `first_row` on: as many as it has,
        and as many columns as the whole matrix. A block is stored if one of its elements is given; elements that several
        ranks give are summed. Raises ValueError if a row is outside, or arguments differ between ranks."""
        comm = MPI.COMM_WORLD if comm is None else comm
        handle, problem, text = handle_of(comm), None, ""
        rows: Any = None
        try:
            rows, first = _csr(array), args.integer("first_row", first_row)
            sizes = _sizes_of(row_sizes, col_sizes)
            if rows.shape[1] != sum(sizes[1]):
                raise ValueError(f"array: of {rows.shape[1]} columns, expected {sum(sizes[1])}, the sum of col_sizes")
            if not 0 <= first <= sum(sizes[0]) - rows.shape[0]:
                raise ValueError(f"first_row: {first} for {rows.shape[0]} rows, expected rows of 0..{sum(sizes[0]) - 1}")
            text = rows.dtype.name
        except (TypeError, ValueError) as error:
            problem = error
        together(handle, problem, "dtype", text)
        return cls._from(rows, first, text, sizes, comm)

    @classmethod
    def _from(cls, rows: Any, first: int, name: str, sizes: tuple[list[int], list[int]], comm: MPI.Comm) -> "BlockSparse":
        type = args.scalar_type(name)
        if rows is None:
            pointers, columns, values = np.zeros(1, np.int64), np.empty(0, np.int64), np.empty(0, name)
        else:
            pointers, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
            values = np.ascontiguousarray(rows.data)
        made = _mpi.sparse_from_rows(handle_of(comm), type, first, pointers, columns, values, *sizes)
        return cls._of(made, type, sizes, comm)

    @classmethod
    def from_dense(
        cls, A: DistMatrix, row_sizes: Sequence[SupportsIndex], col_sizes: Sequence[SupportsIndex], *, eps: float = 0
    ) -> "BlockSparse":
        """The blocks of a dense matrix whose Frobenius norm is at least `eps`, and not zero. Raises as :meth:`zeros`."""
        comm = A.comm if isinstance(A, DistMatrix) else MPI.COMM_WORLD
        handle, problem = handle_of(comm), None
        try:
            require_matrix("A", A)
            sizes, limit = _sizes_of(row_sizes, col_sizes), real("eps", eps)
        except (TypeError, ValueError) as error:
            problem = error
        together(handle, problem, "eps", "" if problem else str(limit))
        return cls._of(_mpi.sparse_from_dense(handle, A._part, *sizes, limit), A._type, sizes, comm)

    # --- What it is. Not collective.
    @property
    def comm(self) -> MPI.Comm:
        """The communicator whose ranks have it. Not collective."""
        return self._comm

    @property
    def row_sizes(self) -> list[int]:
        """Rows of every block row. Not collective."""
        return list(self._sizes[0])

    @property
    def col_sizes(self) -> list[int]:
        """Columns of every block column. Not collective."""
        return list(self._sizes[1])

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns). Not collective."""
        return sum(self._sizes[0]), sum(self._sizes[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its elements. Not collective."""
        return np.dtype(self._type.name)

    @property
    def local_blocks(self) -> int:
        """How many blocks this rank holds. Not collective."""
        return self._made.local_blocks()

    def __repr__(self) -> str:
        m, n = self.shape
        return f"<BlockSparse {m} x {n}, {self.dtype}, {len(self._sizes[0])} x {len(self._sizes[1])} blocks on {self._comm.Get_size()} ranks>"

    # --- Of all ranks' blocks
    def _ready(self) -> Sparse:
        handle_of(self._comm)
        return self._made

    def blocks(self) -> int:
        """How many are stored."""
        return self._ready().blocks()

    def words(self) -> int:
        """Elements of the blocks that are stored."""
        return self._ready().words()

    def occupancy(self) -> float:
        """Their share of all elements; 1 if there are none."""
        return self._ready().occupancy()

    def trace(self) -> Any:
        """The sum of the diagonal. Raises ValueError unless rows and columns are in the same blocks."""
        return self.dtype.type(self._ready().trace() if self._complex else self._ready().trace().real)

    def norm(self, ord: Literal["fro", "max"] | float = "fro") -> float:
        """'fro': the root of the sum of squares; 'max': the largest modulus; numpy.inf: the largest sum of moduli of a row."""
        names: dict[Any, Any] = {"fro": _mpi.Norm.frobenius, "max": _mpi.Norm.max, np.inf: _mpi.Norm.gershgorin}
        return self._ready().norm(args.one_of("ord", ord, names))

    @property
    def _complex(self) -> bool:
        return self.dtype.kind == "c"

    # --- Others
    def _like(self, made: Sparse) -> "BlockSparse":
        return BlockSparse._of(made, self._type, self._sizes, self._comm)

    def copy(self) -> "BlockSparse":
        """Of the blocks. Not collective."""
        return self._like(self._made.copy())

    def filter(self, eps: float) -> None:
        """Drops blocks whose Frobenius norm is below `eps`; one with NaN stays. Not collective."""
        self._made.filter(real("eps", eps))

    def transposed(self, op: Literal["T", "C"] = "T") -> "BlockSparse":
        """A copy, transposed or with 'C' also conjugated. No block leaves its rank."""
        made = self._ready().transposed(args.one_of("op", op, {"T": Op.transpose, "C": Op.adjoint}))
        return BlockSparse._of(made, self._type, self._sizes[::-1], self._comm)

    def shifted(self, by: complex) -> "BlockSparse":
        """A copy with `by` added to every element of the diagonal; blocks that are not there are made."""
        number = self._agreed("by", by)
        new = self.copy()
        _mpi.sparse_shift(new._made, number)
        return new

    def __neg__(self) -> "BlockSparse":
        return self * -1

    def __mul__(self, factor: Any) -> "BlockSparse":
        """By a number; a real matrix by a real one."""
        if not isinstance(factor, (int, float, complex, np.number)):
            return NotImplemented
        new = self.copy()
        _mpi.sparse_scale(new._made, self._number("factor", factor))
        return new

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> "BlockSparse":
        return self * (1 / factor) if isinstance(factor, (int, float, complex, np.number)) else NotImplemented

    def __add__(self, other: "BlockSparse") -> "BlockSparse":
        return self._plus(1, other) if isinstance(other, BlockSparse) else NotImplemented

    def __sub__(self, other: "BlockSparse") -> "BlockSparse":
        return self._plus(-1, other) if isinstance(other, BlockSparse) else NotImplemented

    def _plus(self, factor: float, other: "BlockSparse") -> "BlockSparse":
        agree_on(("other", other), like=self)
        new = self.copy()
        _mpi.sparse_add(new._made, factor, other._made)
        return new

    def __matmul__(self, other: "BlockSparse") -> "BlockSparse":
        """A @ B, by :func:`multiply`, with all blocks."""
        return multiply(self, other) if isinstance(other, BlockSparse) else NotImplemented

    def _number(self, name: str, value: Any) -> complex:
        number = args.number(name, value)
        if isinstance(number, complex) and number.imag and not self._complex:
            raise TypeError(f"{name}: a complex number, expected a real one for elements of {self.dtype}")
        return number

    def _agreed(self, name: str, value: Any) -> complex:
        number, problem = 0j, None
        try:
            number = self._number(name, value)
        except TypeError as error:
            problem = error
        together(handle_of(self._comm), problem, name, str(complex(number)))
        return number

    # --- To others
    def to_dense(self) -> DistMatrix:
        """With all elements, on the same ranks: arbitrary blocks are its layout."""
        part = self._ready().to_dense()
        layout = part.layout()
        return DistMatrix._of(_memory.shaped(part.memory(), layout, self._comm.Get_rank()), layout, self._comm)

    def to_rows(self, first: SupportsIndex, last: SupportsIndex) -> Any:
        """The rows from `first` to before `last`, which every rank chooses for itself, as a scipy.sparse.csr_array with all
        columns; no row is asked for by two ranks. Raises ValueError if one is, or is outside."""
        from scipy.sparse import csr_array

        handle, problem = handle_of(self._comm), None
        try:
            lo, hi = args.integer("first", first), args.integer("last", last)
            if hi < lo:
                raise ValueError(f"last: {hi}, expected {lo}, the first row, or more")
        except (TypeError, ValueError) as error:
            problem = error
        together(handle, problem)
        pointers, columns, values = _mpi.sparse_to_rows(self._made, lo, hi)
        return csr_array((values, columns, pointers), shape=(hi - lo, self.shape[1]))

    def to_scipy(self, root: SupportsIndex = 0) -> Any:
        """On rank `root` the whole matrix, None on the others: a scipy.sparse.bsr_array if all blocks are alike, otherwise a
        csr_array."""
        handle, problem = handle_of(self._comm), None
        try:
            root = args.integer("root", root)
            if not 0 <= root < self._comm.Get_size():
                raise ValueError(f"root: {root}, expected a rank of 0..{self._comm.Get_size() - 1}")
        except (TypeError, ValueError) as error:
            problem = error
        together(handle, problem, "root", str(root))
        here = self._comm.Get_rank() == root
        rows = self.to_rows(0, self.shape[0] if here else 0)
        alike = all(len(set(sizes)) == 1 and sizes[0] for sizes in self._sizes)
        if not here:
            return None
        return rows.tobsr((self._sizes[0][0], self._sizes[1][0])) if alike else rows


def real(name: str, value: Any) -> float:
    number = args.number(name, value)
    if isinstance(number, complex):
        raise TypeError(f"{name}: {value!r}, expected a real number")
    return float(number)


def _sizes_of(rows: Any, cols: Any) -> tuple[list[int], list[int]]:
    sizes = args.integers("row_sizes", rows), args.integers("col_sizes", cols)
    for name, some in zip(("row_sizes", "col_sizes"), sizes):
        if any(not 0 <= size <= _MOST for size in some):
            raise ValueError(f"{name}: expected sizes of 0..{_MOST}")
    return sizes


def _csr(array: Any) -> Any:
    try:
        from scipy.sparse import issparse
    except ImportError as error:
        raise TypeError("array: needs SciPy: pip install 'cairn[sparse]'") from error
    if not issparse(array) or array.ndim != 2:
        raise TypeError(f"array: {type(array).__name__}, expected a sparse array of SciPy's of two dimensions")
    args.scalar_type(array.dtype, "array: dtype")
    return array.tocsr()


def _blocks_of(array: Any) -> tuple[list[int], list[int]]:
    if array.format != "bsr":
        raise TypeError(f"array: in format {array.format}, expected bsr, or blocks=(row_sizes, col_sizes)")
    (m, n), (height, width) = array.shape, array.blocksize
    return [height] * (m // height), [width] * (n // width)


def agree_on(*matrices: tuple[str, Any], like: BlockSparse | None = None, also: Callable[[], str] = str) -> None:
    """That they are block-sparse, on one communicator and of one type; `also` may raise, and tells what is to be the same."""
    like = like or next((x for _, x in matrices if isinstance(x, BlockSparse)), None)
    problem, text = None, ""
    try:
        for name, x in matrices:
            if not isinstance(x, BlockSparse):
                raise TypeError(f"{name}: {type(x).__name__}, expected a BlockSparse")
            assert like is not None
            if x._comm != like._comm:
                raise ValueError(f"{name}: on another communicator, expected one for all matrices")
            if x._type != like._type:
                raise TypeError(f"{name}: elements of {x.dtype}, expected {like.dtype}")
        text = also()
    except (TypeError, ValueError) as error:
        problem = error
    together(handle_of(like._comm if like else MPI.COMM_WORLD), problem, "arguments", text)


def multiply(
    A: BlockSparse,
    B: BlockSparse,
    *,
    out: BlockSparse | None = None,
    op_a: args.TransposeName = "N",
    op_b: args.TransposeName = "N",
    alpha: complex = 1,
    beta: complex = 0,
    eps: float = 0,
    retain_sparsity: bool = False,
    algorithm: str = "",
    memory: str | int | None = None,
) -> BlockSparse:
    """out = alpha op(A) op(B) + beta out, a new matrix if `out` is absent; `out` may be A or B.

    Products of blocks are left out, and blocks of the result dropped, where they are small by `eps`: every block of the
    result is wrong by less than 2 eps, in the same way on any number of ranks. `retain_sparsity`: only blocks that `out` has are
    computed. `algorithm`: a spelling of fetch25d, 'fetch25d 4x4 layers=2x2'. memory: that a rank may hold, as in
    :func:`cairn.plan`. `report` of the result tells words and times. Raises, on every rank, ValueError if blocks do not match or
    arguments differ between ranks, TypeError, MemoryError. Source: include/cairn/block_sparse.hpp [dbcsr-25d-rma-2017 §2].
    """
    asked: list[Any] = []

    def look() -> str:
        ops = args.op("op_a", op_a), args.op("op_b", op_b)
        numbers = [A._number("alpha", alpha), A._number("beta", beta), real("eps", eps)]
        limit = words_allowed(memory, A._type)
        if out is None and (beta != 0 or retain_sparsity):
            raise ValueError("beta and retain_sparsity: expected neither without out")
        asked.extend([ops, *numbers, limit])
        return f"{ops} {numbers} {limit} {retain_sparsity} {algorithm} {out is None}"

    agree_on(("A", A), ("B", B), *([] if out is None else [("out", out)]), also=look)
    (of_a, of_b), factor, kept, filtered, limit = asked
    if out is None:
        rows = A._sizes[0 if of_a == Op.none else 1]
        out = BlockSparse.zeros(rows, B._sizes[1 if of_b == Op.none else 0], A.dtype, A._comm)
    out.report = _mpi.sparse_multiply(
        of_a, of_b, factor, A._made, B._made, kept, out._made, filtered, bool(retain_sparsity), algorithm, limit
    )
    return out


def words_allowed(memory: str | int | None, type: ScalarType) -> int | None:
    return None if memory is None else words_of_memory(str(memory), "memory", type)
