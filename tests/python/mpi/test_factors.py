"""Cholesky factorisations and solves."""

from typing import Any

import numpy as np
import pytest
from support import DTYPES, LAYOUTS, RANKS, definite, random, raises_everywhere, spread, whole

import cairn
from cairn import layout


def some(dtype: str) -> float:
    return 2e-4 if dtype in ("float32", "complex64") else 1e-11


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("uplo", ["lower", "upper"])
def test_cholesky_is_the_factor(dtype: str, uplo: str) -> None:
    x = definite(26, dtype)
    junk = x + np.triu(np.full_like(x, np.nan), 1) if uplo == "lower" else x + np.tril(np.full_like(x, np.nan), -1)
    for name in ("rows", "block_cyclic", "blocks"):
        A = spread(junk, LAYOUTS[name](26, 26, "F"))
        L = whole(cairn.cholesky(A, uplo=uplo))  # type: ignore[arg-type]
        expected = np.linalg.cholesky(x)
        assert np.allclose(L, expected if uplo == "lower" else expected.conj().T, rtol=some(dtype), atol=some(dtype))
        assert np.array_equal(whole(A), junk, equal_nan=True)


def test_cholesky_in_place_keeps_the_other_triangle() -> None:
    x = definite(20)
    A = spread(x, layout.block_cyclic(20, 20, block=(4, 4), grid=(1, RANKS)))
    assert cairn.cholesky(A, overwrite=True) is A and A.report is not None
    assert np.allclose(np.tril(whole(A)), np.linalg.cholesky(x))
    assert np.array_equal(np.triu(whole(A), 1), np.triu(x, 1))


@pytest.mark.ranks
def test_indefinite_matrices_raise_on_every_rank() -> None:
    x = np.eye(16)
    x[9, 9] = -1
    A = spread(x, layout.rows(16, 16, RANKS))
    with raises_everywhere(np.linalg.LinAlgError, "A: its leading minor of order 10 is not positive"):
        cairn.cholesky(A)
    with raises_everywhere(np.linalg.LinAlgError, "order 10"):
        cairn.solve(A, A)


def test_singular_triangles_raise_on_every_rank() -> None:
    x, b = np.tril(definite(16)), random(16, 3)
    x[9, 9] = 0
    A, B = spread(x, layout.rows(16, 16, RANKS)), spread(b, layout.rows(16, 3, RANKS))
    with raises_everywhere(np.linalg.LinAlgError, "A: singular, element 10 of its diagonal is zero"):
        cairn.solve_triangular(A, B, overwrite=True)
    assert np.array_equal(whole(B), b)
    x[9, 9] = 1
    assert np.allclose(whole(cairn.solve_triangular(A, B, unit_diagonal=True)), np.linalg.solve(np.tril(x, -1) + np.eye(16), b))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_triangular_solves(dtype: str, side: str) -> None:
    n = 18
    x, b = np.tril(definite(n, dtype)), random(n, 7, dtype, 5)
    b = b if side == "left" else b.T.copy()
    A, B = spread(x, layout.rows(n, n, RANKS)), spread(b, layout.columns(b.shape[0], b.shape[1], RANKS))

    def solved(t: Any) -> Any:
        return np.linalg.solve(t, b) if side == "left" else np.linalg.solve(t.T, b.T).T

    for op, t in (("N", x), ("T", x.T), ("C", x.conj().T)):
        X = cairn.solve_triangular(A, B, side=side, op=op, alpha=2)  # type: ignore[arg-type]
        assert np.allclose(whole(X), 2 * solved(t), rtol=some(dtype), atol=some(dtype))
    X = cairn.solve_triangular(A.H, B, side=side)  # type: ignore[arg-type]
    assert np.allclose(whole(X), solved(x.conj().T), rtol=some(dtype), atol=some(dtype))
    X = cairn.solve_triangular(A.T, B, side=side, uplo="upper")  # type: ignore[arg-type]
    assert np.allclose(whole(X), solved(x.T), rtol=some(dtype), atol=some(dtype))
    assert A.H.H is A
    unit = np.tril(x, -1) / (10 * n) + np.eye(n, dtype=dtype)
    U = spread(np.tril(x, -1) / (10 * n), layout.rows(n, n, RANKS))
    X = cairn.solve_triangular(U, B, side=side, unit_diagonal=True)  # type: ignore[arg-type]
    assert np.allclose(whole(X), solved(unit), rtol=some(dtype), atol=some(dtype))
    assert np.array_equal(whole(B), b)
    assert cairn.solve_triangular(A, B, side=side, overwrite=True) is B  # type: ignore[arg-type]


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
def test_solves(dtype: str) -> None:
    x, b = definite(21, dtype), random(21, 4, dtype, 5)
    for name in ("rows", "block_cyclic"):
        A, B = spread(x, LAYOUTS[name](21, 21, "F")), spread(b, LAYOUTS[name](21, 4, "F"))
        X = cairn.solve(A, B)
        assert np.allclose(whole(X), np.linalg.solve(x, b), rtol=some(dtype), atol=some(dtype))
        assert np.array_equal(whole(A), x) and np.array_equal(whole(B), b)
        assert cairn.solve(A, B, overwrite=True) is B
        assert A.report is not None and A.report is B.report


def test_name_what_is_wrong() -> None:
    A, B = (spread(definite(8), layout.rows(8, 8, RANKS)) for _ in range(2))
    with raises_everywhere(ValueError, "A"):
        cairn.cholesky(spread(random(8, 9), layout.rows(8, 9, RANKS)))
    with raises_everywhere(ValueError, "uplo: 'middle'"):
        cairn.cholesky(A, uplo="middle")  # type: ignore[arg-type]
    with raises_everywhere(ValueError, "side: 'top'"):
        cairn.solve_triangular(A, B, side="top")  # type: ignore[arg-type]
    for dtype in ("complex64", "float64"):
        with raises_everywhere(ValueError, "op: 'T', expected 'N' with A.H"):
            cairn.solve_triangular(spread(definite(8, dtype), A.layout).H, B, op="T")
    with raises_everywhere(TypeError, "B: elements of float32, expected float64"):
        cairn.solve(A, B.astype("float32"))
