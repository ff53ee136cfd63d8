"""Sparse arrays of SciPy's, as block-sparse matrices are made of them."""

from collections.abc import Sequence
from typing import Any

from . import _arguments as args


def csr(array: Any) -> Any:
    """By rows. TypeError for what is no sparse array of numbers."""
    try:
        from scipy.sparse import issparse
    except ImportError as error:
        raise TypeError("array: needs SciPy: pip install 'cairn[sparse]'") from error
    if not issparse(array) or array.ndim != 2:
        raise TypeError(f"array: {type(array).__name__}, expected a sparse array of SciPy's of two dimensions")
    args.scalar_type(array.dtype, "array: dtype")
    rows = array.tocsr()
    if not rows.indptr.ndim == rows.indices.ndim == rows.data.ndim == 1:
        raise ValueError("array: indptr, indices and data are expected to be of one dimension")
    return rows


def blocks_of(array: Any, asked: Any) -> tuple[Any, Any]:
    """The sizes of block rows and block columns that are asked for; else those of a bsr_array."""
    if asked is not None:
        if not isinstance(asked, Sequence) or len(asked) != 2:
            raise ValueError(f"blocks: {asked!r}, expected (row_sizes, col_sizes)")
        return asked[0], asked[1]
    if array.format != "bsr":
        raise TypeError(f"array: in format {array.format}, expected bsr, or blocks=(row_sizes, col_sizes)")
    (m, n), (height, width) = array.shape, array.blocksize
    return [height] * (m // height), [width] * (n // width)
