"""Distributed matrices in other layouts. Collective."""

from typing import Any

from . import _arguments as args
from . import _mpi
from ._core import Layout
from ._matrix import Adjoint, DistMatrix, require_layout
from ._operands import operand, require_apart, require_matrix, require_result, require_shape
from ._with_mpi import agreed, comm_of, handle_of


def redistribute(
    A: DistMatrix | Adjoint,
    layout: Layout | None = None,
    *,
    out: DistMatrix | None = None,
    alpha: complex = 1,
    beta: complex = 0,
    comm: Any = None,
) -> DistMatrix:
    """Computes alpha A, or alpha A + beta out, in another layout. Returns a new matrix, or `out`, whose memory must not be A's.
    beta = 0 does not read `out`. comm: as in :func:`cairn.multiply`. Raises ValueError for another size, or more ranks than
    there are, on every rank."""
    comm = comm_of(A, out, comm=comm)
    handle = handle_of(comm)
    with agreed(handle, "layout and out") as same:
        same.text = "a layout" if out is None else "out"
        source, op = operand(A)
        require_matrix("A", source, comm=comm)
        if (layout is None) == (out is None):
            raise TypeError("layout and out: expected one of them")
        if out is not None:
            require_matrix("out", out, writable=True, comm=comm)
            require_result("out", out, A.shape, source.dtype)
            require_apart("out", out, A=source)
        else:
            require_layout(layout, comm)
            assert layout is not None
            require_shape("layout", layout.shape, A.shape)
        alpha, beta = args.number("alpha", alpha), args.number("beta", beta)
        if out is None and beta != 0:
            raise ValueError(f"beta: {beta}, expected 0 without out")
    if out is None:
        assert layout is not None
        out = DistMatrix.zeros(layout, source.dtype, source.comm)
    out.report = _mpi.redistribute(handle, op, alpha, source._part, beta, out._part)
    return out
