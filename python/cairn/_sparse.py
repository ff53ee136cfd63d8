"""Block-sparse matrices."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsIndex, cast

import numpy as np

from . import _arguments as args
from . import _memory, _mpi, _scipy
from ._blocks import MOST, Blocks, block_range
from ._core import BlockDistribution, Op, ScalarType, Symmetry
from ._distributed import Distributed
from ._matrix import DistMatrix, Scalar, require_root
from ._mpi import BlockProductReport, Sparse
from ._operands import require_matrix
from ._with_mpi import MPI, agreed, comm_of, duplicate_of, handle_of, one_of_together, ranks_text

Sizes = tuple[list[int], list[int]]


class BlockSparse(Blocks, Distributed):
    """A matrix of blocks, whose rows and columns are cut into `row_sizes` and `col_sizes`, dealt over a grid of ranks.

    It is made by :meth:`from_scipy`, :meth:`from_rows`, :meth:`from_dense`, :meth:`zeros` and :func:`cairn.sparse.load`.
    Elements are float32, float64, complex64 or complex128. `where` says which rank has which block, by
    :func:`cairn.sparse.dealt` or :func:`cairn.sparse.by_region`; if absent, blocks are dealt over all ranks.

    A square matrix with the same blocks in its rows and columns may be 'symmetric', 'antisymmetric' or 'hermitian'; then only
    its blocks (i, j) with i <= j are stored, those on the diagonal whole. Elements that are asked for (`to_dense`, `to_rows`,
    `to_scipy`, all sums and norms) are those of the whole matrix; blocks (`items`, `pattern`, `blocks`, `words`, `filter`) are
    those that are stored.

    Arrays of :meth:`get` and :meth:`items` are the memory of the matrix until blocks are stored anew or dropped, on this rank or by a
    product into the matrix. Those that are still alive then keep what they show, but are read-only from there on. A call that
    fails, or that stores and drops none, leaves them as they are.
    """

    __array_ufunc__ = None  # NumPy's scalars leave operators to this class
    __slots__ = ("_comm", "_made", "_sizes", "_type", "report")

    _comm: MPI.Comm
    _made: Sparse
    _sizes: Sizes
    report: BlockProductReport | None  #: of the product that made the matrix; None if none did

    def __init__(self) -> None:
        raise TypeError("BlockSparse: made by from_scipy, from_rows, from_dense, zeros or sparse.load")

    @classmethod
    def _of(cls, made: Sparse, type: ScalarType, sizes: Sizes, comm: MPI.Comm) -> "BlockSparse":
        new = cls.__new__(cls)
        new._made, new._type, new._sizes, new._comm, new.report = made, type, sizes, comm, None
        return new

    # --- Making
    @classmethod
    def zeros(
        cls,
        row_sizes: Sequence[SupportsIndex],
        col_sizes: Sequence[SupportsIndex],
        dtype: Any = "float64",
        comm: Any = None,
        *,
        where: BlockDistribution | None = None,
        symmetry: args.SymmetryName = "general",
    ) -> "BlockSparse":
        """Makes a matrix without any block. Raises ValueError for negative sizes, for a distribution of other blocks or more
        ranks, for other blocks in the columns than in the rows of a matrix with a symmetry, or if arguments differ between
        ranks."""
        comm = MPI.COMM_WORLD if comm is None else comm
        handle = handle_of(comm)
        with agreed(handle, "dtype and symmetry") as same:
            type, sizes = args.scalar_type(dtype), sizes_of(row_sizes, col_sizes)
            require_distribution(where)
            kind, same.text = args.symmetry(symmetry), f"{type.name} {symmetry}"
        return cls._of(_mpi.sparse_zeros(handle, type, *sizes, where, kind), type, sizes, comm)

    @classmethod
    def from_scipy(
        cls,
        array: Any,
        root: SupportsIndex = 0,
        comm: Any = None,
        *,
        blocks: tuple[Sequence[int], Sequence[int]] | None = None,
        where: BlockDistribution | None = None,
        symmetry: args.SymmetryName = "general",
    ) -> "BlockSparse":
        """Copies the sparse array that rank `root` has; what other ranks pass is not looked at. Its blocks are those of a
        scipy.sparse.bsr_array; for other formats, `blocks` gives the sizes, (row_sizes, col_sizes), on `root`. The array is the
        whole matrix, also where half is to be stored by `symmetry`, as :meth:`stored_as` does it. Raises on every rank what is
        wrong on `root`."""
        comm = MPI.COMM_WORLD if comm is None else comm
        rows, told = None, None
        with agreed(handle_of(comm), "root and symmetry") as same:
            root, kind = require_root(root, comm), args.symmetry(symmetry)
            require_distribution(where)
            same.text = f"{root} {symmetry}"
            if comm.Get_rank() == root:
                rows = _scipy.csr(array)
                sizes = sizes_of(*_scipy.blocks_of(array, blocks))
                if rows.shape != (expected := (sum(sizes[0]), sum(sizes[1]))):
                    raise ValueError(f"array: of shape {rows.shape}, expected {expected}, the sums of the sizes of blocks")
                told = rows.dtype.name, sizes
        name, sizes = duplicate_of(comm).bcast(told, root)
        return cls._from(rows, 0, name, sizes, comm, where, kind)

    @classmethod
    def from_rows(
        cls,
        array: Any,
        first_row: SupportsIndex,
        row_sizes: Sequence[SupportsIndex],
        col_sizes: Sequence[SupportsIndex],
        comm: Any = None,
        *,
        where: BlockDistribution | None = None,
        symmetry: args.SymmetryName = "general",
    ) -> "BlockSparse":
        """Copies the rows that every rank has as a sparse array of SciPy's. These are the rows from `first_row` on, as many as
        the array has; it has as many columns as the whole matrix. A block is stored if one of its elements is given; elements
        that several ranks give are summed. symmetry: as in :meth:`from_scipy`. Raises ValueError if a row is outside, or
        arguments differ between ranks."""
        comm = MPI.COMM_WORLD if comm is None else comm
        with agreed(handle_of(comm), "dtype and symmetry") as same:
            rows, first = _scipy.csr(array), args.integer("first_row", first_row)
            sizes = sizes_of(row_sizes, col_sizes)
            require_distribution(where)
            if rows.shape[1] != sum(sizes[1]):
                raise ValueError(f"array: of {rows.shape[1]} columns, expected {sum(sizes[1])}, the sum of col_sizes")
            if not 0 <= first <= sum(sizes[0]) - rows.shape[0]:
                raise ValueError(f"first_row: {first} for {rows.shape[0]} rows, expected rows of 0..{sum(sizes[0]) - 1}")
            kind, name = args.symmetry(symmetry), rows.dtype.name
            same.text = f"{name} {symmetry}"
        return cls._from(rows, first, name, sizes, comm, where, kind)

    @classmethod
    def _from(
        cls, rows: Any, first: int, name: str, sizes: Sizes, comm: MPI.Comm, where: BlockDistribution | None, symmetry: Symmetry
    ) -> "BlockSparse":
        type = args.scalar_type(name)
        with agreed(handle_of(comm)):
            if rows is None:
                pointers, columns, values = np.zeros(1, np.int64), np.empty(0, np.int64), np.empty(0, name)
            else:
                pointers, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
                values = np.ascontiguousarray(rows.data)
        made = _mpi.sparse_from_rows(handle_of(comm), type, first, pointers, columns, values, *sizes, where, symmetry)
        return cls._of(made, type, sizes, comm)

    @classmethod
    def from_dense(
        cls,
        A: DistMatrix,
        row_sizes: Sequence[SupportsIndex],
        col_sizes: Sequence[SupportsIndex],
        *,
        eps: float = 0,
        where: BlockDistribution | None = None,
        symmetry: args.SymmetryName = "general",
        comm: Any = None,
    ) -> "BlockSparse":
        """Takes the blocks of a dense matrix whose Frobenius norm is at least `eps`, and not zero. symmetry: as in
        :meth:`from_scipy`. comm: as in :func:`cairn.multiply`. Errors are those of :meth:`zeros`."""
        comm = comm_of(A, comm=comm)
        handle = handle_of(comm)
        with agreed(handle, "eps and symmetry") as same:
            require_matrix("A", A, comm=comm)
            sizes, limit = sizes_of(row_sizes, col_sizes), args.real("eps", eps)
            require_distribution(where)
            kind, same.text = args.symmetry(symmetry), f"{limit} {symmetry}"
        return cls._of(_mpi.sparse_from_dense(handle, A._part, *sizes, limit, where, kind), A._type, sizes, comm)

    # --- What it is. Not collective.
    @property
    def comm(self) -> MPI.Comm:
        """The communicator whose ranks have the matrix. Not collective."""
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
        """NumPy's type of the elements. Not collective."""
        return np.dtype(self._type.name)

    @property
    def symmetry(self) -> args.SymmetryName:
        """How the matrix is stored: 'general' has all blocks; a real matrix that is Hermitian is 'symmetric'. Not
        collective."""
        return cast(args.SymmetryName, self._made.symmetry().name)

    def __repr__(self) -> str:
        (m, n), kind = self.shape, "" if self.symmetry == "general" else f"{self.symmetry}, "
        return f"<BlockSparse {m} x {n}, {self.dtype}, {kind}{len(self._sizes[0])} x {len(self._sizes[1])} blocks on {ranks_text(self._comm)}>"

    # --- Of all ranks' blocks
    def _ready(self) -> Sparse:
        handle_of(self._comm)
        return self._made

    def blocks(self) -> int:
        """Returns the number of blocks that are stored."""
        return self._ready().blocks()

    def words(self) -> int:
        """Returns the number of elements of the blocks that are stored."""
        return self._ready().words()

    def occupancy(self) -> float:
        """Returns the share of stored elements among all elements; 1 if there are none."""
        return self._ready().occupancy()

    def trace(self) -> Any:
        """Returns the sum of the diagonal. Raises ValueError unless rows and columns are in the same blocks."""
        return self._number_of(self._ready().trace())

    def dot(self, other: "BlockSparse") -> Any:
        """Returns the sum of conj(x) y over all elements x of this matrix and y of the other, which has the same blocks,
        anywhere."""
        agree_on(("other", other), like=self)
        return self._number_of(self._made.dot(other._made))

    def norm(self, ord: Literal["fro", "max"] | float = "fro") -> float:
        """Returns a norm. 'fro': the root of the sum of squares; 'max': the largest modulus; numpy.inf: the largest sum of
        moduli of a row."""
        names: dict[Any, Any] = {"fro": _mpi.Norm.frobenius, "max": _mpi.Norm.max, np.inf: _mpi.Norm.gershgorin}
        return self._made.norm(one_of_together(self._comm, "ord", ord, names))

    def gershgorin(self) -> tuple[float, float]:
        """Returns the bounds between which the real parts of all eigenvalues lie: the ends of all of Gershgorin's circles.
        Raises ValueError unless rows and columns are in the same blocks."""
        low, high = self._ready().gershgorin()
        return low, high

    @property
    def _complex(self) -> bool:
        return self.dtype.kind == "c"

    def _number_of(self, found: complex) -> Any:
        return self.dtype.type(found if self._complex else found.real)

    # --- Others
    def _like(self, made: Sparse) -> "BlockSparse":
        return BlockSparse._of(made, self._type, self._sizes, self._comm)

    def copy(self) -> "BlockSparse":
        """Returns a copy of the blocks. Not collective."""
        return self._like(self._ready().copy())

    def cropped(self, rows: Sequence[SupportsIndex] | None = None, cols: Sequence[SupportsIndex] | None = None) -> "BlockSparse":
        """Returns a matrix of the same size with no blocks but those in these block rows and columns. Each is (first, last),
        from the first to before the last; None means all. Raises ValueError if they differ in a matrix with a symmetry. Not
        collective."""
        return self._like(self._ready().cropped(block_range("rows", rows), block_range("cols", cols)))

    def redistribute(self, where: BlockDistribution) -> "BlockSparse":
        """Returns a copy on other ranks. Errors are those of :meth:`zeros`."""
        with agreed(handle_of(self._comm)):
            require_distribution(where, wanted=True)
        return self._like(self._made.redistributed(where))

    def transposed(self, op: Literal["T", "C"] = "T") -> "BlockSparse":
        """Returns a copy, transposed or with 'C' also conjugated. No block leaves its rank: `where` is transposed, too, or
        stays the same if the matrix has a symmetry."""
        with agreed(handle_of(self._comm), "op") as same:
            kind, same.text = args.one_of("op", op, {"T": Op.transpose, "C": Op.adjoint}), op
        return BlockSparse._of(self._made.transposed(kind), self._type, self._sizes[::-1], self._comm)

    def shifted(self, by: complex) -> "BlockSparse":
        """Returns a copy with `by` added to every element of the diagonal; blocks that are not there are made. Raises
        ValueError if `by` is not real and the matrix is Hermitian, or not zero and it is antisymmetric."""
        number = self._agreed("by", by)
        new = self.copy()
        _mpi.sparse_shift(new._made, number)
        return new

    def stored_as(self, symmetry: args.SymmetryName) -> "BlockSparse":
        """Returns a copy that is stored as 'symmetric', 'antisymmetric' or 'hermitian', or with 'general' with all blocks. The
        matrix must have the symmetry up to the square root of rounding errors in Frobenius's norm. Blocks (i, j) with i <= j
        count, and the mean of a block on the diagonal and its mirror image. Raises ValueError if the matrix does not have the
        symmetry, or has other blocks in its columns than in its rows."""
        with agreed(handle_of(self._comm), "symmetry") as same:
            kind, same.text = args.symmetry(symmetry), symmetry
        return self._like(self._made.stored_as(kind))

    def expanded(self) -> "BlockSparse":
        """Returns a copy with all blocks: ``stored_as("general")``."""
        return self.stored_as("general")

    def __neg__(self) -> "BlockSparse":
        return self * -1

    def __mul__(self, factor: Any) -> "BlockSparse":
        """By a number; a real matrix, and one that is stored as Hermitian, by a real one. Not collective."""
        return self.copy().__imul__(factor) if isinstance(factor, Scalar) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> "BlockSparse":
        return self.copy().__itruediv__(factor) if isinstance(factor, Scalar) else NotImplemented

    def __imul__(self, factor: Any) -> "BlockSparse":
        if not isinstance(factor, Scalar):
            return NotImplemented
        _mpi.sparse_scale(self._ready(), self._number("factor", factor))
        return self

    def __itruediv__(self, factor: Any) -> "BlockSparse":
        if not isinstance(factor, Scalar):
            return NotImplemented
        _mpi.sparse_divide(self._ready(), self._number("factor", factor))
        return self

    def __add__(self, other: "BlockSparse") -> "BlockSparse":
        """Of two that are stored as having the same symmetry, the sum is, too; otherwise it has all blocks. `+=` and `-=` keep the
        symmetry, and raise ValueError where the other one is not stored as having it."""
        return self._plus(1, other)

    def __sub__(self, other: "BlockSparse") -> "BlockSparse":
        return self._plus(-1, other)

    def __radd__(self, other: Any) -> "BlockSparse":
        return self._plus(1, other)

    def __rsub__(self, other: Any) -> "BlockSparse":
        return self._plus(-1, other)

    def __iadd__(self, other: "BlockSparse") -> "BlockSparse":
        return self._plus(1, other, out=self)

    def __isub__(self, other: "BlockSparse") -> "BlockSparse":
        return self._plus(-1, other, out=self)

    def _plus(self, factor: float, other: "BlockSparse", out: "BlockSparse | None" = None) -> "BlockSparse":
        agree_on(("other", other), like=self)
        if out is None:
            out = self.copy() if self.symmetry in ("general", other.symmetry) else self.expanded()
        _mpi.sparse_add(out._made, factor, other._made)
        return out

    def __matmul__(self, other: "BlockSparse") -> "BlockSparse":
        """A @ B, by :func:`cairn.sparse.multiply`, with all blocks."""
        from ._sparse_products import multiply

        return multiply(self, other)

    def __rmatmul__(self, other: Any) -> "BlockSparse":
        from ._sparse_products import multiply

        return multiply(other, self)

    def _number(self, name: str, value: Any) -> complex:
        number = args.number(name, value)
        if isinstance(number, complex) and number.imag and not self._complex:
            raise TypeError(f"{name}: a complex number, expected a real one for elements of {self.dtype}")
        size, most = max(abs(number.real), abs(number.imag)), float(np.finfo(self.dtype).max)
        if most < size < np.inf:
            raise ValueError(f"{name}: a number of size {size:g}, expected at most {most:.7g} for elements of {self.dtype}")
        return number

    def _agreed(self, name: str, value: Any) -> complex:
        with agreed(handle_of(self._comm), name) as same:
            number = self._number(name, value)
            same.text = str(complex(number))
        return number

    # --- To others
    def to_dense(self) -> DistMatrix:
        """Returns a DistMatrix with all elements, on the same ranks; its layout has arbitrary blocks."""
        part = self._ready().to_dense()
        layout = part.layout()
        return DistMatrix._of(_memory.shaped(part.memory(), layout, self._comm.Get_rank()), layout, self._comm, self._comm.Get_rank())

    def to_rows(self, first: SupportsIndex, last: SupportsIndex) -> Any:
        """Returns the rows from `first` to before `last`, which every rank chooses for itself, as a scipy.sparse.csr_array with
        all columns. No two ranks may ask for the same row. Raises ValueError if two do, or if a row is outside."""
        from scipy.sparse import csr_array

        with agreed(handle_of(self._comm)):
            lo, hi = args.integer("first", first), args.integer("last", last)
            if hi < lo:
                raise ValueError(f"last: {hi}, expected {lo}, the first row, or more")
        pointers, columns, values = _mpi.sparse_to_rows(self._made, lo, hi)
        return csr_array((values, columns, pointers), shape=(hi - lo, self.shape[1]))

    def to_scipy(self, root: SupportsIndex = 0) -> Any:
        """Returns the whole matrix on rank `root`, and None on the others. It is a scipy.sparse.bsr_array if all blocks are
        alike, otherwise a csr_array."""
        with agreed(handle_of(self._comm), "root") as same:
            root = require_root(root, self._comm)
            same.text = str(root)
        here = self._comm.Get_rank() == root
        rows = self.to_rows(0, self.shape[0] if here else 0)
        alike = all(len(set(sizes)) == 1 and sizes[0] for sizes in self._sizes)
        if not here:
            return None
        return rows.tobsr((self._sizes[0][0], self._sizes[1][0])) if alike else rows


