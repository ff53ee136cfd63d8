"""Block-sparse matrices over mpi4py: most blocks may be zero and are then not stored. SciPy is needed where matrices come from
it or go to it (`pip install 'cairn[sparse]'`). Every function and method is collective unless it says otherwise. Source:
docs/block_sparse.md.
"""

from . import _with_mpi  # noqa: F401  first, for its errors
from ._core import BlockDistribution
from ._distribution import by_region, dealt, distribution
from ._distribution_costs import choose_distribution, distribution_costs
from ._functions import DensityMatrix, density_matrix, inverse, inverse_sqrt, sign
from ._mpi import BlockProductReport, DistributionCost, Iteration
from ._sparse import BlockSparse
from ._sparse_files import load, save
from ._sparse_products import multiply, plan_multiply

__all__ = [
    "BlockDistribution",
    "BlockProductReport",
    "BlockSparse",
    "DensityMatrix",
    "DistributionCost",
    "Iteration",
    "by_region",
    "choose_distribution",
    "dealt",
    "density_matrix",
    "distribution",
    "distribution_costs",
    "inverse",
    "inverse_sqrt",
    "load",
    "multiply",
    "plan_multiply",
    "save",
    "sign",
]
