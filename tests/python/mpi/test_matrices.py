"""Distributed matrices: made, looked at, moved."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from support import DTYPES, LAYOUTS, RANKS, WORLD, only_on, random, raises_everywhere, shape_of_grid, spread, whole

import cairn
from cairn import DistMatrix, layout
from cairn._with_mpi import MPI


@pytest.mark.ranks
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_from_a_function_and_gathered(name: str, order: str) -> None:
    A = DistMatrix.from_function(lambda i, j: 100 * i + j, LAYOUTS[name](11, 13, order))
    expected = np.fromfunction(lambda i, j: 100 * i + j, (11, 13))
    assert np.array_equal(whole(A), expected)
    for root in range(RANKS):
        here = A.gather(root)
        if WORLD.rank == root:
            assert here is not None and np.array_equal(here, expected)
        else:
            assert here is None
    assert A.shape == (11, 13) and A.layout.order == order and A.report is None and repr(A).startswith("<DistMatrix 11 x 13")


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("root", [0, RANKS - 1])
def test_from_numpy_on_one_rank(dtype: str, root: int) -> None:
    x = random(9, 14, dtype)
    for name, given in zip(LAYOUTS, itertools.cycle((x, np.asfortranarray(x), x.repeat(2, axis=1)[:, ::2]))):
        A = DistMatrix.from_numpy(given if WORLD.rank == root else None, LAYOUTS[name](9, 14, "C"), root)
        assert A.dtype == dtype and np.array_equal(whole(A), x), name


@pytest.mark.ranks
def test_from_functions_that_raise_raise_on_all_ranks() -> None:
    def f(i: object, j: object) -> float:
        if WORLD.rank == RANKS - 1:
            raise ZeroDivisionError("no such luck")
        return 1.0

    with raises_everywhere(ZeroDivisionError, "^no such luck"):
        DistMatrix.from_function(f, layout.rows(RANKS, 4, RANKS))
    with raises_everywhere(TypeError, "^f: None, expected numbers"):
        DistMatrix.from_function(lambda i, j: only_on(1, None, 1), layout.rows(RANKS, 4, RANKS))


def test_from_functions_loses_no_imaginary_parts() -> None:
    where = layout.rows(RANKS, 4, RANKS)
    with raises_everywhere(TypeError, "^f: complex values, expected real ones for elements of float32"):
        DistMatrix.from_function(lambda i, j: only_on(1, 1j, 1) * (i + j), where, "float32")
    assert DistMatrix.from_function(lambda i, j: 1j, where, "complex64").norm("max") == 1


@pytest.mark.ranks
@pytest.mark.parametrize("target", LAYOUTS)
@pytest.mark.parametrize("source", ["rows", "block_cyclic", "blocks"])
def test_redistributed_to_every_layout(source: str, target: str) -> None:
    x = random(17, 12, "complex64")
    A = spread(x, LAYOUTS[source](17, 12, "C"))
    B = A.redistribute(LAYOUTS[target](17, 12, "F"))
    assert B.layout == LAYOUTS[target](17, 12, "F") and np.array_equal(whole(B), x)
    C = cairn.redistribute(A, out=spread(x, B.layout), alpha=2, beta=-1)
    assert np.array_equal(whole(C), x)


def test_redistributes_adjoints() -> None:
    x = random(6, 9, "complex128")
    A = spread(x, layout.rows(6, 9, RANKS))
    B = A.H.redistribute(layout.columns(9, 6, RANKS))
    assert np.array_equal(whole(B), x.conj().T)
    assert np.array_equal(whole(A.H.copy()), x.conj().T) and np.array_equal(whole(A.H.T), x.conj())
    assert A.H.H is A and A.H.shape == (9, 6) and A.H.dtype == A.dtype and "adjoint" in repr(A.H)
    assert np.array_equal(A.H.gather(None), x.conj().T) and np.array_equal(whole(A.H.conj()), x.T)


@pytest.mark.parametrize("name", LAYOUTS)
def test_transposed_in_the_same_memory(name: str) -> None:
    x = random(10, 7)
    A = spread(x, LAYOUTS[name](10, 7, "C"))
    assert np.array_equal(whole(A.T), x.T) and A.T.shape == (7, 10)
    assert np.shares_memory(A.T.local, A.local) or A.local.size == 0
    assert np.array_equal(whole(A.T.T), x) and np.array_equal(whole(A.H), x.T)


@pytest.mark.parametrize(("name", "dtype"), list(zip(LAYOUTS, itertools.cycle(DTYPES))))
def test_arithmetic_is_numpys(name: str, dtype: str) -> None:
    x, y = random(8, 9, dtype, 1), random(8, 9, dtype, 2)
    A, B = (spread(z, LAYOUTS[name](8, 9, "C")) for z in (x, y))
    for ours, theirs in (
        (A + B, x + y),
        (A - B, x - y),
        (2 * A, 2 * x),
        (A * np.float32(3), x * np.float32(3)),
        (np.float64(0.5) * A, np.float64(0.5) * x),
        (np.bool_(True) * A, np.bool_(True) * x),
        (A / 4, x / 4),
        (-A, -x),
        (A.conj(), x.conj()),
        (A.real, x.real),
        (A.imag, x.imag),
        (A.astype("complex128"), x.astype("complex128")),
        (A.copy(), x),
        (1j * A, 1j * x),
    ):
        assert ours.dtype == theirs.dtype and np.array_equal(whole(ours), theirs) and ours.layout == A.layout
    A.copy().local[...] = 0
    assert np.array_equal(whole(A), x)


@pytest.mark.parametrize("name", LAYOUTS)
def test_assignments_write_the_matrix_itself(name: str) -> None:
    x, y = random(8, 9, "float32", 1), random(8, 9, "float32", 2)
    A, B = (spread(z, LAYOUTS[name](8, 9, "C")) for z in (x, y))
    before, memory = A, A.local
    address = memory.__array_interface__["data"]
    A += B
    A *= 3
    A -= B
    A /= np.float64(7)
    x += y
    x *= 3
    x -= y
    x /= np.float64(7)
    assert A is before and A.local.__array_interface__["data"] == address and A.dtype == np.float32 and np.array_equal(whole(A), x)
    for of_numbers in (A.local, A):
        with pytest.raises(TypeError, match="complex"):
            of_numbers *= 1j
    assert np.array_equal(whole(A), x)
    memory.flags.writeable = False
    read_only = DistMatrix(memory, A.layout)
    with pytest.raises(ValueError, match="read-only"):
        read_only += B


def test_copies_have_memory_of_their_own() -> None:
    x = random(8, 9)
    A = spread(x, LAYOUTS["rows"](8, 9, "C"))
    for B in (copy.copy(A), copy.deepcopy([A])[0], A.copy()):
        B.local[...] = 0
        assert B.layout == A.layout and np.array_equal(whole(A), x)
    with pytest.raises(TypeError, match="a DistMatrix belongs to its communicator"):
        pickle.dumps(A)


def test_arithmetic_refuses_others() -> None:
    A = DistMatrix.zeros(layout.rows(4, 4, RANKS))
    with pytest.raises(ValueError, match="another layout"):
        A + DistMatrix.zeros(layout.columns(4, 4, RANKS) if RANKS > 1 else layout.rows(4, 5, 1))
    for other in ("x", None, np.eye(4)):
        with pytest.raises(TypeError):
            A + other  # type: ignore[operator]
        with pytest.raises(TypeError):
            A @ other  # type: ignore[operator]
        with pytest.raises(TypeError):
            A * other


@pytest.mark.ranks
@pytest.mark.parametrize(("name", "dtype"), list(zip(LAYOUTS, itertools.cycle(DTYPES))))
def test_norms_and_trace(name: str, dtype: str) -> None:
    x = random(9, 9, dtype)
    A = spread(x, LAYOUTS[name](9, 9, "F"))
    some = 1e-6 if dtype in ("float32", "complex64") else 1e-14
    for ord in ("fro", 1, np.inf):
        assert A.norm(ord) == pytest.approx(np.linalg.norm(x, ord), rel=some)
    assert A.norm("max") == pytest.approx(abs(x).max(), rel=some)
    assert A.trace() == pytest.approx(np.trace(x), rel=9 * some, abs=9 * some)
    assert len(set(WORLD.allgather(A.norm()))) == 1


def test_norms_neither_overflow_nor_hide_nan() -> None:
    x = np.full((5, 5), 1e300)
    A = spread(x, layout.rows(5, 5, RANKS))
    assert A.norm() == pytest.approx(5e300)
    x[4, 4] = np.nan
    B = spread(x, layout.rows(5, 5, RANKS))
    assert np.isnan(B.norm()) and np.isnan(B.norm("max")) and np.isnan(B.norm(1)) and np.isnan(B.trace())
    large = spread(np.full((3, 3), 3e38 + 3e38j, "complex64"), layout.rows(3, 3, RANKS))
    modulus = abs(complex(np.complex64(3e38 + 3e38j)))
    for ord, times in (("max", 1), ("fro", 3), (1, 3), (np.inf, 3)):
        assert large.norm(ord) == pytest.approx(times * modulus)  # type: ignore[arg-type]
    empty = DistMatrix.zeros(layout.rows(0, 4, RANKS))
    assert empty.norm() == empty.norm("max") == empty.norm(1) == empty.norm(np.inf) == 0
    with pytest.raises(ValueError, match="ord"):
        A.norm(2)
    with pytest.raises(ValueError, match="square"):
        empty.trace()


@pytest.mark.ranks
def test_patches_name_every_element_once() -> None:
    for name, make in LAYOUTS.items():
        A = DistMatrix.zeros(make(10, 11, "C"))
        for rows, cols, part in A.patches():
            part += 100 * rows[:, np.newaxis] + cols
        assert np.array_equal(whole(A), np.fromfunction(lambda i, j: 100 * i + j, (10, 11))), name


def test_subcommunicators() -> None:
    half = WORLD.Split(WORLD.rank % 2)
    x = random(12, 12, seed=WORLD.rank % 2)
    A = DistMatrix.from_function(lambda i, j: x[i, j], layout.rows(12, 12, half.size), comm=half)
    assert A.comm == half and np.allclose(whole(A @ A), x @ x)
    half.Free()


class Reserved(MPI.Intracomm):
    """A communicator on which nobody but the program talks."""

    def _refuse(self, *_: object, **__: object) -> None:
        raise AssertionError("a collective call on the program's communicator")

    allgather = allreduce = bcast = Allreduce = _refuse  # type: ignore[assignment]


def test_talks_on_a_communicator_of_its_own() -> None:
    comm = Reserved(WORLD.Dup())
    A = DistMatrix.from_numpy(random(6, 6), layout.rows(6, 6, RANKS), comm=comm)
    assert A.trace() == pytest.approx(np.trace(random(6, 6))) and all(A.norm(ord) > 0 for ord in ("fro", "max", 1, np.inf))
    with pytest.raises(ZeroDivisionError):
        DistMatrix.from_function(lambda i, j: 1 // 0, layout.rows(RANKS, 4, RANKS), comm=comm)
    scipy_sparse = pytest.importorskip("scipy.sparse")
    S = cairn.BlockSparse.from_scipy(scipy_sparse.bsr_array(3 * np.eye(6), blocksize=(2, 2)), comm=comm)
    cairn.sparse.inverse(S, watch=lambda i: None)
    comm.Free()


def test_from_scalapack_borrows() -> None:
    x, (pr, pc) = random(23, 17), shape_of_grid()
    dealt = layout.block_cyclic(23, 17, block=(4, 3), grid=(pr, pc))
    shape = DistMatrix.zeros(dealt).local.shape
    memory = np.full((shape[0] + 3, shape[1]), np.nan, order="F")
    A = DistMatrix.from_scalapack([1, 0, 23, 17, 4, 3, 0, 0, shape[0] + 3], memory, (pr, pc))
    assert A.layout == dealt and (A.local.size == 0 or np.shares_memory(A.local, memory))
    A.local[...] = spread(x, dealt).local
    assert np.array_equal(whole(A), x) and np.isnan(memory[shape[0] :]).all()
    with raises_everywhere(ValueError, "desc: of type 2"):
        DistMatrix.from_scalapack([2, 0, 23, 17, 4, 3, 0, 0, shape[0] + 3], memory, (pr, pc))
    with raises_everywhere(ValueError, "desc: lld|local"):
        DistMatrix.from_scalapack([1, 0, 23, 17, 4, 3, 0, 0, 1], memory, (pr, pc))
    with raises_everywhere(ValueError, "desc"):
        DistMatrix.from_scalapack([1, 0, 23], memory, (pr, pc))


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("entry", "value", "named"),
    [
        (2, -1, "m -1, expected 0 or more"),
        (3, -1, "n -1, expected 0 or more"),
        (4, 0, "mb 0, expected at least 1"),
        (5, -2, "nb -2, expected at least 1"),
        (6, RANKS, rf"rsrc {RANKS}, expected 0\.\.{shape_of_grid()[0] - 1}"),
        (7, -1, rf"csrc -1, expected 0\.\.{shape_of_grid()[1] - 1}"),
        (8, 0, "lld 0, expected at least"),
        (2, 2**40, "lld 30, expected at least [0-9]{12}"),  # of which there is no layout to wait for
    ],
)
def test_from_scalapack_names_the_entry_that_is_wrong(entry: int, value: int, named: str) -> None:
    desc, memory = [1, 0, 23, 17, 4, 3, 0, 0, 30], np.zeros((30, 17), order="F")
    assert DistMatrix.from_scalapack(desc, memory, shape_of_grid()).shape == (23, 17)
    with raises_everywhere(ValueError, f"^desc: {named}"):
        DistMatrix.from_scalapack([*desc[:entry], value, *desc[entry + 1 :]], memory, shape_of_grid())
    with raises_everywhere(ValueError, "^grid: 0 x 1, expected"):
        DistMatrix.from_scalapack(desc, memory, (0, 1))
    with raises_everywhere(ValueError, r"^local: of shape \(0, 17\), expected at least"):
        DistMatrix.from_scalapack(desc, memory[:0], shape_of_grid())


def test_shares_the_local_part_by_dlpack() -> None:
    A = spread(random(8, 8), layout.rows(8, 8, RANKS))
    other = np.from_dlpack(A)
    assert A.local.size == 0 or np.shares_memory(other, A.local)
