"""Iterations tell what they do, and stop when they are told to."""

import pickle
from typing import Any

import numpy as np
import pytest
from support import RANKS, WORLD, only_on, raises_everywhere

import cairn
from cairn import BlockSparse, sparse


def overlap() -> BlockSparse:
    """Symmetric, positive definite and banded."""
    S = BlockSparse.zeros([3] * 8, [3] * 8)
    for i in range(8):
        for j in range(max(0, i - 1), min(8, i + 2)):
            if S.here(i, j):
                S.put(i, j, np.full((3, 3), 0.05) + (i == j) * np.eye(3))
    return S


class Enough(Exception):
    """Of the caller's."""


class Unpicklable(Exception):
    def __reduce__(self) -> Any:
        raise TypeError("not to be pickled")


class Becomes3(Exception):
    def __reduce__(self) -> Any:
        return int, (3,)


def _only_on_the_last(text: str) -> "OfOneRank":
    assert WORLD.rank == RANKS - 1
    return OfOneRank(text)


class OfOneRank(Exception):
    def __reduce__(self) -> Any:
        return _only_on_the_last, self.args


class Mute(Exception):
    def __str__(self) -> str:
        raise AttributeError("text")

    __reduce__ = Unpicklable.__reduce__


FUNCTIONS: list[Any] = [
    lambda S, watch: sparse.inverse(S, eps=1e-8, watch=watch),
    lambda S, watch: sparse.inverse_sqrt(S, eps=1e-8, watch=watch),
    lambda S, watch: sparse.sign(S, eps=1e-8, watch=watch),
    lambda S, watch: sparse.density_matrix(S, S, electrons=2 * 24, eps=1e-8, watch=watch),
]


@pytest.mark.parametrize("f", FUNCTIONS[:3])
def test_hears_of_every_iteration_when_it_is_done(f: Any) -> None:
    heard: list[sparse.Iteration] = []
    _, iterations = f(overlap(), heard.append)
    assert len(heard) == len(iterations) > 1 and [repr(i) for i in heard] == [repr(i) for i in iterations]
    assert WORLD.allgather(heard[-1].residual) == [heard[-1].residual] * RANKS


def test_may_watch_on_one_rank_only() -> None:
    heard: list[int] = []
    _, iterations = sparse.inverse(overlap(), watch=only_on(1, lambda i: heard.append(i.number), None))
    assert heard == only_on(1, [i.number for i in iterations], [])


def test_may_look_at_matrices_meanwhile() -> None:
    S, norms = overlap(), []
    sparse.inverse(S, watch=lambda i: norms.append(S.norm()))  # collective, by all ranks
    assert norms and set(norms) == {S.norm()}


@pytest.mark.ranks
@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("rank", [0, 1])
def test_what_it_raises_on_one_rank_is_raised_on_all(f: Any, rank: int) -> None:
    S, mine = overlap(), Enough("seen enough", 42)

    def watch(i: sparse.Iteration) -> None:
        if WORLD.rank == min(rank, RANKS - 1):
            raise mine

    with raises_everywhere(Enough, "seen enough"):
        f(S, watch)
    try:
        f(S, watch)
    except Enough as error:
        assert error.args == ("seen enough", 42) and (error is mine) == (WORLD.rank == min(rank, RANKS - 1))
        assert error is mine or error.__notes__ == [f"(raised on rank {min(rank, RANKS - 1)})"]
    assert sparse.inverse(S)[1][-1].residual < 1e-3  # and works again


@pytest.mark.ranks
@pytest.mark.parametrize(("kind", "told"), [(Unpicklable, "of a kind"), (Becomes3, "of a kind"), (OfOneRank, "of a kind"), (Mute, "Mute")])
def test_what_cannot_travel_is_told(kind: type[Exception], told: str) -> None:
    def watch(i: sparse.Iteration) -> None:
        if WORLD.rank == RANKS - 1:
            raise kind("of a kind")

    with pytest.raises((kind, cairn.MpiError)) as caught:
        sparse.inverse(overlap(), watch=watch)
    assert isinstance(caught.value, kind) == (WORLD.rank == RANKS - 1)
    assert isinstance(caught.value, kind) or str(caught.value) == f"{kind.__name__} on rank {RANKS - 1}: {told}"
    assert pickle.loads(pickle.dumps(Enough("x"))).args == ("x",)


def test_an_interrupt_ends_the_iterations() -> None:
    def watch(i: sparse.Iteration) -> None:
        if WORLD.rank == 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sparse.inverse(overlap(), watch=watch)


def test_something_else_than_a_function_is_refused() -> None:
    with raises_everywhere(TypeError, "watch: int, expected a function of an Iteration"):
        sparse.inverse(overlap(), watch=only_on(1, 3, None))
