# Multiply two matrices on 4 ranks, and see that the words received are those that the plan has counted.
# run: mpiexec -n 4 python examples/python/00_first_product.py
# expect: C[0, 0] = 71820100, expected 71820100
# expect: received as planned: True

import cairn
from mpi4py import MPI

comm = MPI.COMM_WORLD
plan = cairn.plan(1000, 800, 600, comm=comm)
multiplication = cairn.Multiplication(plan, comm)  # plan once, run many times

A = cairn.DistMatrix.from_function(lambda i, j: 1.0 * i + j, plan.layout_a)
B = cairn.DistMatrix.from_function(lambda i, j: 1.0 * i - j, plan.layout_b)
C = multiplication(A, B)

corner = C.gather()
received = comm.gather(multiplication.report.received == plan.count(comm.rank).wire_words)
if comm.rank == 0:  # C[0, 0] = 0² + 1² + … + 599² = 599·600·1199/6
    print(f"C[0, 0] = {corner[0, 0]:.0f}, expected 71820100")
    print("received as planned:", all(received))