def sizes_of(rows: Any, cols: Any) -> Sizes:
    sizes = args.integers("row_sizes", rows), args.integers("col_sizes", cols)
    for name, some in zip(("row_sizes", "col_sizes"), sizes):
        if any(not 0 <= size <= MOST for size in some):
            raise ValueError(f"{name}: expected sizes of 0..{MOST}")
    return sizes


def require_distribution(where: Any, wanted: bool = False) -> None:
    if not isinstance(where, BlockDistribution) and (where is not None or wanted):
        raise TypeError(f"where: {type(where).__name__}, expected a BlockDistribution, as cairn.sparse.dealt makes it")


def agree_on(
    *matrices: tuple[str, Any],
    like: BlockSparse | None = None,
    comm: Any = None,
    also: Callable[[], str] = str,
) -> MPI.Comm:
    """That they are block-sparse, on one communicator and of one type; `also` may raise, and tells what is to be the same."""
    like = like or next((x for _, x in matrices if isinstance(x, BlockSparse)), None)
    over: MPI.Comm = comm_of(like, *(x for _, x in matrices), comm=comm)
    with agreed(handle_of(over), "arguments") as same:
        for name, x in matrices:
            if not isinstance(x, BlockSparse):
                raise TypeError(f"{name}: {type(x).__name__}, expected a BlockSparse")
            assert like is not None
            if x._comm != over:
                raise ValueError(f"{name}: on another communicator, expected one for all matrices")
            if x._type != like._type:
                raise TypeError(f"{name}: elements of {x.dtype}, expected {like.dtype}")
        same.text = also()
    return over
