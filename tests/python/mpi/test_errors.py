"""Wrong arguments on one rank are one exception on every rank, which names them; nothing hangs, nothing is changed."""

import time
from typing import Any

import numpy as np
import pytest
from support import RANKS, WORLD, definite, only_on, raises_everywhere, random, spread, whole

import cairn
from cairn import BlockSparse, DistMatrix, _with_mpi, layout, sparse
from cairn._with_mpi import MPI

ROWS = layout.rows(6 * RANKS, 6 * RANKS, RANKS)


def square(dtype: str = "float64", where: Any = ROWS) -> DistMatrix:
    return spread(random(6 * RANKS, 6 * RANKS, dtype), where)


def read_only() -> DistMatrix:
    mine = np.zeros((6, 6 * RANKS))
    mine.flags.writeable = False
    return DistMatrix(mine, ROWS)


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("wrong", "kind", "named"),
    [
        ({"m": "x"}, TypeError, "m: 'x', expected an integer"),
        ({"m": 65}, ValueError, "arguments: m 65 here, m 64 on rank 0; expected the same on all ranks"),
        ({"dtype": "int8"}, TypeError, "dtype"),
        ({"a": "rows"}, TypeError, "a: str, expected a Layout"),
        ({"colour": "red"}, TypeError, "colour: no such argument"),
        ({"verify_counts": "no"}, TypeError, "verify_counts: 'no', expected True or False"),
        ({"memory": "much"}, ValueError, "memory"),
    ],
)
def test_plans_agree_on_them(wrong: dict[str, Any], kind: type[Exception], named: str) -> None:
    if RANKS == 1 and wrong == {"m": 65}:
        return  # only wrong beside another one
    with raises_everywhere(kind, named):
        cairn.plan(**only_on(1, {"m": 64, "n": 64, "k": 64} | wrong, {"m": 64, "n": 64, "k": 64}), comm=WORLD)


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("wrong", "kind", "named"),
    [
        ({"A": "a matrix"}, TypeError, "A: str, expected a DistMatrix"),
        ({"B": None}, TypeError, "B: NoneType, expected a DistMatrix"),
        ({"B": np.eye(6)}, TypeError, "B: ndarray, expected a DistMatrix"),
        ({"out": 3}, TypeError, "out: int, expected a DistMatrix"),
        ({"out": read_only()}, ValueError, "out: read-only memory"),
        ({"out": square("float32")}, TypeError, "out: elements of float32, expected float64"),
        ({"out": spread(random(5, 6), layout.rows(5, 6, RANKS))}, ValueError, f"out: 5 x 6, expected {6 * RANKS} x {6 * RANKS}"),
        ({"B": square("float32")}, TypeError, "B: elements of float32, expected float64"),
        ({"B": spread(random(5, 6 * RANKS), layout.rows(5, 6 * RANKS, RANKS))}, ValueError, "as many columns of A as rows of B"),
        ({"A": square("complex64"), "B": square("complex64")}, TypeError, "out: elements of float64, expected complex64"),
        ({"alpha": 1j}, TypeError, "alpha: a complex number, expected a real one"),
        ({"alpha": "2"}, TypeError, "alpha: '2', expected a number"),
        ({"alpha": 10**400}, ValueError, r"alpha: an integer that is too large, expected a number below 2\^1024"),
        ({"alpha": np.longdouble("1e400")}, ValueError, r"alpha: 1e\+400 is too large, expected a number below 2\^1024 in size"),
        ({"beta": 1j}, TypeError, "beta: a complex number"),
        ({"memory": "much"}, ValueError, "memory"),
        ({"look_ahead": 1.5}, TypeError, "look_ahead: 1.5, expected an integer"),
        ({"look_ahead": -(2**40)}, ValueError, "look-ahead|arguments"),
        ({"max_idle": 10**400}, ValueError, "max_idle: an integer that is too large"),
        ({"colour": "red"}, TypeError, "colour"),
        ({"algorithm": "magic"}, ValueError, "algorithm|arguments"),
        ({"transport": 3}, TypeError, "transport: 3, expected a text"),
        ({"alpha": 2.0}, ValueError, "alpha and beta: .* expected the same on all ranks"),
    ],
)
def test_multiply_agrees_on_them(wrong: dict[str, Any], kind: type[Exception], named: str) -> None:
    if RANKS == 1 and "alpha" in wrong and wrong["alpha"] == 2.0:
        return  # only wrong beside another one
    A, C = square(), square()
    right = {"A": A, "B": A, "out": C, "alpha": 1.0, "beta": 1.0}  # with 0, what C holds may be gone
    with raises_everywhere(kind, named):
        arguments = only_on(1, right | wrong, right)
        cairn.multiply(arguments.pop("A"), arguments.pop("B"), **arguments)
    assert np.array_equal(whole(C), random(6 * RANKS, 6 * RANKS))  # as it was
    assert np.allclose(whole(cairn.multiply(A, A, out=C)), whole(A) @ whole(A))  # and works again


