"""What a plan shows of itself in a notebook, and by matplotlib."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from matplotlib import pyplot

import cairn


def images(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.S)]


def test_shows_the_cuboid_a_table_and_bars_of_words() -> None:
    plan = cairn.plan(4096, 2048, 1024, ranks=8, algorithm="cosma pm4,pn2")
    page = plan._repr_html_()
    cuboid, bars = images(page)
    title = cuboid.find("{http://www.w3.org/2000/svg}title")
    assert title is not None and title.text == "The 4096 × 2048 × 1024 cuboid of products, cut among 4 × 2 × 1 ranks"
    path = cuboid.find(".//{http://www.w3.org/2000/svg}path")
    assert path is not None and path.get("d", "").count("M") == 3 + 1  # cuts along m and n
    assert f"{plan.received:,}" in "".join(bars.itertext())
    assert plan.algorithm in page and "predicted time" in page


@pytest.mark.parametrize("sizes", [(1, 1, 1), (0, 4, 4), (10**6, 1, 1), (3, 5, 10**5)])
def test_shows_flat_and_empty_products(sizes: tuple[int, int, int]) -> None:
    assert len(images(cairn.plan(*sizes, ranks=4)._repr_html_())) == 2


def test_shows_factorisations_without_a_cuboid() -> None:
    assert len(images(cairn.plan_cholesky(512, ranks=4)._repr_html_())) == 1
    assert len(images(cairn.plan_solve_triangular(512, 64, ranks=4)._repr_html_())) == 1


def test_plots_ranks_over_time() -> None:
    axes = cairn.plan(1024, 1024, 1024, ranks=4).plot_timeline()
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"rank {rank}" for rank in range(4)]
    assert len(axes.patches) >= 8 and axes.get_xlabel() == "seconds"


def test_plots_only_ranks_that_have_work() -> None:
    axes = cairn.plan(8, 8, 8, ranks=4, algorithm="cosma pm3").plot_timeline()
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"rank {rank}" for rank in range(3)]


def test_plots_memory_and_comparisons() -> None:
    plans = [cairn.plan(1024, 1024, 1024, ranks=4, algorithm=name) for name in ("cosma", "summa", "cannon")]
    axes = plans[0].plot_memory()
    assert sum(bar.get_width() for bar in axes.patches) == plans[0].peak
    compared = cairn.plot.compare(plans)
    assert len(compared.patches) == 6 and max(bar.get_width() for bar in compared.patches) == 1
    with pytest.raises(ValueError, match="plans: none"):
        cairn.plot.compare([])
    pyplot.close("all")


def test_missing_matplotlib_is_one_clear_error() -> None:
    code = "import sys; sys.modules['matplotlib'] = None; import cairn; cairn.plan(8, 8, 8).plot_memory()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.strip().splitlines()[-1] == "ImportError: cairn.plot needs matplotlib: pip install 'cairn[plot]'"
