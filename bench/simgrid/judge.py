#!/usr/bin/env python3
"""Compare the clock with the executor itself on simulated ranks: bench/simgrid/judge.py [RANKS ...]

For every algorithm, on 16 to 1024 ranks: what `cairn simulate` predicts, and what SimGrid's SMPI says the executor
takes on a crossbar (every rank its own full-duplex link, no contention but at a rank's own link) and on a fat tree of
two levels whose upper links carry half of what the lower ones could send. Writes build/bench/simgrid.csv:

  predicted, crossbar, fat_tree   seconds
  agreement                       crossbar / predicted; the clock is right where it is 1
  contention                      fat tree / crossbar: how far contention and longer ways move the algorithm

Exits with 1 if a prediction is off by more than 10 %.
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CAIRN = ROOT / "build" / "release" / "apps" / "cairn"
JUDGE = ROOT / "build" / "simgrid" / "bench" / "simgrid" / "judge"
LATENCY, BANDWIDTH, FLOPS = 2e-6, 1e9, 1e10
TOLERANCE = 0.10

# Order of the matrices by ranks: large enough that products and messages both matter, small enough for memory.
ORDER = {16: 1024, 64: 2048, 256: 2048, 1024: 4096}


def algorithms(ranks):
    """A spelling of every algorithm, with and without rounds, layers and groups, on exactly so many ranks."""
    s = math.isqrt(ranks)
    b = ORDER[ranks] // s
    layers = {16: 4, 64: 4, 256: 4, 1024: 4}[ranks]
    c = math.isqrt(ranks // layers)
    cube = {16: (2, 2, 4), 64: (4, 4, 4), 256: (8, 8, 4), 1024: (8, 8, 16)}[ranks]
    g = 2 if ranks == 16 else 4
    pm, pn, pk = cube
    return [
        f"cosma pm{pm},pn{pn},pk{pk}",
        f"cosma pm{s},pn{s},sk4",
        f"summa {s}x{s} b={b}",
        f"summa {s}x{s} b={b} stationary=a",
        f"hsumma {s}x{s} groups={g}x{g} M={b} b={b // 2}",
        f"cannon {s}x{s}",
        f"cannon {c}x{c}x{layers}",
        f"summa25d {c}x{c}x{layers} b={ORDER[ranks] // c}",
        f"agarwal3d {pm}x{pn}x{pk}",
        f"carma {ranks}",
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


def platform(ranks, topology=""):
    link = f'bw="{BANDWIDTH:.0f}Bps" lat="{LATENCY / 2}s" sharing_policy="SPLITDUPLEX"'
    return (
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n'
        f'<cluster id="c" prefix="h" suffix="" radical="0-{ranks - 1}" speed="1Gf" {link} {topology}/>\n'
        "</platform>\n"
    )


def fat_tree(ranks):
    s = math.isqrt(ranks)
    return f'topology="FAT_TREE" topo_parameters="2;{s},{s};1,{s // 2};1,1"'


def simulated(ranks, xml, names, folder):
    """Seconds by algorithm as SMPI runs the executor. Waiting costs nothing but what the platform says."""
    files = {"platform.xml": xml, "hosts": "".join(f"h{r}\n" for r in range(ranks)), "algorithms": "\n".join(names)}
    files["machine.json"] = json.dumps(MACHINE)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    report = folder / "report"
    report.unlink(missing_ok=True)
    n = str(ORDER[ranks])
    options = [
        "smpi/privatization:1", "smpi/simulate-computation:no", "smpi/os:0:0:0", "smpi/or:0:0:0", "smpi/ois:0:0:0",
        "network/model:CM02", "network/TCP-gamma:1e12", "network/weight-S:0", "network/crosstraffic:0",
        "contexts/stack-size:256",
    ]  # fmt: skip
    command = ["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts"]
    command += [f"--cfg={o}" for o in options] + ["--log=root.thres:critical"]
    command += [str(JUDGE), "./machine.json", n, n, n, "algorithms", "report"]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    if done.returncode != 0 or len(lines) != len(names):
        sys.exit(f"judge: {len(lines)} of {len(names)} algorithms on {ranks} ranks were simulated:\n{done.stderr[-2000:]}")
    return {name: float(seconds) for name, seconds in (line.split("\t") for line in lines)}


def predicted(ranks, name, folder):
    n = str(ORDER[ranks])
    command = [str(CAIRN), "simulate", "gemm", n, n, n, "--ranks", str(ranks), "--algorithm", name, "--json"]
    command += ["--machine", "./machine.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"judge: {done.stderr.strip()}")
    return json.loads(done.stdout)["seconds"]


def main():
    chosen = [int(a) for a in sys.argv[1:]] or sorted(ORDER)
    unknown = [r for r in chosen if r not in ORDER]
    if unknown:
        sys.exit(f"judge: {unknown[0]} ranks, expected some of {', '.join(map(str, sorted(ORDER)))}")
    out = ROOT / "build" / "bench" / "simgrid.csv"
    out.parent.mkdir(parents=True, exist_ok=True)
    worst = 0.0
    with out.open("w", encoding="utf-8", newline="") as file, tempfile.TemporaryDirectory() as temporary:
        table = csv.writer(file)
        head = ["ranks", "n", "algorithm", "predicted", "crossbar", "fat_tree", "agreement", "contention"]
        table.writerow(head)
        print(f"{head[0]:>5} {head[1]:>5}  {head[2]:34}" + "".join(f"{h:>12}" for h in head[3:]))
        for ranks in chosen:
            folder, names = Path(temporary), algorithms(ranks)
            crossbar = simulated(ranks, platform(ranks), names, folder)
            tree = simulated(ranks, platform(ranks, fat_tree(ranks)), names, folder)
            for name in names:
                p = predicted(ranks, name, folder)
                agreement = crossbar[name] / p
                worst = max(worst, abs(agreement - 1))
                row = [p, crossbar[name], tree[name], agreement, tree[name] / crossbar[name]]
                table.writerow([ranks, ORDER[ranks], name] + [f"{x:.6g}" for x in row])
                print(f"{ranks:5} {ORDER[ranks]:5}  {name:34}" + "".join(f"{x:12.4g}" for x in row), flush=True)
    print(f"\nlargest difference on the crossbar: {100 * worst:.1f} % (allowed: {100 * TOLERANCE:.0f} %); {out}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
