"""Plans of products of block-sparse matrices, from sizes and occupancies. No MPI is needed."""

from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from . import _arguments as args
from . import _core
from ._core import BlockCount
from ._plan import Planned


class BlockPlan(Planned):
    """The grid over which block-sparse matrices are to be dealt, the schedule of their product, and what ranks will receive,
    hold and take: exactly where `exact`, otherwise as expected of random patterns. It is made by :func:`cairn.plan_spgemm` or
    :meth:`from_json`. Words are elements of `dtype`; times are in seconds. Source: docs/block_sparse.md.
    """

    _made: _core.BlockPlan
    _kinds = (_core.BlockPlan,)

    def __init__(self, made: _core.BlockPlan):
        self._made = made

    @property
    def grid(self) -> tuple[int, int]:
        """(rows, columns) of ranks over which A, B and C are dealt, as :func:`cairn.sparse.dealt` does it."""
        rows, cols = self.facts["grid"]
        return rows, cols

    @property
    def layers(self) -> tuple[int, int] | None:
        """(rows, columns) of the grid that compute the same part of C; None for other algorithms than fetch25d."""
        layers: list[int] | None = self.facts["layers"]
        return None if layers is None else (layers[0], layers[1])

    @property
    def exact(self) -> bool:
        """Whether words are exact, since all blocks are there."""
        return self._made.exact

    @property
    def mean_received(self) -> float:
        """Words that a rank receives, the mean of all ranks."""
        return self._made.mean_received()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.facts["patterns_known"]:
            raise TypeError("plan: of matrices whose patterns its text does not hold, expected one that was made ahead")
        return super().__reduce__()

    def count(self, rank: SupportsIndex) -> BlockCount:
        """Returns what `rank` receives, computes and holds. Raises ValueError for a rank that does not exist."""
        return self._made.count(args.integer("rank", rank))


def plan_spgemm(
    m: Sequence[SupportsIndex],
    n: Sequence[SupportsIndex],
    k: Sequence[SupportsIndex],
    *,
    occupancy: float | Sequence[float] = 1.0,
    occupancy_c: float | None = None,
    ranks: SupportsIndex = 1,
    dtype: Any = "float64",
    filtered: bool = False,
    seed: SupportsIndex | None = None,
    **asked: Any,
) -> BlockPlan:
    """Plans C = A B of block-sparse matrices whose patterns are not known yet.

    m, n, k: (blocks, size) of the rows of C, of its columns, and of the inner dimension: (6912, 23) for 6912 blocks of 23.
    occupancy: the share of blocks that are there, one number for A and B, or a pair (of A, of B). occupancy_c: the share of C's
    blocks that are computed, before small ones are dropped; if absent, it is what random patterns lead to. filtered: whether
    products of small blocks are left out. seed: panels are as large as in random patterns of this seed; if absent, they are as
    large as expected.

    These are asked of the plan: memory, prefer, algorithm ('fetch25d 20x20 layers=2x2'), transport ('two-sided' or
    'one-sided'), machine, kernels, as in :func:`cairn.plan`. Raises ValueError for sizes, shares and names that no plan can
    have, TypeError for a dtype, MemoryError, naming the words that would do, if no plan fits into the memory. Source:
    include/cairn/block_plan.hpp.
    """
    type = args.scalar_type(dtype)
    rows, cols, inner = (args.pair(name, size, "(blocks, size)") for name, size in (("m", m), ("n", n), ("k", k)))
    shares = list(occupancy) if isinstance(occupancy, Iterable) else [occupancy, occupancy]
    if len(shares) != 2:
        raise ValueError(f"occupancy: {occupancy!r}, expected that of A and B, or (of A, of B)")
    of_a, of_b = (args.real("occupancy", share) for share in shares)
    of_c = None if occupancy_c is None else args.real("occupancy_c", occupancy_c)
    drawn = None if seed is None else args.integer("seed", seed, least=0, most=2**64 - 1)
    count, options = args.integer("ranks", ranks), args.options(type, **asked)
    return BlockPlan(_core.plan_spgemm(rows, cols, inner, [of_a, of_b], of_c, count, type, bool(filtered), drawn, options))
