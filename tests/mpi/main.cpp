// GoogleTest on every rank at once: rank 0 prints, a failure on any rank fails the run.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

#include "cairn/comm.hpp"

int main(int argc, char** argv) {
  cairn::MpiSession session(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {  // others speak only of failures
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    struct Failures : ::testing::EmptyTestEventListener {
      void OnTestPartResult(const ::testing::TestPartResult& r) override {
        int me = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
        if (r.failed())
          std::fprintf(stderr, "rank %d: %s:%d %s\n", me, r.file_name() ? r.file_name() : "?", r.line_number(),
                       r.summary());
      }
    };
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures);
  }
  const int mine = RUN_ALL_TESTS();
  MPI_Allreduce(&mine, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && failed != mine) std::printf("[  FAILED  ] on another rank\n");
  return failed;
}
