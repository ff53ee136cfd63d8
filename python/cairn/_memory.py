"""NumPy's memory as the library takes it."""

import weakref
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _arguments as args
from ._core import Layout, ScalarType
from ._mpi import Array, Part, borrow

AnyArray: TypeAlias = NDArray[Any]
_ALIGNED = 64  # bytes, as the library's own memory is


def allocate(layout: Layout, rank: int, type: ScalarType) -> AnyArray:
    """Zeros for a rank's part, in the shape of :func:`shaped`."""
    dtype = np.dtype(type.name)
    size = layout.words(rank) * dtype.itemsize
    raw = np.zeros(size + _ALIGNED, np.uint8)
    start = -raw.__array_interface__["data"][0] % _ALIGNED
    return shaped(raw[start : start + size].view(dtype), layout, rank)


def local_shape(layout: Layout, rank: int) -> tuple[int, ...]:
    """Of a rank's part: rows and columns, or with arbitrary blocks all elements in one dimension."""
    if layout.has_blocks:
        return (layout.words(rank),)
    return layout.shape_at(rank)


def shaped(memory: AnyArray, layout: Layout, rank: int) -> AnyArray:
    """Memory without gaps as the part of a rank."""
    return memory.reshape(local_shape(layout, rank), order=layout.order)


def described(array: AnyArray) -> Array:
    return Array(
        array.__array_interface__["data"][0], list(array.shape), [stride // array.itemsize for stride in array.strides]
    )


def plain(array: Any, name: str = "array") -> AnyArray:
    """The array, or of numpy.matrix and the like, which calculate in other ways, the same memory as an array. Raises TypeError for
    what is none, and for one whose mask would be lost."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name}: {type(array).__name__}, expected a NumPy array")
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name}: a masked array, expected one without a mask, such as its filled()")
    return array if type(array) is np.ndarray else np.asarray(array)


def as_part(array: AnyArray, layout: Layout, rank: int) -> AnyArray:
    """A view of the array as the part of a rank in some order, whose shape nobody else changes. Raises TypeError or ValueError if it
    may be none."""
    args.scalar_type(array.dtype, "array: dtype")
    expected = local_shape(layout, rank)
    if array.shape != expected and not (array.size == 0 and 0 in expected):
        raise ValueError(f"array: of shape {array.shape}, expected {expected}, what rank {rank} holds in this layout")
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError(f"array: strides {array.strides} in bytes, expected whole elements of {array.itemsize} bytes")
    if not array.flags.aligned:
        raise ValueError(
            f"array: memory that is not aligned to {array.dtype.alignment} bytes, expected aligned memory, such as that of its copy()"
        )
    if layout.has_blocks and array.size > 1 and array.strides != (array.itemsize,):
        raise ValueError("array: with gaps, expected blocks one after another")
    return array.view() if array.size else array.reshape(expected)


def strides_problem(array: AnyArray) -> ValueError:
    return ValueError(
        f"array: strides {array.strides} in bytes, expected neighbours in a row, or in a column, {array.itemsize} bytes "
        "apart on every rank, as BLAS takes them; copy it, by numpy.ascontiguousarray"
    )


def part_of(array: AnyArray, layout: Layout, rank: int, type: ScalarType) -> Part:
    """The array, which has the order of the layout, as the library takes it. The caller keeps it alive."""
    if 0 in array.shape and not layout.has_blocks:
        array = np.empty(local_shape(layout, rank), type.name, order=layout.order)
    return borrow(layout, rank, type, described(array))


def held(array: Any) -> list[Any]:
    """References that keep NumPy from moving the memory: it does not resize what weak references point to."""
    chain: list[Any] = []
    while isinstance(array, np.ndarray):
        chain += [array, weakref.ref(array)]
        array = array.base
    return chain


def indices(pieces: list[tuple[int, int]]) -> NDArray[np.int64]:
    """The integers of these intervals."""
    if len(pieces) == 1:
        return np.arange(*pieces[0], dtype=np.int64)
    return np.concatenate([np.arange(lo, hi, dtype=np.int64) for lo, hi in pieces] or [np.empty(0, np.int64)])
