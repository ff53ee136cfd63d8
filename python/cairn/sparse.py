"""Block-sparse matrices over mpi4py: most blocks may be zero and are then not stored. Needs SciPy where matrices come from it
or go to it (`pip install 'cairn[sparse]'`). Every function and method is collective unless it says otherwise.
Source: docs/block_sparse.md.
"""

from . import _with_mpi  # noqa: F401  first, for its errors
from ._functions import DensityMatrix, density_matrix, inverse, inverse_sqrt, sign
from ._mpi import BlockProductReport, Iteration
from ._sparse import BlockSparse, multiply

__all__ = [
    "BlockProductReport",
    "BlockSparse",
    "DensityMatrix",
    "Iteration",
    "density_matrix",
    "inverse",
    "inverse_sqrt",
    "multiply",
    "sign",
]
