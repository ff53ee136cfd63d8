"""Single blocks of block-sparse matrices: stored, seen in their memory, dealt in any way; products of parts of them."""

import gc
import pickle
from typing import Any

import numpy as np
import pytest
from support import DTYPES, RANKS, WORLD, only_on, raises_everywhere, random, whole

import cairn
from cairn import BlockSparse, sparse

ROWS, COLS = [2, 3, 0, 4, 1], [3, 1, 5, 2]


def made(dtype: str = "float64", where: Any = None, skip: int = 3) -> tuple[BlockSparse, Any]:
    """A matrix without every `skip`th block, and the same as an array; each rank stores its own blocks."""
    A = BlockSparse.zeros(ROWS, COLS, dtype, where=where)
    x = random(sum(ROWS), sum(COLS), dtype)
    tops, lefts = np.cumsum([0, *ROWS]), np.cumsum([0, *COLS])
    for i in range(len(ROWS)):
        for j in range(len(COLS)):
            part = np.s_[tops[i] : tops[i + 1], lefts[j] : lefts[j + 1]]
            if (i + 2 * j) % skip == 0:
                x[part] = 0
            elif A.here(i, j):
                A.put(i, j, x[part])
    return A, x


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
def test_blocks_are_stored_where_they_belong(dtype: str) -> None:
    A, x = made(dtype)
    assert np.array_equal(whole(A.to_dense()), x) and A.dtype == dtype
    owners = [[WORLD.allgather(A.here(i, j)).index(True) for j in range(len(COLS))] for i in range(len(ROWS))]
    assert owners == [[A.where.owner(i, j) for j in range(len(COLS))] for i in range(len(ROWS))]
    rows, cols = A.pattern()
    assert len(rows) == len(cols) == A.local_blocks and all(A.here(i, j) for i, j in zip(rows, cols))
    assert [(i, j) for i, j, _ in A.items()] == sorted(zip(rows.tolist(), cols.tolist()))
    assert sum(WORLD.allgather(sum(block.size for _, _, block in A.items()))) == A.words()


def test_what_is_written_to_a_block_is_in_the_matrix() -> None:
    A, x = made()
    for i, j, block in A.items():
        assert block.shape == (ROWS[i], COLS[j]) and block.flags.f_contiguous and block.flags.writeable
        block *= 2
    assert np.array_equal(whole(A.to_dense()), 2 * x)
    for i, j in zip(*A.pattern()):
        A.add(i, j, np.ones((ROWS[i], COLS[j]), order="F"))
        A.put(i, j, A.get(i, j) * 3)  # type: ignore[operator]
    assert np.allclose(whole(A.to_dense()), np.where(x == 0, 0, 3 * (2 * x + 1)))


def test_blocks_that_are_not_there() -> None:
    A, _ = made()
    missing = [(i, j) for i in range(len(ROWS)) for j in range(len(COLS)) if A.here(i, j) and A.get(i, j) is None]
    assert sum(WORLD.allgather(len(missing))) == len(ROWS) * len(COLS) - A.blocks()
    A.reserve(missing)
    rows, cols = A.pattern()
    assert {(i, j) for i, j in missing if ROWS[i]} <= set(zip(rows.tolist(), cols.tolist()))  # blocks of no rows are never stored
    for i, j in missing:
        found = A.get(i, j)
        assert found is None if ROWS[i] == 0 else found is not None and not found.any()
    A.clear()
    assert A.blocks() == 0 and A.norm() == 0


