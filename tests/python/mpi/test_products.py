"""Products of distributed matrices are NumPy's."""

import itertools
from typing import Any

import numpy as np
import pytest
from support import DTYPES, LAYOUTS, RANKS, WORLD, random, spread, whole

import cairn
from cairn import DistMatrix, layout


def close(C: object, expected: object) -> bool:
    dtype = expected.dtype  # type: ignore[attr-defined]
    some = 1e-4 if dtype in ("float32", "complex64") else 1e-12
    return whole(C).dtype == dtype and np.allclose(whole(C), expected, rtol=some, atol=some)  # type: ignore[arg-type]


@pytest.mark.parametrize("a", LAYOUTS)
def test_of_all_layouts(a: str) -> None:
    for b, dtype in zip(LAYOUTS, itertools.cycle(DTYPES)):
        x, y = random(33, 20, dtype, 1), random(20, 27, dtype, 2)
        C = spread(x, LAYOUTS[a](33, 20, "C")) @ spread(y, LAYOUTS[b](20, 27, "F"))
        assert C.shape == (33, 27) and close(C, x @ y), b


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_of_transposes_and_adjoints(dtype: str) -> None:
    x, y = random(12, 15, dtype, 1), random(12, 9, dtype, 2)
    A, B = spread(x, layout.rows(12, 15, RANKS)), spread(y, layout.columns(12, 9, RANKS))
    assert close(A.T @ B, x.T @ y) and close(A.H @ B, x.conj().T @ y)
    assert close(A.T @ B.conj(), x.T @ y.conj()) and close(B.H @ A, y.conj().T @ x)
    assert close(B.T @ A.H.H, y.T @ x) and close(A.H @ A, x.conj().T @ x) and close(A @ A.H, x @ x.conj().T)
    assert close(B.H @ A.conj() @ A.H @ B, y.conj().T @ x.conj() @ x.conj().T @ y)


def test_into_a_matrix_with_factors() -> None:
    x, y, z = random(14, 14, seed=1), random(14, 14, seed=2), random(14, 14, seed=3)
    A, B, C = (spread(w, layout.rows(14, 14, RANKS)) for w in (x, y, z))
    out = cairn.multiply(A, B, out=C, alpha=2, beta=-0.5)
    assert out is C and close(C, 2 * x @ y - 0.5 * z)
    one: Any = np.bool_(True)  # a number for Python, and here
    assert close(cairn.multiply(A, B, out=C.T, alpha=one), x @ y) and close(C, (x @ y).T)
    nan = spread(np.full((14, 14), np.nan), layout.columns(14, 14, RANKS))
    assert close(cairn.multiply(A, B, out=nan), x @ y)  # beta = 0 does not read it


@pytest.mark.ranks
def test_reports_what_the_run_did() -> None:
    n = 64
    A, B = (spread(random(n, n, seed=seed), layout.rows(n, n, RANKS)) for seed in (1, 2))
    C = cairn.multiply(A, B, algorithm="cosma", verify_counts=True)
    assert C.report is not None and C.report.seconds > 0 and C.report.gemm_seconds > 0
    assert (C.report.received > 0) == (RANKS > 1) and "received=" in repr(C.report)
    everybody = WORLD.allgather(C.report)
    assert [repr(r) for r in everybody] == WORLD.allgather(repr(C.report)) and everybody[WORLD.rank].info == 0
    parts = C.report.gemm_seconds + C.report.wait_seconds + C.report.redistribute_seconds + C.report.other_seconds
    assert parts == pytest.approx(C.report.seconds, rel=0.05)


def test_checks_when_asked() -> None:
    x = random(20, 20)
    A = spread(x, layout.rows(20, 20, RANKS))
    assert close(cairn.multiply(A, A, check=True), x @ x)
    C = spread(x, layout.rows(20, 20, RANKS))
    assert close(cairn.multiply(A, A, out=C, beta=2, check=True), x @ x + 2 * x)
    x[3, 4] = np.nan
    with pytest.raises(ArithmeticError, match="out: nan times"):
        cairn.multiply(spread(x, layout.rows(20, 20, RANKS)), A, check=True)


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
def test_planned_once_and_run_many_times(dtype: str) -> None:
    x, y = random(32, 24, dtype, 1), random(24, 40, dtype, 2)
    plan = cairn.plan(32, 40, 24, ranks=RANKS, dtype=dtype)
    multiplication = cairn.Multiplication(plan)
    A, B = multiplication.new_a(), multiplication.new_b()
    assert A.layout == plan.layout_a and B.layout == plan.layout_b
    for of, values in ((A, x), (B, y)):
        for rows, cols, part in of.patches():
            part[...] = values[np.ix_(rows, cols)]
    C = multiplication.new_c()
    for turn in range(3):
        assert multiplication(A, B, out=C, alpha=2, beta=turn and 1) is C
        assert close(C, ((turn + 1) * 2 * (x @ y)).astype(dtype))
    assert close(multiplication(A, B), x @ y)
    assert multiplication.report is not None and multiplication.report.received == plan.count(WORLD.rank).received
    assert multiplication.count == plan.count(WORLD.rank) and plan.algorithm in repr(multiplication)
    assert multiplication.transport == "two-sided"


def test_plans_over_the_communicator() -> None:
    plan = cairn.plan(48, 48, 48, comm=WORLD, a=layout.rows(48, 48, RANKS))
    assert plan.ranks == RANKS and plan.layout_a == layout.rows(48, 48, RANKS)
    x = random(48, 48)
    B = spread(x, plan.layout_b)
    assert close(cairn.Multiplication(plan, WORLD)(spread(x, plan.layout_a), B), x @ x)


def test_one_rounds_of_large_and_empty_products() -> None:
    for m, n, k in ((0, 4, 5), (4, 0, 5), (4, 5, 0), (1, 1, 1), (1, 200, 1)):
        x, y = random(m, k, seed=1), random(k, n, seed=2)
        assert close(spread(x, layout.rows(m, k, RANKS)) @ spread(y, layout.rows(k, n, RANKS)), x @ y)


def test_memory_is_limited() -> None:
    A = DistMatrix.zeros(layout.rows(64, 64, RANKS))
    with pytest.raises(MemoryError, match="words"):
        cairn.multiply(A, A, memory="10words")
