"""Single blocks of a block-sparse matrix, of those that this rank has."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments as args
from ._core import BlockDistribution, ScalarType
from ._memory import AnyArray
from ._mpi import BlockRange, Sparse

_EXACT = 2**53  # integers up to it are numbers in double precision
MOST = 2**31 - 1  # rows of a block, and blocks of a dimension


class Blocks:
    """What a rank does with its own blocks. Nothing here is collective, and errors are those of one rank."""

    __slots__ = ()
    _type: ScalarType

    def _ready(self) -> Sparse:
        raise NotImplementedError

    @property
    def where(self) -> BlockDistribution:
        """Which rank has which block. Not collective."""
        return self._ready().where()

    @property
    def local_blocks(self) -> int:
        """Number of blocks that this rank holds. Not collective."""
        return self._ready().local_blocks()

    def here(self, i: SupportsIndex, j: SupportsIndex) -> bool:
        """Returns whether block (i, j) may be stored on this rank: the block belongs to this rank, and with a symmetry i <= j.
        Raises ValueError for a block that the matrix does not have. Not collective."""
        return self._ready().here(args.integer("i", i), args.integer("j", j))

    def put(self, i: SupportsIndex, j: SupportsIndex, block: ArrayLike) -> None:
        """Stores a copy of `block` in the place of what was there. Raises ValueError if the matrix has no such block or stores
        its mirror image (j, i) instead, if the block belongs to another rank, is of another shape, or on the diagonal does not
        have the matrix's symmetry up to rounding errors; TypeError for an array whose elements would lose digits. Numbers in a list
        are rounded. Not collective."""
        self._store(i, j, block, adds=False)

    def add(self, i: SupportsIndex, j: SupportsIndex, block: ArrayLike) -> None:
        """Adds `block` to what is there, which is zeros if the block was not stored. Errors are those of :meth:`put`. Not
        collective."""
        self._store(i, j, block, adds=True)

    def _store(self, i: SupportsIndex, j: SupportsIndex, block: ArrayLike, adds: bool) -> None:
        if isinstance(block, np.ma.MaskedArray):
            raise TypeError("block: a masked array, expected one without a mask, such as its filled()")
        values = np.asarray(block)
        if values.ndim != 2:
            raise ValueError(f"block: of shape {values.shape}, expected two dimensions")
        if not np.can_cast(values.dtype, self._type.name, "safe" if hasattr(block, "dtype") else "same_kind"):
            raise TypeError(f"block: elements of {values.dtype}, expected {self._type.name}")
        if values.dtype.kind in "iu" and ((values > _EXACT) | (values < -_EXACT)).any():
            raise TypeError(f"block: integers beyond 2^53, expected numbers that {self._type.name} holds")
        self._ready().store(args.integer("i", i), args.integer("j", j), np.asfortranarray(values, self._type.name), adds)

    def get(self, i: SupportsIndex, j: SupportsIndex) -> AnyArray | None:
        """Returns block (i, j), the memory itself, by columns: what is written to the array is in the matrix. Returns None if
        the block is not stored on this rank. Raises ValueError for a block that the matrix does not have, or stores as its
        mirror image (j, i). What is written to a block on the diagonal has to have the matrix's symmetry. Not collective."""
        return self._ready().view(args.integer("i", i), args.integer("j", j))

    def pattern(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Returns the block rows and block columns of the blocks that this rank stores, row by row. Not collective."""
        return self._ready().pattern()

    def items(self) -> Iterator[tuple[int, int, AnyArray]]:
        """Yields (i, j, block) of every block that this rank stores, row by row, each as by :meth:`get`. Not collective."""
        rows, cols = self.pattern()
        for i, j in zip(rows.tolist(), cols.tolist()):
            block = self._ready().view(i, j)
            if block is not None:
                yield i, j, block

    def reserve(self, blocks: Iterable[Sequence[SupportsIndex]]) -> None:
        """Makes room for blocks (i, j), which are zero; those that are there stay as they are. Raises ValueError, and reserves
        none, if one is not :meth:`here`. Not collective."""
        if not isinstance(blocks, Iterable):
            raise TypeError(f"blocks: {type(blocks).__name__}, expected pairs (i, j)")
        pairs = [args.integers("blocks", block, 2) for block in blocks]
        self._ready().reserve([(i, j) for i, j in pairs])

    def clear(self) -> None:
        """Drops all blocks of this rank. Not collective."""
        self._ready().clear()

    def filter(self, eps: float) -> None:
        """Drops blocks whose Frobenius norm is below `eps`; one with NaN stays. Raises ValueError for `eps` < 0. Not collective."""
        self._ready().filter(args.real("eps", eps))


def block_range(name: str, limits: Any) -> BlockRange | None:
    """Block rows or columns from the first to before the last; all of them if None."""
    if limits is None:
        return None
    first, last = (args.integer(name, limit, least=0, most=MOST) for limit in args.integers(name, limits, 2))
    return BlockRange(first, last)
