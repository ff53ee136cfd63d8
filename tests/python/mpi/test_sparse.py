"""Block-sparse matrices: SciPy's, multiplied on the ranks."""

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import sparse as scipy_sparse
from support import DTYPES, RANKS, WORLD, only_on, raises_everywhere, random, spread, whole

import cairn
from cairn import BlockSparse, layout, sparse


def bsr(rows: int, cols: int, blocks: tuple[int, int], dtype: str = "float64", seed: int = 1, share: float = 0.3) -> Any:
    """The same on all ranks: some of rows x cols blocks."""
    there = np.random.default_rng(seed).uniform(size=(rows, cols)) < share
    x = random(rows * blocks[0], cols * blocks[1], dtype, seed) * np.kron(there, np.ones(blocks))
    return scipy_sparse.bsr_array(x.astype(dtype), blocksize=blocks)


def overlap(blocks: int, size: int) -> Any:
    """Symmetric, positive definite and banded."""
    n = blocks * size
    i, j = np.arange(n)[:, np.newaxis] // size, np.arange(n) // size
    x = np.where(abs(i - j) <= 1, 0.02, 0.0) * random(n, n)
    return scipy_sparse.bsr_array((x + x.T) / 2 + np.eye(n), blocksize=(size, size))


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("root", [0, RANKS - 1])
def test_from_and_to_scipy(dtype: str, root: int) -> None:
    x = bsr(7, 5, (3, 4), dtype)
    A = BlockSparse.from_scipy(x if WORLD.rank == root else None, root)
    assert A.shape == x.shape and A.dtype == dtype and A.row_sizes == [3] * 7 and A.col_sizes == [4] * 5
    assert A.blocks() == len(x.data) == sum(WORLD.allgather(A.local_blocks)) and A.words() == x.data.size
    y = A.to_scipy(root)
    assert (y is None) == (WORLD.rank != root)
    if y is not None:
        assert y.format == "bsr" and y.blocksize == (3, 4) and len(y.data) == len(x.data) and (y != x).nnz == 0
    assert A.occupancy() == x.data.size / (21 * 20) and "7 x 5 blocks" in repr(A)


