"""Pictures of plans by matplotlib, which `pip install 'cairn[plot]'` brings. Every function returns the Axes."""

from collections.abc import Sequence
from typing import Any, SupportsIndex

from ._arguments import integers
from ._plan import Planned

try:
    from matplotlib import pyplot as _pyplot
except ImportError as error:
    raise ImportError("cairn.plot needs matplotlib: pip install 'cairn[plot]'") from error

__all__ = ["compare", "memory", "timeline"]

_MOST_RANKS = 16
_COLOURS = {"compute": "#f3c969", "receive": "#7fb2e5", "wait": "#e58b88"}


def _axes(axes: Any, height: float) -> Any:
    return axes if axes is not None else _pyplot.subplots(figsize=(8, height), layout="constrained")[1]


def timeline(plan: Planned, ranks: Sequence[SupportsIndex] | None = None, machine: str | None = None, axes: Any = None) -> Any:
    """What ranks do when: of each an upper line of computations and waits, and a lower line of what it receives. `ranks`: the
    first 16 that have work if absent. Times are in seconds, by the clock (docs/clock.md)."""
    if ranks is None:
        ranks = list(range(min(plan.ranks - plan.facts.get("idle_ranks", 0), _MOST_RANKS)))
    else:
        ranks = integers("ranks", ranks)
    axes = _axes(axes, 1.2 + 0.4 * len(ranks))
    lines = {rank: -number for number, rank in enumerate(ranks)}
    seen = set()
    for event in plan.timeline(ranks, machine):
        if event.get("ph") != "X" or event["pid"] not in lines:
            continue
        kind = event["name"] if event["name"] in _COLOURS else "compute"
        line = lines[event["pid"]] + (-0.2 if kind == "receive" else 0.2)
        label = None if kind in seen else kind
        seen.add(kind)
        axes.barh(line, event["dur"] * 1e-6, left=event["ts"] * 1e-6, height=0.36, color=_COLOURS[kind], label=label)
    axes.set_yticks(list(lines.values()), [f"rank {rank}" for rank in lines])
    axes.set_xlabel("seconds")
    axes.set_title(plan.algorithm, fontsize=9)
    if seen:
        axes.legend(loc="upper right", fontsize=8)
    return axes


def memory(plan: Planned, axes: Any = None) -> Any:
    """What the fullest rank holds when it holds most, in words, by what it is (docs/plan_json.md, `peak_words`)."""
    parts = {name: words for name, words in plan.facts["peak_words"]["parts"].items() if words}
    axes = _axes(axes, 1.2 + 0.35 * max(1, len(parts)))
    axes.barh([name.replace("_", " ") for name in parts], list(parts.values()), color="#7fb2e5")
    axes.invert_yaxis()
    axes.set_xlabel(f"words of {plan.dtype}; {plan.peak:,} in all")
    axes.set_title(plan.algorithm, fontsize=9)
    return axes


def compare(plans: Sequence[Planned], axes: Any = None) -> Any:
    """Predicted seconds and received words of plans, each relative to the largest."""
    plans = list(plans)
    if not plans:
        raise ValueError("plans: none, expected at least one")
    axes = _axes(axes, 1.2 + 0.6 * len(plans))
    seconds = [plan.predicted_seconds for plan in plans]
    words = [plan.received for plan in plans]
    for shift, values, label, colour in ((-0.2, seconds, "predicted seconds", "#f3c969"), (0.2, words, "received words", "#7fb2e5")):
        most = max(*values, 0) or 1
        bars = axes.barh([y + shift for y in range(len(plans))], [v / most for v in values], 0.36, label=label, color=colour)
        axes.bar_label(bars, [f"{v:.3g}" for v in values], fontsize=8, padding=2)
    axes.set_yticks(range(len(plans)), [plan.algorithm for plan in plans], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.15)
    axes.set_xlabel("relative to the largest")
    axes.legend(fontsize=8)
    return axes
