#!/usr/bin/env python3
"""The plan that is usual beside COSMA, CA3DMM and ScaLAPACK on simulated clusters: bench/simgrid/peers.py [RANKS ...]

Crossbars with one rank a host (bench/simgrid/machines), three shapes, on 16, 64 and 128 ranks or on those given. The peers'
times were measured on the same platforms with SimGrid 3.32: COSMA 2.8.4, CA3DMM without its copies in and out, ScaLAPACK 2.2
with the best of blocks of 64 to 256; here only Cairn runs. Prints the table of docs/clock.md.

Exits with 1 if a peer is faster, or if clock or replay are off by more than 5 %.
"""
import argparse
import json
import sys
import tempfile
from pathlib import Path

from smpi import ROOT, asked, platform, simulated

TOLERANCE = 0.05
EAGER = 65536  # bytes
SHAPES = {"square": (4096, 4096, 4096), "flat": (8192, 8192, 256), "largeK": (512, 512, 65536)}
# Milliseconds of COSMA, CA3DMM, ScaLAPACK.
PEERS = {
    ("node", "square", 16): (8.133, 8.135, 16.198),
    ("node", "square", 64): (2.710, 2.161, 7.350),
    ("node", "square", 128): (1.695, 1.347, None),
    ("node", "largeK", 16): (1.365, 1.365, None),
    ("node", "largeK", 64): (0.473, 0.473, None),
    ("node", "largeK", 128): (0.325, 0.325, None),
    ("node", "flat", 16): (1.700, 1.710, 2.911),
    ("node", "flat", 64): (0.598, 0.614, 1.353),
    ("node", "flat", 128): (0.387, 0.401, None),
    ("costs", "square", 16): (7.790, 7.929, 20.016),
    ("costs", "square", 64): (2.625, 2.169, 8.305),
    ("costs", "square", 128): (1.670, 1.363, None),
    ("costs", "largeK", 16): (1.313, 1.313, None),
    ("costs", "largeK", 64): (0.463, 0.463, None),
    ("costs", "largeK", 128): (0.322, 0.322, None),
    ("costs", "flat", 16): (1.716, 1.864, 3.865),
    ("costs", "flat", 64): (0.603, 0.660, 1.592),
    ("costs", "flat", 128): (0.391, 0.428, None),
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted({ranks for _, _, ranks in PEERS})
    arguments.add_argument("ranks", nargs="*", type=int, default=known, metavar="RANKS")
    wanted = arguments.parse_args().ranks
    if unknown := [r for r in wanted if r not in known]:
        arguments.error(f"{unknown[0]} ranks, expected some of {', '.join(map(str, known))}")
    missed = 0
    print("| platform | shape | ranks | plan | clock, ms | replay, ms | simulated, ms | COSMA | CA3DMM | ScaLAPACK |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for (name, shape, ranks), peers in PEERS.items():
            if ranks not in wanted:
                continue
            machine = json.loads((ROOT / "bench" / "simgrid" / "machines" / f"{name}.json").read_text(encoding="utf-8"))
            problem = ["gemm", *SHAPES[shape]]
            [(seconds, clock)] = simulated(ranks, problem, machine, platform(ranks, machine), [""], folder, EAGER)
            plan = asked("plan", ranks, problem, [], folder)
            replay = asked("simulate", ranks, problem, [], folder)["seconds"]
            best = min(p for p in peers if p)
            slower = 1e3 * seconds > best
            off = max(abs(seconds / clock - 1), abs(seconds / replay - 1)) > TOLERANCE
            missed += slower or off
            marks = ("*" if off else "") + (" slower" if slower else "")
            times = " | ".join(f"{1e3 * t:.3f}" for t in (clock, replay, seconds))
            others = " | ".join(f"{p:.3f}" if p else "-" for p in peers)
            ahead = {0: "", 1: ", look-ahead"}.get(plan["look_ahead"], f", look-ahead {plan['look_ahead']}")
            print(f"| {name} | {shape} | {ranks} | `{plan['algorithm']}`{ahead} | {times}{marks} | {others} |", flush=True)
    print(f"\n{missed} cells are slower than a peer, or predicted wrongly by more than {100 * TOLERANCE:.0f} %")
    return 0 if missed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
