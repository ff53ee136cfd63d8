"""pytest on every rank, of which rank 0 reports: run.py [ARGUMENT ...].

All tests run on two ranks, as many as there are cores everywhere. On other numbers of ranks, and where another MPI has run them, those
run that may turn out otherwise; with CAIRN_TEST_ALL all of them.
"""

import os
import sys

import pytest

from cairn._with_mpi import MPI

ALL = 2
arguments = sys.argv[1:]
if not os.environ.get("CAIRN_TEST_ALL") and (MPI.COMM_WORLD.size != ALL or os.environ.get("CAIRN_TEST_SECOND_MPI")):
    arguments = ["-m", "ranks", *arguments]
if MPI.COMM_WORLD.rank:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
sys.exit(pytest.main([os.path.dirname(__file__), *arguments]))
