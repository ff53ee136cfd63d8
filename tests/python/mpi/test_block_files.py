"""Block-sparse matrices from and to files."""

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import DTYPES, WORLD, only_on, raises_everywhere, random, whole

import cairn
from cairn import BlockSparse, sparse


@pytest.fixture
def folder(tmp_path: Path) -> str:
    shared: str = WORLD.bcast(str(tmp_path))
    return shared


def matrix(dtype: str = "float64") -> tuple[BlockSparse, Any]:
    x = random(9, 7, dtype)
    x[2:5, :3] = 0
    dense = cairn.DistMatrix.from_function(lambda i, j: x[i, j], cairn.layout.rows(9, 7, WORLD.size), dtype)
    return BlockSparse.from_dense(dense, [2, 3, 4], [3, 3, 1]), x


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["x.cbs", "x.mtx"])
def test_comes_back_as_it_was(folder: str, name: str, dtype: str) -> None:
    A, x = matrix(dtype)
    path = os.path.join(folder, name)
    sparse.save(path, A)
    B = sparse.load(Path(path), dtype=dtype)
    assert B.row_sizes == [2, 3, 4] and B.col_sizes == [3, 3, 1] and B.dtype == dtype
    assert np.array_equal(whole(B.to_dense()), x) and B.blocks() == A.blocks()
    odd = os.path.join(folder, os.fsdecode(b"\xff") + name)
    sparse.save(odd, A)
    assert np.array_equal(whole(sparse.load(only_on(1, os.fsencode(odd), odd), dtype=dtype).to_dense()), x)
    where = sparse.distribution((1, 1), [0] * 3, [0] * 3)
    C = sparse.load(path, where=where, dtype=dtype)
    assert C.where == where and np.array_equal(whole(C.to_dense()), x)


@pytest.mark.ranks
def test_blocks_are_said_as_text_or_sizes(folder: str) -> None:
    A, x = matrix()
    path = os.path.join(folder, "x.mtx")
    sparse.save(path, A)
    WORLD.Barrier()
    if WORLD.rank == 0:
        os.remove(path + ".rows")
        Path(folder, "sizes").write_text("4x2 1  % nine rows\n")
        with gzip.open(path + ".gz", "wb") as packed:
            packed.write(Path(path).read_bytes())
    WORLD.Barrier()
    with raises_everywhere(cairn.FileError, "x.mtx.rows"):
        sparse.load(path)
    for rows, cols, sizes in (("3", [3, 4], [3, 3, 3]), ("4,4,1", "7x1", [4, 4, 1]), (os.path.join(folder, "sizes"), "7", [2, 2, 2, 2, 1])):
        B = sparse.load(path + ".gz", rows, cols)
        assert B.row_sizes == sizes and np.array_equal(whole(B.to_dense()), x)
    square = A.transposed() @ A
    sparse.save(path, square)
    assert sparse.load(path, "7").col_sizes == [7]
    assert sparse.load(path, iter([3, 4])).col_sizes == [3, 4]  # type: ignore[arg-type]
    with raises_everywhere(ValueError, "rows are in other blocks than those of the file"):
        sparse.save(os.path.join(folder, "x.cbs"), A)
        sparse.load(os.path.join(folder, "x.cbs"), "3", [3, 3, 1])


def test_symmetric_matrices_are_written_as_triangles(folder: str) -> None:
    A, x = matrix("complex128")
    S = A.transposed("C") @ A
    S = (S + S.transposed("C").redistribute(S.where)) / 2
    path = os.path.join(folder, "s.mtx")
    sparse.save(path, S, symmetry="hermitian")
    assert "hermitian" in Path(path).read_text().splitlines()[0]
    assert np.allclose(whole(sparse.load(path).to_dense()), whole(S.to_dense()))
    with raises_everywhere(ValueError, "mirror image"):
        sparse.save(path, S, symmetry="symmetric")


@pytest.mark.parametrize(
    ("call", "kind", "named"),
    [
        (lambda f, A, bad: sparse.save(f + "/x.npy", A), ValueError, "path: .*x.npy', expected one that ends with .cbs or .mtx"),
        (lambda f, A, bad: sparse.save(bad(3, f + "/x.cbs"), A), TypeError, "path: int, expected a text, bytes or a path"),
        (lambda f, A, bad: sparse.save(f + "/x.cbs", bad(None, A)), TypeError, "A: NoneType, expected a BlockSparse"),
        (lambda f, A, bad: sparse.save(f + "/x.cbs", A.to_dense()), TypeError, "A: DistMatrix, expected a BlockSparse"),
        (lambda f, A, bad: sparse.save(f + "/x.cbs", A, symmetry="symmetric"), ValueError, "symmetry: 'symmetric', expected 'general'"),
        (lambda f, A, bad: sparse.save(f + "/x.mtx", A, symmetry=bad("odd", "general")), ValueError, "symmetry: 'odd'"),
        (lambda f, A, bad: sparse.save(f + "/no/such/x.cbs", A), cairn.FileError, "no/such"),
        (lambda f, A, bad: sparse.load(f + "/none.cbs"), cairn.FileError, "none.cbs"),
        (lambda f, A, bad: sparse.load(bad(3, f + "/a.cbs")), TypeError, "path: int, expected a text, bytes or a path"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", None, "1"), TypeError, "row_sizes: absent beside col_sizes"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", bad("2", "3"), [7]), ValueError, "block sizes '2'|rows are in other blocks"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", bad("no such file", "3"), [7]), (ValueError, cairn.FileError), "no such file"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", bad([9], None)), ValueError, "row_sizes|cols: 1 blocks of together 9"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", dtype="float32"), ValueError, "float32"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", dtype=bad("int8", None)), TypeError, "dtype: int8"),
        (lambda f, A, bad: sparse.load(f + "/a.cbs", where=bad(1, None)), TypeError, "where: int"),
        (lambda f, A, bad: cairn.load(f + "/a.cbs"), cairn.FileError, "block-sparse"),
    ],
)
def test_wrong_arguments_are_one_exception_on_every_rank(folder: str, call: Any, kind: Any, named: str) -> None:
    A, x = matrix()
    sparse.save(os.path.join(folder, "a.cbs"), A)
    with raises_everywhere(kind, named):
        call(folder, A, lambda wrong, right: only_on(1, wrong, right))
    assert np.array_equal(whole(sparse.load(os.path.join(folder, "a.cbs")).to_dense()), x)


def test_numbers_that_are_not_finite_are_refused_unless_allowed(folder: str) -> None:
    A, x = matrix()
    for i, j, block in A.items():
        block[...] = np.nan
    path = os.path.join(folder, "n.cbs")
    sparse.save(path, A)
    with raises_everywhere(cairn.FileError, "finite|nan|NaN"):
        sparse.load(path)
    assert sparse.load(path, allow_nonfinite=True).blocks() == A.blocks()
