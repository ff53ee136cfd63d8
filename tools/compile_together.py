#!/usr/bin/env python3
"""Sources of a target in groups that the compiler sees as one.

  compile_together.py LINES FOLDER INCLUDE_DIRECTORY,... COSTLY_HEADER,... SOURCE ...

Writes the groups, each of sources of one folder and of about so many lines, into FOLDER, and prints what is to be compiled
in place of the sources: the groups, and the sources that stay alone. What is compiled together reads <vector>,
<fmt/format.h> and <gtest/gtest.h> once, which takes the compiler longer than most sources. Sources that include a costly
header stay among themselves, so that few groups pay for it. A source that stands in MPI's place stays alone.

A name that a source keeps to itself (in an unnamed namespace, static, or brought in by `using`) must not be met in another
source of its group, or in a header that only the other includes. If it is, a macro gives it another name in its own source,
behind the headers that this includes first. Where the name means something else there, too, the two stay apart. Macros end
with the source that defines them.

A macro knows no scopes. A name therefore also stays as it is if a header has it near a class of which the source defines
members, or from which it derives, since there it may be a member's, called by its name alone; and if the source includes
something later on, in which the macro would be met.
"""
import functools
import re
import sys
from pathlib import Path

NOISE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""", re.S)
SYSTEM = re.compile(r"^\s*#\s*include\s+<([^>]+)>", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
INCLUDES = re.compile(r"^\s*#\s*include\s+(<[^>]+>|\"[^\"]+\")", re.M)
LATER = re.compile(r"^\s*#\s*(?:if|define|pragma)", re.M)  # what is included later stays where it is
ALONE = re.compile(r"\bPMPI_")
# Members, qualified names, suites of tests.
ELSEWHERE = re.compile(r"(?:\.|->|::)\s*(?:template\s+)?([A-Za-z_]\w*)|\bTEST\w*\(\s*(\w+)|\b\w*SUITE\w*\(\s*(\w+)")
WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")  # no members
UNNAMED = re.compile(r"\bnamespace\s*\{")
NAMESPACE = re.compile(r"\bnamespace\s+[\w:]+\s*\{")
DEFINED = re.compile(r"^\s*#\s*define\s+(\w+)", re.M)
USED = re.compile(r"^using\s+([^;]*\b(\w+));|^using\s+(\w+)\s*=", re.M)
STATIC = re.compile(r"^static\s[^;{=(]*?(\w+)\s*[({=;\[]", re.M)
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(\w+)\s*(?:final\b)?\s*(?::[^:]|$)")
ENUMERATORS = re.compile(r"\benum\s*(?:\w+\s*)?(?::\s*\w+\s*)?\{([^}]*)\}")
MACRO = re.compile(r"[A-Z_]{2,}\s*\x01")  # such as TEST(A, B)
NAME = re.compile(r"(?:^|[^:\w])(\w+)(?:\s*\[[^\]]*\])*$")
DEFINITION = re.compile(r"^[A-Za-z_~].*::.*$", re.M)  # of a member, or what looks like one
SCOPE = re.compile(r"\b(\w+)\s*(?:<[^;(]*>)?\s*::")
CLASS = re.compile(r"\b(?:class|struct|union)\s+(?:\[\[\w+\]\]\s*|alignas\(\w+\)\s*)?(?:[\w:<>]*::)?(\w+)\s*(?:<[^;{}]*>\s*)?"
                   r"(?:final\s*)?(?::([^:;{}][^;{}]*))?\{")  # and its bases
ALIAS = re.compile(r"\busing\s+(\w+)\s*=([^;]*);")
KEYWORDS = set("auto bool char const constexpr double final float int long noexcept operator override return signed "
               "static_assert this unsigned void".split())


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
    kept = set(STATIC.findall(text)) | {alias for *_, alias in USED.findall(text)}
    for match in UNNAMED.finditer(text):
        kept |= set(declared(USED.sub("", block(text, match.end()))))
    return kept - KEYWORDS - {""}


def scopes_of(text):
    """The classes whose members a source's text may call by their names alone, among other words."""
    inherited = " ".join(of for _, of in CLASS.findall(text) + ALIAS.findall(text))
    return set(SCOPE.findall("\n".join(DEFINITION.findall(text)))) | set(re.findall(r"\w+", inherited))


