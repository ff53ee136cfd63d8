"""Runs the code of pages, scripts and notebooks, on every rank or, without distributed matrices, on one of them: documents.py FILE ...

Of a page (.md), the blocks of Python in turn, in one namespace; a block of `text` after one is what rank 0, or that one, prints, of a
script the lines of its head "# expect: TEXT". Fails on the first difference.
"""

import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

from cairn._with_mpi import MPI

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(path: Path) -> list[tuple[str, str | None, int]]:
    """Code, what it prints if that is said, and the line where it starts."""
    text = path.read_text()
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        return [("".join(cell["source"]), None, 1) for cell in cells]
    if path.suffix == ".py":
        expected = "".join(line + "\n" for line in re.findall(r"^# expect: (.*)$", text, re.M))
        return [(text, expected or None, 1)]
    found: list[tuple[str, str | None, int]] = []
    for match in BLOCK.finditer(text):
        if match[1] == "python":
            found.append((match[2], None, text.count("\n", 0, match.start()) + 2))
        elif match[1] == "text" and found:
            found[-1] = (found[-1][0], match[2], found[-1][2])
    return found


def run(path: Path, over_mpi: bool) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for code, expected, line in blocks(path):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, str(path), "exec"), names)
        if (MPI.COMM_WORLD.rank == 0 or not over_mpi) and expected is not None and printed.getvalue() != expected:
            raise AssertionError(f"{path}:{line} prints\n{printed.getvalue()}and not\n{expected}")


planning = 0
for name in sys.argv[1:]:
    try:
        if not blocks(Path(name)):
            raise AssertionError(f"{name}: no code")
        over_mpi = "DistMatrix" in Path(name).read_text()
        if over_mpi or planning % MPI.COMM_WORLD.size == MPI.COMM_WORLD.rank:
            run(Path(name), over_mpi)
        planning += not over_mpi
    except BaseException:
        import traceback

        traceback.print_exc()
        MPI.COMM_WORLD.Abort(1)
