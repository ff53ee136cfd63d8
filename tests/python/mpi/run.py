"""pytest on every rank, of which rank 0 reports: run.py [ARGUMENT ...]."""

import os
import sys

import pytest

from cairn._with_mpi import MPI

if MPI.COMM_WORLD.rank:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
sys.exit(pytest.main([os.path.dirname(__file__), *sys.argv[1:]]))