@pytest.mark.ranks
def test_numbers_that_single_precision_does_not_hold() -> None:
    A = square("float32")
    S, large = BlockSparse.zeros([3] * 4, [3] * 4, "complex64"), only_on(1, -1e39, 1.0)
    said = r"a number of size 1e\+39, expected at most 3.402823e\+38 for elements of "
    with raises_everywhere(ValueError, "alpha: " + said + "float32"):
        cairn.multiply(A, A, alpha=large)
    with raises_everywhere(ValueError, "beta: " + said + "float32"):
        cairn.redistribute(A, out=square("float32"), beta=large)
    with raises_everywhere(ValueError, "beta: " + said + "complex64"):
        sparse.multiply(S, S, out=S, beta=large)
    with pytest.raises(ValueError, match="factor: " + said + "complex64"):
        S * 1e39j
    assert cairn.multiply(A, A, alpha=float("inf")).norm("max") == np.inf


def test_out_on_some_ranks_only() -> None:
    if RANKS > 1:
        with raises_everywhere(ValueError, "out and check: given and False here, absent and False, .* on rank 0"):
            cairn.multiply(square(), square(), out=only_on(1, square(), None))
        with raises_everywhere(ValueError, "out and check: absent and True here, absent and False on rank 0"):
            cairn.multiply(square(), square(), check=only_on(1, True, False))
        for other in (square("float32"), square(where=layout.columns(6 * RANKS, 6 * RANKS, RANKS)), square().T):
            cairn.multiply(other, other), cairn.multiply(square(), square())  # plans are there
            with raises_everywhere(ValueError, "out and check: .* expected the same on all ranks"):
                cairn.multiply(*only_on(1, (other, other), (square(), square())))
        with raises_everywhere(ValueError, "out and check: given and True, beta not 0 here"):
            cairn.multiply(square(), square(), out=square(), beta=only_on(1, 2, 0), check=True)
        where = square().layout
        with raises_everywhere(ValueError, "layout and out: out here, a layout on rank 0"):
            cairn.redistribute(square(), **only_on(1, {"out": square()}, {"layout": where}))
    with raises_everywhere(ValueError, "beta: 2, expected 0 without out"):
        cairn.multiply(square(), square(), beta=2)


@pytest.mark.ranks
def test_too_little_memory_on_one_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """What NumPy would say of an array that does not fit."""
    A, S = square(), spread(definite(6 * RANKS), ROWS)
    run = cairn.Multiplication(cairn.plan(8, 8, 8, ranks=RANKS))
    P, Q = run.new_a(), run.new_b()

    def full(*_: Any, **__: Any) -> Any:
        raise MemoryError("Unable to allocate 1 EiB")

    if WORLD.rank == min(1, RANKS - 1):
        monkeypatch.setattr("cairn._memory.allocate", full)
        monkeypatch.setattr("cairn._matrix._moduli", full)
        monkeypatch.setattr(DistMatrix, "copy", full)
    calls: list[Any] = [lambda: A @ A, lambda: run(P, Q), lambda: DistMatrix.zeros(ROWS), lambda: cairn.cholesky(S), lambda: cairn.solve(S, A)]
    calls += [lambda: A.norm(), lambda: A.norm("max"), lambda: A.norm(1), lambda: A.norm(np.inf)]
    for call in calls:
        with raises_everywhere(MemoryError, "Unable to allocate 1 EiB"):
            call()


