"""Matrices from and to files."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from support import DTYPES, LAYOUTS, RANKS, WORLD, only_on, raises_everywhere, random, spread, whole

import cairn
from cairn import layout


@pytest.fixture
def folder() -> Iterator[Path]:
    """The same on all ranks."""
    made = TemporaryDirectory() if WORLD.rank == 0 else None
    yield Path(WORLD.bcast(made and made.name))
    WORLD.Barrier()
    if made:
        made.cleanup()


def test_saved_and_loaded_in_any_layout(folder: Path) -> None:
    for (name, make), dtype in zip(LAYOUTS.items(), itertools.cycle(DTYPES)):
        x = random(13, 8, dtype)
        for order in ("C", "F"):
            cairn.save(folder / "x.npy", spread(x, make(13, 8, "C")), order=order)
            there = np.load(folder / "x.npy")
            assert np.array_equal(there, x) and there.dtype == dtype and there.flags.f_contiguous == (order == "F"), name
            A = cairn.load(folder / "x.npy", make(13, 8, "F"))
            assert A.dtype == dtype and np.array_equal(whole(A), x) and A.layout == make(13, 8, "F")
            WORLD.Barrier()


@pytest.mark.ranks
def test_loaded_by_rows_unless_said_otherwise(folder: Path) -> None:
    x = random(9, 5, "float32")
    if WORLD.rank == 0:
        np.save(folder / "x.npy", x)
        np.save(folder / "v.npy", x[:, 0])
        (folder / "x.mtx").write_text("%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 5\n3 2 -1.5\n")
    WORLD.Barrier()
    A = cairn.load(folder / "x.npy", dtype="float64")
    assert A.layout == layout.rows(9, 5, RANKS) and A.dtype == "float64" and np.array_equal(whole(A), x)
    assert cairn.load(folder / "v.npy").shape == (9, 1)
    assert np.array_equal(whole(cairn.load(folder / "x.mtx")), np.array([[5, 0], [0, 0], [0, -1.5]]))
    A.local[...] = 2  # what was loaded is writable, and its own
    assert (whole(A) == 2).all()


def test_errors_are_the_same_on_every_rank(folder: Path) -> None:
    if WORLD.rank == 0:
        np.save(folder / "x.npy", random(4, 4))
        np.save(folder / "nan.npy", np.full((4, 4), np.nan))
        (folder / "damaged.npy").write_bytes(b"\x93NUMPY\x01")
    WORLD.Barrier()
    with raises_everywhere(cairn.FileError, "none.npy"):
        cairn.load(folder / "none.npy")
    with raises_everywhere(OSError, "damaged.npy"):
        cairn.load(folder / "damaged.npy")
    with raises_everywhere(cairn.FileError, "nan"):
        cairn.load(folder / "nan.npy")
    assert np.isnan(whole(cairn.load(folder / "nan.npy", allow_nonfinite=True))).all()
    with raises_everywhere(ValueError, r"layout: of a \(5, 4\) matrix"):
        cairn.load(folder / "x.npy", only_on(1, layout.rows(5, 4, RANKS), layout.rows(4, 4, RANKS)))
    with raises_everywhere(ValueError, "float"):
        cairn.load(folder / "x.npy", dtype="float32")
    with raises_everywhere(OSError, "no/such"):
        cairn.save(folder / "no/such/x.npy", cairn.load(folder / "x.npy"))


@pytest.mark.ranks
def test_names_are_those_of_the_system(folder: Path) -> None:
    """Text and bytes name the same file, UTF-8 or not."""
    x = random(6, 5)
    A = spread(x, layout.rows(6, 5, RANKS))
    odd = bytes(folder / "x.npy").replace(b"x.npy", b"\xff\xfe.npy")
    for path in (bytes(folder / "y.npy"), odd, os.fsdecode(odd)):
        cairn.save(path, A)
        for same in (path, os.fsencode(path), Path(os.fsdecode(path))):
            assert np.array_equal(whole(cairn.load(only_on(1, same, path))), x)
    with raises_everywhere(cairn.FileError, r"none\\xff: cannot be opened"):
        cairn.load(bytes(folder) + b"/none\xff")
    with raises_everywhere(ValueError, r"layout: of a \(5, 4\) matrix, expected \(6, 5\)"):
        cairn.load(odd, layout.rows(5, 4, RANKS))
    with raises_everywhere(ValueError, "path: .* without a null character"):
        cairn.load(only_on(1, f"{folder}/y.npy\0", f"{folder}/y.npy"))
    with raises_everywhere(ValueError, "path: an empty text, expected a name"):
        cairn.load(only_on(1, "", f"{folder}/y.npy"))
    with raises_everywhere(TypeError, "path: NoneType, expected a text, bytes or a path"):
        cairn.save(only_on(1, None, odd), A)


@pytest.mark.ranks
def test_options_are_the_same_on_every_rank(folder: Path) -> None:
    column = spread(random(6, 1), layout.rows(6, 1, RANKS))
    path = folder / "x.npy"
    cairn.save(path, column)
    if RANKS == 1:
        return  # nothing differs
    odd: list[Any] = [
        lambda: cairn.save(path, column, order=only_on(1, "F", "C")),
        lambda: cairn.save(path, column, vector=only_on(1, True, False)),
        lambda: cairn.save(only_on(1, folder / "y.npy", path), column),
        lambda: cairn.load(only_on(1, folder / "y.npy", path)),
        lambda: cairn.load(path, allow_nonfinite=only_on(1, True, False)),
    ]
    for call in odd:
        with raises_everywhere(ValueError, "expected the same on all ranks"):
            call()
    with raises_everywhere(ValueError, "truth value"):
        cairn.load(path, allow_nonfinite=only_on(1, np.zeros(2), False))
    assert [found.name for found in folder.iterdir()] == ["x.npy"]
    assert np.array_equal(whole(cairn.load(path)), random(6, 1))