class Source:
    def __init__(self, path, directories, costly):
        self.path = Path(path).resolve()
        raw, text = self.path.read_text(encoding="utf-8"), code_of(self.path)
        self.lines, self.alone = raw.count("\n"), bool(ALONE.search(text))
        self.words, self.kept = frozenset(WORD.findall(text)), names_kept(text)
        self.used = {name: where for where, name, _ in USED.findall(text) if name}
        self.costly = costly & set(SYSTEM.findall(raw))
        self.headers = headers_of(self.path, directories)
        self.first_includes = INCLUDES.findall(LATER.split(raw)[0])
        self.includes_later = len(INCLUDES.findall(raw)) > len(self.first_includes)
        self.macros = set(DEFINED.findall(text))
        self.fixed = set().union(*ELSEWHERE.findall(text)) | self.macros | set(self.used)
        scopes = scopes_of(text)
        self.fixed |= set().union(*(words_near(header, directories) for header in self.headers if scopes & classes_of(header)))

    def kept_and_met(self, other):
        """The names that this source keeps to itself, and that would be met in the other."""
        kept = self.kept | {name for name, where in self.used.items() if other.used.get(name) != where}
        return kept & other.words | {name for header in other.headers - self.headers for name in kept & words_of(header)}

    def may_rename(self, name):
        elsewhere = name in self.fixed or any(name in declared_by(header) for header in self.headers)
        return not elsewhere and not self.includes_later

    def fits(self, other):
        """Whether whatever either keeps and the other has can be renamed."""
        return all(map(self.may_rename, self.kept_and_met(other))) and all(map(other.may_rename, other.kept_and_met(self)))


@functools.cache
def headers_of(path, directories):
    """The project's headers that a file includes, itself or through others."""
    found = set()
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        header = place_of(name, path, directories)
        if header and header not in found:
            found |= {header} | headers_of(header, directories)
    return frozenset(found)


def place_of(name, path, directories):
    places = (directory / name for directory in (path.parent, *directories))
    return next((place.resolve() for place in places if place.is_file()), None)


@functools.cache
def code_of(path):
    """The text without comments and strings."""
    return NOISE.sub(" ", path.read_text(encoding="utf-8"))


@functools.cache
def words_of(header):
    return frozenset(WORD.findall(code_of(header)))


@functools.cache
def words_near(header, directories):
    """The words of a header, and of those that it includes, which have the bases of its classes."""
    return words_of(header).union(*map(words_of, headers_of(header, directories)))


@functools.cache
def classes_of(header):
    return frozenset(name for name, _ in CLASS.findall(code_of(header)) + ALIAS.findall(code_of(header)))


@functools.cache
def declared_by(header):
    """The names that a header declares outside of classes and functions."""
    text = code_of(header)
    names = set(DEFINED.findall(text))
    for match in NAMESPACE.finditer(text):
        names |= set(declared(block(text, match.end())))
    return names


def together(group, directories):
    """The text of a source that stands for all of a group."""
    lines = ["// Written by tools/compile_together.py", "#ifndef __clang__  // clang-tidy does not know the warning",
             '#pragma GCC diagnostic ignored "-Wsubobject-linkage"  // takes sources that are included for headers', "#endif"]
    for source in group:
        for name in source.first_includes:
            place = place_of(name[1:-1], source.path, directories) if name.startswith('"') else None
            lines.append(f'#include "{place}"' if place else f"#include {name}")
        renamed = sorted(set().union(*(source.kept_and_met(other) for other in group if other is not source)))
        lines += [f"#define {name} {name}_of_{source.path.stem}" for name in renamed]
        lines.append(f'#include "{source.path}"')
        lines += [f"#undef {name}" for name in sorted({*renamed, *source.macros})]
    return "\n".join(lines) + "\n"


def main():
    lines, folder = int(sys.argv[1]), Path(sys.argv[2])
    directories = tuple(Path(directory) for directory in sys.argv[3].split(","))
    costly = set(sys.argv[4].split(","))
    alone, groups = [], []
    for source in (Source(path, directories, costly) for path in sys.argv[5:]):
        if source.alone:
            alone.append(source)
            continue
        for group in groups:
            small = sum(other.lines for other in group) + source.lines <= lines
            alike = group[0].path.parent == source.path.parent and group[0].costly == source.costly
            if small and alike and all(map(source.fits, group)):
                group.append(source)
                break
        else:
            groups.append([source])
    folder.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(groups):
        if len(group) == 1:
            alone += group
            continue
        path, text = folder / f"{group[0].path.parent.name}_{number}.cpp", together(group, directories)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        print(path)
    for source in alone:
        print(source.path)


if __name__ == "__main__":
    main()
