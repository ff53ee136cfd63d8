// GoogleTest on every rank at once: rank 0 prints, a failure on any rank fails the run. The argument NAME runs the
// tests of NAME_test.cpp alone, and TEST after it one of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <string>

#include "cairn/comm.hpp"
#include "how_much.hpp"

namespace {

/// GoogleTest's filter for the tests of one source, or for one of them.
std::string tests_of(const std::string& name, const std::string& alone) {
  std::string filter;
  const auto& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s)
    for (int t = 0; t < all.GetTestSuite(s)->total_test_count(); ++t) {
      const auto& test = *all.GetTestSuite(s)->GetTestInfo(t);
      if (std::string(test.file()).ends_with("/" + name + "_test.cpp") && (alone.empty() || alone == test.name()))
        filter += std::string(test.test_suite_name()) + "." + test.name() + ":";
    }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  cairn::MpiSession session(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    const std::string filter = tests_of(argv[1], argc > 2 ? argv[2] : "");
    if (filter.empty()) return std::fprintf(stderr, "no such tests of %s_test.cpp\n", argv[1]), 2;
    // Of the four types, as tests of types number them, a second MPI meets double and std::complex<float>.
    ::testing::GTEST_FLAG(filter) = filter + (cairn::testing::second_mpi() ? "-*/0.*:*/3.*" : "");
  }
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