def test_arrays_keep_what_they_show_when_blocks_move() -> None:
    A = BlockSparse.zeros([2] * 6, [2] * 6)
    mine = [(i, j) for i in range(6) for j in range(6) if A.here(i, j)]
    first, other, small = mine[:3]
    moves: list[Any] = [
        lambda: A.put(*other, np.ones((2, 2))),
        lambda: A.add(*other, np.ones((2, 2))),
        lambda: A.reserve([other]),
        lambda: A.filter(1e-3),
        A.clear,
    ]
    for move in moves:
        A.clear()
        A.put(*small, np.full((2, 2), 1e-6))
        A.put(*first, np.full((2, 2), 7.0))
        block, again = A.get(*first), A.get(*first)
        assert block is not None and again is not None
        A.put(*first, np.full((2, 2), 8.0))  # where it is
        A *= 0.5
        A.norm(), A.copy(), A @ A
        assert (block == 4).all() and block.flags.writeable and again.flags.writeable
        move()
        assert (block == 4).all() and (again == 4).all() and not block.flags.writeable and not again.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            block += 1
        now = A.get(*first)
        assert now is None if move == A.clear else now is not None and now.flags.writeable and (now == 4).all()
        if now is not None:
            now += 1
            assert (block == 4).all() and (A.get(*first) == 5).all()


def test_arrays_stay_the_matrix_where_nothing_is_written() -> None:
    A = BlockSparse.zeros([2] * 6, [2] * 6, symmetry="symmetric")
    (i, j), *_ = [(i, j) for i in range(6) for j in range(i, 6) if A.here(i, j)]
    A.put(i, j, np.eye(2))
    shown = A.get(i, j)
    assert shown is not None
    new = next((k, k) for k in range(6) if (k, k) != (i, j))
    calls: list[Any] = [
        lambda: sparse.multiply(A, A, out=A, eps="x"),  # type: ignore[arg-type]
        lambda: sparse.multiply(A, A, out=A, memory="1words"),
        lambda: A.__iadd__(5),  # type: ignore[arg-type]
        lambda: A.__iadd__(BlockSparse.zeros([2], [2])),
        lambda: A.filter(-1),
        lambda: A.filter(1e-9),
        lambda: A.reserve([(i, j)]),
        lambda: A.put(*new, [[1.0, 2.0], [3.0, 4.0]]),  # not symmetric, or not of this rank
    ]
    for call in calls:
        try:
            call()
        except (TypeError, ValueError, MemoryError):
            pass
        shown += 1
        now = A.get(i, j)
        assert np.shares_memory(shown, now) and np.array_equal(shown, now)  # type: ignore[arg-type]
    turned = shown.T
    A.clear()
    turned[...] = 0  # views of arrays can still be written to
    assert not shown.any() and not shown.flags.writeable


def test_arrays_that_are_gone_cost_nothing() -> None:
    A = BlockSparse.zeros([50] * RANKS, [50] * RANKS)
    (i, j), *_ = [(i, j) for i in range(RANKS) for j in range(RANKS) if A.here(i, j)]
    A.put(i, j, np.ones((50, 50)))
    where = A.get(i, j).__array_interface__["data"]  # type: ignore[union-attr]
    for _ in range(1000):
        A.get(i, j)
    A.filter(1e-8)  # copies nothing
    assert A.get(i, j).__array_interface__["data"] == where  # type: ignore[union-attr]


def test_an_array_of_a_block_outlives_the_matrix() -> None:
    A, _ = made()
    shown = [(i, j, block, block.copy()) for i, j, block in A.items()]
    del A
    gc.collect()
    np.ones(100_000)
    assert all(np.array_equal(block, before) for _, _, block, before in shown)


def test_products_and_sums_move_away_from_arrays() -> None:
    A, x = made()
    shown = [(block, block.copy()) for _, _, block in A.items()]
    A += A
    A -= BlockSparse.zeros(ROWS, COLS)
    A /= 2
    square = A.transposed() @ A
    sparse.multiply(A, square, out=A)
    assert np.allclose(whole(A.to_dense()), x @ x.T @ x)
    assert all(np.array_equal(block, before) and not block.flags.writeable for block, before in shown)


