"""cairn simulate: what it prints, and that wrong arguments give one message and exit code 2."""
import json
import os
import subprocess
import sys
import tempfile

CAIRN = os.environ["CAIRN"]
failures = 0


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def simulate(*arguments):
    operation = () if arguments[0] in ("potrf", "trsm", "spgemm") else ("gemm",)
    command = [CAIRN, "simulate", *operation, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def refused(expected, *arguments):
    done = simulate(*arguments)
    what = f"{arguments}: exit code {done.returncode}, {done.stderr!r}"
    check(done.returncode == 2 and done.stdout == "", what)
    check(done.stderr.startswith("cairn: error: ") and done.stderr.count("\n") == 1, what)
    check(expected in done.stderr, f"{what} without {expected!r}")


SUMMA = (512, 512, 512, "--ranks", 16, "--algorithm", "summa 4x4 b=64")
text = simulate(*SUMMA)
check(text.returncode == 0 and "critical path" in text.stdout, text.stderr)
numbers = json.loads(simulate(*SUMMA, "--json", "--machine", "hopper").stdout)
check(numbers["machine"] == "hopper" and numbers["algorithm"] == "summa 4x4 b=64", numbers)
check(numbers["received_words"]["max"] == 2 * 128 * 512 * 3 / 4, numbers["received_words"])
check(numbers["seconds"] >= numbers["computation"]["max"], numbers)
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "t.json")
    done = simulate(*SUMMA, "--timeline", trace, "--timeline-ranks", "0,5")
    check(done.returncode == 0, done.stderr)
    with open(trace, encoding="utf-8") as file:
        check({e["pid"] for e in json.load(file)["traceEvents"]} == {0, 5}, "ranks of the timeline")

for how, messages in (("binomial", 12), ("scatter_allgather", 44)):
    done = simulate(*SUMMA, "--collectives", f"bcast={how}", "--json")
    check(json.loads(done.stdout)["messages"]["max"] == messages, f"{how}: {done.stdout}")
check(json.loads(simulate(512, 512, 512, "--ranks", 16, "--prefer", "words", "--json").stdout)["ranks_used"] == 16, "words")
CHOLESKY = ("potrf", 512, "--ranks", 16, "--algorithm", "cholesky 4x4 b=64", "--look-ahead", 1)
text = simulate(*CHOLESKY)
check(text.returncode == 0 and "A = L·Lᴴ: 512 x 512" in text.stdout and "critical path" in text.stdout, text.stderr)
check("waited, also for others" in text.stdout and "hidden" not in text.stdout, text.stdout)
text = simulate(*SUMMA)
check("waited, also for others" in text.stdout and "of the communication hidden" in text.stdout, text.stdout)
numbers = json.loads(simulate(*CHOLESKY, "--json").stdout)
check(numbers["problem"]["operation"] == "potrf" and numbers["look_ahead"] == 1, numbers)
check(abs(numbers["flops"]["mean"] * 16 / (512**3 / 3) - 1) < 0.01, numbers["flops"])
numbers = json.loads(simulate("trsm", 256, 64, "--ranks", 4, "--side", "right", "--algorithm", "trsm 4x1 b=32", "--json").stdout)
check(numbers["problem"]["side"] == "right" and numbers["ranks_used"] == 4, numbers)
refused("'cosma' is unknown, expected one of cholesky", "potrf", 64, "--ranks", 4, "--algorithm", "cosma")
refused("rank 16 of the timeline", *CHOLESKY, "--timeline", "t.json", "--timeline-ranks", "16")
BLOCKS = ("spgemm", "--blocks", "600x6", "--occupancy", 0.02, "--ranks", 16, "--algorithm", "fetch25d 4x4 layers=2x2")
text = simulate(*BLOCKS)
check(text.returncode == 0 and "600·6 x 600·6" in text.stdout and "critical path" in text.stdout, text.stderr)
check("not exact: those of random patterns" in text.stdout, text.stdout)
numbers = json.loads(simulate(*BLOCKS, "--json").stdout)
check(numbers["exact"] is False, numbers)
full = simulate("spgemm", "--blocks", "600x6", "--occupancy", 1, "--ranks", 16)
check("not exact" not in full.stdout and json.loads(simulate(*SUMMA, "--json").stdout)["exact"] is True, full.stdout)
check(numbers["problem"]["operation"] == "spgemm" and numbers["messages"]["max"] == 7, numbers)
check(numbers["seconds"] >= numbers["computation"]["max"] > 0, numbers)
drawn, again, other = (json.loads(simulate(*BLOCKS, "--json", "--seed", seed).stdout) for seed in (1, 1, 2))
check(drawn == again and drawn["received_words"] != other["received_words"], "seeds")
check(abs(drawn["received_words"]["mean"] / numbers["received_words"]["mean"] - 1) < 0.05, drawn["received_words"])
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "t.json")
    done = simulate(*BLOCKS, "--timeline", trace, "--timeline-ranks", "0,5")
    check(done.returncode == 0, done.stderr)
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    check({e["pid"] for e in events} == {0, 5} and {"gemm", "receive"} <= {e["name"] for e in events}, events)
refused("rank 16 of the timeline", *BLOCKS, "--timeline", "t.json", "--timeline-ranks", "16")
refused("--occupancy is required", "spgemm", "--blocks", "600x6", "--ranks", 16)
refused("--timeline-ranks requires --timeline", *SUMMA, "--timeline-ranks", "0,1")
refused("--timeline-ranks: 'a', expected a whole number", *SUMMA, "--timeline", "t.json", "--timeline-ranks", "0,a")
refused("expected one of generic, local, piz-daint", *SUMMA, "--machine", "cray")
refused("expected 0 or more", -1, 512, 512, "--ranks", 16, "--algorithm", "summa 4x4 b=64")
refused("bcast", *SUMMA, "--collectives", "bcast=pigeon")
refused("rank 16 of the timeline", *SUMMA, "--timeline", "t.json", "--timeline-ranks", "16")
with open("/dev/full", "w", encoding="utf-8") as full:
    done = subprocess.run([CAIRN, "info"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    check(done.returncode == 1 and done.stderr == "cairn: error: standard output: cannot be written\n", done)
sys.exit(1 if failures else print("cli.simulate: passed"))
