#!/usr/bin/env python3
"""Writes docs/python_reference.md from the docstrings of the installed package: python_reference.py [--check]."""

import inspect
import re
import sys
from pathlib import Path
from typing import Any

import cairn

PAGE = Path(__file__).resolve().parent.parent / "docs" / "python_reference.md"
GROUPS = {
    "Plans": ["plan", "plan_cholesky", "plan_solve_triangular", "Plan", "Schedule", "Step", "Simulation", "Count", "plan_spgemm", "BlockPlan", "BlockCount"],
    "Layouts": ["Layout"],
    "Distributed matrices": ["DistMatrix", "Adjoint", "redistribute", "load", "save"],
    "Products": ["multiply", "Multiplication", "RunReport"],
    "Factorisations and solves": ["cholesky", "solve_triangular", "solve"],
    "Block-sparse matrices": ["BlockSparse"],
    "Errors": ["Error", "FileError", "MpiError"],
}


def text_of(thing: Any) -> str:
    text = inspect.cleandoc(thing.__doc__ or "")
    if hasattr(thing, "__nb_signature__"):  # then it begins with that
        text = text.partition("\n\n")[2]
    text = re.sub(r":\w+:`([^`]*)`", r"`\1`", text)
    return re.sub(r"``([^`]*)``", r"`\1`", text)


def signature(name: str, thing: Any) -> str:
    if hasattr(thing, "__nb_signature__"):
        said = thing.__nb_signature__[0][0].removeprefix("def ")
    else:
        plain = inspect.signature(thing)
        bare = [p.replace(annotation=inspect.Parameter.empty) for p in plain.parameters.values()]
        said = name + str(plain.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    said = re.sub(r"\((self|cls)(, )?", "(", said)
    return re.sub(r"\b[a-z_]+(\.[a-z_]+)*\.(?=[A-Za-z])", "", said)  # without modules


def entry(prefix: str, name: str, thing: Any) -> list[str]:
    what = thing.__func__ if isinstance(thing, (classmethod, staticmethod)) else thing
    text = text_of(what).replace("\n", "\n  ")
    if not text or text.startswith("Alias for field"):
        return []
    if isinstance(what, property) or not callable(what):
        return [f"- `{prefix}{name}`: {text}"]
    return [f"- `{prefix}{signature(name, what)}`: {text}"]


def members(kind: Any) -> list[str]:
    """Its own, then those of the package's classes that it is made of."""
    lines: list[str] = []
    seen: set[str] = set()
    for part in kind.__mro__:
        for name, thing in vars(part).items() if part.__module__.startswith("cairn.") else ():
            if (not name.startswith("_") or name == "__call__") and name not in seen:
                lines += entry("", name, thing)
            seen.add(name)
    return lines


def page() -> str:
    out = ["# Reference of the Python package", "", f"Written by `tools/{Path(__file__).name}` from the docstrings. [Tutorial](python.md)."]
    for title, names in GROUPS.items():
        out += ["", f"## {title}"]
        for name in names:
            thing = getattr(cairn, name)
            out += ["", f"### `cairn.{name}`", ""]
            out += [] if isinstance(thing, type) else [f"`{signature(name, thing)}`", ""]
            out += [text_of(thing)]
            if isinstance(thing, type):
                listed = members(thing)
                out += ["", *listed] if listed else []
        if title == "Block-sparse matrices":
            out += ["", "### `cairn.sparse`", "", text_of(cairn.sparse)]
            for name in cairn.sparse.__all__:
                thing = getattr(cairn.sparse, name)
                if name != "BlockSparse":
                    out += ["", f"### `cairn.sparse.{name}`", ""]
                    out += [] if isinstance(thing, type) else [f"`{signature(name, thing)}`", ""]
                    out += [text_of(thing), "", *(members(thing) if isinstance(thing, type) else [])]
        if title == "Layouts":
            out += ["", "### `cairn.layout`", "", text_of(cairn.layout), ""]
            for name in cairn.layout.__all__:
                out += entry("layout.", name, getattr(cairn.layout, name)) if name != "Layout" else []
    return "\n".join(line.rstrip() for line in "\n".join(out).splitlines()) + "\n"


def main() -> int:
    missing = set(cairn.__all__) - {"layout"} - {name for names in GROUPS.values() for name in names}
    if missing:
        print(f"{Path(__file__).name}: in no group: {', '.join(sorted(missing))}")
        return 1
    if "--check" in sys.argv:
        if PAGE.read_text() != page():
            print(f"{PAGE.name}: not what tools/{Path(__file__).name} writes")
            return 1
        return 0
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
