"""cairn plan: what it prints, and that wrong arguments give one message and exit code 2."""
import json
import os
import re
import subprocess
import sys
import tempfile

CAIRN = os.environ["CAIRN"]
failures = 0


def run(*arguments):
    return subprocess.run([CAIRN, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def plan(m, n, k, *arguments):
    done = run("plan", "gemm", m, n, k, *arguments)
    check(done.returncode == 0, f"{m} {n} {k} {arguments}: {done.stderr}")
    return done.stdout


def refused(expected, *arguments, code=2):
    done = run(*arguments)
    what = f"{arguments}: exit code {done.returncode}, {done.stderr!r}"
    check(done.returncode == code, what)
    check(done.stdout == "", what)
    check(done.stderr.startswith("cairn: error: ") and done.stderr.count("\n") == 1, what)
    check(expected in done.stderr, f"{what} without {expected!r}")


def gemm(*arguments, m=64, ranks=4):
    return ("plan", "gemm", m, 64, 64, "--ranks", ranks, *arguments)


# What it prints
page = plan(4096, 4096, 4096, "--ranks", 8, "--prefer", "words")
for said in ("2 x 2 x 2", "6,291,456", "1.000", "because"):
    check(said in page, f"{said!r} in\n{page}")
with open(os.path.join(os.environ["CAIRN_SOURCE_DIR"], "README.md"), encoding="utf-8") as readme:
    shown = readme.read().split("    $ cairn plan gemm 4096 4096 4096 --ranks 8 --prefer words\n")[1]
    shown, rest = shown.split("The page goes on with flops")
    others = "other algorithms" + rest.split("    other algorithms")[1].split("\n\n")[0]
check(json.loads(plan(4096, 4096, 4096, "--ranks", 12, "--prefer", "words", "--json"))["received_words"]["max"] == 5593088,
      "2 x 2 x 3 of 12 ranks receives the fewest")
check("cannon 3x4" in plan(4096, 4096, 4096, "--ranks", 12, "--prefer", "balanced"), "balanced")
by_time = plan(4096, 4096, 4096, "--ranks", 8)
for line in shown.splitlines():
    check(line.strip() in page, f"README.md shows {line.strip()!r}, not in\n{page}")
for line in others.splitlines():
    check(line.strip() in by_time, f"README.md shows {line.strip()!r}, not in\n{by_time}")
made = json.loads(plan(4096, 4096, 4096, "--ranks", 65, "--prefer", "words", "--json"))
check(made["grid"] == [4, 4, 4] and made["idle_ranks"] == 1, made)
check(made["peak_words"]["max"] > 0 and made["predicted_seconds"] > 0, made)


def computation(*arguments):
    predicted = json.loads(plan(2048, 2048, 2048, "--ranks", 1, "--json", *arguments))
    return predicted["predicted"]["computation"], predicted.get("kernels")


own, told = computation()
check(told is None, told)
check(computation("--kernels", "haswell") == (own, "Haswell"), "generic is for kernels in AVX2")
check(computation("--kernels", "SKYLAKEX") == (own / 2, "SkylakeX"), "those in AVX-512 are twice as fast")
cluster = ("--machine", "piz-daint")
check(computation(*cluster, "--kernels", "SkylakeX") == computation(*cluster), "a paper's machine is what it is")
refused("kernels: 'skylark' is unknown, expected one of ", *gemm("--kernels", "skylark"))
schedule = plan(64, 64, 64, "--ranks", 8, "--algorithm", "cosma pm2,pn2,pk2,sk4", "--print")
check("cosma pm2,pn2,pk2,sk4" in schedule and schedule.count("gemm") == 4, schedule)

segments = plan(512, 512, 512, "--ranks", 16, "--algorithm", "summa 4x4 b=64", "--collectives", "bcast=chain:8", "--print")
check(segments.count("chain:8") == 16, segments)

# Limits
asked = plan(64, 64, 64, "--ranks", 4, "--limits")
told = json.loads(plan(64, 64, 64, "--ranks", 4, "--json"))["limits"]
page, limits = asked.split("\nlimits of the planner")
check(page == plan(64, 64, 64, "--ranks", 4), "limits come after the page")
printed = dict(line.split() for line in limits.splitlines()[1:])
check({name: float(value) for name, value in printed.items()} == told, printed)
with open(os.path.join(os.environ["CAIRN_SOURCE_DIR"], "src/planner/limits.hpp"), encoding="utf-8") as header:
    check(set(printed) == set(re.findall(r"^  \S+ (\w+) = ", header.read(), re.M)), "none is forgotten")
check("limits of the planner" in run("plan", "potrf", 64, "--ranks", 4, "--limits").stdout, "of factorisations, too")
refused("--limits", *gemm("--limits", "--json"))

# Transport and nodes
text = plan(4096, 4096, 4096, "--ranks", 8, "--transport", "one-sided", "--nodes", 4, "--algorithm", "cosma pm2,pn2,pk2,sk2")
check("one-sided" in text and "from other nodes of 2" in text and "read or added to by others" in text, text)
made = json.loads(plan(4096, 4096, 4096, "--ranks", 8, "--nodes", 8, "--json"))
check(made["node_words"]["max"] == made["wire_words"]["max"] and made["transport"] == "two-sided", made)

for nodes in (3, 8):
    refused(f"--nodes {nodes}: 4 ranks, expected a number of nodes over which they can be spread evenly", *gemm("--nodes", nodes))

# Memory
for memory, words in (("1000000words", 1000000), ("8000000", 1000000), ("8MB", 1000000), ("8 MiB", 1 << 20),
                      ("0.5GiB", 1 << 26)):
    made = json.loads(plan(4096, 4096, 4096, "--ranks", 64, "--memory", memory, "--json"))
    check(made["memory_words"] == words, f"{memory}: {made['memory_words']}")
    check(made["peak_words"]["max"] <= words, f"{memory}: {made['peak_words']}")
made = json.loads(plan(512, 512, 512, "--ranks", 4, "--memory", "4MB", "--type", "complex128", "--json"))
check(made["memory_words"] == 250000, made["memory_words"])

# Empty problems, more ranks than work
for sizes in ((0, 5, 5), (5, 5, 0), (0, 0, 0), (1, 1, 1)):
    check("grid" in plan(*sizes, "--ranks", 1000), sizes)

# Wrong arguments
alone = run()  # shows its help
check(alone.returncode == 2 and alone.stdout == "" and "Usage" in alone.stderr and "plan" in alone.stderr, alone)
refused("cairn plan does nothing alone, expected one of gemm, potrf, trsm, spgemm", "plan")
refused("cairn: 'conjure' is unknown, expected one of plan, simulate, ", "conjure")
refused("cairn plan: 'gem' is unknown, expected one of gemm, potrf", "plan", "gem", 1, 2, 3, "--ranks", 4)
refused("'--rank' is unknown, expected what cairn plan gemm --help lists", "plan", "gemm", 1, 2, 3, "--rank", 4)
refused("'--one' is unknown", *gemm("--one", "1", "--two", "2"))
refused("--ranks", "plan", "gemm", 1, 2, 3)
refused("K", "plan", "gemm", 1, 2, "--ranks", 2)
refused("M: 'many', expected a whole number below 2^63", *gemm(m="many"))
refused("--ranks: 'four', expected a whole number", *gemm(ranks="four"))
refused("--ranks: '99999999999999999999', expected a whole number below 2^63", *gemm(ranks=99999999999999999999))
refused("M: '9223372036854775808', expected a whole number below 2^63", *gemm(m=2**63))
refused("--max-idle: 'few', expected a number", *gemm("--max-idle", "few"))
refused("--memory: an empty text, expected a value", *gemm("--memory", ""))
refused("--algorithm: an empty text, expected a value", *gemm("--algorithm="))
check("m=10 n=64" in plan("010", "+64", 64, "--ranks", 4, "--print"), "numbers are decimal")
refused("m is -5", "plan", "gemm", "--ranks", 2, "--", -5, 6, 7)
refused("ranks: 0", *gemm(ranks=0))
refused("'lots'", *gemm("--memory", "lots"))
refused("'-3words'", *gemm("--memory=-3words"))
refused("at least", *gemm("--memory", "10words"))
refused("float16", *gemm("--type", "float16"))
refused("'strassen' is unknown, expected one of cosma", *gemm("--algorithm", "strassen"))
refused("algorithm: b= is missing, expected a positive number, as in summa 4x4 b=256", *gemm("--algorithm", "summa 2x2"))
refused("algorithm: 'b=0', expected a positive number", *gemm("--algorithm", "summa 2x2 b=0"))
refused("algorithm: the grid is missing, expected 2 positive numbers", *gemm("--algorithm", "summa b=4"))
refused("'px2' is not a cut", *gemm("--algorithm", "cosma px2"))
refused("expected at most 4", *gemm("--algorithm", "cosma pm5"))
refused("expected one of bcast, reduce", *gemm("--collectives", "gossip=ring"))
refused("prefer: 'luck' is unknown, expected one of time, words, balanced", *gemm("--prefer", "luck"))
refused("expected one of two-sided, one-sided, node-shared", *gemm("--transport", "pigeon"))
refused("max_idle", *gemm("--max-idle", 2))
refused("look-ahead", *gemm("--look-ahead=-1"))
refused("expected one of generic, local", *gemm("--machine", "cray"))
refused("--print", *gemm("--print", "--json"))

# Factorisations and solves
page = run("plan", "potrf", 2048, "--ranks", 8).stdout
for said in ("A = L·Lᴴ: 2048 x 2048, float64, on 8 ranks", "because", "plan / bound", "other grids and blocks"):
    check(said in page, f"{said!r} in\n{page}")
for idle in (0, 0.1):
    made = json.loads(run("plan", "potrf", 1024, "--ranks", 23, "--max-idle", idle, "--json").stdout)
    check(made["idle_ranks"] <= 23 * idle, made["idle_ranks"])
made = json.loads(run("plan", "potrf", 2048, "--ranks", 8, "--uplo", "upper", "--type", "float32", "--json").stdout)
check(made["problem"] == {"operation": "potrf", "n": 2048, "uplo": "upper", "ranks": 8, "type": "float32"}, made["problem"])
check(made["received_words"]["max"] == made["bounds"]["tight"] * made["ratios"]["tight"], made)
solve = ("plan", "trsm", 400, 300, "--ranks", 6)
made = json.loads(run(*solve, "--side", "right", "--uplo", "upper", "--op", "C", "--diag", "unit", "--json").stdout)
check(made["problem"] == {"operation": "trsm", "m": 400, "n": 300, "side": "right", "uplo": "upper", "op": "adjoint",
                          "diag": "unit", "ranks": 6, "type": "float64"}, made["problem"])
made = json.loads(run(*solve, "--memory", "600000", "--json").stdout)
check(made["memory_words"] == 75000 and made["peak_words"]["max"] <= 75000, made)
schedule = run(*solve, "--algorithm", "trsm 3x2 b=64", "--look-ahead", 0, "--print").stdout
check("problem trsm m=400 n=300 side=left" in schedule and "trsm 3x2 b=64" in schedule, schedule)
refused("n is -5", "plan", "potrf", "--ranks", 2, "--", -5)
refused("--uplo 'full': expected lower or upper", "plan", "potrf", 64, "--ranks", 2, "--uplo", "full")
refused("--side 'top': expected left or right", *solve, "--side", "top")
refused("--op 'H': expected N or T or C", *solve, "--op", "H")
refused("--diag 'none': expected stored or unit", *solve, "--diag", "none")
refused("'cosma' is unknown, expected one of trsm", *solve, "--algorithm", "cosma")
refused("expected at least", *solve, "--memory", "100words")
refused("N is required", "plan", "trsm", 64, "--ranks", 2)

# Block-sparse products
def blocks(*arguments, dims="6912x23", occupancy="0.1", ranks=400):
    return ("plan", "spgemm", "--blocks", dims, "--occupancy", occupancy, "--ranks", ranks, *arguments)


text = run(*blocks("--prefer", "balanced")).stdout
for said in ("6912·23 x 6912·23 x 6912·23 (m x n x k) in blocks, A 10 %, B 10 %, C 100 %", "20 x 20", "of sums of C",
             "as expected of random patterns", "Equation 7, own panels too", "received, any memory",
             "A and B in order to be sent", "in all", "31.5 Gflop/s", "other grids and layers", "because"):
    check(said in text, f"{said!r} in\n{text}")
made = json.loads(run(*blocks("--algorithm", "fetch25d 20x20 layers=2x2", "--occupancy-c", "0.27", "--json")).stdout)
check(made["grid"] == [20, 20] and made["layers"] == [2, 2] and not made["exact"], made)
check(made["problem"]["operation"] == "spgemm" and made["problem"]["k"] == {"blocks": 6912, "size": 23, "elements": 158976},
      made["problem"])
check(abs(made["problem"]["occupancy_c"] - 0.27) < 1e-6, made["problem"])
check(0.95 < made["received_words"]["mean"] / made["equation_7_words"] < 1, made["received_words"])
made = json.loads(run(*blocks("--json", dims="100x23,50x6,80x13", occupancy="1,0.5", ranks=6)).stdout)
check(made["problem"]["m"]["blocks"] == 100 and made["problem"]["n"]["size"] == 6 and made["problem"]["k"]["blocks"] == 80, made)
check(made["problem"]["occupancy_a"] == 1 and made["problem"]["occupancy_b"] == 0.5, made["problem"])
made = json.loads(run(*blocks("--memory", "2GB", "--type", "float32", "--prefer", "words", "--json")).stdout)
check(made["memory_words"] == 500000000 and made["peak_words"]["max"] <= 500000000, made)
schedule = run(*blocks("--print", "--algorithm", "fetch25d 4x4", ranks=16)).stdout
check("problem m=4 n=4 k=4 ranks=16" in schedule and "fetch25d 4x4" in schedule, schedule)
for dims in ("0x5", "1x1", "3x4", "0x5,3x3,2x2", "5x0"):
    for ranks in (1, 7, 64):
        done = run(*blocks(dims=dims, ranks=ranks))
        check(done.returncode == 0 and "grid" in done.stdout, f"{dims} on {ranks}: {done.stderr}")
for dims in ("6912", "-6"):
    refused(f"--blocks '{dims}': expected blocks and their size, as 6912x23", *blocks(dims=dims))
refused("--blocks '10x3,4x3': expected", *blocks(dims="10x3,4x3"))
refused("blocks of m: -1", "plan", "spgemm", "--blocks=-1x3", "--occupancy", "0.1", "--ranks", 4)
refused("--occupancy '1.1': expected a share of blocks, 0 to 1", *blocks(occupancy="1.1"))
refused("--occupancy '0.1,0.2,0.3': expected one of A and B, or two", *blocks(occupancy="0.1,0.2,0.3"))
refused("--occupancy-c 'half': expected a share of blocks", *blocks("--occupancy-c", "half"))
refused("occupancy of C: 0.5, expected at most", *blocks("--occupancy-c", "0.5", occupancy="0.001"))
refused("--blocks is required", "plan", "spgemm", "--occupancy", "0.1", "--ranks", 4)
refused("--occupancy is required", "plan", "spgemm", "--blocks", "9x9", "--ranks", 4)
refused("ranks: 0", *blocks(ranks=0))
for seed in ("-1", "x", "1.5"):
    refused(f"--seed '{seed}': expected a whole number", *blocks(f"--seed={seed}"))
refused("algorithm: 'foo' is unknown, expected one of", *blocks("--algorithm", "foo"))
refused("'cannon', expected fetch25d, or a whole spelling", *blocks("--algorithm", "cannon"))
refused("needs 441 ranks, expected at most 400", *blocks("--algorithm", "fetch25d 21x21"))
refused("expected at least", *blocks("--memory", "100words"))
refused("'--look-ahead' is unknown, expected what cairn plan spgemm --help lists", *blocks("--look-ahead", 1))

# A machine's file
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "m.json")
    refused(f"error: machine: {path}: expected a readable JSON file", *gemm("--machine", path), code=1)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"name": "torn", "levels": [')
    refused("m.json: expected a JSON object", *gemm("--machine", path), code=1)
    path = os.path.join(folder.encode(), b"m\xff.json")  # no UTF-8, which JSON has to be
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"name": "mine"}, file)
    missing = subprocess.run([CAIRN, *map(str, gemm("--machine")), path], capture_output=True, timeout=60, check=False)
    check(missing.returncode == 1 and b'm\xff.json: "source": expected a text' in missing.stderr, missing.stderr)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"name": "mine", "source": "", "levels": [{"name": "all", "ranks": 0, "latency_seconds": 1e-6, "seconds_per_byte": 1e-9}],
                   "gemm": {"flops_per_second": dict.fromkeys(("float32", "float64", "complex64", "complex128"), 1e9), "half_size": 8},
                   "copy_seconds_per_byte": 1e-9, "step_seconds": 1e-6, "precision": 0.1}, file)
    done = subprocess.run([CAIRN, *map(str, gemm("--json", "--machine")), path], capture_output=True, timeout=60, check=False)
    check(done.returncode == 0 and json.loads(done.stdout)["asked"]["machine"].endswith("/m\ufffd.json"), done.stderr)

# A full disk
for what in (("--help",), ("--version",), ("plan", "gemm", "--help"), gemm(), ("simulate", *gemm()[1:]), ("reproduce",), ("reproduce", "cosma-figure5")):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([CAIRN, *map(str, what)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    check(done.returncode == 1 and done.stderr == "cairn: error: standard output: cannot be written\n", f"{what}: {done}")

print("cli.plan:", "failed" if failures else "passed")
sys.exit(1 if failures else 0)
