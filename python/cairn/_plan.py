"""Plans: what an operation will receive, hold and take on any number of ranks. No MPI is needed."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Self, SupportsIndex, cast, overload

from . import _arguments as args
from . import _core
from ._core import Count, Layout

_Made = _core.Plan | _core.FactorPlan | _core.BlockPlan


class Step(NamedTuple):
    """One step of a schedule, true for all ranks at once (docs/how_to_read_a_schedule.md): `number`, from 1, as in error
    messages; `text`, "allgather A[0:64/i, 0:64/j] -> A1[0:64/i, 0:64] along j"; `source`, the line that made it."""

    number: int
    text: str
    source: str

    def __str__(self) -> str:
        return f"{self.number}  {self.text}"


class Schedule(Sequence[Step]):
    """The steps of a plan, which are iterable and indexed from 0. ``print`` shows the text that ``cairn plan --print``
    shows."""

    def __init__(self, plan: _Made):
        self._plan = plan

    def __len__(self) -> int:
        return self._plan.steps()

    def _step(self, at: int) -> Step:
        return Step(at + 1, *self._plan.step(at))

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        everything = range(len(self))
        if isinstance(at, slice):
            return [self._step(i) for i in everything[at]]
        try:
            return self._step(everything[at])
        except IndexError:
            raise IndexError(f"schedule: step {at}, expected {-len(self)} to {len(self) - 1}") from None

    def __iter__(self) -> Iterator[Step]:
        return map(self._step, range(len(self)))

    def __str__(self) -> str:
        return self._plan.print()

    def __repr__(self) -> str:
        return f"<Schedule of {len(self)} steps: {self._plan.algorithm}>"


class Simulation:
    """A plan followed rank by rank on a modelled machine (docs/clock.md). Times are in seconds, words are elements.

    ``facts`` holds everything that the simulation found, by the keys of docs/plan_json.md, each of which is an attribute, too.
    Figures of ranks are dicts of min, mean and max.
    """

    facts: dict[str, Any]

    def __init__(self, facts: str, text: str):
        self.facts, self._text = json.loads(facts), text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "facts":  # of one that is being copied or unpickled, too, which has none yet
            raise AttributeError(f"a simulation has no '{name}'")
        if name not in self.facts:
            raise AttributeError(f"a simulation has no '{name}'; it has {', '.join(self.facts)}")
        return self.facts[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.facts]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Simulation of {self.facts['algorithm']}: {self.facts['seconds']:.3g} s on {self.facts['machine']}>"


class Planned:
    """What all plans say of themselves. Words are elements of `dtype`; times are in seconds."""

    _made: _Made
    _kinds: ClassVar[tuple[type, ...]]

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Returns the plan that wrote `text` by :meth:`to_json`. Raises ValueError if `text` is no such text, or comes from a
        plan of another class."""
        made = _core.plan_from_json(args.text("text", text))
        if not isinstance(made, cls._kinds):
            raise ValueError(f"plan: the text is that of a cairn.{type(made).__name__}, expected that of a cairn.{cls.__name__}")
        new = cls.__new__(cls)
        new._made = made
        return new

    def to_json(self) -> str:
        """Returns the whole plan as JSON, whose keys are stable (docs/plan_json.md)."""
        return self._made.json()

    def explain(self) -> str:
        """Returns the page that ``cairn plan`` prints: grid, rounds, words, messages, bounds, memory, time, runners-up."""
        return self._made.explain()

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What to_json() says, as a dict."""
        return cast(dict[str, Any], json.loads(self._made.json()))

    @property
    def algorithm(self) -> str:
        """One-line spelling, which `algorithm=` accepts: 'cosma pm2,pn2,pk2', 'cholesky 4x4 b=64', 'fetch25d 4x4'."""
        return self._made.algorithm

    @property
    def operation(self) -> Literal["gemm", "potrf", "trsm", "spgemm"]:
        return cast(Literal["gemm", "potrf", "trsm", "spgemm"], self.facts["problem"].get("operation", "gemm"))

    @property
    def ranks(self) -> int:
        return self._made.ranks

    @property
    def dtype(self) -> str:
        """NumPy's name of the elements' type."""
        return self._made.type.name

    @property
    def transport(self) -> str:
        """'two-sided', 'one-sided' or 'node-shared'."""
        return cast(str, self.facts["transport"])

    @property
    def reason(self) -> str:
        """Why this plan was chosen, in one sentence."""
        return cast(str, self.facts["reason"])

    @property
    def received(self) -> int:
        """Words that the busiest rank receives, by each collective's definition."""
        return self._made.max_count().received

    @property
    def bounds(self) -> dict[str, float]:
        """Lower bounds in words: 'tight' for what some rank must receive; docs/plan_json.md names the others."""
        return cast(dict[str, float], self.facts["bounds"])

    @property
    def ratios(self) -> dict[str, float | None]:
        """The plan's words over each bound; None where the bound is 0 and the words are not."""
        return cast(dict[str, float | None], self.facts["ratios"])

    @property
    def peak(self) -> int:
        """Words that the fullest rank holds at most: parts of the matrices, and buffers."""
        return self._made.max_count().peak_words

    @property
    def predicted_seconds(self) -> float:
        """Time by the clock, on the machine that was assumed."""
        return self._made.predicted_seconds()

    @property
    def runners_up(self) -> list[dict[str, Any]]:
        """The best of the other plans that were compared, best first: algorithm, seconds, received_words, messages, exact,
        why_not."""
        return cast(list[dict[str, Any]], self.facts["others"])

    @property
    def schedule(self) -> Schedule:
        """Steps of the plan, with labels."""
        return Schedule(self._made)

    def simulate(self, machine: str | None = None) -> Simulation:
        """Follows the plan rank by rank on a modelled machine, by two-sided messages. `machine` is a built-in name or the path
        of a JSON file; if absent, it is the machine that the plan was made for. Raises ValueError for an unknown machine."""
        return Simulation(*_core.simulate(self._made, args.text_or_none("machine", machine)))

    def timeline(self, ranks: Sequence[SupportsIndex] = (0,), machine: str | None = None) -> list[dict[str, Any]]:
        """Returns what the ranks compute, receive and wait for, and when, as events of a Chrome trace with times in
        microseconds."""
        text = _core.timeline(self._made, args.text_or_none("machine", machine), args.integers("ranks", ranks))
        events = json.loads(text)
        return list(events["traceEvents"] if isinstance(events, dict) else events)

    def plot_timeline(self, ranks: Sequence[SupportsIndex] | None = None, machine: str | None = None) -> Any:
        """Draws the timeline of up to 16 ranks by matplotlib (pip install 'cairn[plot]') and returns the Axes."""
        from . import plot

        return plot.timeline(self, ranks, machine)

    def plot_memory(self) -> Any:
        """Draws by matplotlib what the fullest rank holds when it holds most, by kind, and returns the Axes."""
        from . import plot

        return plot.memory(self)

    def _repr_html_(self) -> str:
        from ._html import page

        return page(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Planned) and self.facts == other.facts

    def __hash__(self) -> int:
        return hash((self.algorithm, self.ranks, self.dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.operation} on {args.ranks_text(self.ranks)}: {self.algorithm}>"


class Plan(Planned):
    """A chosen algorithm, its schedule for all ranks, and all that is known before it runs.

    A plan is made by :func:`cairn.plan`, :func:`cairn.plan_cholesky`, :func:`cairn.plan_solve_triangular` or
    :meth:`Plan.from_json`. Words are elements of `dtype`; times are in seconds.
    """

    _made: _core.Plan | _core.FactorPlan
    _kinds = (_core.Plan, _core.FactorPlan)

    def __init__(self, made: _core.Plan | _core.FactorPlan):
        self._made = made

    @property
    def grid(self) -> tuple[int, ...]:
        """Parts into which (m, n, k) are cut among ranks; for other plans than a product's, (rows, columns, layers) of
        ranks."""
        return tuple(self.facts["grid"])

    @property
    def rounds(self) -> int | None:
        """Rounds that follow one after another; None for plans that have none."""
        return self.facts.get("rounds")

    @property
    def look_ahead(self) -> int:
        """Rounds whose panels travel while an earlier round is multiplied."""
        return cast(int, self.facts["look_ahead"])

    def count(self, rank: SupportsIndex) -> Count:
        """Returns what `rank` receives, computes and holds. Raises ValueError for a rank that does not exist."""
        return self._made.count(args.integer("rank", rank))

    @property
    def layout_a(self) -> Layout:
        """Layout of A as it is stored: the caller's, or the plan's own."""
        return self._made.layout_a()

    @property
    def layout_b(self) -> Layout:
        """Layout of B. A factorisation has none and raises AttributeError."""
        if self.operation == "potrf":
            raise AttributeError("layout_b: a factorisation has no B")
        return self._made.layout_b()

    @property
    def layout_c(self) -> Layout:
        """Layout of C. Only a product has one; other plans raise AttributeError."""
        if not isinstance(self._made, _core.Plan):
            raise AttributeError(f"layout_c: a plan of {self.operation} has no C")
        return self._made.layout_c()


def plan(
    m: SupportsIndex,
    n: SupportsIndex,
    k: SupportsIndex,
    *,
    ranks: SupportsIndex = 1,
    dtype: Any = "float64",
    op_a: args.TransposeName = "N",
    op_b: args.TransposeName = "N",
    a: Layout | None = None,
    b: Layout | None = None,
    c: Layout | None = None,
    comm: Any = None,
    **asked: Any,
) -> Plan:
    """Plans C = op(A) op(B) with op(A) m x k, op(B) k x n and C m x n.

    ranks: the number of ranks. dtype: float32, float64, complex64, complex128, or NumPy's types. op_a, op_b: 'N', 'T' or 'C',
    as in BLAS. a, b, c: layouts in which the caller holds the matrices as they are stored; those that are absent are the plan's
    own, which need no redistribution. comm: an mpi4py communicator, whose size, kernels and node then count; the call is then
    collective.

    These are asked of the plan, all by name: memory ('2GiB', '100000words' or bytes that a rank may hold), prefer ('time',
    'words', 'balanced'), algorithm (a name or a whole spelling), look_ahead, max_idle, transport, collectives, ranks_per_node,
    machine, kernels, and for runs verify_counts and trace: see include/cairn/options.hpp.

    Raises ValueError for sizes, layouts and names that no plan can have, TypeError for a dtype, MemoryError, naming the
    words needed, if no plan fits into the memory. Source: docs/planning.md.
    """
    given: list[Any] = []

    def look() -> str:
        type, layouts = args.scalar_type(dtype), (args.layout("a", a), args.layout("b", b), args.layout("c", c))
        sizes = args.integer("m", m), args.integer("n", n), args.integer("k", k)
        ops = args.op("op_a", op_a), args.op("op_b", op_b)
        options = args.options(type, **asked)
        given.extend([sizes, args.integer("ranks", ranks), type, *ops, *layouts, options])
        held = [None if x is None else args.layout_text(x) for x in layouts]
        said = dict(zip(("m", "n", "k", "dtype", "op_a", "op_b", "a", "b", "c"), (*sizes, type.name, op_a, op_b, *held)))
        said |= {name: repr(getattr(options, name)) for name in args.OPTIONS}
        return ", ".join(f"{name} {value}" for name, value in said.items())

    if comm is None:
        look()
        sizes, *others = given
        return Plan(_core.plan_gemm(*sizes, *others))
    from ._with_mpi import agreed, handle_of
    from ._mpi import plan as plan_over

    handle = handle_of(comm)
    with agreed(handle, "arguments") as same:
        same.text = look()
    sizes, _, *others = given
    return Plan(plan_over(handle, *sizes, *others))


def plan_cholesky(
    n: SupportsIndex,
    *,
    ranks: SupportsIndex = 1,
    dtype: Any = "float64",
    uplo: args.UploName = "lower",
    a: Layout | None = None,
    **asked: Any,
) -> Plan:
    """Plans A = L Lᴴ ('lower') or Uᴴ U ('upper') with A n x n, Hermitian and positive definite. Arguments, but for `comm`, and
    errors are those of :func:`cairn.plan`. Source: docs/algorithms/cholesky.md."""
    type = args.scalar_type(dtype)
    sizes = args.integer("n", n), args.uplo(uplo), args.integer("ranks", ranks)
    return Plan(_core.plan_potrf(*sizes, type, args.layout("a", a), args.options(type, **asked)))


def plan_solve_triangular(
    m: SupportsIndex,
    n: SupportsIndex,
    *,
    ranks: SupportsIndex = 1,
    dtype: Any = "float64",
    side: Literal["left", "right"] = "left",
    uplo: args.UploName = "lower",
    op: args.TransposeName = "N",
    unit_diagonal: bool = False,
    a: Layout | None = None,
    b: Layout | None = None,
    **asked: Any,
) -> Plan:
    """Plans op(A) X = B ('left') or X op(A) = B ('right') with A triangular and B m x n. With `unit_diagonal`, A's diagonal is
    all ones and is not read. Other arguments, but for `comm`, and errors are those of :func:`cairn.plan`. Source:
    docs/algorithms/trsm.md."""
    type = args.scalar_type(dtype)
    rows, cols, count = args.integers("m, n, ranks", (m, n, ranks))
    where = args.one_of("side", side, {"left": _core.Side.left, "right": _core.Side.right})
    diag = _core.Diag.unit if unit_diagonal else _core.Diag.stored
    held = args.layout("a", a), args.layout("b", b)
    asked_for = args.options(type, **asked)
    return Plan(_core.plan_trsm(rows, cols, where, args.uplo(uplo), args.op("op", op), diag, count, type, *held, asked_for))