def test_no_operand_is_a_matrix() -> None:
    A, bad = square(), only_on(1, True, False)
    for call, named in (
        (lambda: cairn.multiply(1 if bad else A, 2 if bad else A), "A: int"),  # type: ignore[arg-type]
        (lambda: cairn.cholesky("A" if bad else A), "A: str"),  # type: ignore[arg-type]
        (lambda: cairn.solve(A, None if bad else A), "B: NoneType"),  # type: ignore[arg-type]
        (lambda: cairn.redistribute(None if bad else A, ROWS), "A: NoneType"),  # type: ignore[arg-type]
        (lambda: cairn.save("/x.npy", None if bad else A), "A: NoneType"),  # type: ignore[arg-type]
    ):
        with raises_everywhere(TypeError, f"{named}, expected a DistMatrix"):
            call()
    with raises_everywhere(TypeError, "path: .*, expected a text, bytes or a path"):
        cairn.load(only_on(1, 3, "/x.npy"))


def test_block_sparse_matrices_have_functions_of_their_own() -> None:
    A, run = square(), cairn.Multiplication(cairn.plan(8, 8, 8, ranks=RANKS))
    S, P, Q = BlockSparse.from_dense(A, [6] * RANKS, [6] * RANKS), run.new_a(), run.new_b()
    calls: list[Any] = [lambda: cairn.save("/x.npy", only_on(1, S, A)), lambda: cairn.multiply(only_on(1, S, A), A), lambda: run(only_on(1, S, P), Q)]
    for call in calls:
        with raises_everywhere(TypeError, "A: BlockSparse, expected a DistMatrix; functions of block-sparse matrices are in cairn.sparse"):
            call()


@pytest.mark.ranks
@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("wrong", [None, np.eye(6), "A"])
def test_a_rank_without_any_matrix_tells_the_others_where_they_are(told: bool, wrong: Any) -> None:
    """On the world, wherever it has been last, or on a communicator that is named."""
    comm, other = WORLD.Dup() if told else WORLD, WORLD.Dup()
    A = spread(random(6 * RANKS, 6 * RANKS), ROWS, comm)
    S = spread(definite(6 * RANKS), ROWS, comm)
    B = BlockSparse.from_dense(A, [6] * RANKS, [6] * RANKS)
    named: Any = {"comm": comm} if told else {}
    none = only_on(1, True, False)
    calls: list[Any] = [
        lambda: cairn.multiply(wrong if none else A, wrong if none else A, **named),
        lambda: cairn.redistribute(wrong if none else A, ROWS, **named),
        lambda: cairn.cholesky(wrong if none else S, **named),
        lambda: cairn.solve(wrong if none else S, wrong if none else A, **named),
        lambda: cairn.solve_triangular(wrong if none else S, wrong if none else A, **named),
        lambda: cairn.save("/x.npy", wrong if none else A, **named),
        lambda: BlockSparse.from_dense(wrong if none else A, [6] * RANKS, [6] * RANKS, **named),
        lambda: sparse.multiply(wrong if none else B, wrong if none else B, **named),
        lambda: sparse.inverse(wrong if none else B, **named),
        lambda: sparse.density_matrix(wrong if none else B, wrong if none else B, electrons=2, **named),
        lambda: sparse.choose_distribution(wrong if none else B, [B.where], **named),
        lambda: sparse.distribution_costs(wrong if none else B, [B.where], **named),
        lambda: sparse.save("/x.cbs", wrong if none else B, **named),
    ]
    for call in calls:
        DistMatrix.zeros(ROWS, comm=other)
        DistMatrix.zeros(layout.on_one_rank(2, 2), comm=MPI.COMM_SELF)
        with raises_everywhere(TypeError, f"[AHSX]: {type(wrong).__name__}, expected a (DistMatrix|BlockSparse)"):
            call()
    with raises_everywhere(ValueError, "A: on another communicator, expected one for all matrices"):
        cairn.multiply(A, A, comm=other)
    with raises_everywhere(ValueError, "A: on another communicator, expected one for all matrices"):
        sparse.multiply(B, B, comm=other)
    other.Free()
    if told:
        comm.Free()


