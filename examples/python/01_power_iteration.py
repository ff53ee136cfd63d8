# The largest eigenvalues of a symmetric matrix by subspace iteration, with NumPy's QR of a small matrix on every rank.
# run: mpiexec -n 4 python examples/python/01_power_iteration.py
# expect: 500.0 499.0 498.0

import numpy as np

import cairn
from cairn import DistMatrix, layout
from mpi4py import MPI

comm = MPI.COMM_WORLD
n, wanted, block = 500, 3, 24

# A with the eigenvalues 1, 2, …, n: the diagonal, reflected.
rows = layout.rows(n, n, comm.size)
D = DistMatrix.from_function(lambda i, j: (i + 1.0) * (i == j), rows)
v = np.random.default_rng(0).standard_normal(n)
H = DistMatrix.from_function(lambda i, j: 1.0 * (i == j) - 2 / (v @ v) * v[i] * v[j], rows)
A = (H @ D @ H).redistribute(rows)

X = DistMatrix.from_numpy(np.random.default_rng(1).standard_normal((n, block)) if comm.rank == 0 else None, layout.rows(n, block, comm.size))
for _ in range(150):
    Y = (A @ X).redistribute(X.layout)
    gram = cairn.multiply(Y.T, Y).gather(None)  # small: on every rank
    R = np.linalg.cholesky(gram).T
    Y.local[...] = Y.local @ np.linalg.inv(R)  # orthonormal columns
    X = Y
values = np.linalg.eigvalsh(cairn.multiply(X.T, (A @ X).redistribute(X.layout)).gather(None))
if comm.rank == 0:
    print(*(f"{value:.1f}" for value in values[::-1][:wanted]))