@pytest.mark.parametrize(
    ("block", "kind", "named"),
    [
        (np.ones((3, 2)), ValueError, r"block: \(0, 0\) of 3 x 2 elements, expected 2 x 3"),
        (np.ones(6), ValueError, r"block: of shape \(6,\), expected two dimensions"),
        (np.ones((2, 3), complex), TypeError, "block: elements of complex128, expected float64"),
        (np.ones((2, 3), object), TypeError, "block: elements of object"),
        (np.full((2, 3), 2**53 + 1), TypeError, r"block: integers beyond 2\^53"),
        (np.ma.masked_array(np.ones((2, 3)), mask=True), TypeError, "block: a masked array"),
    ],
)
def test_blocks_of_other_shapes_and_elements_are_refused(block: Any, kind: type[Exception], named: str) -> None:
    A = BlockSparse.zeros(ROWS, COLS)
    with pytest.raises(kind, match=named):
        A.put(0, 0, block)
    with pytest.raises(kind, match=named):
        A.add(0, 0, block)
    assert A.blocks() == 0


def test_blocks_of_others_and_such_as_there_are_not_are_refused() -> None:
    A = BlockSparse.zeros(ROWS, COLS)
    for use in (lambda: A.here(5, 0), lambda: A.get(0, -1), lambda: A.put(0, 4, [[1.0]]), lambda: A.reserve([(2**40, 0)])):
        with pytest.raises(ValueError, match=r"block: \(.*\), expected one of 5x4"):
            use()
    with pytest.raises(TypeError, match="i: 1.5, expected an integer"):
        A.get(1.5, 0)  # type: ignore[arg-type]
    mine = [(i, j) for i in range(2) for j in range(4) if A.here(i, j)]
    theirs = [(i, j) for i in range(2) for j in range(4) if not A.here(i, j)]
    for i, j in theirs:
        assert A.get(i, j) is None
        with pytest.raises(ValueError, match=f"belongs to rank {A.where.owner(i, j)}"):
            A.put(i, j, np.ones((ROWS[i], COLS[j])))
        with pytest.raises(ValueError, match="belongs to rank"):
            A.reserve([*mine, (i, j)])
    assert A.blocks() == 0


def test_integers_and_lists_become_elements() -> None:
    A = BlockSparse.zeros([2] * RANKS, [2] * RANKS, "complex64")
    for i, j in [(i, j) for i in range(RANKS) for j in range(RANKS) if A.here(i, j)]:
        A.put(i, j, [[1, 2], [3, 4]])
    assert np.array_equal(whole(A.to_dense()), np.tile([[1, 2], [3, 4]], (RANKS, RANKS)))


# --- Who has which block
ANY: list[Any] = [2.5, 7, None]  # of which nothing is known


def test_distributions_are_values() -> None:
    one = sparse.dealt(7, 5, (2, 3))
    assert one.grid == (2, 3) and sorted(set(one.row)) == [0, 1] and sorted(set(one.col)) == [0, 1, 2] and one.row_major
    assert one == sparse.distribution((2, 3), one.row, one.col) and hash(one) == hash(sparse.distribution((2, 3), one.row, one.col))
    assert one != one.transposed() and one == one.transposed().transposed() and one != "dealt"
    assert one.owner(6, 4) == 3 * one.row[6] + one.col[4] == one.transposed().owner(4, 6)
    assert pickle.loads(pickle.dumps(one)) == one and repr(one) == "<BlockDistribution of 7 x 5 blocks on 2 x 3 ranks>"
    assert sparse.dealt(7, 5, 6) == one
    near = sparse.by_region([(float(i), 0, 0) for i in range(8)], 4)
    assert near.grid == (2, 2) and near.row[:4] == [near.row[0]] * 4 and near.row[7] != near.row[0]


