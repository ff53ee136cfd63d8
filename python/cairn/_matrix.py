"""Distributed matrices over mpi4py. Every function and method here is collective unless it says otherwise."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, SupportsIndex, cast, overload

import numpy as np
from numpy.typing import NDArray

from . import _arguments as args
from . import _memory, _mpi
from . import layout as layouts
from ._core import Layout, Order, ScalarType
from ._distributed import Distributed
from ._memory import AnyArray
from ._mpi import Part, RunReport
from ._with_mpi import MPI, agreed, duplicate_of, handle_of, one_of_together, raised_together, ranks_text, together

Scalar = (int, float, complex, np.number, np.bool_)


class DistMatrix(Distributed):
    """A matrix over the ranks of a communicator: a layout, and this rank's part in NumPy's memory.

    ``DistMatrix(array, layout, comm)`` borrows the memory of `array`, this rank's part: the rows x columns that the layout
    gives to this rank, with elements of float32, float64, complex64 or complex128, stored by rows or by columns with any
    distance between them; with arbitrary blocks, the array holds all of them in one dimension. Nothing is copied, ever: what is
    written to the array is in the matrix, and the other way round. Only the memory is shared: a shape or a dtype that the array
    is given later is its own. The order of the layout becomes that of the arrays. The memory of numpy.matrix and the like is
    taken as a plain array. `comm` is an mpi4py communicator, the world if it is absent. What is known of the matrix, its part,
    views, copies and arithmetic are not collective.

    Raises on every rank, whichever rank's argument is wrong: TypeError for other elements, for no array or a masked one;
    ValueError for another shape, for strides that BLAS does not take, or if layouts differ between ranks.
    """

    __array_ufunc__ = None  # NumPy's arrays and scalars leave operators to this class
    __slots__ = ("_adjoint_of", "_comm", "_held", "_layout", "_local", "_part", "_rank", "_type", "report")

    _comm: MPI.Comm
    _rank: int  # also after the communicator was freed
    _layout: Layout
    _local: AnyArray
    _part: Part
    _type: ScalarType
    _held: list[Any]
    _adjoint_of: "DistMatrix | None"  # that whose `H` this is, as far as it tells which triangle is read
    report: RunReport | None  #: of the run that made the matrix, or wrote it last; None if none did

    def __init__(self, array: AnyArray, layout: Layout, comm: Any = None):
        comm = MPI.COMM_WORLD if comm is None else comm
        handle = handle_of(comm)
        rank, problem, described = comm.Get_rank(), None, None
        try:
            require_layout(layout, comm)
            array = _memory.plain(array)
            array = _memory.as_part(array, layout, rank)
            described = _memory.described(array)
        except (TypeError, ValueError) as error:
            problem = error
        text = f"{array.dtype}, {args.layout_text(layout)}" if problem is None else ""
        by_rows, by_cols = _mpi.orders_that_fit(handle, described)
        together(handle, problem, "layout or dtype", text)
        if not layout.has_blocks and not by_rows and not by_cols:
            fits = described is not None and (described.in_order(Order.row) or described.in_order(Order.col))
            together(handle, None if fits else _memory.strides_problem(array))
            raise ValueError("array: by rows on some ranks and by columns on others, expected the same on all")
        if not layout.has_blocks and not (by_rows if layout.order == "C" else by_cols):
            layout = layout.with_order("C" if by_rows else "F")
        self._set(array, layout, comm, rank)

    def _set(self, local: AnyArray, layout: Layout, comm: MPI.Comm, rank: int) -> None:
        self._comm, self._rank, self._layout, self._local = comm, rank, layout, local
        self._type = args.scalar_type(local.dtype)
        self._part = _memory.part_of(local, layout, rank, self._type)
        self._held = _memory.held(local)
        self._adjoint_of = None
        self.report = None

    @classmethod
    def _of(cls, local: AnyArray, layout: Layout, comm: MPI.Comm, rank: int) -> "DistMatrix":
        """Of memory that fits. Not collective."""
        made = cls.__new__(cls)
        made._set(local, layout, comm, rank)
        return made

    # --- Making
    @classmethod
    def zeros(cls, layout: Layout, dtype: Any = "float64", comm: Any = None) -> "DistMatrix":
        """Makes a matrix of zeros in memory of its own. Errors are those of the class."""
        comm = MPI.COMM_WORLD if comm is None else comm
        with agreed(handle_of(comm), "layout or dtype") as same:
            require_layout(layout, comm)
            type = args.scalar_type(dtype)
            same.text = f"{type.name}, {args.layout_text(layout)}"
            local = _memory.allocate(layout, comm.Get_rank(), type)
        return cls._of(local, layout, comm, comm.Get_rank())

    @classmethod
    def from_function(
        cls, f: Callable[[NDArray[np.int64], NDArray[np.int64]], Any], layout: Layout, dtype: Any = "float64", comm: Any = None
    ) -> "DistMatrix":
        """Makes a matrix with the elements f(i, j), where i is a column and j a row of global indices, as with
        numpy.fromfunction; what f returns is broadcast to the shape of the two. Raises TypeError for complex values in a real
        matrix, and for None. If f raises on any rank, all raise the same, or MpiError where that cannot be copied."""
        made = cls.zeros(layout, dtype, comm)
        problem: BaseException | None = None
        try:
            for rows, cols, part in made.patches():
                values = f(rows[:, np.newaxis], cols[np.newaxis, :])
                if values is None:
                    raise TypeError("f: None, expected numbers")
                if np.iscomplexobj(values) and made.dtype.kind != "c":
                    raise TypeError(f"f: complex values, expected real ones for elements of {made.dtype}")
                part[...] = values
        except BaseException as error:  # whatever f raises
            problem = error
        raised_together(made._comm, problem)
        return made

    @classmethod
    def from_numpy(cls, array: Any, layout: Layout, root: int = 0, comm: Any = None) -> "DistMatrix":
        """Copies the whole matrix that rank `root` has as a NumPy array; what other ranks pass is not looked at. The elements
        travel to their owners. Raises on every rank what is wrong on `root`, or the errors of DistMatrix."""
        comm = MPI.COMM_WORLD if comm is None else comm
        dtype = None
        with agreed(handle_of(comm), "root or layout") as same:
            require_layout(layout, comm)
            root = require_root(root, comm)
            same.text = f"{root}, {args.layout_text(layout)}"
            if comm.Get_rank() == root:
                array = _memory.plain(array)
                dtype = args.scalar_type(array.dtype, "array: dtype").name
                if array.shape != layout.shape:
                    raise ValueError(f"array: of shape {array.shape}, expected {layout.shape}, the layout's")
        dtype = duplicate_of(comm).bcast(dtype, root)
        whole = _whole(layout.shape, root, comm)
        source = cls.zeros(whole, dtype, comm)
        if comm.Get_rank() == root:
            source._local.reshape(layout.shape)[...] = array
        return source.redistribute(layout)

    @classmethod
    def from_scalapack(
        cls, desc: Sequence[int], local: AnyArray, grid: Sequence[int], comm: Any = None, *, row_major: bool = True
    ) -> "DistMatrix":
        """Borrows a local array of ScaLAPACK's. `desc`: the 9 integers of its descriptor, whose context is not looked at;
        `local`: an array stored by columns, lld x columns or more; `grid`: process rows and columns. The ranks of `comm` are
        numbered along its rows, or with `row_major` false along its columns. Errors are those of the class."""
        comm = MPI.COMM_WORLD if comm is None else comm
        with agreed(handle_of(comm)):
            layout, part = _of_descriptor(desc, local, grid, comm.Get_rank(), row_major)
        return cls(part, layout, comm)

    # --- What it is. Not collective.
    @property
    def comm(self) -> MPI.Comm:
        """The communicator whose ranks have the matrix."""
        return self._comm

    @property
    def layout(self) -> Layout:
        """Which rank holds what."""
        return self._layout

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the whole matrix."""
        return self._layout.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of the elements."""
        return self._local.dtype

    @property
    def local(self) -> AnyArray:
        """This rank's part, a view of the memory itself: rows x columns, or with arbitrary blocks all elements in one
        dimension."""
        return self._local.view()

    def patches(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], AnyArray]]:
        """Returns this rank's elements as dense arrays: for each, global indices of the rows and of the columns, and a view,
        which is read-only where the memory is."""
        start = 0
        for row_pieces, col_pieces in self._layout.patches(self._rank):
            rows, cols = _memory.indices(row_pieces), _memory.indices(col_pieces)
            if not self._layout.has_blocks:
                yield rows, cols, self._local.reshape(len(rows), len(cols))
                continue
            memory = self._local[start : start + len(rows) * len(cols)]
            yield rows, cols, memory.reshape(len(rows), len(cols), order=self._layout.order)
            start += memory.size

    def __dlpack__(self, **how: Any) -> Any:
        """The local part for other libraries, without a copy."""
        return self._local.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._local.__dlpack_device__()

    def __repr__(self) -> str:
        return f"<DistMatrix {self.shape[0]} x {self.shape[1]}, {self.dtype}, {self._layout} on {ranks_text(self._comm)}>"

    @property
    def T(self) -> "DistMatrix":
        """The transposed matrix in the same memory. Not collective."""
        local = self._local if self._layout.has_blocks else self._local.T
        return DistMatrix._of(local, self._layout.transposed(), self._comm, self._rank)

    @property
    def H(self) -> "DistMatrix | Adjoint":
        """The conjugate transpose. For a real matrix it is `T`, but for the triangle that `solve_triangular` reads; for a complex
        one it is an operand that products take as it is, and whose copy() is a matrix. Not collective."""
        if self.dtype.kind == "c":
            return Adjoint(self)
        if self._adjoint_of is not None:
            return self._adjoint_of
        adjoint = self.T
        adjoint._adjoint_of = self
        return adjoint

    # --- Element by element, where the parts lie. Not collective.
    def _like(self, local: AnyArray) -> "DistMatrix":
        return DistMatrix._of(local, self._layout, self._comm, self._rank)

    def _map(self, f: Callable[..., AnyArray], *others: Any) -> "DistMatrix":
        result = np.asarray(f(self._local, *others), order=self._layout.order)
        args.scalar_type(result.dtype, "result: dtype")
        return self._like(result)

    def copy(self) -> "DistMatrix":
        """Returns a copy in the same layout."""
        return self._map(lambda x: x.copy("K"))

    def conj(self) -> "DistMatrix":
        """Returns a copy of the complex conjugates."""
        return self._map(np.conjugate)

    @property
    def real(self) -> "DistMatrix":
        """A copy of the real parts."""
        return self._map(lambda x: x.real.copy("K"))

    @property
    def imag(self) -> "DistMatrix":
        """A copy of the imaginary parts."""
        return self._map(lambda x: x.imag.copy("K"))

    def astype(self, dtype: Any) -> "DistMatrix":
        """Returns a copy with other elements. Raises TypeError for elements that no matrix has."""
        name = args.scalar_type(dtype).name
        return self._map(lambda x: x.astype(name))

    def _into(self, f: np.ufunc, *others: Any) -> "DistMatrix":
        f(self._local, *others, out=self._local)
        self.report = None
        return self

    def _with(self, g: Callable[..., "DistMatrix"], f: np.ufunc, other: Any) -> "DistMatrix":
        if not isinstance(other, DistMatrix):
            return cast(DistMatrix, NotImplemented)
        if other._layout != self._layout or other._comm != self._comm:
            raise ValueError("other: another layout or communicator, expected the same; redistribute it first")
        return g(f, other._local)

    def _by(self, g: Callable[..., "DistMatrix"], f: np.ufunc, factor: Any) -> "DistMatrix":
        return g(f, factor) if isinstance(factor, Scalar) else cast(DistMatrix, NotImplemented)

    def __add__(self, other: "DistMatrix") -> "DistMatrix":
        return self._with(self._map, np.add, other)

    def __sub__(self, other: "DistMatrix") -> "DistMatrix":
        return self._with(self._map, np.subtract, other)

    def __mul__(self, factor: Any) -> "DistMatrix":
        """By a scalar, as NumPy does: a number of Python's keeps the element type unless a complex one meets a real matrix, and
        one of NumPy's has a type of its own."""
        return self._by(self._map, np.multiply, factor)

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> "DistMatrix":
        return self._by(self._map, np.divide, factor)

    def __iadd__(self, other: "DistMatrix") -> "DistMatrix":
        """`+=`, `-=`, `*=` and `/=` write the matrix's own memory, whose element type stays; as with NumPy, TypeError is raised
        where it cannot hold the result, such as a complex one in a real matrix, and ValueError if the memory is read-only."""
        return self._with(self._into, np.add, other)

    def __isub__(self, other: "DistMatrix") -> "DistMatrix":
        return self._with(self._into, np.subtract, other)

    def __imul__(self, factor: Any) -> "DistMatrix":
        return self._by(self._into, np.multiply, factor)

    def __itruediv__(self, factor: Any) -> "DistMatrix":
        return self._by(self._into, np.divide, factor)

    def __neg__(self) -> "DistMatrix":
        return self._map(np.negative)

    # --- Products
    def __matmul__(self, other: "DistMatrix | Adjoint") -> "DistMatrix":
        """A @ B, by :func:`cairn.multiply`."""
        from ._products import multiply

        return multiply(self, other)

    def __rmatmul__(self, other: Any) -> "DistMatrix":
        from ._products import multiply

        return multiply(other, self)

    # --- Movement
    def redistribute(self, layout: Layout) -> "DistMatrix":
        """Returns a copy in another layout. Raises ValueError for another size, or more ranks than there are."""
        from ._redistribution import redistribute

        return redistribute(self, layout)

    @overload
    def gather(self, root: None) -> AnyArray: ...
    @overload
    def gather(self, root: SupportsIndex = 0) -> AnyArray | None: ...
    def gather(self, root: SupportsIndex | None = 0) -> AnyArray | None:
        """Returns a NumPy array of the whole matrix on rank `root`, and None on the others; if root is None, all ranks get the
        array."""
        with agreed(handle_of(self._comm), "root") as same:
            to = None if root is None else require_root(root, self._comm)
            same.text = str(to)
        here = self.redistribute(_whole(self.shape, to, self._comm))
        return here._local.reshape(self.shape) if to in (None, self._rank) else None

    # --- Sums
    def _counts_here(self) -> bool:
        if self._layout.overlapping:
            raise ValueError("matrix: ranks share some of its elements; redistribute it first")
        return bool(self._layout.patches(self._rank)) and self._layout.original(self._rank) == self._rank

    def norm(self, ord: Literal["fro", "max", 1] | float = "fro") -> float:
        """Returns a norm. 'fro': the root of the sum of squares; 'max': the largest modulus; 1 and numpy.inf: the largest sum
        of moduli of a column, or of a row. Raises ValueError for others."""
        ord = one_of_together(self._comm, "ord", ord, {name: name for name in ("fro", "max", 1, np.inf)})
        mine = self._local if self._counts_here() else self._local[:0]
        if ord in (1, np.inf):
            return self._largest_sum(along_rows=ord != 1)
        handle, comm = handle_of(self._comm), duplicate_of(self._comm)
        with agreed(handle):
            here = float(np.max(_moduli(mine), initial=0.0))
        largest: float = max(comm.allgather(here), key=lambda x: (x != x, x))  # NaN wins
        if ord == "max" or not 0 < largest < np.inf:
            return largest
        with agreed(handle):
            scaled = _moduli(mine.ravel(order="K")) / largest  # neither overflows nor underflows
            squares = float(scaled @ scaled)
        return largest * float(np.sqrt(comm.allreduce(squares)))

    def _largest_sum(self, along_rows: bool) -> float:
        with agreed(handle_of(self._comm)):
            sums = np.zeros(self.shape[0 if along_rows else 1])
            for rows, cols, part in self.patches() if self._counts_here() else ():
                sums[rows if along_rows else cols] += _moduli(part).sum(axis=1 if along_rows else 0)
            everywhere = np.empty_like(sums)
        duplicate_of(self._comm).Allreduce(sums, everywhere)
        return float(np.max(everywhere, initial=0.0))

    def trace(self) -> Any:
        """Returns the sum of the diagonal, on every rank. Raises ValueError unless the matrix is square."""
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"matrix: {self.shape[0]} x {self.shape[1]}, expected a square one")
        comm = duplicate_of(self._comm)
        total = self.dtype.type(0)
        for rows, cols, part in self.patches() if self._counts_here() else ():
            _, at, across = np.intersect1d(rows, cols, assume_unique=True, return_indices=True)
            total += part[at, across].sum()
        return comm.allreduce(total)


