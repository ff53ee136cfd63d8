#!/usr/bin/env python3
"""Draw what `cairn reproduce NAME --json` prints: plot.py FILE.svg < JSON (or .png, .pdf)."""
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot.py: matplotlib is missing, expected it for this Python: pip install matplotlib")

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    data = json.load(sys.stdin)
    plot = data["plot"]
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for curve in plot["curves"]:
        marker = "o" if len(curve["x"]) < 40 else None
        axes.plot(curve["x"], curve["y"], marker=marker, label=curve["name"])
    if plot["log_x"]:
        axes.set_xscale("log", base=2)
    axes.set_xlabel(plot["x"])
    axes.set_ylabel(plot["y"])
    axes.set_ylim(bottom=0)
    axes.set_title(data["source"], fontsize=9)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
