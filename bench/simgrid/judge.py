#!/usr/bin/env python3
"""Compare what is predicted with the executor itself on simulated ranks: bench/simgrid/judge.py [RANKS ...] [--only potrf]

For every algorithm, or for those of one operation, on 16 and 64 ranks, or on those given (16, 64, 256, 1024): what `cairn simulate` predicts, and what
SimGrid's SMPI says the executor takes on a crossbar (every rank its own full-duplex link, no contention but at a rank's own
link) and on a fat tree of two levels whose upper links carry half of what the lower ones could send. Prints the table of
docs/clock.md and writes build/bench/simgrid.csv:

  predicted, crossbar, fat_tree   seconds
  clock                           seconds by the planner's clock, which goes step by step; none where the planner replays
  agreement                       crossbar / predicted; the prediction is right where it is 1
  contention                      fat tree / crossbar: how far contention and longer ways move the algorithm

Exits with 1 if a prediction is off by more than 10 %.
"""
import argparse
import csv
import math
import sys
import tempfile
from pathlib import Path

from smpi import ROOT, asked, fat_tree, platform, simulated

LATENCY, BANDWIDTH, FLOPS = 1e-5, 1e9, 5e10
TOLERANCE = 0.10

# Order of the matrices by ranks: large enough that products and messages both matter, small enough for memory.
ORDER = {16: 1024, 64: 2048, 256: 2048, 1024: 4096}
BLOCK = 64  # of factorisations and solves
# Ranks that send directly to each other are as many concurrent flows, and SimGrid's cost grows with their square.
MOST_DIRECT = 64


LAYERS = 4


def cases(ranks):
    """Every algorithm, with and without rounds, layers, groups and look-ahead, over collectives of all kinds, on exactly
    so many ranks: by problem, (spelling, look-ahead, collectives)."""
    n = ORDER[ranks]
    return {
        ("gemm", n, n, n): products(ranks),
        ("potrf", n): triangles("cholesky", ranks),
        ("trsm", n, n): triangles("trsm", ranks),
    }


