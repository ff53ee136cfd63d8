"""Block-sparse matrices that store half of their blocks, and the choice of distributions."""

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse as scipy_sparse
from support import DTYPES, RANKS, WORLD, only_on, raises_everywhere, random, spread, whole

from cairn import BlockSparse, layout, sparse
from cairn._with_mpi import MPI

SIZES = [2, 3, 0, 4, 1]
N = sum(SIZES)
TOPS = np.cumsum([0, *SIZES])
KINDS: list[Any] = ["symmetric", "antisymmetric", "hermitian"]
ANY: list[Any] = ["odd", 7]  # of which nothing is known


def mirrored(x: Any, kind: str) -> Any:
    return {"symmetric": x.T, "antisymmetric": -x.T, "hermitian": x.conj().T}[kind]


def with_symmetry(kind: str, dtype: str = "float64", seed: int = 1) -> Any:
    x = random(N, N, dtype, seed)
    x = x + mirrored(x, kind)
    x[TOPS[1] : TOPS[2], TOPS[3] : TOPS[4]] = 0
    x[TOPS[3] : TOPS[4], TOPS[1] : TOPS[2]] = 0
    return x


def stored(kind: Any, dtype: str = "float64", seed: int = 1) -> tuple[BlockSparse, Any]:
    """A matrix of which each rank stores the blocks that are here, and the same as an array."""
    x = with_symmetry(kind, dtype, seed)
    A = BlockSparse.zeros(SIZES, SIZES, dtype, symmetry=kind)
    for i in range(len(SIZES)):
        for j in range(len(SIZES)):
            part = x[TOPS[i] : TOPS[i + 1], TOPS[j] : TOPS[j + 1]]
            if A.here(i, j) and (i, j) != (1, 3):
                A.put(i, j, part)
    return A, x


def dense(A: BlockSparse) -> Any:
    return whole(A.to_dense())


@pytest.mark.ranks
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_half_is_stored_and_all_is_there(kind: Any, dtype: str) -> None:
    A, x = stored(kind, dtype)
    is_real = dtype.startswith("f")
    assert A.symmetry == ("symmetric" if is_real and kind == "hermitian" else kind) and f", {A.symmetry}, " in repr(A)
    assert np.array_equal(dense(A), x) and A.occupancy() == 0.76
    assert A.blocks() == 9 and sum(WORLD.allgather(A.local_blocks)) == 9 and all(i <= j for i, j, _ in A.items())
    assert sum(WORLD.allgather(sum(block.size for _, _, block in A.items()))) == A.words() == (4 + 9 + 16 + 1) + (6 + 8 + 2 + 3 + 4)
    assert A.norm() == pytest.approx(np.linalg.norm(x), rel=1e-5) and A.norm("max") == pytest.approx(abs(x).max())
    assert A.trace() == pytest.approx(np.trace(x), abs=1e-5) and A.dot(A) == pytest.approx(np.vdot(x, x), rel=1e-5)
    assert np.array_equal(dense(A.transposed("C")), x.conj().T) and A.transposed().where == A.where
    all_blocks = A.expanded()
    assert all_blocks.symmetry == "general" and all_blocks.blocks() == 14 and np.array_equal(dense(all_blocks), x)
    again = all_blocks.stored_as(kind)
    assert again.symmetry == A.symmetry and again.blocks() == 9 and np.array_equal(dense(again), x)
    assert again.redistribute(sparse.dealt(5, 5, 1)).symmetry == A.symmetry


