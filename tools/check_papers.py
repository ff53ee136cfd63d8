#!/usr/bin/env python3
"""Check that every registered algorithm is documented and that docs/papers.md names only what exists.

Registered: the names in src/algorithms/registry.cpp, lines `algorithm(name)`. Each needs src/algorithms/NAME.cpp,
docs/algorithms/NAME.md, tests/golden/NAME*.txt, and a row of docs/papers.md that names algorithms/NAME.cpp.
In docs/papers.md: `folder/file.cpp:function` is code, `Suite.Name` a GoogleTest, `mpi.NAME`, `cli.NAME`,
`example.NAME` a test by its file; the last cells of a row hold them, between backticks. Of instances, `Suite.Name/one`
and `mpi.NAME.one`, the test is looked for, not the instance.
"""
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAPERS = ROOT / "docs" / "papers.md"
CODE = re.compile(r"`([\w./]+\.(?:cpp|hpp|h|c|py)):([\w:~]+)`")
TEST = re.compile(r"`([A-Z]\w*)\.([A-Z]\w*)(?:/\w+)?`")
FILE_TEST = re.compile(r"`(mpi|cli|example)\.(\w+)(?:\.[\w-]+)?`")
FILE_TESTS = {"mpi": "tests/mpi/{}_test.cpp", "cli": "tests/cli/{}.*", "example": "examples/{}.*"}


@cache
def read(path):
    return path.read_text(encoding="utf-8")


def registered():
    registry = ROOT / "src" / "algorithms" / "registry.cpp"
    if not registry.exists():
        return []
    code = re.sub(r"//[^\n]*", "", read(registry))
    return sorted(set(re.findall(r"\balgorithm\(([a-z][a-z0-9_]*)\)", code)))


def check_algorithm(name, rows):
    for path in (f"src/algorithms/{name}.cpp", f"docs/algorithms/{name}.md"):
        if not (ROOT / path).exists():
            yield f"algorithm {name}: no {path}"
    if not list((ROOT / "tests" / "golden").glob(f"{name}*.txt")):
        yield f"algorithm {name}: no golden schedule tests/golden/{name}*.txt"
    if not any(f"algorithms/{name}.cpp" in row for _, row in rows):
        yield f"algorithm {name}: no row of docs/papers.md names algorithms/{name}.cpp"


def find(path):
    for folder in ("", "src", "include", "include/cairn"):
        if (ROOT / folder / path).is_file():
            return ROOT / folder / path
    return None


@cache
def tests():
    """Suite.Name of every TEST, TEST_F, TEST_P, TYPED_TEST in tests/."""
    macro = re.compile(r"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
    return {match.groups() for path in (ROOT / "tests").rglob("*.cpp") for match in macro.finditer(read(path))}


def check_row(number, row):
    where = f"docs/papers.md:{number}: "
    for path, function in CODE.findall(row):
        file = find(path)
        if file is None:
            yield where + f"no file {path}"
        elif not re.search(rf"\b{re.escape(function.split('::')[-1])}\b", read(file)):
            yield where + f"{path} has no {function}"
    for suite, name in TEST.findall(row):
        if (suite, name) not in tests():
            yield where + f"no test {suite}.{name} in tests/"
    for kind, name in FILE_TEST.findall(row):
        pattern = FILE_TESTS[kind].format(name)
        if not list(ROOT.glob(pattern)):
            yield where + f"no test {kind}.{name} ({pattern})"


def main():
    rows = []
    if PAPERS.exists():
        rows = [(i, row) for i, row in enumerate(read(PAPERS).splitlines(), 1) if row.startswith("|")]
    names = registered()
    errors = [error for name in names for error in check_algorithm(name, rows)]
    errors += [error for number, row in rows for error in check_row(number, row)]
    for error in errors:
        print(error)
    print(f"papers: {len(names)} algorithms, {len(rows)} rows of docs/papers.md, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
