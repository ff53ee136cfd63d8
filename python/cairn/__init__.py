"""Cairn: communication-optimal products of distributed matrices.

Plans need no MPI: ``cairn.plan(4096, 4096, 4096, ranks=8)`` works on a laptop. Distributed matrices need mpi4py, which is
imported when the first of them is made: ``cairn.DistMatrix``, ``A @ B``, ``cairn.cholesky``. The tutorial is
docs/python.md.
"""

from typing import TYPE_CHECKING, Any

from . import layout
from ._block_plan import BlockPlan, plan_spgemm
from ._core import BlockCount, Count, Error, FileError, Layout, MpiError
from ._plan import Plan, Schedule, Simulation, Step, plan, plan_cholesky, plan_solve_triangular

if TYPE_CHECKING:
    from ._factors import cholesky, solve, solve_triangular
    from ._files import load, save
    from ._matrix import Adjoint, DistMatrix
    from ._mpi import RunReport
    from ._products import Multiplication, multiply
    from ._redistribution import redistribute
    from ._sparse import BlockSparse

__version__ = "0.1.0"

_OVER_MPI = {
    "Adjoint": "_matrix",
    "DistMatrix": "_matrix",
    "load": "_files",
    "redistribute": "_redistribution",
    "save": "_files",
    "Multiplication": "_products",
    "multiply": "_products",
    "cholesky": "_factors",
    "solve": "_factors",
    "solve_triangular": "_factors",
    "RunReport": "_mpi",
    "BlockSparse": "_sparse",
}

__all__ = [
    "Adjoint",
    "BlockCount",
    "BlockPlan",
    "BlockSparse",
    "Count",
    "DistMatrix",
    "Error",
    "FileError",
    "Layout",
    "MpiError",
    "Multiplication",
    "Plan",
    "RunReport",
    "Schedule",
    "Simulation",
    "Step",
    "cholesky",
    "layout",
    "load",
    "multiply",
    "plan",
    "plan_cholesky",
    "plan_solve_triangular",
    "plan_spgemm",
    "redistribute",
    "save",
    "solve",
    "solve_triangular",
]


def __getattr__(name: str) -> Any:
    """What needs MPI, or matplotlib, is imported when it is first asked for."""
    import importlib

    if name in ("plot", "sparse"):
        return importlib.import_module(f".{name}", __name__)
    if name not in _OVER_MPI:
        raise AttributeError(f"module 'cairn' has no attribute '{name}'")
    importlib.import_module("._with_mpi", __name__)
    value = getattr(importlib.import_module(f".{_OVER_MPI[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "plot", "sparse"})