class Adjoint:
    """The conjugate transpose of a complex matrix, which is not stored: what `A.H` is. Products, redistributions and,
    as A, `solve_triangular` take it as it is; `copy()` makes a matrix of it."""

    __array_ufunc__ = None
    __slots__ = ("_of",)

    def __init__(self, of: DistMatrix):
        self._of = of

    @property
    def H(self) -> DistMatrix:
        return self._of

    @property
    def T(self) -> DistMatrix:
        return self._of.conj()

    @property
    def shape(self) -> tuple[int, int]:
        return self._of.shape[1], self._of.shape[0]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._of.dtype

    @property
    def comm(self) -> MPI.Comm:
        return self._of.comm

    def conj(self) -> DistMatrix:
        return self._of.T

    def copy(self) -> DistMatrix:
        return self._of.conj().T

    def redistribute(self, layout: Layout) -> DistMatrix:
        from ._redistribution import redistribute

        return redistribute(self, layout)

    @overload
    def gather(self, root: None) -> AnyArray: ...
    @overload
    def gather(self, root: SupportsIndex = 0) -> AnyArray | None: ...
    def gather(self, root: SupportsIndex | None = 0) -> AnyArray | None:
        whole = self._of.gather(root)
        return None if whole is None else whole.conj().T

    def __matmul__(self, other: "DistMatrix | Adjoint") -> DistMatrix:
        from ._products import multiply

        return multiply(self, other)

    def __rmatmul__(self, other: Any) -> DistMatrix:
        from ._products import multiply

        return multiply(other, self)

    def __repr__(self) -> str:
        return f"<adjoint of {self._of!r}>"


