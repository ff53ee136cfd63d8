"""What functions of distributed matrices take."""

from typing import Any

import numpy as np

from ._core import Op
from ._matrix import Adjoint, DistMatrix


def operand(matrix: DistMatrix | Adjoint) -> tuple[DistMatrix, Op]:
    """What is stored, and what is done to it before it is used."""
    return (matrix.H, Op.adjoint) if isinstance(matrix, Adjoint) else (matrix, Op.none)


def no_matrix(name: str, x: Any) -> TypeError:
    """An error that names what is given, and where its functions are if they are elsewhere."""
    from ._sparse import BlockSparse  # which imports this module

    hint = "; functions of block-sparse matrices are in cairn.sparse" if isinstance(x, BlockSparse) else ""
    return TypeError(f"{name}: {type(x).__name__}, expected a DistMatrix{hint}")


def require_right(ratio: float, explained: str) -> None:
    """The largest residual of a product, over the largest that is explained."""
    if not ratio <= 1:
        raise ArithmeticError(
            f"out: {ratio:.3g} times the largest error that {explained}, expected at most 1; NaN or infinity in A, B or out "
            "makes that no number"
        )


def require_matrix(name: str, matrix: Any, writable: bool = False, comm: Any = None) -> DistMatrix:
    if not isinstance(matrix, DistMatrix):
        raise no_matrix(name, matrix)
    if comm is not None and matrix._comm != comm:
        raise ValueError(f"{name}: on another communicator, expected one for all matrices")
    if writable and not matrix._local.flags.writeable:
        raise ValueError(f"{name}: read-only memory, expected memory that can be written")
    return matrix


def require_shape(name: str, shape: tuple[int, int], expected: tuple[int, int]) -> None:
    if shape != expected:
        raise ValueError(f"{name}: {shape[0]} x {shape[1]}, expected {expected[0]} x {expected[1]}")


def require_result(name: str, matrix: DistMatrix, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
    """What the elements and the size of the result fit."""
    if matrix.dtype != dtype:
        raise TypeError(f"{name}: elements of {matrix.dtype}, expected {dtype}, A's")
    require_shape(name, matrix.shape, shape)


def require_apart(name: str, written: DistMatrix, **read: DistMatrix) -> None:
    """What is written shares no element with what is read meanwhile."""
    for other, x in read.items():
        if np.may_share_memory(written._local, x._local) and np.shares_memory(written._local, x._local):
            raise ValueError(f"{name}: in the memory of {other}, expected other memory")
