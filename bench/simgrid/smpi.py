"""Runs the judge, the executor on ranks that SimGrid's SMPI simulates, on crossbars and fat trees."""
import json
import math
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CAIRN = ROOT / "build" / "release" / "apps" / "cairn"
JUDGE = ROOT / "build" / "simgrid" / "bench" / "simgrid" / "judge"


def platform(ranks, machine, topology=""):
    level = machine["levels"][0]
    link = f'bw="{1 / level["seconds_per_byte"]:.0f}Bps" lat="{level["latency_seconds"] / 2}s"'
    return (
        "<?xml version='1.0'?>\n"
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n'
        f'<cluster id="c" prefix="h" suffix="" radical="0-{ranks - 1}" speed="1Gf" {link} '
        f'sharing_policy="SPLITDUPLEX" {topology}/>\n'
        "</platform>\n"
    )


def fat_tree(ranks):
    s = math.isqrt(ranks)
    return f'topology="FAT_TREE" topo_parameters="2;{s},{s};1,{s // 2};1,1"'


def simulated(ranks, problem, machine, xml, lines, folder, eager=0):
    """Seconds of every line of cases of a problem, ["gemm", m, n, k] and so on, as SMPI runs the executor, and as the clock says.
    Waiting costs nothing but what the platform says; messages of up to `eager` bytes leave before their receiver is ready."""
    files = {"platform.xml": xml, "hosts": "".join(f"h{r}\n" for r in range(ranks))}
    files["cases"] = "".join(f"{line}\n" for line in lines)
    files["machine.json"] = json.dumps(machine)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    report = folder / "report"
    report.unlink(missing_ok=True)
    overhead = machine["levels"][0].get("overhead_seconds", 0)
    options = [
        # A call takes no time; a message takes what its links say, and its overhead of both cores.
        "smpi/privatization:1", "smpi/simulate-computation:no",
        f"smpi/os:0:{overhead}:0", f"smpi/or:0:{overhead}:0", f"smpi/ois:0:{overhead}:0",
        "smpi/wtime:0", "smpi/test:0", "smpi/iprobe:0",
        f"smpi/send-is-detached-thresh:{eager}", f"smpi/async-small-thresh:{eager}",
        "network/model:CM02", "network/TCP-gamma:1e12", "network/weight-S:0", "network/crosstraffic:0",
        "contexts/stack-size:256", "smpi/coll-selector:ompi", "smpi/allgather:bruck",
    ]  # fmt: skip
    command = ["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts"]
    command += [f"--cfg={o}" for o in options] + ["--log=root.thres:critical"]
    command += [str(JUDGE), "./machine.json", "cases", "report", *map(str, problem)]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    found = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    if done.returncode != 0 or len(found) != len(lines):
        sys.exit(f"judge: {len(found)} of {len(lines)} cases on {ranks} ranks were simulated:\n{done.stderr[-2000:]}")
    return [tuple(map(float, line.split())) for line in found]


def asked(command, ranks, problem, more, folder):
    """What `cairn simulate` or `cairn plan` says of a case, as JSON."""
    line = [str(CAIRN), command, *map(str, problem), "--ranks", str(ranks), "--machine", "./machine.json", "--json"]
    done = subprocess.run(line + more, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"judge: {done.stderr.strip()}")
    return json.loads(done.stdout)