@pytest.mark.parametrize(
    ("make", "kind", "named"),
    [
        (lambda: sparse.dealt(-1, 5, 2), ValueError, "blocks: -1 x 5"),
        (lambda: sparse.dealt(5, 5, 0), ValueError, "grid: 0 x 1 ranks"),
        (lambda: sparse.dealt(5, 5, (1, 2, 3)), ValueError, r"grid: \(1, 2, 3\), expected a number of ranks, or"),
        (lambda: sparse.dealt(5, 5, ANY[0]), TypeError, "grid: 2.5, expected an integer"),
        (lambda: sparse.by_region([(0, 0)], 2), ValueError, "places: "),
        (lambda: sparse.by_region([(0, 0, float("nan"))], 2), ValueError, "place"),
        (lambda: sparse.by_region([ANY[1]], 2), ValueError, "places: 7, expected three coordinates"),
        (lambda: sparse.by_region(ANY[1], 2), TypeError, "places: 7, expected three coordinates for each block row"),
        (lambda: sparse.distribution((1, 1), [0], [0], row_major=ANY[1]), TypeError, "row_major: 7, expected True or False"),
        (lambda: sparse.distribution((2, 2), [0, 2], [0]), ValueError, "row: 2, expected 0 to 1"),
        (lambda: sparse.distribution((0, 2), [], []), ValueError, "grid: 0 x 2"),
        (lambda: sparse.distribution((2, 2), [0], [ANY[0]]), TypeError, "col: "),
        (lambda: sparse.dealt(3, 3, 1).owner(3, 0), ValueError, r"block: \(3, 0\), expected one of 3x3"),
        (lambda: BlockSparse.zeros(ROWS, COLS, where=ANY[1]), TypeError, "where: int, expected a BlockDistribution"),
        (lambda: BlockSparse.zeros(ROWS, COLS, where=sparse.dealt(5, 4, RANKS + 1)), ValueError, "where: a grid of"),
        (lambda: BlockSparse.zeros(ROWS, COLS, where=sparse.dealt(4, 4, 1)), ValueError, "where: 4 rows of blocks, expected 5"),
        (lambda: made()[0].redistribute(ANY[2]), TypeError, "where: NoneType"),
    ],
)
def test_wrong_distributions_are_refused(make: Any, kind: type[Exception], named: str) -> None:
    with raises_everywhere(kind, named):
        make()


@pytest.mark.ranks
def test_matrices_lie_where_they_are_told_to() -> None:
    scipy_sparse = pytest.importorskip("scipy.sparse")
    on_last = sparse.distribution((1, RANKS), [0] * 5, [RANKS - 1] * 4)
    A, x = made(where=on_last)
    assert A.where == on_last and (A.local_blocks == A.blocks() > 0) == (WORLD.rank == RANKS - 1)
    dealt = sparse.dealt(5, 4, RANKS)
    B = A.redistribute(dealt)
    assert B.where == dealt and np.array_equal(whole(B.to_dense()), x)
    some = scipy_sparse.csr_array(x)
    alike = [
        BlockSparse.from_scipy(some, blocks=(ROWS, COLS), where=on_last),
        BlockSparse.from_rows(some[: 10 if WORLD.rank == 0 else 0], 0, ROWS, COLS, where=on_last),
        BlockSparse.from_dense(A.to_dense(), ROWS, COLS, where=on_last),
    ]
    for C in alike:
        assert C.where == on_last and np.array_equal(whole(C.to_dense()), x)
    if RANKS > 1:
        with raises_everywhere(ValueError, "where|dealt|block-sparse matrix"):
            BlockSparse.zeros(ROWS, COLS, where=only_on(1, on_last, dealt))


# --- Sums, and parts of products
@pytest.mark.parametrize("dtype", DTYPES)
def test_dot_and_the_ends_of_gershgorins_circles(dtype: str) -> None:
    A, x = made(dtype)
    B, y = made(dtype, skip=2)
    assert A.dot(B) == pytest.approx(np.vdot(x, y), rel=1e-5) and np.dtype(type(A.dot(B))) == dtype
    square = A.transposed("C") @ A
    low, high = square.gershgorin()
    dense = x.conj().T @ x
    radii = abs(dense).sum(axis=1) - abs(dense.diagonal())
    assert low == pytest.approx((dense.diagonal().real - radii).min(), rel=1e-4)
    assert high == pytest.approx((dense.diagonal().real + radii).max(), rel=1e-4)
    with raises_everywhere(ValueError, "square|same blocks|rows and columns"):
        A.gershgorin()
    with raises_everywhere(TypeError, "other: NoneType, expected a BlockSparse"):
        A.dot(only_on(1, None, B))


