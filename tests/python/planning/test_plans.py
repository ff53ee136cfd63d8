"""Plans say what the library says, in Python's kinds of values and errors."""

import copy
import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cairn

TREE = Path(__import__("os").environ["CAIRN_TREE"])


def test_attributes_are_those_of_the_json() -> None:
    plan = cairn.plan(1024, 512, 256, ranks=8)
    facts = json.loads(plan.to_json())
    assert plan.algorithm == facts["algorithm"]
    assert plan.grid == tuple(facts["grid"]) and np.prod(plan.grid) <= plan.ranks == 8
    assert plan.rounds == facts["rounds"] and plan.look_ahead == facts["look_ahead"]
    assert plan.received == facts["received_words"]["max"]
    assert plan.peak == facts["peak_words"]["max"]
    assert plan.predicted_seconds == pytest.approx(facts["predicted_seconds"], rel=1e-12)
    ratio = plan.ratios["tight"]
    assert plan.bounds["tight"] <= plan.received and ratio is not None and ratio >= 1
    assert plan.runners_up and all("algorithm" in other for other in plan.runners_up)
    assert (plan.operation, plan.dtype, plan.transport) == ("gemm", "float64", "two-sided")
    assert plan.reason == facts["reason"] and plan.facts == facts


def test_explains_itself_as_the_command_does() -> None:
    command = TREE / "apps" / "cairn"
    said = subprocess.run([command, "plan", "gemm", "640", "320", "160", "--ranks", "4"], capture_output=True, text=True, check=True)
    assert cairn.plan(640, 320, 160, ranks=4).explain().strip() == said.stdout.strip()


def test_is_made_again_from_its_json_and_by_pickle() -> None:
    layouts: dict[str, Any] = {"a": cairn.layout.rows(100, 60, 6), "b": cairn.layout.block_cyclic(60, 80, block=(7, 9), grid=(2, 3))}
    for plan in (
        cairn.plan(100, 80, 60, ranks=6, dtype="complex64", memory="1MiB", **layouts),
        cairn.plan_cholesky(200, ranks=6),
        cairn.plan_solve_triangular(100, 80, ranks=6, uplo="upper", op="T"),
    ):
        for again in (cairn.Plan.from_json(plan.to_json()), pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan)):
            assert again == plan and hash(again) == hash(plan)
            assert again.explain() == plan.explain() and str(again.schedule) == str(plan.schedule)
            assert again.layout_a == plan.layout_a
    asked = pickle.loads(pickle.dumps(cairn.plan(64, 64, 64, ranks=4, verify_counts=True, trace="t.json"))).facts["asked"]
    assert asked["verify_counts"] is True and asked["trace"] == "t.json"
    with pytest.raises(ValueError, match="JSON"):
        cairn.Plan.from_json("{")
    with pytest.raises(TypeError, match="^text: 3, expected a text$"):
        cairn.Plan.from_json(3)  # type: ignore[arg-type]
    facts = cairn.plan(64, 64, 64).facts
    for m in (1e30, 64.5, 2**63, True):
        with pytest.raises(ValueError, match="plan: key 'm' is "):
            cairn.Plan.from_json(json.dumps(facts | {"problem": facts["problem"] | {"m": m}}))


def test_schedule_is_a_sequence_of_labelled_steps() -> None:
    schedule = cairn.plan(64, 64, 64, ranks=4, algorithm="summa 2x2 b=16").schedule
    steps = list(schedule)
    assert len(steps) == len(schedule) > 4
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert schedule[-1] == steps[-1] and schedule[1:3] == steps[1:3]
    assert any(step.text.startswith("bcast A") or "bcast" in step.text for step in steps)
    assert all(step.source.startswith("summa.cpp:") for step in steps)
    assert str(schedule).startswith("cairn-schedule 1") and all(step.text in f"{step}" for step in steps)
    with pytest.raises(IndexError, match=f"^schedule: step 999, expected -{len(schedule)} to {len(schedule) - 1}$"):
        schedule[999]


def test_counts_every_rank() -> None:
    plan = cairn.plan(300, 200, 100, ranks=6)
    counts = [plan.count(rank) for rank in range(6)]
    assert max(count.received for count in counts) == plan.received
    assert max(count.peak_words for count in counts) == plan.peak
    assert sum(count.flops for count in counts) == 2 * 300 * 200 * 100
    assert counts[0] == plan.count(0) and "received=" in repr(counts[0])
    assert pickle.loads(pickle.dumps(counts)) == counts
    assert hash(counts[0]) == hash(plan.count(0)) and len({plan.count(rank % 2) for rank in range(6)}) <= 2
    with pytest.raises(ValueError, match="rank"):
        plan.count(6)


def test_simulates_on_the_machine_that_is_named() -> None:
    plan = cairn.plan(2048, 2048, 2048, ranks=16)
    here, there = plan.simulate(), plan.simulate("piz-daint")
    assert here.seconds > 0 and here.facts["machine"] == "generic" and there.machine != "generic"
    assert here.received_words["max"] == plan.received and "seconds" in dir(here)
    assert str(here) and "Simulation" in repr(here) and copy.copy(here).facts == here.facts
    again = pickle.loads(pickle.dumps(here))
    assert again.facts == here.facts and str(again) == str(here)
    with pytest.raises(AttributeError, match="no 'weather'"):
        here.weather
    with pytest.raises(ValueError, match="machine"):
        plan.simulate("no such machine")
    with pytest.raises(TypeError, match="^machine: 3, expected a text$"):
        plan.simulate(3)  # type: ignore[arg-type]
    assert {event["ph"] for event in plan.timeline([0, 3])} >= {"X"}


