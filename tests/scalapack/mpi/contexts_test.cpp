// BLACS contexts that come and go, overlap, and are used at the same time: every call is for its own context.
#include <mpi.h>

#include "random_product.hpp"

extern "C" {
int Csys2blacs_handle(MPI_Comm comm);
void Cfree_blacs_system_handle(int handle);
}

namespace cairn::testing {
namespace {

// The same product whatever the grid, so that descriptors differ only in what the grid makes of them.
Product<double> usual(const Grid& grid, int size = 24) {
  Product<double> p;
  p.m = p.n = p.k = size;
  p.beta = 1;
  for (int x = 0; x < 3; ++x) p.matrices.emplace_back(grid, 1, Axis{size, 0, 4, 0}, Axis{size, 0, 4, 0}, 0);
  return p;
}

void expect_usual(const Grid& grid, int size = 24) {
  if (grid.inside()) expect_same(usual(grid, size));
}

TEST(Contexts, AHandleThatIsUsedAgainMeansTheNewGrid) {
  std::vector<int> handles;
  for (int turn = 0; turn < 10; ++turn)
    for (auto [order, rows, cols] :
         {std::tuple('R', 2, 3), std::tuple('C', 2, 3), std::tuple('R', 3, 2), std::tuple('R', 1, 6)}) {
      const Grid grid(order, rows, cols);
      handles.push_back(grid.context());
      expect_usual(grid);
    }
  EXPECT_EQ(handles, std::vector<int>(handles.size(), handles[0])) << "handles are not used again: nothing was tested";
}

// Communicators of the calling rank until there are no more: MPICH has about 2000 at a time. Room is left for some.
class NearlyAll {
 public:
  explicit NearlyAll(std::size_t left) {
    constexpr std::size_t most = 2100;  // of Open MPI, which has many more
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm next;
    while (all_.size() < most && MPI_Comm_dup(MPI_COMM_SELF, &next) == MPI_SUCCESS) all_.push_back(next);
    for (; left > 0; --left) give_back();
  }
  ~NearlyAll() {
    while (!all_.empty()) give_back();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  }
  NearlyAll(const NearlyAll&) = delete;
  NearlyAll& operator=(const NearlyAll&) = delete;

 private:
  void give_back() {
    MPI_Comm_free(&all_.back());
    all_.pop_back();
  }
  std::vector<MPI_Comm> all_;
};

TEST(Contexts, NothingIsKeptOfThoseGivenBack) {
  const NearlyAll taken(40);
  for (int turn = 0; turn < 80; ++turn) expect_usual(Grid('R', 1, 2), 4);
}

TEST(Contexts, WhatServesManySmallCallsGoesWithTheGrid) {
  const NearlyAll taken(40);
  for (int turn = 0; turn < 24; ++turn) {
    const Grid grid('R', 1 + turn % 2, 1 + (turn + 1) % 2);
    for (int call = 0; call < 40; ++call) expect_usual(grid, 4 + call % 3);
  }
}

TEST(Contexts, OnTheSameRanksAreKeptApart) {
  const Grid tall('R', 3, 2), wide('R', 2, 3), mixed({5, 3, 1, 0, 2, 4}, 2, 3);
  for (int turn = 0; turn < 5; ++turn) expect_usual(tall), expect_usual(mixed), expect_usual(wide);
}

TEST(Contexts, OnDisjointRanksAreUsedAtTheSameTime) {
  const Grid first({4, 1, 0}, 3, 1), second({2, 5, 3}, 1, 3);
  for (int turn = 1; turn < 20; ++turn)
    if (first.inside())
      expect_usual(first, 3 * turn);
    else
      expect_usual(second, 50 - 2 * turn);
}

TEST(Contexts, OfAnotherCommunicatorThanTheWorld) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm odd_or_even;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &odd_or_even);
  const int handle = Csys2blacs_handle(odd_or_even);
  {
    const Grid grid('C', 1, 3, handle);
    EXPECT_TRUE(grid.inside());
    expect_usual(grid);
  }
  Cfree_blacs_system_handle(handle);
  MPI_Comm_free(&odd_or_even);
}

TEST(Contexts, MayBeLeftToTheEndOfTheProgram) { expect_usual(*new Grid('R', 2, 2)); }

}  // namespace
}  // namespace cairn::testing
