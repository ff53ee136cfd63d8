"""Which rank gets which block of a block-sparse matrix. Nothing here is collective."""

from collections.abc import Sequence
from typing import Any, SupportsIndex

from . import _arguments as args
from . import _core
from ._core import BlockDistribution


def _grid_of(grid: Any) -> tuple[int, int | None]:
    try:
        pr, pc = grid
    except TypeError:
        return args.integer("grid", grid), None
    except ValueError:
        raise ValueError(f"grid: {grid!r}, expected a number of ranks, or (rows, columns) of them") from None
    return args.integer("grid", pr), args.integer("grid", pc)


def dealt(block_rows: SupportsIndex, block_cols: SupportsIndex, grid: SupportsIndex | Sequence[SupportsIndex]) -> BlockDistribution:
    """Deals block rows and columns in random order round over a grid: (rows, columns) of ranks, or a number of ranks, whose
    grid is as square as possible. Dimensions of equally many blocks are dealt alike: matrices that are dealt in this way can be
    multiplied where they are. Raises ValueError for sizes that no grid can have. Source: include/cairn/blocks.hpp."""
    rows, cols = args.integer("block_rows", block_rows), args.integer("block_cols", block_cols)
    return _core.dealt(rows, cols, *_grid_of(grid))


def by_region(places: Sequence[Sequence[float]], grid: SupportsIndex | Sequence[SupportsIndex]) -> BlockDistribution:
    """Returns a distribution of square matrices whose block rows belong to places in space, as to atoms. What is near each
    other lies together, in regions of equally many blocks: compact ones on (P, 1) or (1, P) ranks, and on other grids slabs, of
    rows along one of the two longest axes and of columns along the other. `places`: three coordinates for each block row, in any unit.
    `grid` as in :func:`dealt`. Raises ValueError for places that are not finite. Source: include/cairn/blocks.hpp."""
    points = []
    for place in args.items("places", places, "three coordinates for each block row"):
        x, y, z = (args.real("places", coordinate) for coordinate in _three(place))
        points.append([x, y, z])
    return _core.by_region(points, *_grid_of(grid))


def _three(place: Any) -> list[Any]:
    try:
        coordinates = list(place)
    except TypeError:
        coordinates = []
    if len(coordinates) != 3:
        raise ValueError(f"places: {place!r}, expected three coordinates of each")
    return coordinates


def distribution(
    grid: Sequence[SupportsIndex], row: Sequence[SupportsIndex], col: Sequence[SupportsIndex], *, row_major: bool = True
) -> BlockDistribution:
    """Returns the distribution that you describe: block (i, j) is on row `row[i]` and column `col[j]` of a grid of (rows,
    columns) of ranks, which are numbered along its rows, or with `row_major` false along its columns. Raises ValueError for
    rows and columns that the grid does not have."""
    pr, pc = args.pair("grid", grid)
    rows, cols = _of_grid("row", row, pr), _of_grid("col", col, pc)
    return _core.distribution(pr, pc, rows, cols, args.truth("row_major", row_major))


def _of_grid(name: str, numbers: Any, parts: int) -> list[int]:
    return [args.integer(name, number, least=0, most=max(0, parts - 1)) for number in args.integers(name, numbers)]
