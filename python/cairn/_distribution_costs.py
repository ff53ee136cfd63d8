"""Which of several distributions suits products of a block-sparse matrix."""

from collections.abc import Iterable
from typing import Any

from . import _mpi
from ._core import BlockDistribution
from ._mpi import DistributionCost
from ._sparse import BlockSparse, agree_on


def distribution_costs(X: BlockSparse, candidates: Iterable[BlockDistribution], *, comm: Any = None) -> list[DistributionCost]:
    """Returns what X @ X costs in each of the distributions, counted from the pattern of X, wherever X lies. comm: as in
    :func:`cairn.multiply`. Raises ValueError if X is not square in the same blocks, for a distribution of other blocks or more
    ranks, or if they differ between ranks. Source: include/cairn/choose_distribution.hpp."""
    all = _agreed(X, candidates, comm)
    return _mpi.distribution_costs(X._made, all)


def choose_distribution(
    X: BlockSparse, candidates: Iterable[BlockDistribution] | None = None, *, comm: Any = None
) -> BlockDistribution:
    """Returns the candidate with the fewest words among those whose busiest rank multiplies at most a tenth more than that of
    the most even one; of equals it is the first. candidates: if absent, :func:`dealt` over all ranks of X, and block rows, or
    block columns, cut in their order into strips of equally many, since neighbours in a matrix often are neighbours in space.
    Errors are those of :func:`distribution_costs`, and ValueError if there is no candidate."""
    if candidates is None:
        agree_on(("X", X), comm=comm, also=lambda: "no candidates")
        return _mpi.choose_usual_distribution(X._made)
    all = _agreed(X, candidates, comm)
    return _mpi.choose_distribution(X._made, all)


def _agreed(X: Any, candidates: Any, comm: Any) -> list[BlockDistribution]:
    all: list[BlockDistribution] = []

    def look() -> str:
        try:
            all.extend(candidates)
        except TypeError:
            raise TypeError(f"candidates: {type(candidates).__name__}, expected a list of BlockDistributions") from None
        for one in all:
            if not isinstance(one, BlockDistribution):
                raise TypeError(f"candidates: {type(one).__name__}, expected BlockDistributions, as cairn.sparse.dealt makes them")
        return f"{len(all)} candidates"

    agree_on(("X", X), comm=comm, also=look)
    return all
