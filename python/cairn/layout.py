"""Layouts: which rank holds which rows and columns of a matrix.

Every function returns an immutable :class:`cairn.Layout`. `order` says how a rank stores its part: 'C' by rows, NumPy's
default, or 'F' by columns. Sizes are numbers of rows, columns, elements and ranks. Wrong sizes raise ValueError.
"""

from collections.abc import Sequence
from typing import SupportsIndex

from . import _arguments as args
from ._core import Layout

__all__ = ["Layout", "block_cyclic", "blocks", "columns", "grid", "on_one_rank", "replicated", "rows"]


def on_one_rank(m: SupportsIndex, n: SupportsIndex, *, order: args.OrderName = "C") -> Layout:
    """The whole m x n matrix on rank 0."""
    return Layout.on_one_rank(args.integer("m", m), args.integer("n", n), args.order(order))


def rows(m: SupportsIndex, n: SupportsIndex, ranks: SupportsIndex, *, order: args.OrderName = "C") -> Layout:
    """Rows cut evenly over the ranks; the first m % ranks of them have one row more."""
    rows, cols, count = args.integers("m, n, ranks", (m, n, ranks))
    return Layout.row_blocks(rows, cols, count, args.order(order))


def columns(m: SupportsIndex, n: SupportsIndex, ranks: SupportsIndex, *, order: args.OrderName = "C") -> Layout:
    """Columns cut evenly over the ranks."""
    rows, cols, count = args.integers("m, n, ranks", (m, n, ranks))
    return Layout.col_blocks(rows, cols, count, args.order(order))


def grid(m: SupportsIndex, n: SupportsIndex, shape: Sequence[SupportsIndex], *, order: args.OrderName = "C") -> Layout:
    """Rows and columns cut evenly over a grid of ranks of this shape, which are numbered along its rows."""
    pr, pc = args.pair("shape", shape)
    return Layout.on_grid(args.integer("m", m), args.integer("n", n), pr, pc, args.order(order))


def block_cyclic(
    m: SupportsIndex,
    n: SupportsIndex,
    *,
    block: Sequence[SupportsIndex],
    grid: Sequence[SupportsIndex],
    first: Sequence[SupportsIndex] = (0, 0),
    row_major: bool = True,
    order: args.OrderName = "F",
) -> Layout:
    """ScaLAPACK's layout: blocks of shape `block` dealt in turn over a grid of ranks, the first block to the coordinate
    `first`. `row_major`: ranks are numbered along the rows of the grid, as BLACS does with 'R'. ScaLAPACK stores parts
    by columns, which is the default here."""
    mb, nb = args.pair("block", block)
    pr, pc = args.pair("grid", grid)
    rsrc, csrc = args.pair("first", first)
    return Layout.block_cyclic(
        args.integer("m", m), args.integer("n", n), mb, nb, pr, pc, rsrc, csrc, args.truth("row_major", row_major), args.order(order)
    )


def blocks(
    row_bounds: Sequence[SupportsIndex],
    col_bounds: Sequence[SupportsIndex],
    owner: Sequence[Sequence[SupportsIndex]],
    ranks: SupportsIndex,
    *,
    by_columns: bool = False,
    order: args.OrderName = "C",
) -> Layout:
    """Arbitrary blocks: block (r, c) has the rows row_bounds[r] to row_bounds[r + 1] and the columns col_bounds[c] to
    col_bounds[c + 1], and belongs to rank owner[r][c]. Bounds ascend from 0 to the size of the matrix. A rank stores its
    blocks one after another, row by row of blocks, or `by_columns`, each dense in `order`."""
    r, c = args.integers("row_bounds", row_bounds), args.integers("col_bounds", col_bounds)
    if not r or not c:
        raise ValueError("row_bounds and col_bounds: empty, expected at least [0]")
    width = len(c) - 1
    owners = [rank for row in args.items("owner", owner, "a row of ranks for each block row") for rank in args.integers("owner", row, width)]
    along = args.truth("by_columns", by_columns)
    return Layout.arbitrary(r[-1], c[-1], args.integer("ranks", ranks), r, c, owners, along, args.order(order))


def replicated(m: SupportsIndex, n: SupportsIndex, ranks: SupportsIndex, *, order: args.OrderName = "C") -> Layout:
    """The whole m x n matrix on every rank."""
    rows, cols, count = args.integers("m, n, ranks", (m, n, ranks))
    return Layout.replicated_on(rows, cols, count, args.order(order))