def require_layout(layout: Any, comm: MPI.Comm) -> None:
    if not isinstance(layout, Layout):
        raise TypeError(f"layout: {type(layout).__name__}, expected a cairn.Layout")
    if layout.ranks > comm.Get_size():
        raise ValueError(f"layout: over {layout.ranks} ranks, expected at most the communicator's {comm.Get_size()}")


def require_root(root: Any, comm: MPI.Comm) -> int:
    number = args.integer("root", root)
    if not 0 <= number < comm.Get_size():
        raise ValueError(f"root: {number}, expected a rank of 0..{comm.Get_size() - 1}")
    return number


def _moduli(x: AnyArray) -> NDArray[np.float64]:
    """In double precision, where those of complex64 do not overflow."""
    return cast(NDArray[np.float64], np.abs(x, dtype=np.float64))


def _whole(shape: tuple[int, int], root: int | None, comm: MPI.Comm) -> Layout:
    """All of it on one rank, or on every rank."""
    m, n = shape
    if root is None:
        return layouts.replicated(m, n, comm.Get_size())
    if root == 0 or 0 in shape:
        return layouts.on_one_rank(m, n)
    return layouts.blocks([0, m], [0, n], [[root]], comm.Get_size())


def _of_descriptor(
    desc: Sequence[int], local: AnyArray, grid: Sequence[int], rank: int, row_major: bool
) -> tuple[Layout, AnyArray]:
    kind, _, m, n, mb, nb, rsrc, csrc, lld = args.integers("desc", desc, 9)
    pr, pc = args.pair("grid", grid)
    if kind != 1:
        raise ValueError(f"desc: of type {kind}, expected 1")
    if pr < 1 or pc < 1:
        raise ValueError(f"grid: {pr} x {pc}, expected at least one row and one column")
    for name, entry, expected, fits in (
        *((name, size, "0 or more", size >= 0) for name, size in (("m", m), ("n", n))),
        *((name, size, "at least 1", size >= 1) for name, size in (("mb", mb), ("nb", nb))),
        *((name, at, f"0..{parts - 1}", 0 <= at < parts) for name, at, parts in (("rsrc", rsrc, pr), ("csrc", csrc, pc))),
    ):
        if not fits:
            raise ValueError(f"desc: {name} {entry}, expected {expected}")
    layout = layouts.block_cyclic(
        m, n, block=(mb, nb), grid=(pr, pc), first=(rsrc, csrc), row_major=args.truth("row_major", row_major)
    )
    rows, cols = layout.shape_at(rank)
    if lld < max(1, rows):
        raise ValueError(f"desc: lld {lld}, expected at least {max(1, rows)} for the {rows} rows of this rank")
    local = _memory.plain(local, "local")
    if local.ndim != 2:
        raise TypeError("local: expected a NumPy array of two dimensions")
    if rows and cols and (local.shape[0] < rows or local.shape[1] < cols):
        raise ValueError(f"local: of shape {local.shape}, expected at least {(rows, cols)}")
    if cols > 1 and rows and local.strides[1] != lld * local.itemsize:
        raise ValueError(f"desc: lld {lld}, but columns of local are {local.strides[1] // local.itemsize} elements apart")
    return layout, local[:rows, :cols]
