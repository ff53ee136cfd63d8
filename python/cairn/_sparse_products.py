"""Products of block-sparse matrices."""

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

from . import _arguments as args
from . import _mpi
from ._block_plan import BlockPlan
from ._blocks import MOST, block_range
from ._core import Op
from ._mpi import BlockProductOptions
from ._operands import require_right
from ._sparse import BlockSparse, agree_on
from ._with_mpi import handle_of, made_together


def multiply(
    A: BlockSparse,
    B: BlockSparse,
    *,
    out: BlockSparse | None = None,
    op_a: args.TransposeName = "N",
    op_b: args.TransposeName = "N",
    alpha: complex = 1,
    beta: complex = 0,
    eps: float = 0,
    retain_sparsity: bool = False,
    rows: Sequence[SupportsIndex] | None = None,
    cols: Sequence[SupportsIndex] | None = None,
    inner: Sequence[SupportsIndex] | None = None,
    algorithm: str = "",
    memory: str | int | None = None,
    transport: Literal["", "two-sided", "one-sided"] = "",
    threads: SupportsIndex = 0,
    check: bool = False,
    comm: Any = None,
) -> BlockSparse:
    """Computes out = alpha op(A) op(B) + beta out. If `out` is absent, the result is a new matrix with all blocks; `out` may be
    A or B.

    If `out` is stored as symmetric, antisymmetric or Hermitian, only the blocks that it stores are computed, in about half of
    the operations. You must know that the result has the symmetry, as X @ X has that of X. `rows` and `cols` must then be
    equal, and beta must be real if `out` is Hermitian.

    Products of blocks are left out, and blocks of the result dropped, where they are small by `eps`: every block of the result
    is wrong by less than 2 eps, in the same way on any number of ranks. With `retain_sparsity`, only blocks that `out` has are
    computed, and none is dropped. rows, cols, inner: each (first, last), the block rows and columns of the result, and the
    inner blocks, to which the product is limited, the last not among them; the rest of `out` stays. `algorithm`: 'fetch25d 4x4
    layers=2x2', as a plan of :func:`cairn.plan_spgemm` spells it. memory: what a rank may hold, as in :func:`cairn.plan`.
    transport: how panels of A and B travel, 'two-sided', as messages, or 'one-sided', out of windows; if empty, in the
    way in which ranks of one node need not wait for their senders, or else as messages. threads: the threads of this
    rank where Cairn was built with OpenMP; 0 means as many as OMP_NUM_THREADS says.
    With `check`, a random test of the product follows that finds wrong, infinite and NaN elements and allows for what `eps`
    leaves out (include/cairn/block_check.hpp); it cannot be asked for with `retain_sparsity` or limits. Matrices that it needs
    and that the product overwrites are copied before. comm: as in :func:`cairn.multiply`.

    `report` of the result gives words and times. Raises, on every rank, ValueError if blocks do not match or arguments differ
    between ranks, TypeError, MemoryError; `out` is then as it was. Raises ArithmeticError on every rank if the check fails.
    Source: include/cairn/block_sparse.hpp [dbcsr-25d-rma-2017 §2].
    """
    arguments, made = _given(
        A, B, out, op_a, op_b, alpha, beta, eps, retain_sparsity, rows, cols, inner, algorithm, memory, transport, threads,
        check, comm,
    )  # fmt: skip
    op_of_a, op_of_b, factor, a, b, kept, c, options = arguments
    overwritten = c is a or c is b or kept != 0
    before: Any = made_together(handle_of(made._comm), c.copy) if check and overwritten else None
    made.report = _mpi.sparse_multiply(*arguments)
    if check:
        a, b = (before if x is c else x for x in (a, b))
        ratio = _mpi.sparse_check(op_of_a, op_of_b, factor, a, b, kept, before, c, options.filter_eps)
        require_right(ratio, "rounding and eps explain")
    return made


def plan_multiply(A: BlockSparse, B: BlockSparse, *, out: BlockSparse | None = None, **asked: Any) -> BlockPlan:
    """Returns what :func:`cairn.sparse.multiply` with the same arguments will do, planned from the patterns of A and B: on which
    schedule, what ranks will receive and hold, before and during the product, and by how much other numbers of layers are worse.

    Words of A and B are exact where panels of them travel as a whole. Sums of `out`, indices, flops, memory and time are expected
    ones, as if blocks of each panel were anywhere in it, no product was filtered and `out` did not retain its sparsity. Times are
    those of the machine that :func:`cairn.plan` assumes without a name. Nothing is moved. The plan's JSON does not have the
    patterns, so the plan cannot be pickled, or made again by :meth:`cairn.BlockPlan.from_json`.

    Raises, on every rank, what the product would, and ValueError if alpha is 0. Source: include/cairn/block_product_plan.hpp.
    """
    return BlockPlan(_mpi.sparse_plan(*_given(A, B, out, **asked)[0]))


def _given(
    A: BlockSparse,
    B: BlockSparse,
    out: BlockSparse | None,
    op_a: args.TransposeName = "N",
    op_b: args.TransposeName = "N",
    alpha: complex = 1,
    beta: complex = 0,
    eps: float = 0,
    retain_sparsity: bool = False,
    rows: Sequence[SupportsIndex] | None = None,
    cols: Sequence[SupportsIndex] | None = None,
    inner: Sequence[SupportsIndex] | None = None,
    algorithm: str = "",
    memory: str | int | None = None,
    transport: str = "",
    threads: SupportsIndex = 0,
    check: bool = False,
    comm: Any = None,
    **unknown: Any,
) -> tuple[tuple[Any, ...], BlockSparse]:
    """The arguments of the library's product, the same on all ranks, and the matrix of the result."""
    options, asked = BlockProductOptions(), list[Any]()

    def look() -> str:
        for name in unknown:
            raise TypeError(f"{name}: no such argument, expected one of those of multiply")
        ops = args.op("op_a", op_a), args.op("op_b", op_b)
        numbers = A._number("alpha", alpha), A._number("beta", beta)
        if out is None and (beta != 0 or retain_sparsity):
            raise ValueError("beta and retain_sparsity: expected neither without out")
        if check and (retain_sparsity or rows is not None or cols is not None or inner is not None):
            raise ValueError("check: of a product with retain_sparsity, rows, cols or inner, expected none of them")
        options.filter_eps, options.retain_sparsity = args.real("eps", eps), bool(retain_sparsity)
        options.rows, options.cols, options.inner = block_range("rows", rows), block_range("cols", cols), block_range("inner", inner)
        options.algorithm, options.transport = args.text("algorithm", algorithm), args.text("transport", transport)
        options.memory_words = args.words_allowed(memory, A._type)
        options.threads = args.integer("threads", threads, least=0, most=MOST)
        asked.extend([*ops, *numbers])
        where = "absent" if out is None else "A" if out is A else "B" if out is B else "another matrix"
        kept = ", beta not 0" if check and beta != 0 else ""  # then it is copied before
        return f"out {where}, check {bool(check)}{kept}"  # the library compares all others

    comm = agree_on(("A", A), ("B", B), *([] if out is None else [("out", out)]), comm=comm, also=look)
    of_a, of_b, factor, kept = asked
    if out is None:
        height = A._sizes[0 if of_a == Op.none else 1]
        out = BlockSparse.zeros(height, B._sizes[1 if of_b == Op.none else 0], A.dtype, comm)
    return (of_a, of_b, factor, A._made, B._made, kept, out._made, options), out
