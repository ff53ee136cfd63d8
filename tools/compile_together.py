#!/usr/bin/env python3
"""Which sources may be compiled as one, since no name that one keeps to itself means anything in another.

  compile_together.py LINES INCLUDE_DIRECTORY,... COSTLY_HEADER,... SOURCE ...

Prints for each source, in this order, the group that it joins; - where it stays alone. A group has sources of one folder,
and about so many lines. What is compiled together reads <vector>, <fmt/format.h> and <gtest/gtest.h> once, which takes the
compiler longer than most sources. Two sources stay apart where a name of one's unnamed namespace, a static name, a macro or
what it brought in by `using` occurs in the other, or in a header that only the other includes. Sources that include a costly
header stay among themselves, so that few groups pay for it. A source that instantiates templates explicitly, or stands in
MPI's place, stays alone.
"""
import functools
import re
import sys
from pathlib import Path

NOISE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S)
SYSTEM = re.compile(r"^\s*#\s*include\s+<([^>]+)>", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
ALONE = re.compile(r"^\s*template\s+[^<\s]|^\s*\w*INSTANTIATE\w*\(|\bPMPI_", re.M)
WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")  # no members
UNNAMED = re.compile(r"\bnamespace\s*\{")
DEFINED = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
UNDEFINED = re.compile(r"^\s*#\s*undef\s+(\w+)", re.M)
USED = re.compile(r"^using\s+([^;]*\b(\w+));|^using\s+(\w+)\s*=", re.M)
STATIC = re.compile(r"^static\s[^;{=(]*?(\w+)\s*[({=;\[]", re.M)
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(\w+)\s*(?:final\b)?\s*(?::[^:]|$)")
ENUMERATORS = re.compile(r"\benum\s*(?:\w+\s*)?(?::\s*\w+\s*)?\{([^}]*)\}")
MACRO = re.compile(r"[A-Z_]{2,}\s*\x01")  # such as TEST(A, B)
NAME = re.compile(r"(?:^|[^:\w])(\w+)(?:\s*\[[^\]]*\])*$")
KEYWORDS = set("bool char const double float int long operator override noexcept".split())


def block(text, start):
    """What is between the brace that ends at `start` and its partner."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1]


def declared(text):
    """The names that the declarations in a namespace's text declare."""
    yield from (name for found in ENUMERATORS.finditer(text) for name in re.findall(r"(?:^|,)\s*(\w+)", found[1]))
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    while (less := re.sub(r"\{[^{}]*\}", "\0", re.sub(r"\([^()]*\)", "\1", text))) != text:
        text = less
    for declaration in map(str.strip, re.split(r"[;\0]", text)):
        if found := TYPE.search(declaration):
            yield found[1]
        elif not MACRO.match(declaration) and (found := NAME.search(re.split(r"[=\1]", declaration)[0].rstrip())):
            yield found[1]
            yield from re.findall(r",\s*(\w+)\s*=", declaration)  # int a = 1, b = 2


def names_kept(text):
    kept = set(DEFINED.findall(text)) - set(UNDEFINED.findall(text))
    kept |= set(STATIC.findall(text)) | {alias for *_, alias in USED.findall(text)}
    for match in UNNAMED.finditer(text):
        kept |= set(declared(USED.sub("", block(text, match.end()))))
    return kept - KEYWORDS - {""}


class Source:
    def __init__(self, path, directories, costly):
        self.path = Path(path)
        raw = self.path.read_text(encoding="utf-8")
        text = NOISE.sub(" ", raw)
        self.lines, self.alone = raw.count("\n"), bool(ALONE.search(text))
        self.words, self.kept = frozenset(WORD.findall(text)), names_kept(text)
        self.used = {name: where for where, name, _ in USED.findall(text) if name}
        self.costly = costly & set(SYSTEM.findall(raw))
        self.headers = headers_of(self.path.resolve(), directories)


@functools.cache
def headers_of(path, directories):
    """The project's headers that a file includes, itself or through others."""
    found = set()
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        places = (directory / name for directory in (path.parent, *directories))
        header = next((place.resolve() for place in places if place.is_file()), None)
        if header and header not in found:
            found |= {header} | headers_of(header, directories)
    return frozenset(found)


@functools.cache
def words_of(header):
    return frozenset(WORD.findall(NOISE.sub(" ", header.read_text(encoding="utf-8"))))


def disturbs(one, other):
    """A name that `one` keeps to itself would be met in the other."""
    kept = one.kept | {name for name, where in one.used.items() if other.used.get(name) != where}
    return kept & other.words or any(kept & words_of(header) for header in other.headers - one.headers)


def main():
    lines, directories = int(sys.argv[1]), tuple(Path(directory) for directory in sys.argv[2].split(","))
    costly = set(sys.argv[3].split(","))
    groups = {}  # name -> sources
    for source in (Source(path, directories, costly) for path in sys.argv[4:]):
        joined = "-" if source.alone else f"{source.path.parent.name}_{len(groups)}"
        for name, others in groups.items() if not source.alone else ():
            fits = sum(other.lines for other in others) + source.lines <= lines
            alike = others[0].path.parent == source.path.parent and others[0].costly == source.costly
            if fits and alike and not any(
                    disturbs(source, other) or disturbs(other, source) for other in others):
                joined = name
                break
        if not source.alone:
            groups.setdefault(joined, []).append(source)
        print(joined)


if __name__ == "__main__":
    main()