@pytest.mark.ranks
def test_from_and_to_rows_of_every_rank() -> None:
    x = bsr(8, 6, (2, 3)).toarray()
    cut = [16 * r // RANKS for r in range(RANKS + 1)]
    lo, hi = cut[WORLD.rank], cut[WORLD.rank + 1]
    A = BlockSparse.from_rows(scipy_sparse.csr_array(x[lo:hi]), lo, [2] * 8, [1, 5] * 3)
    assert np.array_equal(A.to_rows(lo, hi).toarray(), x[lo:hi])
    some = A.to_scipy()
    assert some is None or (some.format == "csr" and np.array_equal(some.toarray(), x))
    with raises_everywhere(ValueError, "first_row"):
        BlockSparse.from_rows(scipy_sparse.csr_array(x[lo:hi]), only_on(1, 17, lo), [2] * 8, [3] * 6)
    with raises_everywhere(ValueError, "array: of 18 columns, expected 9"):
        BlockSparse.from_rows(scipy_sparse.csr_array(x[lo:hi]), lo, [2] * 8, only_on(1, [9], [18]))
    rows = scipy_sparse.csr_array(x[lo:hi])
    rows.data = only_on(1, rows.data.reshape(-1, 1), rows.data)
    with raises_everywhere(ValueError, "array: indptr, indices and data are expected to be of one dimension"):
        BlockSparse.from_rows(rows, lo, [2] * 8, [3] * 6)


@pytest.mark.ranks
def test_too_little_memory_for_rows_on_one_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise MemoryError("Unable to allocate 1 EiB")

    if WORLD.rank == min(1, RANKS - 1):
        monkeypatch.setattr(np, "ascontiguousarray", full)
    with raises_everywhere(MemoryError, "Unable to allocate 1 EiB"):
        BlockSparse.from_rows(scipy_sparse.csr_array((8, 18)), 0, [2] * 4, [3] * 6)


def test_from_and_to_dense() -> None:
    x = bsr(5, 6, (4, 3), "complex64").toarray()
    A = BlockSparse.from_dense(spread(x, layout.rows(20, 18, RANKS)), [4] * 5, [3] * 6)
    assert np.array_equal(whole(A.to_dense()), x)
    assert A.blocks() == len(scipy_sparse.bsr_array(x, blocksize=(4, 3)).data)
    few = BlockSparse.from_dense(spread(x, layout.rows(20, 18, RANKS)), [4] * 5, [3] * 6, eps=1e9)
    assert few.blocks() == 0


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
def test_products_are_scipys(dtype: str) -> None:
    x, y = bsr(9, 7, (2, 3), dtype, 1), bsr(7, 8, (3, 4), dtype, 2)
    A, B = BlockSparse.from_scipy(x), BlockSparse.from_scipy(y)
    some: Any = {"rtol": 1e-4, "atol": 1e-4} if dtype in ("float32", "complex64") else {"rtol": 1e-12, "atol": 1e-12}
    C = A @ B
    expected = x.toarray() @ y.toarray()
    assert C.shape == (18, 32) and C.dtype == dtype and np.allclose(whole(C.to_dense()), expected, **some)
    assert C.report is not None and C.report.products >= 0 and C.report.algorithm.startswith("fetch25d")
    D = sparse.multiply(B, A, op_a="T", op_b="C", alpha=2)
    assert np.allclose(whole(D.to_dense()), 2 * y.toarray().T @ x.toarray().conj().T, **some)
    assert sparse.multiply(A, B, out=C, alpha=-1, beta=1) is C and C.norm("max") <= some["atol"]
    E = sparse.multiply(A, B, out=C.copy(), alpha=1, retain_sparsity=True)
    assert E.blocks() == C.blocks()


def test_checks_products_when_asked() -> None:
    x, y = bsr(6, 6, (3, 3), seed=1), bsr(6, 6, (3, 3), seed=2)
    A, B = BlockSparse.from_scipy(x), BlockSparse.from_scipy(y)
    x, y = x.toarray(), y.toarray()
    for out, expected in ((A.copy(), x @ y + 2 * x), (A, x @ y + 2 * x), (B, (x @ y + 2 * x) @ y + 2 * y)):
        assert np.allclose(whole(sparse.multiply(A, B, out=out, beta=2, check=True).to_dense()), expected)
    C = BlockSparse.from_scipy(bsr(6, 6, (3, 3)))
    filtered = sparse.multiply(C, C, op_a="T", eps=1.0, check=True)  # rounding alone would not explain what is missing
    assert not np.allclose(whole(filtered.to_dense()), whole(C.to_dense()).T @ whole(C.to_dense()))
    half = sparse.multiply(C, C, op_a="T", out=BlockSparse.zeros([3] * 6, [3] * 6, symmetry="symmetric"), check=True)
    assert half.symmetry == "symmetric"
    y[3, 4] = np.nan
    with pytest.raises(ArithmeticError, match="out: nan times"):
        sparse.multiply(A, BlockSparse.from_scipy(scipy_sparse.bsr_array(y, blocksize=(3, 3))), check=True)
    if RANKS > 1:
        with raises_everywhere(ValueError, "arguments: .*False"):
            sparse.multiply(A, B, check=only_on(1, True, False))


def test_plans_say_what_products_do() -> None:
    A = BlockSparse.from_scipy(bsr(9, 9, (3, 3), "float64", 1))
    C = BlockSparse.zeros(A.row_sizes, A.row_sizes)
    planned = sparse.plan_multiply(A, A, out=C, eps=1e-3)
    report = sparse.multiply(A, A, out=C, eps=1e-3).report
    assert report is not None and planned.algorithm == report.algorithm and planned.ranks == RANKS
    assert [r.received for r in WORLD.allgather(report)] == WORLD.allgather(report.received)
    assert abs(planned.count(WORLD.rank).received - report.predicted) <= 2
    assert "patterns that are there" in planned.explain() and planned.simulate().seconds >= 0
    shown = [block for _, _, block in C.items()]
    sparse.plan_multiply(A, A, out=C)
    assert all(block.flags.writeable for block in shown)  # C is as it was
    with pytest.raises(ValueError, match="patterns"):
        cairn.BlockPlan.from_json(planned.to_json())
    with pytest.raises(TypeError, match="patterns"):
        pickle.dumps(planned)


def test_products_leave_out_what_is_small() -> None:
    x = overlap(20, 3)
    A = BlockSparse.from_scipy(x)
    exact, filtered = A @ A, sparse.multiply(A, A, eps=1e-2)
    assert filtered.blocks() < exact.blocks()
    wrong = (exact - filtered).to_dense()
    for rows, cols, part in wrong.patches():
        assert np.linalg.norm(part) < 2e-2


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_arithmetic(dtype: str) -> None:
    x, y = bsr(6, 6, (3, 3), dtype, 1), bsr(6, 6, (3, 3), dtype, 2)
    A, B = BlockSparse.from_scipy(x), BlockSparse.from_scipy(y)
    a, b = x.toarray(), y.toarray()
    for ours, theirs in ((A + B, a + b), (A - B, a - b), (2 * A, 2 * a), (A / 4, a / 4), (-A, -a), (A * np.bool_(True), a), (A.transposed(), a.T)):
        assert np.allclose(whole(ours.to_dense()), theirs, atol=1e-6)
    assert np.allclose(whole(A.transposed("C").to_dense()), a.conj().T)
    assert np.allclose(whole(A.shifted(3).to_dense()), a + 3 * np.eye(18)) and np.allclose(A.trace(), np.trace(a), atol=1e-5)
    assert A.norm() == pytest.approx(np.linalg.norm(a), rel=1e-5) and A.norm("max") == pytest.approx(abs(a).max(), rel=1e-5)
    assert A.norm(np.inf) == pytest.approx(np.linalg.norm(a, np.inf), rel=1e-5)
    C = A.copy()
    C.filter(1e9)
    assert C.blocks() == 0 and A.blocks() == len(x.data) and BlockSparse.zeros([3] * 6, [3] * 6, dtype).norm() == 0
    with pytest.raises(TypeError):
        A @ a
    with pytest.raises(TypeError):
        A + 1  # type: ignore[operator]


def test_inverse_and_root_and_sign() -> None:
    x = overlap(12, 4)
    dense = x.toarray()
    S = BlockSparse.from_scipy(x)
    inverse, iterations = sparse.inverse(S, eps=1e-10)
    assert np.allclose(whole(inverse.to_dense()), np.linalg.inv(dense), atol=1e-7)
    assert [i.number for i in iterations] == list(range(1, len(iterations) + 1)) and iterations[-1].residual < 1e-5
    assert iterations[0].stage == "inverse" and "residual=" in repr(iterations[0])
    root, _ = sparse.inverse_sqrt(S, eps=1e-10, order=3)
    assert np.allclose(whole((root @ root).to_dense()), np.linalg.inv(dense), atol=1e-7)
    signs, _ = sparse.sign(S.shifted(-1.0), eps=1e-8)
    e, v = np.linalg.eigh(dense - np.eye(len(dense)))
    assert abs(e).min() > 1e-4
    assert np.allclose(whole(signs.to_dense()), (v * np.sign(e)) @ v.T, atol=1e-3)
    with raises_everywhere(ValueError, "order"):
        sparse.inverse(S, order=9)
    with raises_everywhere(np.linalg.LinAlgError, "converge"):
        sparse.inverse(S, eps=1e-12, max_iterations=1)


def test_density_matrix() -> None:
    s, n = overlap(10, 3), 30
    h = scipy_sparse.bsr_array(np.diag(np.repeat([-1.0, -0.9, 2.0], 10)[np.argsort(np.arange(30) % 3, kind="stable").argsort()]) + 0.1 * (s.toarray() - np.eye(n)), blocksize=(3, 3))
    H, S = BlockSparse.from_scipy(h), BlockSparse.from_scipy(s)
    root = np.linalg.cholesky(s.toarray())
    e, v = np.linalg.eigh(np.linalg.inv(root) @ h.toarray() @ np.linalg.inv(root).T)
    c = np.linalg.inv(root).T @ v[:, :20]
    for asked in ({"electrons": 40}, {"chemical_potential": float((e[19] + e[20]) / 2)}, {"electrons": 40, "method": "mcweeny"}):
        d = sparse.density_matrix(H, S, eps=1e-9, **asked)
        assert d.electrons == pytest.approx(40, abs=1e-5) and d.band_energy == pytest.approx(2 * e[:20].sum(), abs=1e-5)
        assert np.allclose(whole(d.P.to_dense()), 2 * c @ c.T, atol=1e-5) and e[19] < d.chemical_potential < e[20]
        assert d.iterations and d.idempotency < 1e-3 and d.method in ("sign", "mcweeny", "trs4")
    with raises_everywhere(ValueError, "electrons|odd|even"):
        sparse.density_matrix(H, S, electrons=only_on(1, 41, 41))
    with raises_everywhere(TypeError, "electrons and chemical_potential: expected one of them"):
        sparse.density_matrix(H, S)


@pytest.mark.parametrize(
    ("call", "kind", "named"),
    [
        (lambda A, bad: sparse.multiply(bad("x", A), A), TypeError, "A: str, expected a BlockSparse"),
        (lambda A, bad: sparse.multiply(A, bad(A.to_dense(), A)), TypeError, "B: DistMatrix, expected a BlockSparse"),
        (lambda A, bad: sparse.multiply(A, A, eps=bad("small", 0)), TypeError, "eps: 'small', expected a number"),
        (lambda A, bad: sparse.multiply(A, A, alpha=bad(1j, 1)), TypeError, "alpha: a complex number"),
        (lambda A, bad: sparse.multiply(A, A, beta=bad(1, 0)), ValueError, "beta and retain_sparsity"),
        (lambda A, bad: sparse.multiply(A, A, inner=(0, 2), check=bad(True, False)), ValueError, "check: of a product with"),
        (lambda A, bad: sparse.multiply(A, A, out=A, retain_sparsity=True, check=True), ValueError, "expected none of them"),
        (lambda A, bad: sparse.multiply(A, A, op_a=bad("X", "N")), ValueError, "op_a: 'X'"),
        (lambda A, bad: sparse.multiply(A, A, memory=bad("much", "1GiB")), ValueError, "memory"),
        (lambda A, bad: sparse.multiply(A, A, memory="20words"), MemoryError, "words"),
        (lambda A, bad: sparse.multiply(A, A, algorithm="summa 9x9"), ValueError, "algorithm|grid"),
        (lambda A, bad: sparse.multiply(A, A, threads=bad(100000, 0)), ValueError, "threads: 100000, expected 1 to 1024, or 0"),
        (lambda A, bad: sparse.plan_multiply(A, A, **bad({"colour": 1}, {})), TypeError, "colour: no such argument"),
        (lambda A, bad: sparse.plan_multiply(A, A, writes=True), TypeError, "writes: no such argument"),
        (lambda A, bad: A.transposed(bad("H", "T")), ValueError, "op: 'H', expected one of 'T', 'C'"),
        (lambda A, bad: A.cropped((0, 9), (0, 1)), ValueError, "rows: blocks 0 to 9, expected a range of 0 to 6"),
        (lambda A, bad: A.cropped((0, 1), (2, 1)), ValueError, "cols: blocks 2 to 1, expected a range of 0 to 6"),
        (lambda A, bad: sparse.plan_multiply(A, A, alpha=0), ValueError, "alpha: 0, expected another number"),
        (lambda A, bad: sparse.plan_multiply(A, bad(1, A)), TypeError, "B: int, expected a BlockSparse"),
        (lambda A, bad: A @ BlockSparse.zeros([3] * 4, [3] * 4), ValueError, "A|B|blocks"),
        (lambda A, bad: A + BlockSparse.zeros([3] * 4, [3] * 4), ValueError, "blocks|other"),
        (lambda A, bad: A + BlockSparse.zeros(A.row_sizes, A.col_sizes, "float32"), TypeError, "other: elements of float32"),
        (lambda A, bad: BlockSparse.zeros([-1], [1]), ValueError, "row_sizes"),
        (lambda A, bad: BlockSparse.zeros([1], bad([2.5], [1])), TypeError, "col_sizes"),
        (lambda A, bad: BlockSparse.from_scipy(np.eye(3)), TypeError, "array: ndarray, expected a sparse array"),
        (lambda A, bad: BlockSparse.from_scipy(scipy_sparse.csr_array(np.eye(3))), TypeError, "array: in format csr"),
        (lambda A, bad: BlockSparse.from_scipy(scipy_sparse.csr_array(np.eye(3)), blocks=([2, 2], [3])), ValueError, r"array: of shape \(3, 3\), expected \(4, 3\)"),
        (lambda A, bad: BlockSparse.from_scipy(scipy_sparse.bsr_array(np.eye(4, dtype=int))), TypeError, "array: dtype: int64"),
        (lambda A, bad: BlockSparse.from_scipy(None, root=RANKS), ValueError, "root"),
        (lambda A, bad: A.to_rows(0, bad(99, 0)), ValueError, "row"),
        (lambda A, bad: A.transposed().shifted(bad("x", 1)), TypeError, "by: 'x', expected a number"),
        (lambda A, bad: sparse.inverse(bad(3, A)), TypeError, "S: int, expected a BlockSparse"),
    ],
)
def test_wrong_arguments_are_one_exception_on_every_rank(call: Any, kind: type[Exception], named: str) -> None:
    x = bsr(6, 6, (2, 2))
    A = BlockSparse.from_scipy(x)
    with raises_everywhere(kind, named):
        call(A, lambda wrong, right: only_on(1, wrong, right))
    assert np.array_equal(whole(A.to_dense()), x.toarray())


def test_ranks_that_ask_for_different_transposes() -> None:
    if RANKS > 1:
        with raises_everywhere(ValueError, "op: . here, . on rank 0"):
            BlockSparse.from_scipy(bsr(6, 6, (2, 2), "complex64")).transposed(only_on(1, "C", "T"))


@pytest.mark.parametrize(
    "call",
    [
        lambda A, X: sparse.multiply(X, A),
        lambda A, X: sparse.multiply(A, X),
        lambda A, X: sparse.multiply(A, A, out=X),
        lambda A, X: sparse.plan_multiply(A, X),
        lambda A, X: A + X,
        lambda A, X: A.dot(X),
        lambda A, X: X.norm(),
        lambda A, X: X.trace(),
        lambda A, X: X.gershgorin(),
        lambda A, X: X.to_dense(),
        lambda A, X: X.stored_as("general"),
    ],
)
def test_other_matrices_on_other_ranks_are_refused(call: Any) -> None:
    if RANKS == 1:
        return
    A = BlockSparse.from_scipy(bsr(6, 6, (2, 2)))
    along = [sparse.distribution((1, RANKS), [0] * 6, [(j + first) % RANKS for j in range(6)]) for first in (0, 1)]
    for other in (
        A.redistribute(next(where for where in along if where != A.where)),
        (A + A.transposed()).stored_as("symmetric"),
        BlockSparse.zeros([1, 3] * 3, [1, 3] * 3),
    ):
        with raises_everywhere(ValueError, "the same|blocks"):
            call(A, only_on(1, other, A))


def test_division_is_element_by_element() -> None:
    A = BlockSparse.from_scipy(bsr(6, 6, (2, 2)))
    x = whole(A.to_dense())
    assert np.array_equal(whole((A / np.float32(3)).to_dense()), x / 3)
    assert np.array_equal(whole(((A * 1e-310) / 1e-310).to_dense()) == 0, x * 1e-310 == 0)


def test_after_the_communicator_was_freed() -> None:
    comm = WORLD.Dup()
    A = BlockSparse.zeros([2, 2], [2, 2], comm=comm)
    comm.Free()
    alone: list[Any] = [A.copy, A.cropped, lambda: -A, lambda: 2 * A, lambda: A / 2, lambda: A.__imul__(2), lambda: A.__itruediv__(2)]
    for use in (A.blocks, A.trace, A.to_dense, A.to_scipy, lambda: A @ A, lambda: A.shifted(1), lambda: sparse.inverse(A), *alone):
        with pytest.raises(ValueError, match="comm: a freed communicator"):
            use()
    with pytest.raises(TypeError, match="BlockSparse: made by"):
        BlockSparse()