def test_a_rank_that_waits_for_others_says_for_what(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    A, bad = square(), only_on(1, True, False)
    for patience in (0.05, 60):
        monkeypatch.setattr("cairn._with_mpi._PATIENCE", patience)
        if not bad and patience < 1:
            time.sleep(0.2)
        with raises_everywhere(TypeError, "A: NoneType" if RANKS > 1 else "A: "):
            cairn.multiply(None if bad else A, 3 if bad else A)  # type: ignore[arg-type]
        told = f"cairn: rank {WORLD.rank} was handed int where matrices are expected, and waits on COMM_WORLD" in capfd.readouterr().err
        assert told == (bad and patience < 1 and RANKS > 1)
    assert not _with_mpi._waiting


@pytest.mark.ranks
def test_operators_agree_on_what_is_no_matrix() -> None:
    """Python alone would raise on the rank that has none, and the others would wait."""
    A = square()
    Z = square("complex64")
    B = BlockSparse.from_dense(A, [6] * RANKS, [6] * RANKS)
    for x, kind in ((A, "DistMatrix"), (Z, "DistMatrix"), (Z.H, "DistMatrix"), (B, "BlockSparse")):
        with raises_everywhere(TypeError, f"B: NoneType, expected a {kind}"):
            x @ only_on(1, None, x)
        with raises_everywhere(TypeError, f"A: (NoneType|ndarray), expected a {kind}"):
            only_on(1, None, np.eye(6)) @ x
    with raises_everywhere(TypeError, "other: NoneType, expected a BlockSparse"):
        B + only_on(1, None, B)
    with raises_everywhere(TypeError, "other: int, expected a BlockSparse"):
        1 - B


def test_out_overlaps_an_operand() -> None:
    A = square()
    with raises_everywhere(ValueError, "out"):
        cairn.multiply(A, A, out=A)
    with raises_everywhere(ValueError, "out"):
        cairn.multiply(A, A, out=A.T)
    plan = cairn.plan(24, 24, 24, ranks=RANKS)
    run, B = cairn.Multiplication(plan), DistMatrix.zeros(plan.layout_b)
    memory = np.zeros(2 * max(B.local.size, 24 * 24))
    P, C = (
        DistMatrix(memory[: x.local.size].reshape(x.local.shape, order="C" if x.layout.order == "C" else "F"), x.layout)
        for x in (run.new_a(), run.new_c())
    )
    if all(WORLD.allgather(bool(P.local.size and C.local.size))):
        with raises_everywhere(ValueError, "out: in the memory of A"):
            run(P, B, P if P.layout == C.layout else C)
    with raises_everywhere(ValueError, "out: in the memory of A"):
        cairn.redistribute(A.T, out=A)
    with raises_everywhere(ValueError, "beta: 2, expected 0 without out"):
        cairn.redistribute(A, ROWS, beta=2)
    S = spread(definite(6 * RANKS), ROWS)
    calls: list[Any] = [lambda: cairn.solve_triangular(S, S, overwrite=True), lambda: cairn.solve(S, S.T, overwrite=True)]
    for call in calls:
        with raises_everywhere(ValueError, "B: in the memory of A"):
            call()


@pytest.mark.ranks
def test_equal_numbers_of_other_types_are_the_same() -> None:
    S = spread(definite(6 * RANKS), ROWS)
    B = BlockSparse.from_dense(S, [6] * RANKS, [6] * RANKS)
    cairn.solve_triangular(S, S, alpha=only_on(1, 1, 1.0), unit_diagonal=only_on(1, 1, True))
    sparse.multiply(B, B, alpha=only_on(1, 1, np.float64(1)), eps=only_on(1, 0, 0.0), rows=only_on(1, [0, 1], (0, 1)))
    if RANKS > 1:
        with raises_everywhere(ValueError, "arguments: uplo lower here, uplo upper on rank 0|arguments: uplo upper here, uplo lower on rank 0"):
            cairn.solve_triangular(S, S, uplo=only_on(1, "upper", "lower"))


def test_a_planned_product_agrees_on_them() -> None:
    plan = cairn.plan(24, 24, 24, ranks=RANKS)
    run = cairn.Multiplication(plan)
    A, B, C = run.new_a(), run.new_b(), DistMatrix.zeros(plan.layout_c)
    mine = np.zeros(C.local.shape, order="F" if C.layout.order == "F" else "C")
    mine.flags.writeable = False
    for wrong, kind, named in (
        ((1, B, C), TypeError, "A: int, expected a DistMatrix"),
        ((A, B, "C"), TypeError, "out: str, expected a DistMatrix"),
        ((A, B.astype("float32"), C), TypeError, "B: elements of float32, expected float64"),
        ((A, B, DistMatrix._of(mine, plan.layout_c, WORLD, WORLD.rank)), ValueError, "out: read-only memory"),
        ((DistMatrix.zeros(layout.on_one_rank(24, 25)), B, C), ValueError, "A"),
    ):
        with raises_everywhere(kind, named):
            run(*only_on(1, wrong, (A, B, C)))
    with raises_everywhere(TypeError, "alpha: a complex number"):
        run(A, B, C, alpha=only_on(1, 1j, 1.0))
    with raises_everywhere(ValueError, "alpha: an integer that is too large"):
        run(A, B, C, alpha=only_on(1, 10**400, 1))
    assert run(A, B, C) is C


def test_multiplications_are_made_of_plans_for_so_many_ranks() -> None:
    with raises_everywhere(TypeError, "plan: 'cosma', expected the plan of a product"):
        cairn.Multiplication(only_on(1, "cosma", cairn.plan(8, 8, 8, ranks=RANKS)))
    with raises_everywhere(TypeError, "expected the plan of a product"):
        cairn.Multiplication(cairn.plan_cholesky(8, ranks=RANKS))
    with raises_everywhere(ValueError, "rank"):
        cairn.Multiplication(cairn.plan(8, 8, 8, ranks=RANKS + 1))
    if RANKS > 1:
        with raises_everywhere(ValueError, "plan"):
            cairn.Multiplication(cairn.plan(8, 8, only_on(1, 9, 8), ranks=RANKS))


@pytest.mark.parametrize(
    ("make", "kind", "named"),
    [
        (lambda bad: DistMatrix.zeros(only_on(1, "rows", ROWS) if bad else ROWS), TypeError, "layout: str, expected a cairn.Layout"),
        (lambda bad: DistMatrix.zeros(ROWS, only_on(1, int, float)), TypeError, "dtype: int"),
        (lambda bad: DistMatrix.zeros(ROWS, only_on(1, "(2,f8", float)), TypeError, r"dtype: \(2,f8, expected float32"),
        (lambda bad: DistMatrix.zeros(layout.rows(4, 4, RANKS + 1)), ValueError, "layout: over"),
        (lambda bad: DistMatrix.zeros(ROWS, only_on(1, "float32", "float64")), ValueError, "layout or dtype"),
        (lambda bad: DistMatrix.from_numpy(np.eye(3), ROWS), ValueError, r"array: of shape \(3, 3\)"),
        (lambda bad: DistMatrix.from_numpy("x", ROWS), TypeError, "array: str, expected a NumPy array"),
        (lambda bad: DistMatrix.from_numpy(np.eye(6 * RANKS), ROWS, root=only_on(1, RANKS, 0)), ValueError, "root"),
        (lambda bad: square().gather(only_on(1, -1, 0)), ValueError, "root"),
        (lambda bad: square().norm(only_on(1, 2, "fro")), ValueError, "ord: 2, expected one of 'fro', 'max', 1, inf"),
        (lambda bad: BlockSparse.zeros([3], [3]).norm(only_on(1, [], "max")), ValueError, r"ord: \[\], expected one of"),
        (lambda bad: square().redistribute(only_on(1, None, ROWS)), TypeError, "layout and out"),
        (lambda bad: square().redistribute(layout.rows(4, 4, RANKS)), ValueError, f"layout: 4 x 4, expected {6 * RANKS} x {6 * RANKS}"),
        (lambda bad: square().redistribute("rows"), TypeError, "layout: str, expected a cairn.Layout"),  # type: ignore[arg-type]
        (lambda bad: cairn.redistribute(square(), out=DistMatrix.zeros(layout.rows(4, 4, RANKS))), ValueError, "out: 4 x 4, expected"),
        (lambda bad: cairn.redistribute(square(), out=only_on(1, read_only(), square())), ValueError, "out: read-only"),
        (lambda bad: cairn.redistribute(square(), out=square("float32")), TypeError, "out: elements of float32, expected float64"),
    ],
)
def test_matrices_agree_on_them(make: Any, kind: type[Exception], named: str) -> None:
    if RANKS == 1 and named == "layout or dtype":
        return
    with raises_everywhere(kind, named):
        make(True)


class Odd:
    """Of a program's: no integer, and it raises what no argument should."""

    def __init__(self, problem: Exception):
        self._problem = problem

    def __index__(self) -> int:
        raise self._problem


class Mute(ValueError):
    def __str__(self) -> str:
        raise AttributeError("text")


@pytest.mark.ranks
def test_what_arguments_raise_is_told_to_all_ranks() -> None:
    root, told = only_on(1, Odd(RuntimeError("odd")), 0), "^odd$" if WORLD.rank == min(1, RANKS - 1) else r"^RuntimeError: odd \(rank 1\)$"
    with pytest.raises(RuntimeError if WORLD.rank == min(1, RANKS - 1) else ValueError, match=told):
        square().gather(root)
    with raises_everywhere(ValueError, "^Mute"):
        square().gather(only_on(1, Odd(Mute()), 0))
    assert square().gather(None).shape == (6 * RANKS, 6 * RANKS)


def test_messages_about_layouts_are_short() -> None:
    if RANKS > 1:
        owners = [[[(i + s * j) % RANKS for j in range(50)] for i in range(50)] for s in (0, 1)]
        one, other = (layout.blocks(range(51), range(51), owner, RANKS) for owner in owners)
        with pytest.raises(ValueError, match="^layout or dtype: .*in blocks .* expected the same on all ranks") as caught:
            DistMatrix.zeros(only_on(1, one, other))
        assert len(str(caught.value)) < 250
        with raises_everywhere(ValueError, "out and check: .* expected the same on all ranks"):
            cairn.multiply(*[DistMatrix._of(np.ones(x.words(WORLD.rank)), x, WORLD, WORLD.rank) for x in [only_on(1, one, other)] * 2])


@pytest.mark.ranks
def test_ranks_that_ask_for_different_norms() -> None:
    if RANKS > 1:
        for A in (square(), BlockSparse.zeros([3], [3])):
            with raises_everywhere(ValueError, "ord"):
                A.norm(only_on(1, "max", "fro"))


@pytest.mark.ranks
def test_communicators_that_are_none_or_freed() -> None:
    with pytest.raises(TypeError, match="comm: int, expected a communicator of mpi4py"):
        DistMatrix.zeros(ROWS, comm=1)
    with pytest.raises(ValueError, match="comm: a freed communicator"):
        DistMatrix.zeros(ROWS, comm=MPI.COMM_NULL)
    comm = WORLD.Dup()
    A = DistMatrix.zeros(ROWS, comm=comm)
    run = cairn.Multiplication(cairn.plan(8, 8, 8, ranks=RANKS), comm)
    B = run.new_a()
    S = BlockSparse.from_dense(A, [6] * RANKS, [6] * RANKS)
    assert whole(A @ A).shape == A.shape
    comm.Free()
    collective: list[Any] = [
        *(lambda: A @ A, lambda: A.gather(), lambda: A.redistribute(ROWS), lambda: A.norm(), lambda: A.norm(1), lambda: A.trace()),
        *(lambda: run(B, B), lambda: run.new_a(), lambda: cairn.cholesky(A), lambda: S.norm()),
    ]
    for use in collective:
        with pytest.raises(ValueError, match="comm: a freed communicator"):
            use()
    assert A.local.sum() == 0  # what is not collective still works
    assert (A.T * 2 + A.T).copy().T.local.sum() == 0 and [part.size for *_, part in A.patches()] == [36 * RANKS]
    for x in (A, A.T, S, run):
        assert repr(x)
    assert "on a freed communicator" in repr(A) and "on a freed communicator" in repr(S)


def test_matrices_on_two_communicators() -> None:
    other = WORLD.Dup()
    with raises_everywhere(ValueError, "B: on another communicator"):
        cairn.multiply(square(), DistMatrix.zeros(ROWS, comm=other))
    with pytest.raises(ValueError, match="other: another layout or communicator"):
        square() + DistMatrix.zeros(ROWS, comm=other)
    other.Free()
