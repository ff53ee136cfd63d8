"""The `cairn` command that pip installs: the program of the package, in this process's place."""

import os
import sys
from pathlib import Path


def main() -> None:
    os.environ.setdefault("CAIRN_PYTHON", sys.executable)  # which draws: it may have matplotlib where another has not
    program = Path(__file__).parent / "bin" / "cairn"
    if not program.exists():
        sys.exit("cairn: this package was built without the command")
    os.execv(program, ["cairn", *sys.argv[1:]])
