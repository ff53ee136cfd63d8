#!/usr/bin/env python3
"""Check that only effects, printing and parsing ask which kind of step a step is (layers.toml, [steps])."""
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ASKED_IN = tomllib.loads((ROOT / "layers.toml").read_text(encoding="utf-8"))["steps"]["asked_in"]
VARIANT = re.search(r"using Step = std::variant<([^>]*)>", (ROOT / "src/schedule/step.hpp").read_text(encoding="utf-8"))
KIND = "(?:" + "|".join(name.strip() for name in VARIANT.group(1).split(",")) + ")"
COMMENT = re.compile(r"//.*")
ASKS = {
    "asks for the kind of a step": re.compile(
        rf"\b(?:get|get_if|holds_alternative)\s*<\s*(?:(?:const\s+)?(?:\w*::)*{KIND}\s*>|\d+\s*>\s*\([^()]*\bstep\s*\))"
    ),
    "asks for the number of a step's kind": re.compile(r"\bstep\s*\.\s*index\s*\("),
    "takes any other kind without naming it": re.compile(r"operator\(\)\(const (?:Other|auto)&"),
}
VISIT = re.compile(r"\bvisit\s*\(")


def visits(code):
    """Where a step is an argument of visit(); an effect may be called `step`, too."""
    for found in VISIT.finditer(code):
        depth, arguments = 1, ""
        for c in code[found.end() :]:
            depth += (c in "([{") - (c in ")]}")
            if depth == 0:
                break
            arguments += c if depth == 1 else ""
        kinds = re.findall(r"\b(\w+)&? step\b", code[: found.start()])
        if re.search(r"\bstep\s*(?:,|$)", arguments) and kinds[-1:] != ["Effect"]:
            yield found


def check_file(path):
    relative = path.relative_to(ROOT).as_posix()
    if relative in ASKED_IN:
        return []
    code = COMMENT.sub("", path.read_text(encoding="utf-8"))
    asks = [(what, found) for what, pattern in ASKS.items() for found in pattern.finditer(code)]
    asks += [("visits a step", found) for found in visits(code)]
    return [
        f"{relative}:{code.count(chr(10), 0, found.start()) + 1}: {what}; effects say what it does (schedule/effect.hpp)"
        for what, found in asks
    ]


def main():
    files = [path for top in ("src", "apps", "python/src") for path in sorted((ROOT / top).rglob("*")) if path.suffix in {".cpp", ".hpp"}]
    errors = [error for path in files for error in check_file(path)]
    for error in errors:
        print(error)
    print(f"effects: {len(files)} files, {len(errors)} ask what a step is")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
