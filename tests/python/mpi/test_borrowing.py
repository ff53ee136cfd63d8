"""NumPy's memory is borrowed, never copied; what cannot be borrowed is refused."""

import resource
from typing import Any

import numpy as np
import pytest
from support import DTYPES, RANKS, WORLD, only_on, raises_everywhere, random, whole

from cairn import DistMatrix, layout

MIB = 2**20


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_writes_are_seen_on_both_sides(dtype: str, order: str) -> None:
    where = layout.rows(4 * RANKS, 6, RANKS)
    mine = np.zeros((4, 6), dtype, order=order)  # type: ignore[call-overload]
    A = DistMatrix(mine, where)
    assert np.shares_memory(A.local, mine) and A.layout.order == order and A.dtype == dtype
    mine[2, 3] = 7
    assert (whole(A)[2::4, 3] == 7).all()
    A.local[0, 0] = 5
    assert mine[0, 0] == 5


@pytest.mark.ranks
@pytest.mark.parametrize("order", ["C", "F"])
def test_parts_without_elements_fit_any_order(order: str) -> None:
    """NumPy says that their strides are 0."""
    for where in (layout.block_cyclic(4, 6, block=(4, 6), grid=(RANKS, 1)), layout.block_cyclic(4, 6, block=(4, 6), grid=(1, RANKS))):
        mine = np.zeros(DistMatrix.zeros(where).local.shape, order=order)  # type: ignore[call-overload]
        assert DistMatrix(mine, where).layout.order == order


