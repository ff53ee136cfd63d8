"""Functions of block-sparse matrices."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, SupportsIndex, cast

from . import _arguments as args
from . import _mpi
from ._blocks import MOST
from ._mpi import Iteration, Sparse
from ._sparse import BlockSparse, agree_on
from ._with_mpi import duplicate_of, raised_together

_Function = Callable[[Sparse, float, int, int, int | None, Any], tuple[Sparse, list[Iteration]]]
Watch = Callable[[Iteration], object]


def _told(watch: Any, comm: Any) -> Callable[[Iteration], None] | None:
    """What the library calls on every rank if any rank watches: no rank goes on while another raises."""

    def told(iteration: Iteration) -> None:
        problem: BaseException | None = None
        try:
            if watch is not None:
                watch(iteration)
        except BaseException as error:  # whatever it raises
            problem = error
        raised_together(comm, problem)

    return told if duplicate_of(comm).allreduce(watch is not None) else None


def _understood(A: BlockSparse, eps: Any, order: Any, most: Any, memory: Any, watch: Any) -> list[Any]:
    """What every iteration is told, but who watches. Of numbers of 32 bits the library says which it takes."""
    asked: list[Any] = [args.real("eps", eps)]
    asked += [args.integer(name, value, least=-MOST, most=MOST) for name, value in (("order", order), ("max_iterations", most))]
    asked.append(args.words_allowed(memory, A._type))
    if watch is not None and not callable(watch):
        raise TypeError(f"watch: {type(watch).__name__}, expected a function of an Iteration")
    return asked


def _function(
    f: _Function, name: str, A: Any, eps: Any, order: Any, most: Any, memory: Any, watch: Any, comm: Any
) -> tuple[BlockSparse, list[Iteration]]:
    asked: list[Any] = []

    def look() -> str:
        asked.extend(_understood(A, eps, order, most, memory, watch))
        return str(asked)

    comm = agree_on((name, A), comm=comm, also=look)
    asked.append(_told(watch, comm))
    made, iterations = f(A._made, *asked)
    return A._like(made), iterations


def inverse(
    S: BlockSparse,
    *,
    eps: float = 1e-6,
    order: int = 2,
    max_iterations: int = 100,
    memory: str | int | None = None,
    watch: Watch | None = None,
    comm: Any = None,
) -> tuple[BlockSparse, list[Iteration]]:
    """Computes the inverse of a Hermitian positive definite matrix, and returns it with what the iterations did.

    `eps` is the filter of every product; an iteration ends once the square of its residual is below `eps`. `order` is 2 to 7:
    errors shrink to that power. `watch` is called with the :class:`Iteration` after each iteration, on the ranks that have one;
    what it raises on any rank ends the iterations, and is raised on every rank. memory and comm: as in :func:`cairn.multiply`.

    Raises ValueError for options out of range and matrices that are not square, have other blocks in their rows than in their
    columns, or hold NaN or infinity; numpy.linalg.LinAlgError, with the residuals, where nothing converges; MemoryError.
    Source: include/cairn/matrix_functions.hpp [hotelling-1943].
    """
    return _function(_mpi.sparse_inverse, "S", S, eps, order, max_iterations, memory, watch, comm)


def inverse_sqrt(
    S: BlockSparse,
    *,
    eps: float = 1e-6,
    order: int = 2,
    max_iterations: int = 100,
    memory: str | int | None = None,
    watch: Watch | None = None,
    comm: Any = None,
) -> tuple[BlockSparse, list[Iteration]]:
    """Computes the inverse square root of a Hermitian positive definite matrix, and returns it with its iterations. Arguments
    and errors are those of :func:`inverse`. Source: include/cairn/matrix_functions.hpp [higham-2008 (6.35)]."""
    return _function(_mpi.sparse_inverse_sqrt, "S", S, eps, order, max_iterations, memory, watch, comm)


def sign(
    A: BlockSparse,
    *,
    eps: float = 1e-6,
    order: int = 2,
    max_iterations: int = 100,
    memory: str | int | None = None,
    watch: Watch | None = None,
    comm: Any = None,
) -> tuple[BlockSparse, list[Iteration]]:
    """Computes the matrix with A's eigenvectors and the signs of its eigenvalues, which are real, and returns it with its
    iterations. Arguments and errors are those of :func:`inverse`. Source: include/cairn/matrix_functions.hpp [higham-2008
    (5.29)]."""
    return _function(_mpi.sparse_sign, "A", A, eps, order, max_iterations, memory, watch, comm)


class DensityMatrix(NamedTuple):
    """The density matrix P, and what is known of it: `method`, `electrons` tr(PS), `band_energy` tr(PH), `chemical_potential`,
    `idempotency` ‖PSP/2 − P‖/‖P‖ before the last step, `iterations`."""

    P: BlockSparse
    method: str
    electrons: float
    band_energy: float
    chemical_potential: float
    idempotency: float
    iterations: list[Iteration]


def density_matrix(
    H: BlockSparse,
    S: BlockSparse,
    *,
    electrons: SupportsIndex | None = None,
    chemical_potential: float | None = None,
    method: Literal["", "sign", "mcweeny", "trs4"] = "",
    eps: float = 1e-6,
    order: int = 2,
    max_iterations: int = 100,
    memory: str | int | None = None,
    watch: Watch | None = None,
    comm: Any = None,
) -> DensityMatrix:
    """Computes P = 2 Σ c cᴴ over the eigenvectors c of H c = E S c, cᴴSc = 1, with the lowest energies E.

    P is found either for a number of electrons in closed shells, an even one, or for a chemical potential between two energies,
    in the unit of H. method: if absent, 'trs4' for electrons and 'sign' for a chemical potential. Other arguments and errors
    are those of :func:`inverse`; ValueError also for numbers of electrons and potentials that cannot be, numpy.linalg.LinAlgError
    if no potential parts so many electrons from the rest. Source: include/cairn/matrix_functions.hpp.
    """
    asked: list[Any] = []

    def look() -> str:
        if (electrons is None) == (chemical_potential is None):
            raise TypeError("electrons and chemical_potential: expected one of them")
        asked.append(None if electrons is None else args.integer("electrons", electrons))
        asked.append(None if chemical_potential is None else args.real("chemical_potential", chemical_potential))
        asked.append(args.one_of("method", method, {name: name for name in ("", "sign", "mcweeny", "trs4")}))
        asked.extend(_understood(H, eps, order, max_iterations, memory, watch))
        return str(asked)

    comm = agree_on(("H", H), ("S", S), comm=comm, also=look)
    asked.append(_told(watch, comm))
    d = _mpi.sparse_density_matrix(H._made, S._made, *asked)
    made = cast(Any, (d.method, d.electrons, d.band_energy, d.chemical_potential, d.idempotency, d.iterations))
    return DensityMatrix(H._like(d.P), *made)
