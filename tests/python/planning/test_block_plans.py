"""Plans of products of block-sparse matrices, from sizes and occupancies."""

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import pyplot

import cairn

COMMAND = str(Path(os.environ["CAIRN_TREE"]) / "apps" / "cairn")
BLOCKS = (600, 23)


def plan(ranks: int = 16, **asked: object) -> cairn.BlockPlan:
    return cairn.plan_spgemm(BLOCKS, BLOCKS, BLOCKS, occupancy=0.1, ranks=ranks, **asked)  # type: ignore[arg-type]


def test_says_what_the_command_says() -> None:
    said = subprocess.run(
        [COMMAND, *"plan spgemm --blocks 100x23,50x6,80x13 --occupancy 0.1,0.2 --occupancy-c 0.5 --filtered".split()]
        + "--seed 7 --ranks 12 --type float32".split(),
        capture_output=True,
        text=True,
        check=True,
    )
    same = cairn.plan_spgemm(
        (100, 23), (50, 6), (80, 13), occupancy=(0.1, 0.2), occupancy_c=0.5, filtered=True, seed=7, ranks=12, dtype="float32"
    )
    assert same.explain().strip() == said.stdout.strip()


def test_attributes_are_those_of_the_json() -> None:
    p = plan()
    facts = json.loads(p.to_json())
    assert p.facts == facts and p.operation == "spgemm" and p.dtype == "float64" and p.ranks == 16
    assert p.algorithm == facts["algorithm"] and p.grid == tuple(facts["grid"]) and not p.exact
    assert p.layers == tuple(facts["layers"]) and plan(algorithm="summa 4x4 b=1").layers is None
    assert p.received == facts["received_words"]["max"] and p.mean_received == pytest.approx(facts["received_words"]["mean"])
    assert p.peak == facts["peak_words"]["max"] and p.predicted_seconds == pytest.approx(facts["predicted_seconds"])
    full = cairn.plan_spgemm(BLOCKS, BLOCKS, BLOCKS, ranks=16)
    assert full.exact and full.ratios["tight"] == pytest.approx(full.received / full.bounds["tight"])
    assert p.runners_up and "fetch25d" in repr(p) and p.transport == "two-sided"
    assert len(p.schedule) == len(list(p.schedule)) and str(p.schedule).startswith("cairn-schedule 1")


def test_counts_every_rank() -> None:
    full = cairn.plan_spgemm((30, 4), (20, 3), (50, 2), ranks=6)
    counts = [full.count(rank) for rank in range(6)]
    assert full.exact and full.received == max(count.received for count in counts)
    assert all(count.received == sum(count.parts) and count.messages > 0 for count in counts)
    assert sum(count.flops for count in counts) == 2 * 120 * 60 * 100
    assert max(count.peak_words for count in counts) == full.peak and "received_index=" in repr(counts[0])
    with pytest.raises(ValueError, match="rank 6"):
        full.count(6)


def test_simulates_every_rank() -> None:
    here, there = plan().simulate(), plan().simulate("piz-daint")
    assert repr(pickle.loads(pickle.dumps(plan().count(0)))) == repr(plan().count(0))
    assert here.received_words["max"] == plan().received and not here.exact and here.seconds != there.seconds
    assert here.algorithm == plan().algorithm and there.machine == "piz-daint"
    assert {event["name"] for event in plan().timeline([0, 1])} >= {"receive"}


def test_is_made_again_from_its_json_and_by_pickle() -> None:
    for p in (plan(seed=2**64 - 1, filtered=True), plan(occupancy_c=0.5, memory="200MB"), plan(algorithm="fetch25d 4x4 layers=2x2")):
        for again in (cairn.BlockPlan.from_json(p.to_json()), pickle.loads(pickle.dumps(p)), copy.deepcopy(p)):
            assert again == p and hash(again) == hash(p) and again.explain() == p.explain()
    with pytest.raises(ValueError, match="plan: the text is that of a cairn.BlockPlan, expected that of a cairn.Plan"):
        cairn.Plan.from_json(plan().to_json())
    with pytest.raises(ValueError, match="cairn.Plan, expected that of a cairn.BlockPlan"):
        cairn.BlockPlan.from_json(cairn.plan(8, 8, 8).to_json())