def test_a_big_array_is_not_copied() -> None:
    big = np.ones((1024 * MIB // 8 // 1024 // RANKS, 1024))  # 1 GiB over all ranks
    some = np.ones((len(big), 4))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    A = DistMatrix(big, layout.rows(len(big) * RANKS, 1024, RANKS))
    B = DistMatrix(some, layout.rows(len(big) * RANKS, 4, RANKS))
    C = A.T @ B
    assert whole(C).shape == (1024, 4) and (whole(C) == len(big) * RANKS).all()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 64 * MIB, f"{grown / MIB} MiB more"


@pytest.mark.parametrize("order", ["C", "F"])
def test_strides_that_blas_takes(order: str) -> None:
    memory = random(5, 11)
    mine = memory[:, 2:9] if order == "C" else memory.T[2:9, :]
    A = DistMatrix(mine, layout.rows(len(mine) * RANKS, mine.shape[1], RANKS))
    assert np.array_equal(whole(A), np.vstack([mine] * RANKS))
    assert np.allclose(whole(A.T @ A), RANKS * mine.T @ mine)


@pytest.mark.ranks
@pytest.mark.parametrize("cut", [np.s_[:, ::2], np.s_[::-1, :], np.s_[:, ::-1]])
def test_other_strides_are_refused_on_every_rank(cut: Any) -> None:
    shape = np.zeros((6, 8))[cut].shape
    where = layout.rows(shape[0] * RANKS, shape[1], RANKS)
    with raises_everywhere(ValueError, "array: strides .* numpy.ascontiguousarray"):
        DistMatrix(only_on(1, np.zeros((6, 8))[cut], np.zeros(shape)), where)


def test_rows_here_and_columns_there_are_refused() -> None:
    if RANKS > 1:
        with raises_everywhere(ValueError, "by rows on some ranks and by columns on others"):
            DistMatrix(np.zeros((4, 4), order="F" if WORLD.rank else "C"), layout.rows(4 * RANKS, 4, RANKS))


def test_a_single_row_or_column_fits_both_orders() -> None:
    for shape in ((1, 6), (6, 1)):
        A = DistMatrix(np.ones(shape), layout.rows(shape[0] * RANKS, shape[1], RANKS, order="F"))
        assert A.layout.order == "F" and whole(A).sum() == 6 * RANKS


@pytest.mark.parametrize(
    ("wrong", "kind", "named"),
    [
        (np.zeros((4, 6), int), TypeError, "array: dtype: int64"),
        (np.zeros((4, 6), np.float16), TypeError, "array: dtype: float16"),
        (np.zeros((4, 6), object), TypeError, "array: dtype: object"),
        (np.zeros((4, 6), ">f8"), TypeError, "array: dtype: float64 in the other byte order"),
        (np.zeros((5, 6)), ValueError, r"array: of shape \(5, 6\), expected \(4, 6\)"),
        (np.zeros(24), ValueError, r"array: of shape \(24,\)"),
        ([[1.0]], TypeError, "array: list, expected a NumPy array"),
        (np.zeros((4, 49), np.uint8)[:, 1:].view(np.uint8), TypeError, "array: dtype: uint8"),
        (np.zeros(4 * 6 * 8 + 1, np.uint8)[1:].view(float).reshape(4, 6), ValueError, "array: memory that is not aligned to 8 bytes"),
        (np.zeros((4, 6), "f8, u1")["f0"], ValueError, r"array: strides \(54, 9\) in bytes, expected whole elements of 8 bytes"),
    ],
)
def test_what_is_no_part_is_refused_on_every_rank(wrong: object, kind: type[Exception], named: str) -> None:
    where = layout.rows(4 * RANKS, 6, RANKS)
    with raises_everywhere(kind, named):
        DistMatrix(only_on(1, wrong, np.zeros((4, 6))), where)


@pytest.mark.ranks
def test_arbitrary_blocks_are_one_array() -> None:
    owner = [[r] for r in range(RANKS)]
    where = layout.blocks([2 * r for r in range(RANKS + 1)], [0, 5], owner, RANKS)
    mine = np.arange(10.0) + 100 * WORLD.rank
    A = DistMatrix(mine, where)
    assert np.shares_memory(A.local, mine)
    assert np.array_equal(whole(A), np.vstack([(np.arange(10.0) + 100 * r).reshape(2, 5) for r in range(RANKS)]))
    with raises_everywhere(ValueError, "array: with gaps"):
        DistMatrix(only_on(1, np.zeros(20)[::2], mine), where)
    with raises_everywhere(ValueError, r"array: of shape \(9,\), expected \(10,\)"):
        DistMatrix(only_on(1, np.zeros(9), mine), where)


def test_arrays_do_not_change_their_size_meanwhile() -> None:
    mine = np.zeros((4, 6))
    A = DistMatrix(mine, layout.rows(4 * RANKS, 6, RANKS))
    for refcheck in (True, False):
        with pytest.raises(ValueError, match="resize"):
            mine.resize((8, 6), refcheck=refcheck)
    assert np.shares_memory(A.local, mine)


def test_arrays_share_nothing_but_memory() -> None:
    mine, where = np.ones((4, 6)), layout.rows(4 * RANKS, 6, RANKS)
    A = DistMatrix(mine, where)
    for array in (mine, A.local, next(A.patches())[2]):
        array.dtype = np.int64  # type: ignore[assignment,misc]
        array.shape = (24,)
    assert A.dtype == np.float64 and A.local.shape == (4, 6) and A.norm("max") == A.copy().norm("max") == 1
    mine[...] = 0
    assert A.norm() == 0


@pytest.mark.ranks
def test_empty_parts_may_have_any_shape_without_elements() -> None:
    where = layout.rows(RANKS - 1, 5, RANKS)
    for empty in (np.empty((0, 0)), np.empty((5, 0)), np.empty(0)):
        A = DistMatrix(only_on(RANKS, empty, np.ones((1, 5))), where)
        assert A.local.shape == DistMatrix.zeros(where).local.shape
        assert (A + DistMatrix.zeros(where)).norm(1) == RANKS - 1


def test_memory_lives_as_long_as_the_matrix() -> None:
    A = DistMatrix(np.full((4, 6), 3.0), layout.rows(4 * RANKS, 6, RANKS))
    part = A.T
    del A
    np.full((4, 6), 4.0)
    assert (whole(part) == 3).all()


@pytest.mark.ranks
@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_arrays_that_calculate_in_other_ways_are_taken_as_plain_ones() -> None:
    where, root = layout.rows(4 * RANKS, 6, RANKS), min(1, RANKS - 1)
    mine = random(4, 6)
    A = DistMatrix(only_on(1, np.matrix(mine, copy=False), mine), where)
    assert type(A.local) is np.ndarray and np.shares_memory(A.local, mine)
    sums = np.abs(mine)
    assert np.isclose(A.norm(1), RANKS * sums.sum(axis=0).max()) and np.isclose(A.norm(np.inf), sums.sum(axis=1).max())
    assert np.array_equal(whole(DistMatrix.from_numpy(np.matrix(random(4, 6)), layout.rows(4, 6, RANKS), root)), mine)
    masked = np.ma.masked_array(mine, mask=mine > 0)
    with raises_everywhere(TypeError, "array: a masked array, expected one without a mask"):
        DistMatrix(only_on(1, masked, mine), where)
    with raises_everywhere(TypeError, "array: a masked array"):
        DistMatrix.from_numpy(masked, layout.rows(4, 6, RANKS))
    desc = [1, -1, 4 * RANKS, 6, 4, 6, 0, 0, 4]
    with raises_everywhere(TypeError, "local: a masked array"):
        DistMatrix.from_scalapack(desc, only_on(1, np.ma.masked_array(np.asfortranarray(mine)), np.asfortranarray(mine)), (RANKS, 1))
