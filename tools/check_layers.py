#!/usr/bin/env python3
"""Check that every #include keeps to layers.toml: folders, public headers, restricted outside headers."""
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = tomllib.loads((ROOT / "layers.toml").read_text(encoding="utf-8"))
FOLDERS = RULES["folders"]
PUBLIC = {header: folder for folder, headers in RULES["public"].items() for header in headers}
SUFFIXES = {".cpp", ".hpp", ".h", ".c", ".cu"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def folder_of(path):
    """The folder of layers.toml that a file belongs to; None for tests, bench and examples, which see all."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return parts[1]
    if parts[0] in ("apps", "python"):
        return parts[0]
    if parts[0] == "include":
        return PUBLIC.get(path.stem, "api")
    return None


def target_of(path, name):
    """The folder that an included project header belongs to; None if the name is not one of the project's."""
    beside = (path.parent / name).resolve()
    if beside.is_file() and beside.is_relative_to(ROOT):
        return folder_of(beside)
    if name.startswith("cairn/"):
        return PUBLIC.get(Path(name).stem, "api")
    if (ROOT / "src" / name).exists():
        return Path(name).parts[0]
    for top in ("apps", "python/src"):
        if path.is_relative_to(ROOT / top) and (ROOT / top / name).exists():
            return Path(top).parts[0]
    return None


def check_file(path):
    errors = []
    here = folder_of(path)
    relative = path.relative_to(ROOT).as_posix()
    if here is not None and here not in FOLDERS:
        return [f"{relative}: folder '{here}' is not named in layers.toml"]
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        where = f"{relative}:{number}: includes {name}, "
        for header, places in RULES["restricted"].items():
            if f"/{header}" in f"/{name}" and not any(relative.startswith(place) for place in places):
                errors.append(where + f"allowed only in {', '.join(places)}")
        target = target_of(path, name)
        if target is None:
            if quote == '"' and here is not None:
                errors.append(where + "which is neither in src/ nor beside it")
        elif here is not None and target != here and target not in FOLDERS[here]:
            errors.append(where + f"but {here} may not include {target} (layers.toml)")
        elif relative.startswith("include/") and not name.startswith("cairn/"):
            errors.append(where + "a private header, from a public one")
    return errors


def main():
    files = [
        path
        for top in ("src", "include", "apps", "python", "tests", "bench", "examples")
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in SUFFIXES
    ]
    errors = [error for path in files for error in check_file(path)]
    for error in errors:
        print(error)
    print(f"layers: {len(files)} files, {len(errors)} includes against layers.toml")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
