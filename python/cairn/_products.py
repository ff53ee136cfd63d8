"""Products of distributed matrices."""

import functools
from typing import Any, NoReturn

from . import _arguments as args
from . import _core, _memory, _mpi
from ._core import Count, Layout, Op
from ._matrix import Adjoint, DistMatrix
from ._mpi import RunReport
from ._operands import no_matrix, operand, require_apart, require_matrix, require_result, require_right
from ._plan import Plan
from ._with_mpi import MPI, agreed, comm_of, handle_of, made_together, spelled

_MOST_LAYOUTS = 256  # that are kept with a communicator


@functools.cache
def _kept() -> int:
    """The key of what is kept, made when MPI runs."""
    return MPI.Comm.Create_keyval()


def _require_operands(A: Any, B: Any, out: Any, comm: MPI.Comm) -> None:
    for name, x in (("A", A), ("B", B), ("out", out)):
        if x is None and name == "out":
            continue
        require_matrix(name, x.H if isinstance(x, Adjoint) and name != "out" else x, writable=name == "out", comm=comm)
    if A.dtype != B.dtype:
        raise TypeError(f"B: elements of {B.dtype}, expected {A.dtype}, A's")
    if A.shape[1] != B.shape[0]:
        raise ValueError(f"A and B: {A.shape} and {B.shape}, expected as many columns of A as rows of B")
    if out is not None:
        require_result("out", out, (A.shape[0], B.shape[1]), A.dtype)
        require_apart("out", out, A=operand(A)[0], B=operand(B)[0])


def _described(x: DistMatrix | Adjoint) -> str:
    stored, op = operand(x)
    return f"{op.name} {x.dtype} {x.shape[0]} x {x.shape[1]} in {args.layout_text(stored.layout)}"


def _layout_of_product(A: DistMatrix, op_a: Op, B: DistMatrix, op_b: Op, sizes: tuple[int, int, int], handle: int) -> Layout:
    """Where the product is cheapest, for A and B where they are. Kept with the communicator, like plans."""
    kept: Any = A.comm.Get_attr(_kept())
    if kept is None:
        kept = {}
        A.comm.Set_attr(_kept(), kept)
    key = A.layout, op_a, B.layout, op_b, A._type
    if key not in kept:
        m, n, k = sizes
        plan = _mpi.plan(handle, m, n, k, A._type, op_a, op_b, A.layout, B.layout, None, _core.Options())
        if len(kept) == _MOST_LAYOUTS:
            del kept[next(iter(kept))]
        kept[key] = plan.layout_c()
    found: Layout = kept[key]
    return found


def multiply(
    A: DistMatrix | Adjoint,
    B: DistMatrix | Adjoint,
    *,
    out: DistMatrix | None = None,
    alpha: complex = 1,
    beta: complex = 0,
    check: bool = False,
    comm: Any = None,
    **asked: Any,
) -> DistMatrix:
    """Computes out = alpha A B + beta out, with the matrices where they are; `A.T` and `A.H` are operands too. Collective.

    Without `out`, the result is a new matrix in the layout in which it is cheapest. beta = 0 does not read `out`. What may be
    asked of the plan is as in :func:`cairn.plan`. Plans are kept with the communicator, so that repeated products plan once.
    `report` of the result gives words and times of the run. With `check`, a random test of the product follows that finds
    wrong, infinite and NaN elements (include/cairn/check.hpp). `comm` is the communicator of the matrices, on which all ranks
    agree. It need not be given unless a rank may have none of the matrices, and they are not on COMM_WORLD.

    Raises, on every rank: TypeError for what is no distributed matrix, or for other element types; ValueError for sizes
    that do not fit, read-only `out`, or arguments that differ between ranks; MemoryError if no plan fits into the memory;
    ArithmeticError if the check fails; MpiError if MPI fails. With beta = 0 `out` may hold anything after an error.
    """
    comm = comm_of(A, B, out, comm=comm)
    handle = handle_of(comm)
    with agreed(handle, "out and check") as same:
        _require_operands(A, B, out, comm)
        options = args.options(operand(A)[0]._type, **asked)
        alpha, beta = args.number("alpha", alpha), args.number("beta", beta)
        if out is None and beta != 0:
            raise ValueError(f"beta: {beta}, expected 0 without out")
        check = bool(check)
        same.text = f"given and {check}" + (", beta not 0" if check and beta != 0 else "")  # then it is copied before
        if out is None:  # where it is best may be known, or not yet
            same.text = f"absent and {check}, A {_described(A)}, B {_described(B)}"
    (a, op_a), (b, op_b) = operand(A), operand(B)
    before = None
    if out is None:
        layout = _layout_of_product(a, op_a, b, op_b, (A.shape[0], B.shape[1], A.shape[1]), handle)
        out = made_together(handle, lambda: DistMatrix._of(_memory.allocate(layout, a._rank, a._type), layout, comm, a._rank))
    elif check and beta != 0:
        before = made_together(handle, out.copy)
    out.report = _mpi.multiply(handle, op_a, op_b, alpha, a._part, b._part, beta, out._part, options)
    if check:
        kept = None if before is None else before._part
        require_right(_mpi.check(handle, op_a, op_b, alpha, a._part, b._part, beta, kept, out._part), "rounding explains")
    return out