def test_is_asked_for_memory_words_and_layers() -> None:
    free = plan(prefer="words", ranks=64)
    tight = plan(ranks=64, memory=f"{free.peak - 1}words")
    assert tight.peak < free.peak and free.received <= plan(ranks=64).received
    assert plan(algorithm="fetch25d 4x4 layers=2x2").layers == (2, 2)


def test_shows_itself_in_a_notebook() -> None:
    page = plan(algorithm="fetch25d 4x4 layers=2x2")._repr_html_()
    assert "cut among 2 × 2 × 4 ranks" in page and "as expected" in page and "fetch25d 4x4" in page
    images = page.split("<svg")[1:]
    assert len(images) == 2 and all(ElementTree.fromstring("<svg" + image.split("</svg>")[0] + "</svg>") is not None for image in images)
    assert len(plan(algorithm="summa 4x4 b=1")._repr_html_().split("<svg")) == 2  # no picture of a cut that is none
    assert plan().plot_memory() and plan(4).plot_timeline() and cairn.plot.compare([plan(), plan(algorithm="fetch25d 4x4")])
    pyplot.close("all")


@pytest.mark.parametrize(
    ("wrong", "kind", "named"),
    [
        ({"m": 5}, TypeError, r"m: 5, expected \(blocks, size\)"),
        ({"m": (5,)}, ValueError, r"m: \(5,\), expected \(blocks, size\)"),
        ({"k": (5, -1)}, ValueError, "k"),
        ({"n": (2.5, 1)}, TypeError, "n: "),
        ({"occupancy": 1.5}, ValueError, "occupancy of A: 1.5"),
        ({"occupancy": (0.1, 0.1, 0.1)}, ValueError, "occupancy: "),
        ({"occupancy": ("x", 1)}, TypeError, "occupancy: 'x', expected a number"),
        ({"occupancy": float("nan")}, ValueError, "occupancy of A: nan"),
        ({"occupancy_c": 1j}, TypeError, "occupancy_c: 1j, expected a real number"),
        ({"occupancy_c": 0.9, "occupancy": 0.01}, ValueError, "occupancy of C: 0.9"),
        ({"ranks": 0}, ValueError, "ranks: 0"),
        ({"dtype": "int8"}, TypeError, "dtype: int8"),
        ({"seed": -1}, ValueError, "seed: -1, expected 0 to 18446744073709551615"),
        ({"memory": "8words"}, MemoryError, "words"),
        ({"algorithm": "magic"}, ValueError, "algorithm|magic"),
        ({"look_ahead": 2}, ValueError, "look_ahead|look-ahead"),
        ({"machine": "no such"}, ValueError, "machine"),
        ({"colour": "red"}, TypeError, "colour"),
    ],
)
def test_names_what_is_wrong(wrong: dict[str, object], kind: type[Exception], named: str) -> None:
    arguments: dict[str, object] = {"m": BLOCKS, "n": BLOCKS, "k": BLOCKS, "occupancy": 0.5, "ranks": 4} | wrong
    with pytest.raises(kind, match=named):
        cairn.plan_spgemm(**arguments)  # type: ignore[arg-type]


def test_takes_numpys_numbers() -> None:
    numbers, shares = list(np.array([5, 2])), list(np.array([0.5, 1.0]))
    assert cairn.plan_spgemm(numbers, numbers, numbers, occupancy=shares, ranks=np.int64(2)).ranks == 2
    assert cairn.plan_spgemm((0, 3), (2, 3), (2, 3), occupancy=np.float64(1)).received == 0
