"""Of several ranks, the first that fails says why and ends all, since others may wait for it."""

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from cairn._with_mpi import MPI

WORLD = MPI.COMM_WORLD


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    if report.failed and WORLD.size > 1:
        time.sleep(0.5 * WORLD.rank)  # if all fail, the first tells
        item.config.pluginmanager.getplugin("capturemanager").suspend_global_capture()
        os.write(2, f"\nrank {WORLD.rank} of {WORLD.size}: {item.nodeid}\n{report.longreprtext}\n".encode())
        WORLD.Abort(1)


@pytest.fixture(autouse=True)
def together() -> Iterator[None]:
    """No rank runs ahead into another test."""
    yield
    WORLD.Barrier()


@pytest.fixture
def comm() -> MPI.Comm:
    return WORLD