def test_comes_from_what_has_all_elements() -> None:
    x = with_symmetry("hermitian", "complex128")
    some = scipy_sparse.csr_array(x)
    cut = [N * r // RANKS for r in range(RANKS + 1)]
    lo, hi = cut[WORLD.rank], cut[WORLD.rank + 1]
    alike = [
        BlockSparse.from_scipy(some, blocks=(SIZES, SIZES), symmetry="hermitian"),
        BlockSparse.from_rows(some[lo:hi], lo, SIZES, SIZES, symmetry="hermitian"),
        BlockSparse.from_dense(spread(x, layout.rows(N, N, RANKS)), SIZES, SIZES, symmetry="hermitian"),
    ]
    for A in alike:
        assert A.symmetry == "hermitian" and A.blocks() == 9 and np.array_equal(dense(A), x)
        assert np.array_equal(A.to_rows(lo, hi).toarray(), x[lo:hi])
        back = A.to_scipy()
        assert back is None or np.array_equal(back.toarray(), x)


def test_blocks_below_the_diagonal_are_asked_for_by_their_mirror_images() -> None:
    A, x = stored("symmetric")
    uses: list[Any] = [lambda: A.get(3, 1), lambda: A.put(3, 1, np.ones((4, 3))), lambda: A.add(3, 1, np.ones((4, 3))), lambda: A.reserve([(3, 1)])]
    for use in uses:
        with pytest.raises(ValueError, match=r"block: \(3, 1\), expected \(1, 3\), which a matrix that is symmetric stores instead"):
            use()
    assert not A.here(3, 1) and WORLD.allgather(A.here(1, 3)).count(True) == 1
    if A.here(0, 0):
        block = A.get(0, 0)
        assert block is not None
        with pytest.raises(ValueError, match=r"block: \(0, 0\) is not symmetric"):
            A.put(0, 0, [[1, 2], [3, 4]])
        A.put(0, 0, [[1.0, 2.0], [2.0 + 1e-12, 4.0]])
        assert block[0, 1] == block[1, 0] and block[1, 1] == 4
    for i, j, part in A.items():
        part *= 2
    x[:2, :2] = dense(A)[:2, :2] / 2
    assert np.array_equal(dense(A), 2 * x)


@pytest.mark.ranks
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_products_compute_the_half_that_out_stores(dtype: str) -> None:
    A, x = stored("hermitian", dtype)
    all_of_it, half = A @ A, BlockSparse.zeros(SIZES, SIZES, dtype, symmetry="hermitian")
    assert sparse.multiply(A, A, out=half) is half and all_of_it.symmetry == "general"
    some: Any = {"rtol": 1e-4, "atol": 1e-4} if dtype == "complex64" else {"rtol": 1e-12, "atol": 1e-12}
    assert np.allclose(dense(half), x @ x, **some) and np.allclose(dense(all_of_it), x @ x, **some)
    assert half.report is not None and all_of_it.report is not None
    flops = [WORLD.allreduce(report.flops) for report in (half.report, all_of_it.report)]
    assert flops[0] < 0.75 * flops[1] and half.blocks() < all_of_it.blocks()
    sparse.multiply(A, A, out=A, beta=-1)
    assert np.allclose(dense(A), x @ x - x, **some)
    with raises_everywhere(ValueError, "cols: other blocks than those of rows, expected the same"):
        sparse.multiply(A, A, out=half, rows=(0, 1))
    if dtype == "complex64":
        with raises_everywhere(ValueError, "beta: .* real"):
            sparse.multiply(A, A, out=half, beta=1j)


def test_sums_keep_the_symmetry_that_both_have() -> None:
    (A, x), (B, y), (C, z) = stored("hermitian", "complex128"), stored("hermitian", "complex128", 2), stored("antisymmetric", "complex128")
    G, g = A.expanded(), x
    for ours, theirs, symmetry in (
        (A + B, x + y, "hermitian"),
        (A - C, x - z, "general"),
        (A + G, x + g, "general"),
        (G - A, g - x, "general"),
        (2 * A / 4, x / 2, "hermitian"),
        (-A, -x, "hermitian"),
        (A.shifted(3), x + 3 * np.eye(N), "hermitian"),
        (A.cropped((0, 2), (0, 2)), np.pad(x[:5, :5], (0, 5)), "hermitian"),
    ):
        assert ours.symmetry == symmetry and np.allclose(dense(ours), theirs)
    A += B
    assert A.symmetry == "hermitian" and np.allclose(dense(A), x + y)
    with raises_everywhere(ValueError, "other: a matrix stored as general, expected one stored as Hermitian"):
        A -= G
    with raises_everywhere(ValueError, "shift: .* real"):
        A.shifted(1j)
    with raises_everywhere(ValueError, "shift: not zero"):
        C.shifted(1)
    with raises_everywhere(ValueError, "factor: .* real"):
        A * 1j
    with raises_everywhere(ValueError, "cols: blocks 0 to 1, expected those of the rows"):
        A.cropped((0, 2), (0, 1))


def test_functions_of_half_a_matrix_are_stored_so() -> None:
    S = BlockSparse.zeros([3] * 6, [3] * 6, symmetry="symmetric")
    for i in range(6):
        for j in range(i, min(6, i + 2)):
            if S.here(i, j):
                S.put(i, j, np.full((3, 3), 0.05) + (i == j) * np.eye(3))
    inverse, _ = sparse.inverse(S, eps=1e-10)
    assert inverse.symmetry == "symmetric" and np.allclose(dense(inverse), np.linalg.inv(dense(S)), atol=1e-7)
    P = sparse.density_matrix(S, S, electrons=2 * 18, eps=1e-9).P
    assert P.symmetry == "symmetric" and np.allclose(dense(P), 2 * np.linalg.inv(dense(S)), atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_files_keep_it(tmp_path: Path, kind: Any) -> None:
    A, x = stored(kind, "complex128")
    folder: str = WORLD.bcast(str(tmp_path))
    own, text = os.path.join(folder, "x.cbs"), os.path.join(folder, "x.mtx")
    sparse.save(own, A)
    sparse.save(text, A)
    assert (b"skew-symmetric" if kind == "antisymmetric" else kind.encode()) in Path(text).read_bytes().splitlines()[0]
    WORLD.Barrier()
    if WORLD.rank == 0:
        Path(text + ".gz").write_bytes(gzip.compress(Path(text).read_bytes()))
    WORLD.Barrier()
    for path, asked, symmetry in (
        (own, {}, kind),
        (text, {"keep_symmetry": True}, kind),
        (text, {}, "general"),
        (text + ".gz", {"row_sizes": SIZES, "keep_symmetry": True}, kind),
    ):
        B = sparse.load(path, **asked)
        assert B.symmetry == symmetry and np.array_equal(dense(B), x)
    if RANKS > 1:
        with raises_everywhere(ValueError, "row_sizes and keep_symmetry: absent and "):
            sparse.load(text, keep_symmetry=only_on(1, True, False))
    with raises_everywhere(ValueError, "the matrix is .*, expected one that is "):
        sparse.save(text, A, symmetry="hermitian" if kind != "hermitian" else "symmetric")


@pytest.mark.parametrize(
    ("make", "kind", "named"),
    [
        (lambda A: BlockSparse.zeros(SIZES, SIZES, symmetry=ANY[0]), ValueError, "symmetry: 'odd', expected one of 'general', 'symm"),
        (lambda A: BlockSparse.zeros(SIZES, SIZES, symmetry=only_on(1, ANY[1], "symmetric")), ValueError, "symmetry: 7"),
        (lambda A: BlockSparse.zeros(SIZES, [5, 5], symmetry="symmetric"), ValueError, "cols: 2 blocks, expected the 5 blocks of the rows"),
        (lambda A: A.stored_as(only_on(1, ANY[0], "symmetric")), ValueError, "symmetry: 'odd'"),
        (lambda A: A.stored_as("symmetric"), ValueError, "matrix: it is not symmetric, .* is "),
        (lambda A: BlockSparse.from_dense(A.to_dense(), SIZES, SIZES, symmetry="symmetric"), ValueError, "A: it is not symmetric"),
        (lambda A: BlockSparse.from_scipy(A.to_scipy(), blocks=(SIZES, SIZES), symmetry="symmetric"), ValueError, "array: it is not symm"),
        (lambda A: BlockSparse.from_rows(A.to_rows(0, N if WORLD.rank == 0 else 0), 0, SIZES, SIZES, symmetry="symmetric"), ValueError, "array"),
        (lambda A: sparse.choose_distribution(A, []), ValueError, "candidates: none"),
        (lambda A: sparse.choose_distribution(A, only_on(1, ANY[1], [A.where])), TypeError, "candidates: int, expected a list"),
        (lambda A: sparse.distribution_costs(A, only_on(1, [A.where, ANY[0]], [A.where])), TypeError, "candidates: str, expected Block"),
        (lambda A: sparse.distribution_costs(A, [sparse.dealt(4, 5, 1)]), ValueError, "where: 4 rows of blocks"),
        (lambda A: sparse.distribution_costs(BlockSparse.zeros([1], [2]), []), ValueError, "X: rows and columns are in different blocks"),
        (lambda A: sparse.distribution_costs(only_on(1, None, A), []), TypeError, "X: NoneType, expected a BlockSparse"),
    ],
)
def test_wrong_arguments_are_one_exception_on_every_rank(make: Any, kind: type[Exception], named: str) -> None:
    A, x = stored("hermitian", "complex128")
    G = A.expanded()
    with raises_everywhere(kind, named):
        make(G)
    assert np.array_equal(dense(G), x)


@pytest.mark.skipif(RANKS == 1, reason="about ranks that differ")
def test_symmetries_that_differ_between_ranks() -> None:
    A, x = stored("symmetric")
    differs = only_on(1, "symmetric", "general")
    makes: list[Any] = [
        lambda: BlockSparse.zeros(SIZES, SIZES, symmetry=differs),
        lambda: BlockSparse.from_dense(A.to_dense(), SIZES, SIZES, symmetry=differs),
        lambda: BlockSparse.from_scipy(scipy_sparse.csr_array(x), blocks=(SIZES, SIZES), symmetry=differs),
        lambda: BlockSparse.from_rows(scipy_sparse.csr_array((0, N)), 0, SIZES, SIZES, symmetry=differs),
        lambda: A.stored_as(differs),
    ]
    for make in makes:
        with raises_everywhere(ValueError, "symmetry: .*general.*, expected the same on all ranks|symmetry: .*symmetric"):
            make()
    with raises_everywhere(ValueError, "arguments: 1 candidates|arguments: 2 candidates"):
        sparse.distribution_costs(A, only_on(1, [A.where, A.where], [A.where]))


@pytest.mark.ranks
def test_the_distribution_with_the_fewest_words_is_chosen() -> None:
    """They are those of products: in strips of a chain, each rank needs those beside its own."""
    n = 8 * RANKS
    S = BlockSparse.zeros([2] * n, [2] * n, symmetry="symmetric")
    for i in range(n):
        for j in range(i, min(n, i + 2)):
            if S.here(i, j):
                S.put(i, j, np.full((2, 2), 1.0 + (i == j)))
    strips = sparse.distribution((RANKS, 1), [i // 8 for i in range(n)], [0] * n)
    candidates = [sparse.dealt(n, n, (RANKS, 1)), strips]
    costs = sparse.distribution_costs(S, candidates)
    for where, cost in zip(candidates, costs):
        X = S.expanded().redistribute(where)
        XX = BlockSparse.zeros(X.row_sizes, X.col_sizes, where=where)
        report = sparse.multiply(X, X, out=XX).report
        assert report is not None and cost.received == pytest.approx(WORLD.allreduce(report.received) / RANKS)
        busiest, all_ranks = WORLD.allreduce(report.flops, op=MPI.MAX), WORLD.allreduce(report.flops)
        assert cost.busiest == pytest.approx(busiest * RANKS / all_ranks) and f"busiest={cost.busiest:.3f}" in repr(cost)
    assert sparse.choose_distribution(S, iter(candidates)) == (strips if RANKS > 2 else candidates[0])  # of equals the first
    chosen = sparse.choose_distribution(S)
    assert chosen == (strips if RANKS > 2 else sparse.dealt(n, n, RANKS))