def test_products_and_copies_are_limited_to_blocks() -> None:
    A, x = made()
    B, y = A.transposed(), x.T
    tops, lefts = np.cumsum([0, *ROWS]), np.cumsum([0, *COLS])
    expected = np.zeros((10, 10))
    inside = np.s_[tops[1] : tops[4]], np.s_[tops[0] : tops[2]]
    expected[inside] = x[tops[1] : tops[4], lefts[1] : lefts[3]] @ y[lefts[1] : lefts[3], tops[0] : tops[2]]
    assert np.allclose(whole(sparse.multiply(A, B, rows=(1, 4), cols=(0, 2), inner=(1, 3)).to_dense()), expected)
    few = np.zeros_like(x)
    few[tops[1] : tops[4]] = x[tops[1] : tops[4]]
    few[:, lefts[2] :] = 0
    assert np.array_equal(whole(A.cropped((1, 4), (0, 2)).to_dense()), few)
    assert np.array_equal(whole(A.cropped().to_dense()), x) and A.cropped(rows=(0, 0)).blocks() == 0
    for wrong, kind, named in (
        ({"rows": (0, 6)}, ValueError, "rows"),
        ({"inner": only_on(1, (3, 1), (0, 1))}, ValueError, "inner|arguments"),
        ({"cols": (0,)}, ValueError, "cols: .*expected 2 integers"),
        ({"cols": (0, -1)}, ValueError, "cols: -1, expected 0 to 2147483647"),
        ({"threads": -1}, ValueError, "threads: -1"),
        ({"algorithm": 3}, TypeError, "algorithm: 3, expected a text"),
        ({"algorithm": "\udc80"}, ValueError, r"algorithm: '\\udc80', expected a text that UTF-8 can spell"),
        ({"memory": "\udc80"}, ValueError, r"memory: '\\udc80', expected a text that UTF-8 can spell"),
        ({"transport": "pigeon"}, ValueError, "transport"),
        ({"transport": only_on(1, None, "")}, TypeError, "transport: None, expected a text"),
    ):
        with raises_everywhere(kind, named):
            sparse.multiply(A, B, **wrong)
    two_sided, one_sided = sparse.multiply(A, B, threads=2), sparse.multiply(A, B, transport="one-sided")
    assert np.array_equal(whole(one_sided.to_dense()), whole(two_sided.to_dense()))
    assert two_sided.report is not None and two_sided.report.transport == "two-sided"


@pytest.mark.ranks
def test_receives_what_a_plan_says_where_all_blocks_are_there() -> None:
    plan = cairn.plan_spgemm((6, 2), (5, 3), (7, 4), ranks=RANKS)
    A = BlockSparse.zeros([2] * 6, [4] * 7, where=sparse.dealt(6, 7, plan.grid))
    B = BlockSparse.zeros([4] * 7, [3] * 5, where=sparse.dealt(7, 5, plan.grid))
    for X in (A, B):
        for i in range(len(X.row_sizes)):
            for j in range(len(X.col_sizes)):
                if X.here(i, j):
                    X.put(i, j, np.ones((X.row_sizes[i], X.col_sizes[j])))
    C = BlockSparse.zeros(A.row_sizes, B.col_sizes, where=sparse.dealt(6, 5, plan.grid))
    sparse.multiply(A, B, out=C, algorithm=plan.algorithm)
    count = plan.count(WORLD.rank)
    assert plan.exact and C.report is not None and (C.report.received, C.report.messages) == (count.received, count.messages)
    assert (whole(C.to_dense()) == 28).all()


def test_after_the_communicator_was_freed() -> None:
    comm = WORLD.Dup()
    A = BlockSparse.zeros([2, 2], [2, 2], comm=comm)
    comm.Free()
    for use in (lambda: A.here(0, 0), lambda: A.put(0, 0, np.ones((2, 2))), lambda: A.get(0, 0), A.pattern, A.clear, lambda: A.where):
        with pytest.raises(ValueError, match="comm: a freed communicator"):
            use()