class Multiplication:
    """A plan that is made ready on a communicator and run many times: ``C = multiplication(A, B)``.

    Buffers and offsets are settled once. The matrices are in the plan's layouts: `plan.layout_a` and so on. Collective.
    Raises, on every rank, ValueError if plans differ between ranks, or are for another number of ranks; MemoryError if any rank
    has no memory for its buffers.
    """

    def __init__(self, plan: Plan, comm: Any = None):
        self._comm = MPI.COMM_WORLD if comm is None else comm
        handle = handle_of(self._comm)
        with agreed(handle):
            if not isinstance(plan, Plan) or not isinstance(plan._made, _core.Plan):
                raise TypeError(f"plan: {plan!r}, expected the plan of a product")
        self.plan = plan
        self._rank, self._layout_c, self._type = self._comm.Get_rank(), plan.layout_c, plan._made.type
        self._product = _mpi.Product(handle, plan._made)
        self.report: RunReport | None = None  #: of the last run

    def __call__(
        self, A: DistMatrix, B: DistMatrix, out: DistMatrix | None = None, *, alpha: complex = 1.0, beta: complex = 0.0
    ) -> DistMatrix:
        """Computes out = alpha op(A) op(B) + beta out, with the transposes of the plan. If `out` is absent, which must be so on
        all ranks or on none, the result is a new matrix. Raises TypeError or ValueError on every rank if any rank's matrix is
        none, has other elements or another layout, or is read-only; ValueError after the communicator was freed; MpiError if
        MPI fails or has ended."""
        if MPI.Is_finalized() or not self._comm:
            handle_of(self._comm)
        try:
            if out is None:
                local = _memory.allocate(self._layout_c, self._rank, self._type)
                out = DistMatrix._of(local, self._layout_c, self._comm, self._rank)
            if alpha.__class__ is not float or beta.__class__ is not float:
                alpha, beta = args.number("alpha", alpha), args.number("beta", beta)
            a, b, c = A._part, B._part, out._part
            writable = out._local.flags.writeable
        except (TypeError, ValueError, MemoryError) as error:
            self._refuse(error)
        except AttributeError:
            names = {"A": A, "B": B, "out": out}
            name, wrong = next((name, x) for name, x in names.items() if not isinstance(x, DistMatrix))
            self._refuse(no_matrix(name, wrong))
        if not writable:
            self._refuse(ValueError("out: read-only memory, expected memory that can be written"))
        try:
            require_apart("out", out, A=A, B=B)
        except ValueError as error:
            self._refuse(error)
        out.report = self.report = self._product.run(alpha, a, b, beta, c)
        return out

    def _refuse(self, problem: Exception) -> NoReturn:
        self._product.refuse(spelled(problem) or "")
        raise problem

    def _new(self, which: int, layout: Layout) -> DistMatrix:
        handle_of(self._comm)
        part = self._product.own(which)
        return DistMatrix._of(_memory.shaped(part.memory(), layout, self._rank), layout, self._comm, self._rank)

    def new_a(self) -> DistMatrix:
        """Returns a matrix A in the plan's layout, where the transport likes it best. If the plan is node-shared and other ranks of
        the node need A as it is, that is memory that they read, which is zero at first, and all calls return the same memory;
        otherwise each call returns new memory of zeros. Collective."""
        return self._new(0, self.plan.layout_a)

    def new_b(self) -> DistMatrix:
        """Returns the same for B."""
        return self._new(1, self.plan.layout_b)

    def new_c(self) -> DistMatrix:
        """Returns a new matrix C of zeros in the plan's layout. Collective."""
        return self._new(2, self.plan.layout_c)

    @property
    def transport(self) -> str:
        """How words travel: as planned, unless the MPI library cannot."""
        return self._product.transport

    @property
    def count(self) -> Count:
        """What this rank receives, computes and holds, as counted before any run."""
        return self._product.count

    def __repr__(self) -> str:
        return f"<Multiplication by {self.plan.algorithm}, {self.transport}>"
