"""How tests start runs of their own, and with which MPI."""

import os

LAUNCH = [os.environ["CAIRN_LAUNCHER"], "-n"]
THIS, OTHER = ("mpich", "openmpi") if "mpich" in os.environ["CAIRN_MPIEXEC"] else ("openmpi", "mpich")