@pytest.mark.parametrize("uplo", ["lower", "upper"])
def test_plans_factorisations_and_solves(uplo: str) -> None:
    factor = cairn.plan_cholesky(1000, ranks=4, uplo=uplo)  # type: ignore[arg-type]
    assert factor.operation == "potrf" and factor.facts["problem"]["uplo"] == uplo
    assert factor.simulate().seconds > 0 and factor.count(0).flops > 0
    solve = cairn.plan_solve_triangular(1000, 50, ranks=4, side="right", uplo=uplo)  # type: ignore[arg-type]
    assert solve.operation == "trsm" and solve.layout_b.shape == (1000, 50) and solve.layout_a.shape == (50, 50)
    with pytest.raises(AttributeError, match="layout_b"):
        factor.layout_b
    with pytest.raises(AttributeError, match="layout_c"):
        solve.layout_c


def test_layouts_and_transposes_of_the_caller_are_the_plans() -> None:
    a = cairn.layout.rows(60, 100, 4, order="F")
    plan = cairn.plan(100, 80, 60, ranks=4, op_a="T", a=a)
    assert plan.layout_a == a and plan.layout_b.shape == (60, 80) and plan.layout_c.shape == (100, 80)


def test_is_asked_for_memory_words_and_algorithms() -> None:
    free = cairn.plan(512, 512, 4096, ranks=16, prefer="words")
    tight = cairn.plan(512, 512, 4096, ranks=16, memory="400000words")
    assert tight.peak <= 400000 and free.received <= cairn.plan(512, 512, 4096, ranks=16).received
    assert cairn.plan(64, 64, 64, ranks=4, algorithm="cannon").algorithm.startswith("cannon")
    assert cairn.plan(64, 64, 64, ranks=4, memory=10**9).facts["memory_words"] == 10**9 // 8


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_takes_names_dtypes_and_scalar_types(dtype: str) -> None:
    plans = [cairn.plan(8, 8, 8, dtype=of) for of in (dtype, np.dtype(dtype), getattr(np, dtype))]
    assert {plan.dtype for plan in plans} == {dtype}
    assert cairn.plan(8, 8, 8, dtype=float).dtype == "float64" and cairn.plan(8, 8, 8, dtype="f4").dtype == "float32"


@pytest.mark.parametrize("dtype", ["int64", int, "float16", np.float16, object, ">f8", np.dtype(">f8"), "longdouble", bool, None, "nonsense", "(2,f8"])
def test_refuses_other_elements(dtype: object) -> None:
    with pytest.raises(TypeError, match="^dtype: .*expected float32, float64, complex64, complex128"):
        cairn.plan(8, 8, 8, dtype=dtype)


@pytest.mark.parametrize(
    ("wrong", "kind", "named"),
    [
        ({"m": -1}, ValueError, "m"),
        ({"m": 2.5}, TypeError, "m: 2.5, expected an integer"),
        ({"k": 2**70}, ValueError, "k: .*64-bit"),
        ({"ranks": 0}, ValueError, "ranks"),
        ({"op_a": "X"}, ValueError, "op_a: 'X', expected one of 'N', 'T', 'C'"),
        ({"algorithm": "magic"}, ValueError, "algorithm"),
        ({"prefer": "luck"}, ValueError, "prefer"),
        ({"memory": "much"}, ValueError, "memory"),
        ({"memory": "8words"}, MemoryError, "words"),
        ({"machine": "no such"}, ValueError, "machine"),
        ({"machine": "\udc80"}, ValueError, r"machine: '\\udc80', expected a text that UTF-8 can spell"),
        ({"transport": "pigeon"}, ValueError, "transport"),
        ({"max_idle": 2.0}, ValueError, "max_idle"),
        ({"max_idle": 10**400}, ValueError, "max_idle"),
        ({"max_idle": "often"}, TypeError, "max_idle: 'often', expected a number"),
        ({"look_ahead": -(2**40)}, ValueError, "look-ahead"),
        ({"a": cairn.layout.rows(9, 9, 2)}, ValueError, "A|a"),
        ({"colour": "red"}, TypeError, "colour: no such argument, expected one of memory, algorithm, prefer, "),
    ],
)
def test_names_what_is_wrong(wrong: dict[str, object], kind: type[Exception], named: str) -> None:
    arguments: dict[str, object] = {"m": 64, "n": 64, "k": 64, "ranks": 4} | wrong
    with pytest.raises(kind, match=named):
        cairn.plan(**arguments)  # type: ignore[arg-type]


def test_sizes_may_be_zero_and_numpys_integers() -> None:
    assert cairn.plan(0, 8, 8, ranks=2).received == 0
    assert cairn.plan(np.int32(8), np.int64(8), np.uint8(8), ranks=np.int16(2)).ranks == 2
    assert cairn.plan(8, 8, 8, ranks=2, max_idle=np.float32(0.5)).facts["asked"]["max_idle"] == 0.5
