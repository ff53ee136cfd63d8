"""What several tests share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from cairn import DistMatrix, Layout, layout
from cairn._with_mpi import MPI

WORLD = MPI.COMM_WORLD
RANKS = WORLD.size
DTYPES = ["float32", "float64", "complex64", "complex128"]


def random(m: int, n: int, dtype: str = "float64", seed: int = 1) -> Any:
    """The same on all ranks."""
    numbers = np.random.default_rng([m, n, seed])
    x = numbers.uniform(-1, 1, (m, n))
    return (x + 1j * numbers.uniform(-1, 1, (m, n)) if dtype.startswith("c") else x).astype(dtype)


def definite(n: int, dtype: str = "float64") -> Any:
    x = random(n, n, dtype)
    return x @ x.conj().T + n * np.eye(n, dtype=dtype)


def spread(x: Any, where: Layout, comm: Any = None) -> DistMatrix:
    return DistMatrix.from_function(lambda i, j: x[i, j], where, x.dtype, comm)


def whole(A: Any) -> Any:
    """Of a distributed matrix, on every rank."""
    return A.gather(None)


def shape_of_grid(ranks: int = RANKS) -> tuple[int, int]:
    return (2, ranks // 2) if ranks % 2 == 0 else (1, ranks)


def _blocks(m: int, n: int, order: Any) -> Layout:
    rows, cols = [0, m // 3, m // 3, m], [0, n // 4, n // 2, n]
    owner = [[(3 * r + c) % RANKS for c in range(3)] for r in range(3)]
    return layout.blocks(rows, cols, owner, RANKS, by_columns=True, order=order)


LAYOUTS: dict[str, Callable[[int, int, Any], Layout]] = {
    "rows": lambda m, n, order: layout.rows(m, n, RANKS, order=order),
    "columns": lambda m, n, order: layout.columns(m, n, RANKS, order=order),
    "grid": lambda m, n, order: layout.grid(m, n, shape_of_grid(), order=order),
    "block_cyclic": lambda m, n, order: layout.block_cyclic(m, n, block=(3, 5), grid=shape_of_grid(), order=order),
    "blocks": _blocks,
    "on_one_rank": lambda m, n, order: layout.on_one_rank(m, n, order=order),
    "replicated": lambda m, n, order: layout.replicated(m, n, RANKS, order=order),
}


@contextmanager
def raises_everywhere(kind: type[Exception] | tuple[type[Exception], ...], match: str) -> Iterator[None]:
    """The same exception on every rank."""
    with pytest.raises(kind, match=match) as caught:
        yield
    said = WORLD.allgather((type(caught.value).__name__, str(caught.value)))
    assert len(set(said)) == 1, said


def only_on(rank: int, wrong: Any, right: Any) -> Any:
    """An argument that is wrong on one rank, the last one if there are fewer."""
    return wrong if WORLD.rank == min(rank, RANKS - 1) else right
