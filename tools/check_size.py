#!/usr/bin/env python3
"""Check the lengths that the house rules allow, and that no `#if` is outside local/, runtime/ and base/.

A function's length is found by counting braces in code as clang-format leaves it: a brace that is opened at
namespace or class scope after a parameter list opens a function.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("src", "include", "apps", "tests", "bench", "examples", "python", "tools")
CPP = {".cpp", ".hpp", ".h", ".c", ".cu"}
SCRIPTS = {".py", ".sh"}
ALGORITHM, FILE, FUNCTION, TOOL = 120, 500, 60, 150  # lines
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b\s*(.*)")
TOKENS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S
)


def blank(match):
    """Comments and literals become spaces, so that lines keep their numbers."""
    return re.sub(r"[^\n]", " ", match.group())


def kind_of(header, outer):
    """What a brace opens, given the text since the last statement and what it is in."""
    if outer not in ("namespace", "class"):
        return "inner"
    header = re.sub(r"^\s*((public|private|protected)\s*:\s*)+", "", header.strip())
    if re.match(r"(inline\s+)?namespace\b", header) or re.fullmatch(r"extern\s*", header):
        return "namespace"
    if re.match(r"(?:template\s*<[^{;]*>\s*)?(?:class|struct|union|enum)\b(?:(?![()]).)*$", header, re.S):
        return "class"
    return "function" if "(" in header and not re.search(r"=\s*$", header) else "inner"


def functions(text):
    """Yield (first line, name, number of lines) of every function."""
    text = TOKENS.sub(blank, text)
    text = re.sub(r"^\s*#(?:[^\n\\]|\\.)*", blank, text, flags=re.M | re.S)
    stack, start = [("namespace", 0, "")], 0  # start: where the current statement began
    for match in re.finditer(r"[{};]", text):
        outer = stack[-1][0]
        if match.group() == "{":
            header = text[start : match.start()]
            kind = kind_of(header, outer)
            # An initialiser list `: a_{1} {` opens inner braces first; then the header goes on.
            if kind == "function" and re.search(r"\)\s*:(?!:).*[\w>]$|,\s*[\w:]+$", header, re.S):
                stack.append(("member", start, ""))
                continue
            first = start + len(header) - len(header.lstrip())
            stack.append((kind, first, header))
            start = match.end()
        elif match.group() == "}":
            if len(stack) == 1:
                return
            kind, first, header = stack.pop()
            if kind == "function":
                line = text.count("\n", 0, first) + 1
                name = re.search(r"([\w:~]+)\s*\(", header)
                yield line, name.group(1) if name else "?", text.count("\n", first, match.end()) + 1
            if kind != "member":
                start = match.end()
        elif outer != "member":
            start = match.end()


def check_file(path):
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    limit, why = FILE, "a source file"
    if name.startswith("src/algorithms/"):
        limit, why = ALGORITHM, "an algorithm file"
    elif name.startswith("tools/check_"):
        limit, why = TOOL, "a house-rule tool"
    if len(lines) > limit:
        yield f"{name}: {len(lines)} lines, {why} has at most {limit}"
    if path.suffix not in CPP:
        return
    for line, function, length in functions(text):
        if length > FUNCTION:
            yield f"{name}:{line}: {function} has {length} lines, a function has at most {FUNCTION}"
    if name.startswith(("src/local/", "src/runtime/", "src/base/")):
        return
    for number, line in enumerate(lines, 1):
        match = CONDITIONAL.match(line)
        if match and match.groups() != ("ifdef", "__cplusplus"):
            yield f"{name}:{number}: #{match.group(1)} outside local/, runtime/ and base/"


def main():
    files = [
        path
        for top in TOPS
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in CPP | SCRIPTS
    ]
    errors = [error for path in files for error in check_file(path)]
    for error in errors:
        print(error)
    print(f"sizes: {len(files)} files, {len(errors)} against the house rules")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
