"""Layouts: who holds what."""

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from cairn import Layout, layout


def places(of: Layout) -> Iterator[tuple[int, int, int]]:
    for rank in range(of.ranks):
        for rows, cols in of.patches(rank):
            for r0, r1 in rows:
                for c0, c1 in cols:
                    yield from ((rank, i, j) for i in range(r0, r1) for j in range(c0, c1))


ALL = {
    "rows": layout.rows(7, 5, 3),
    "columns": layout.columns(7, 5, 3),
    "grid": layout.grid(7, 5, (2, 3)),
    "block_cyclic": layout.block_cyclic(7, 5, block=(2, 1), grid=(2, 2), first=(1, 0)),
    "blocks": layout.blocks([0, 2, 7], [0, 4, 5], [[0, 2], [1, 0]], 3),
    "on_one_rank": layout.on_one_rank(7, 5),
}


@pytest.mark.parametrize("name", ALL)
def test_every_element_has_one_owner(name: str) -> None:
    owners = np.zeros((7, 5), int)
    words = [0] * ALL[name].ranks
    for rank, i, j in places(ALL[name]):
        owners[i, j] += 1
        words[rank] += 1
    assert (owners == 1).all() and words == [ALL[name].words(rank) for rank in range(ALL[name].ranks)]


def test_replicated_is_everywhere() -> None:
    everywhere = layout.replicated(4, 3, 5)
    assert [everywhere.words(rank) for rank in range(5)] == [12] * 5
    assert everywhere.original(3) == 0


def test_block_cyclic_deals_as_scalapack_does() -> None:
    dealt = layout.block_cyclic(8, 8, block=(2, 3), grid=(2, 2), first=(1, 0))
    for rank, i, j in places(dealt):
        assert rank == 2 * ((i // 2 + 1) % 2) + (j // 3) % 2
    by_columns = layout.block_cyclic(8, 8, block=(2, 3), grid=(2, 2), row_major=False)
    assert {rank for rank, i, j in places(by_columns) if i in (2, 3) and j < 3} == {1}


@pytest.mark.parametrize("name", ALL)
def test_are_values(name: str) -> None:
    one = ALL[name]
    other = one.with_order("F" if one.order == "C" else "C")
    assert other != one and other.order != one.order and other.with_order("C" if one.order == "C" else "F") == one
    assert one != layout.rows(9, 9, 2) and one != "rows" and hash(one) == hash(ALL[name])
    assert one.transposed().shape == (5, 7) and one.transposed().transposed() == one
    assert str(one) in repr(one)
    assert (one == layout.rows(7, 5, 3)) == (name == "rows")


def test_are_pickled() -> None:
    for name, one in ALL.items():
        assert pickle.loads(pickle.dumps(one)) == one == Layout.from_text(one.text()), name
    with pytest.raises(ValueError, match="line 1, column 1"):
        Layout.from_text("no layout")


def test_different_owners_make_different_texts() -> None:
    one, other = (layout.blocks([0, 2, 7], [0, 4, 5], owner, 3) for owner in ([[0, 2], [1, 0]], [[0, 2], [1, 1]]))
    assert one != other and one.text() != other.text() and hash(one) != hash(other)


def test_numpys_truths_are_pythons() -> None:
    for yes in (True, np.True_):
        cyclic = layout.block_cyclic(8, 8, block=(1, 1), grid=(2, 3), row_major=yes)  # type: ignore[arg-type]
        assert cyclic == layout.block_cyclic(8, 8, block=(1, 1), grid=(2, 3))
        assert layout.blocks([0, 4], [0, 4], [[0]], 1, by_columns=yes) == layout.blocks([0, 4], [0, 4], [[0]], 1, by_columns=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "kind", "named"),
    [
        (lambda: layout.rows(-1, 4, 2), ValueError, "shape"),
        (lambda: layout.rows(4, 4, 0), ValueError, "ranks"),
        (lambda: layout.rows(4.5, 4, 2), TypeError, "expected integers"),  # type: ignore[arg-type]
        (lambda: layout.grid(4, 4, (2,)), ValueError, "shape"),
        (lambda: layout.grid(4, 4, (0, 2)), ValueError, "ranks"),
        (lambda: layout.grid(2**32, 2**32, (1, 1)), ValueError, "more words than a 64-bit integer counts"),
        (lambda: layout.block_cyclic(4, 4, block=4, grid=(1, 1)), TypeError, r"block: 4, expected \(rows, columns\)"),  # type: ignore[arg-type]
        (lambda: layout.block_cyclic(4, 4, block=(0, 1), grid=(1, 1)), ValueError, "block|mb"),
        (lambda: layout.block_cyclic(4, 4, block=(1, 1), grid=(1, 1), first=(1, 0)), ValueError, "rsrc|first"),
        (lambda: layout.blocks([0, 4], [0, 4], [[3]], 2), ValueError, "owner|rank"),
        (lambda: layout.blocks([0, 4, 2], [0, 4], [[0], [0]], 2), ValueError, "bound|ascend"),
        (lambda: layout.blocks([], [0], [], 2), ValueError, "row_bounds"),
        (lambda: layout.blocks([0, 2, 4], [0, 4], [[0]], 2), ValueError, "owner"),
        (lambda: layout.blocks([0, 4], [0, 4], 5, 1), TypeError, "owner: 5, expected a row of ranks for each block row"),  # type: ignore[arg-type]
        (lambda: layout.blocks([0, 4], [0, 4], [[0]], 1, by_columns=2), TypeError, "by_columns: 2, expected True or False"),  # type: ignore[arg-type]
        (lambda: layout.rows(4, 4, 2, order="K"), ValueError, "order"),  # type: ignore[arg-type]
        (lambda: layout.rows(4, 4, 2).words(-1), ValueError, "rank"),
    ],
)
def test_name_what_is_wrong(make: object, kind: type[Exception], named: str) -> None:
    assert callable(make)
    with pytest.raises(kind, match=named):
        make()
