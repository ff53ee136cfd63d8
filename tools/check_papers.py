#!/usr/bin/env python3
"""Check that every registered algorithm is documented and that docs/papers.md names only what exists.

Registered: the names in src/algorithms/registry.cpp, lines `algorithm(name)`. Each needs src/algorithms/NAME.cpp,
docs/algorithms/NAME.md, tests/golden/NAME.txt or NAME_*.txt, and a row of docs/papers.md that names algorithms/NAME.cpp.
In docs/papers.md: `folder/file.cpp:function` is code, `folder/file` a file, `Suite.Name` a GoogleTest, `mpi.NAME`,
`cli.NAME`, `example.NAME`, `scalapack.NAME`, `python.NAME` a test by its file or folder; the last cells of a row hold
them, between backticks, and nothing else with a dot or a slash. Of instances, `Suite.Name/one` and `mpi.NAME.one`, the
test is looked for, not the instance.
"""
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAPERS = ROOT / "docs" / "papers.md"
NAMED = re.compile(r"`[^`\s]*[./][^`\s]*`")
CODE = re.compile(r"`([\w./-]+\.(?:cpp|hpp|h|c|py|sh|md|txt))(?::([\w:~]+))?`")
TEST = re.compile(r"`([A-Z]\w*)\.([A-Z]\w*)(?:/\w+)?`")
FILE_TEST = re.compile(r"`(mpi|cli|example|scalapack|python)\.(\w+)(?:\.[\w-]+)?`")
FILE_TESTS = {
    "mpi": ["tests/mpi/{}_test.cpp"],
    "cli": ["tests/cli/{}.*"],
    "example": ["examples/{}.*"],
    "scalapack": ["tests/scalapack/mpi/{}_test.cpp", "tests/scalapack/{}.py", "tests/scalapack/{}_tests.py"],
    "python": ["tests/python/{}", "tests/python/{}.sh", "tests/python/*/{}.py"],
}


@cache
def read(path):
    return path.read_text(encoding="utf-8")


def registered():
    registry = ROOT / "src" / "algorithms" / "registry.cpp"
    if not registry.exists():
        return []
    code = re.sub(r"//[^\n]*", "", read(registry))
    return sorted(set(re.findall(r"\balgorithm\(([a-z][a-z0-9_]*)\)", code)))


def has_golden(name, names):
    """Whether there is a golden schedule of this algorithm, and not of one whose name only begins alike."""
    stems = [path.stem for path in (ROOT / "tests" / "golden").glob("*.txt")]
    return any(max((n for n in names if f"{stem}_".startswith(f"{n}_")), key=len, default="") == name for stem in stems)


def check_algorithm(name, names, rows):
    for path in (f"src/algorithms/{name}.cpp", f"docs/algorithms/{name}.md"):
        if not (ROOT / path).exists():
            yield f"algorithm {name}: no {path}"
    if not has_golden(name, names):
        yield f"algorithm {name}: no golden schedule tests/golden/{name}.txt or {name}_*.txt"
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
        elif function and not re.search(rf"\b{re.escape(function.split('::')[-1])}\b", read(file)):
            yield where + f"{path} has no {function}"
    for suite, name in TEST.findall(row):
        if (suite, name) not in tests():
            yield where + f"no test {suite}.{name} in tests/"
    for kind, name in FILE_TEST.findall(row):
        patterns = [pattern.format(name) for pattern in FILE_TESTS[kind]]
        if not any(list(ROOT.glob(pattern)) for pattern in patterns):
            yield where + f"no test {kind}.{name} ({', '.join(patterns)})"
    for named in NAMED.findall(row):
        if not any(kind.fullmatch(named) for kind in (CODE, TEST, FILE_TEST)):
            yield where + f"{named} is neither code nor a test"
    for link in re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", row):
        if not (PAPERS.parent / link).exists():
            yield where + f"no file docs/{link}"


def main():
    rows = []
    if PAPERS.exists():
        rows = [(i, row) for i, row in enumerate(read(PAPERS).splitlines(), 1) if row.startswith("|")]
    names = registered()
    errors = [error for name in names for error in check_algorithm(name, names, rows)]
    errors += [error for number, row in rows for error in check_row(number, row)]
    for error in errors:
        print(error)
    print(f"papers: {len(names)} algorithms, {len(rows)} rows of docs/papers.md, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