def triangles(algorithm, ranks):
    s, c = math.isqrt(ranks), math.isqrt(ranks // LAYERS)
    flat, layered = f"{algorithm} {s}x{s} b={BLOCK}", f"{algorithm} {c}x{c}x{LAYERS} b={BLOCK}"
    trees = "bcast=binomial, reduce=binomial"
    deeper = [(flat, 2 if algorithm == "cholesky" else 4, way) for way in (trees, "bcast=near")]
    chains = ("bcast=chain:8", "bcast=chain:4") if algorithm == "cholesky" else ("bcast=chain:8",)
    overlapped = [(flat, 1, way) for way in (trees, "bcast=near", *chains)]
    return [(flat, 0, trees), *overlapped, *deeper, (layered, 0, trees), (layered, 1, trees)]


def products(ranks):
    s = math.isqrt(ranks)
    b = ORDER[ranks] // s
    c = math.isqrt(ranks // LAYERS)
    pm, pn, pk = {16: (2, 2, 4), 64: (4, 4, 4), 256: (8, 8, 4), 1024: (8, 8, 16)}[ranks]
    g = 2 if ranks == 16 else 4
    summa, summa_a, cosma = f"summa {s}x{s} b={b}", f"summa {s}x{s} b={b} stationary=a", f"cosma pm{pm},pn{pn},pk{pk}"
    usual = "allgather=direct, reduce_scatter=direct" if ranks <= MOST_DIRECT else "allgather=ring, reduce_scatter=ring"
    trees = "bcast=binomial, reduce=binomial"
    return [
        (cosma, 0, usual),
        (cosma, 0, "allgather=bruck, reduce_scatter=halving"),
        (f"cosma pm{s},pn{s},sk4", 0, usual),
        (f"cosma pm{s},pn{s},sk4", 1, usual),
        (f"{cosma},sn4", 0, usual),
        (f"{cosma},sn4", 1, usual),
        (summa, 0, trees),
        (summa, 1, trees),
        (summa, 0, "bcast=chain:8"),
        (summa, 0, "bcast=scatter_allgather"),
        (summa, 0, "bcast=near"),
        (summa_a, 0, trees),
        (summa_a, 0, "bcast=binary, reduce=chain:8"),
        (f"hsumma {s}x{s} groups={g}x{g} M={b} b={b // 2}", 0, trees),
        (f"hsumma {s}x{s} groups={g}x{g} M={b} b={b // 2}", 1, trees),
        (f"cannon {s}x{s}", 0, ""),
        (f"cannon {s}x{s}", 1, ""),
        (f"cannon {'2x4x2' if ranks == 16 else f'{c}x{c}x{LAYERS}'}", 0, trees),
        (f"summa25d {c}x{c}x{LAYERS} b={ORDER[ranks] // c}", 0, trees),
        (f"agarwal3d {pm}x{pn}x{pk}", 0, trees + ", " + usual),
        (f"carma {ranks}", 0, usual),
    ]


MACHINE = {
    "name": "judge",
    "source": "the platforms of bench/simgrid/judge.py",
    "levels": [{"name": "network", "ranks": 0, "latency_seconds": LATENCY, "seconds_per_byte": 1 / BANDWIDTH}],
    "gemm": {
        "flops_per_second": {"float32": 2 * FLOPS, "float64": FLOPS, "complex64": 2 * FLOPS, "complex128": FLOPS},
        "half_size": 8,
    },
    "step_seconds": 0,
    "precision": 0,
}


def named(case):
    """The case, as options of the command."""
    collectives = ["--collectives", case[2]] if case[2] else []
    return ["--algorithm", case[0], "--look-ahead", str(case[1]), *collectives]


def wrong(predicted, crossbar):
    """Whether a prediction is off by more than it may be."""
    return abs(crossbar / predicted - 1) > TOLERANCE


def line(ranks, case, p, clock, crossbar, tree):
    """A row of the table of docs/clock.md."""
    ahead = "" if case[1] == 0 else ", look-ahead" if case[1] == 1 else f", look-ahead {case[1]}"
    name = f"`{case[0]}`{ahead}{', ' + case[2] if case[2] else ''}"
    mark = " \\*" if wrong(p, crossbar) else ""
    times = " | ".join(f"{1e3 * t:.3f}" for t in (p, clock, crossbar))
    return f"| {ranks} | {name} | {times} | {crossbar / p:.3f}{mark} | {tree / crossbar:.2f} |"


HEAD = ["| ranks | case | predicted, ms | clock, ms | crossbar, ms | agreement | fat tree |", "|---|---|---|---|---|---|---|"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("ranks", nargs="*", type=int, default=[16, 64], metavar="RANKS")
    arguments.add_argument("--only", choices=["gemm", "potrf", "trsm"], help="one operation")
    given = arguments.parse_args()
    if unknown := [r for r in given.ranks if r not in ORDER]:
        arguments.error(f"{unknown[0]} ranks, expected some of {', '.join(map(str, sorted(ORDER)))}")
    out = ROOT / "build" / "bench" / "simgrid.csv"
    out.parent.mkdir(parents=True, exist_ok=True)
    missed = 0
    with out.open("w", encoding="utf-8", newline="") as file, tempfile.TemporaryDirectory() as temporary:
        table = csv.writer(file)
        head = ["predicted", "clock", "crossbar", "fat_tree", "agreement", "contention"]
        table.writerow(["ranks", "problem", "algorithm", "look_ahead", "collectives"] + head)
        print("\n".join(HEAD), flush=True)
        for ranks, problem, chosen in [(r, *some) for r in given.ranks for some in cases(r).items()]:
            if given.only not in (None, problem[0]):
                continue
            folder, lines = Path(temporary), [";".join(map(str, c)) for c in chosen]
            crossbar = simulated(ranks, problem, MACHINE, platform(ranks, MACHINE), lines, folder)
            tree = simulated(ranks, problem, MACHINE, platform(ranks, MACHINE, fat_tree(ranks)), lines, folder)
            for case, (x, clock), (t, _) in zip(chosen, crossbar, tree):
                p = asked("simulate", ranks, problem, named(case), folder)["seconds"]
                missed += wrong(p, x)
                row = [p, clock, x, t, x / p, t / x]
                table.writerow([ranks, " ".join(map(str, problem)), *case] + [f"{v:.6g}" for v in row])
                print(line(ranks, case, p, clock, x, t), flush=True)
    print(f"\n{missed} predictions are off by more than they may be; {out}")
    return 0 if missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
