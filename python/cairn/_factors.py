"""Cholesky factorisations, and solves with triangles and with positive definite matrices."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from . import _arguments as args
from . import _core, _mpi
from ._core import Op, Options
from ._matrix import Adjoint, DistMatrix
from ._operands import operand, require_apart, require_matrix
from ._with_mpi import agreed, comm_of, handle_of, made_together


def _prepared(matrices: list[tuple[str, Any]], overwrite: bool, names: dict[str, Any], asked: dict[str, Any]) -> tuple[int, Options, list[Any]]:
    """What every call here does first: the arguments are looked at, and agreed on. Collective."""
    A, comm = matrices[0][1], comm_of(*(x for _, x in matrices), comm=asked.pop("comm"))
    handle = handle_of(comm)
    with agreed(handle, "arguments") as same:
        for name, x in matrices:
            source = x.H if isinstance(x, Adjoint) and name == "A" and "side" in names else x
            written = overwrite and (x is matrices[-1][1] or "side" not in names)
            require_matrix(name, source, writable=written, comm=comm)
            if overwrite and name == "B":
                require_apart("B", x, A=operand(A)[0])
        if "side" in names and _triangle(A)[1] == Op.adjoint and names["op"] != "N":
            raise ValueError(f"op: {names['op']!r}, expected 'N' with A.H")
        for name, x in matrices[1:]:
            if x.dtype != A.dtype:
                raise TypeError(f"{name}: elements of {x.dtype}, expected {A.dtype}, A's")
        options = args.options(operand(A)[0]._type, **asked)
        understood = [_UNDERSTAND[name](value) for name, value in names.items()]
        same.text = ", ".join(f"{name} {_shown(value)}" for name, value in zip(names, understood)) + f", overwrite {bool(overwrite)}"
    return handle, options, understood


_SIDES = {"left": _core.Side.left, "right": _core.Side.right}
_UNDERSTAND: dict[str, Callable[[Any], Any]] = {
    "uplo": args.uplo,
    "side": lambda side: args.one_of("side", side, _SIDES),
    "op": lambda op: args.op("op", op),
    "alpha": lambda alpha: args.number("alpha", alpha),
    "unit_diagonal": lambda unit: _core.Diag.unit if unit else _core.Diag.stored,
}


def _triangle(A: DistMatrix | Adjoint) -> tuple[DistMatrix, Op]:
    """The matrix of which a triangle is read, and what is done to it: of `A.H` that is A, whether it is real or complex."""
    if isinstance(A, DistMatrix) and A._adjoint_of is not None:
        return A._adjoint_of, Op.adjoint
    return operand(A)


def _shown(value: Any) -> str:
    """Numbers that are equal look alike."""
    return getattr(value, "name", None) or repr(complex(value))


def _require_definite(info: int) -> None:
    if info:
        raise np.linalg.LinAlgError(
            f"A: its leading minor of order {info} is not positive, expected a Hermitian positive definite matrix"
        )


def cholesky(
    A: DistMatrix, *, uplo: args.UploName = "lower", overwrite: bool = False, comm: Any = None, **asked: Any
) -> DistMatrix:
    """Returns the factor L of A = L Lᴴ ('lower') or U of A = Uᴴ U ('upper'), with zeros in the other triangle. Collective.

    A is n x n, Hermitian and positive definite, and only that triangle of it is read. With `overwrite` the factor takes its
    place and the other triangle stays as it is. comm: as in :func:`cairn.multiply`. What may be asked of the plan is as in
    :func:`cairn.plan_cholesky`. Raises numpy.linalg.LinAlgError if A is not positive definite; other errors are those of
    :func:`cairn.multiply`. Source: docs/algorithms/cholesky.md.
    """
    handle, options, (triangle,) = _prepared([("A", A)], overwrite, {"uplo": uplo}, asked | {"comm": comm})
    factor = A if overwrite else made_together(handle, A.copy)
    factor.report = _mpi.cholesky(handle, triangle, factor._part, options)
    _require_definite(factor.report.info)
    if not overwrite:
        with agreed(handle):
            for rows, cols, part in factor.patches():
                outside = rows[:, np.newaxis] < cols if uplo == "lower" else rows[:, np.newaxis] > cols
                part[outside] = 0
    return factor


def solve_triangular(
    A: DistMatrix | Adjoint,
    B: DistMatrix,
    *,
    uplo: args.UploName = "lower",
    side: Literal["left", "right"] = "left",
    op: args.TransposeName = "N",
    unit_diagonal: bool = False,
    alpha: complex = 1,
    overwrite: bool = False,
    comm: Any = None,
    **asked: Any,
) -> DistMatrix:
    """Computes X of op(A) X = alpha B ('left') or X op(A) = alpha B ('right'), with A triangular. Collective.

    `uplo` is the triangle of A, as it is stored, that is read; for `A.H` it is that of A, and `A.T` is a matrix of its own. op:
    'N', 'T' or 'C', as in BLAS; 'N' with `A.H`. With `unit_diagonal`, the diagonal is all ones and is not read. With
    `overwrite` X takes the place of B. Raises numpy.linalg.LinAlgError if a diagonal that is read has a zero; B is then as it
    was. comm and other errors are as in :func:`cairn.multiply`. Source: docs/algorithms/trsm.md.
    """
    names = {"uplo": uplo, "side": side, "op": op, "unit_diagonal": unit_diagonal, "alpha": alpha}
    handle, options, (triangle, where, done, diag, factor) = _prepared([("A", A), ("B", B)], overwrite, names, asked | {"comm": comm})
    stored, adjoint = _triangle(A)
    done = adjoint if adjoint == Op.adjoint else done
    X = B if overwrite else made_together(handle, B.copy)
    X.report = _mpi.solve_triangular(handle, where, triangle, done, diag, factor, stored._part, X._part, options)
    if X.report.info:
        raise np.linalg.LinAlgError(f"A: singular, element {X.report.info} of its diagonal is zero, expected none")
    return X


def solve(
    A: DistMatrix, B: DistMatrix, *, uplo: args.UploName = "lower", overwrite: bool = False, comm: Any = None, **asked: Any
) -> DistMatrix:
    """Computes X of A X = B with A Hermitian and positive definite; only the triangle `uplo` of A is read. Collective.

    With `overwrite` the factor takes the place of the triangle of A, and X that of B. Raises numpy.linalg.LinAlgError if A is
    not positive definite; B is then as it was. Other errors are those of :func:`cairn.multiply`.
    """
    handle, options, (triangle,) = _prepared([("A", A), ("B", B)], overwrite, {"uplo": uplo}, asked | {"comm": comm})
    factor, X = (A, B) if overwrite else made_together(handle, lambda: (A.copy(), B.copy()))
    X.report = factor.report = _mpi.solve_spd(handle, triangle, factor._part, X._part, options)
    _require_definite(X.report.info)
    return X
