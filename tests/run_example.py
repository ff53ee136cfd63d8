#!/usr/bin/env python3
"""run_example.py SOURCE EXECUTABLE: run an example as its first lines say, compare what it prints.

    // run: 4                 on 4 ranks; 0 means without a launcher
    // run: 4 data/A.mtx.gz   with arguments; an example runs in the root of the source tree
    // expect: a line of output; "..." stands for any text within the line, {name} for a word that is the same wherever
               it is written in the line

The expected lines must be the whole output, in order.
"""
import os
import re
import subprocess
import sys


def main():
    source, executable = sys.argv[1:]
    lines = open(source, encoding="utf-8").read().splitlines()
    runs = [m[1].split() for line in lines if (m := re.match(r"// run: (\d+.*)$", line))]
    expected = [m[1] or "" for line in lines if (m := re.match(r"// expect:(?: (.*))?$", line))]
    if len(runs) != 1 or not expected:
        sys.exit(f"{source}: needs one line '// run: RANKS' and lines '// expect: TEXT'")
    ranks, *arguments = runs[0]
    command = [executable, *arguments]
    if ranks != "0":
        command = [os.environ["CAIRN_LAUNCHER"], "-n", ranks, *command]
    root = os.environ["CAIRN_SOURCE_DIR"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=root)
    printed = run.stdout.splitlines()
    print(run.stdout, end="")
    if run.returncode != 0:
        sys.exit(f"{source}: exit code {run.returncode}")
    for number in range(max(len(printed), len(expected))):
        want = expected[number] if number < len(expected) else None
        got = printed[number] if number < len(printed) else None
        if want is None or got is None or not matches(want, got):
            sys.exit(f"{source}: line {number + 1}\n  expected: {want}\n  printed:  {got}")


def matches(pattern, text):
    known = set()

    def one(part):
        name = part[1:-1]
        if part == "...":
            return ".*"
        if not re.fullmatch(r"\{\w+\}", part):
            return re.escape(part)
        again = name in known
        known.add(name)
        return f"(?P={name})" if again else rf"(?P<{name}>\S+)"

    expression = "".join(map(one, re.split(r"(\.\.\.|\{\w+\})", pattern.rstrip())))
    return re.fullmatch(expression, text.rstrip()) is not None


if __name__ == "__main__":
    main()
