"""How a plan shows itself in a notebook: the cuboid cut among ranks, a table, bars of words against bounds."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._plan import Planned

_FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
_MOST_LINES = 64  # of a face; more would be grey
_WIDTH, _LEAST = 220.0, 30.0  # of the cuboid's longest edge and of its shortest, in pixels
_DEPTH = (0.5, -0.35)  # of an edge along k, as in docs/images/cuboid.svg
_COLOURS = {"A": "#7fb2e5", "B": "#e58b88", "C": "#f3c969"}


def cuboid_of(plan: "Planned") -> str:
    """The cuboid of a plan's products; nothing of factorisations and of what is cut in no such way."""
    problem, facts = plan.facts["problem"], plan.facts
    if plan.operation == "gemm":
        return cuboid_svg([problem[name] for name in "mnk"], facts["grid"])
    if plan.operation != "spgemm" or facts["layers"] is None:
        return ""
    (pr, pc), (lr, lc) = facts["grid"], facts["layers"]
    elements = [problem[name]["blocks"] * problem[name]["size"] for name in "mnk"]
    return cuboid_svg(elements, [pr // lr, pc // lc, lr * lc])


def cuboid_svg(sizes: list[int], parts: list[int]) -> str:
    """The m x n x k cuboid of products, cut into so many parts; the block of one rank is highlighted. Front m x n (C), right m x k
    (A), top k x n (B), in proportion as far as that can be seen."""
    longest = max(*sizes, 1)
    height, width, depth = (max(_LEAST, _WIDTH * size / longest) for size in sizes)
    pm, pn, pk = parts
    x0, y0 = 34.0, 14.0 - _DEPTH[1] * depth

    def at(row: float, col: float, deep: float) -> str:
        """A corner, by shares of the edges along m, n and k."""
        x = x0 + width * col + _DEPTH[0] * depth * deep
        return f"{x:.1f},{y0 + height * row + _DEPTH[1] * depth * deep:.1f}"

    def face(corners: list[tuple[float, float, float]], fill: str) -> str:
        return f'<polygon points="{" ".join(at(*corner) for corner in corners)}" fill="{fill}"/>'

    def box(row: float, col: float, deep: float, fills: tuple[str, str, str]) -> str:
        """What is seen of the box whose front, top right corner is at the far end of these shares."""
        front = face([(0, 0, 0), (0, col, 0), (row, col, 0), (row, 0, 0)], fills[0])
        top = face([(0, 0, 0), (0, col, 0), (0, col, deep), (0, 0, deep)], fills[1])
        return front + top + face([(0, col, 0), (0, col, deep), (row, col, deep), (row, col, 0)], fills[2])

    def cuts(parts: int) -> list[float]:
        return [i / parts for i in range(1, parts)] if parts <= _MOST_LINES else []

    lines = [f"M{at(s, 0, 0)} L{at(s, 1, 0)} L{at(s, 1, 1)}" for s in cuts(pm)]
    lines += [f"M{at(1, s, 0)} L{at(0, s, 0)} L{at(0, s, 1)}" for s in cuts(pn)]
    lines += [f"M{at(0, 0, s)} L{at(0, 1, s)} L{at(1, 1, s)}" for s in cuts(pk)]
    right, bottom = x0 + width + _DEPTH[0] * depth, y0 + height
    title = f"The {sizes[0]} × {sizes[1]} × {sizes[2]} cuboid of products, cut among {pm} × {pn} × {pk} ranks"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + 70:.0f} {bottom + 34:.0f}" '
        f'width="{right + 70:.0f}" height="{bottom + 34:.0f}" font-family="{_FONT}" font-size="13" fill="#222">'
        f"<title>{escape(title)}</title>"
        '<g stroke="#666" stroke-width="1" stroke-linejoin="round">'
        + box(1, 1, 1, ("#f6f6f6", "#ececec", "#e2e2e2"))
        + f'<path d="{" ".join(lines)}" fill="none"/></g>'
        + '<g stroke="#222" stroke-width="1.6" stroke-linejoin="round">'
        + box(1 / pm, 1 / pn, 1 / pk, (_COLOURS["C"], _COLOURS["B"], _COLOURS["A"]))
        + "</g>"
        + f'<text x="14" y="{y0 + height / 2:.0f}" text-anchor="middle" font-style="italic">m</text>'
        + f'<text x="{x0 + width / 2:.0f}" y="{bottom + 20:.0f}" text-anchor="middle" font-style="italic">n</text>'
        + f'<text x="{right - _DEPTH[0] * depth / 2 + 12:.0f}" y="{bottom + _DEPTH[1] * depth / 2 + 14:.0f}" '
        + 'font-style="italic">k</text></svg>'
    )


def bars_svg(plan: "Planned") -> str:
    """Words that the busiest rank receives, the mean, and the bound, to scale."""
    words = plan.facts["received_words"]
    rows = [("received, most", words["max"], "#7fb2e5"), ("received, mean", words["mean"], "#a9cbee")]
    rows.append(("lower bound", plan.bounds["tight"], "#999"))
    largest = max(*(value for _, value, _ in rows), 1)
    text = f'<svg xmlns="http://www.w3.org/2000/svg" width="460" height="72" font-family="{_FONT}" font-size="12" fill="#222">'
    for i, (name, value, colour) in enumerate(rows):
        length = 200 * value / largest
        text += (
            f'<text x="104" y="{24 * i + 16}" text-anchor="end">{name}</text>'
            f'<rect x="112" y="{24 * i + 3}" width="{length:.1f}" height="18" fill="{colour}"/>'
            f'<text x="{118 + length:.1f}" y="{24 * i + 16}">{value:,.0f}</text>'
        )
    return text + "</svg>"


def page(plan: "Planned") -> str:
    """All of it."""
    ratio, rounds = plan.ratios["tight"], plan.facts.get("rounds")
    rank = "words a rank" if plan.facts.get("exact", True) else "words a rank, as expected,"
    facts = [
        ("operation", f"{plan.operation} of {plan.dtype}"),
        ("algorithm", plan.algorithm),
        ("grid", " × ".join(map(str, plan.facts["grid"])) + f", {plan.facts['idle_ranks']} of {plan.ranks} ranks idle"),
        ("because", plan.reason),
        ("rounds", "" if rounds is None else f"{rounds}, look-ahead {plan.facts['look_ahead']}"),
        ("transport", plan.transport),
        (f"{rank} receives / bound", "no bound" if ratio is None else f"{ratio:.3f}"),
        (f"{rank} holds at most", f"{plan.peak:,}"),
        ("predicted time", f"{plan.predicted_seconds:.3g} s on {plan.facts['machine']}"),
    ]
    rows = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in facts
        if value
    )
    return f"<div>{cuboid_of(plan)}<table>{rows}</table>{bars_svg(plan)}</div>"
