// BLACS for tests: grids of any order on any of the ranks.
#pragma once
#include <algorithm>
#include <vector>

extern "C" {
void Cblacs_pinfo(int* rank, int* ranks);
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridmap(int* context, int* ranks, int leading, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
void Cblacs_gridexit(int context);
void Cigsum2d(int context, const char* scope, const char* top, int rows, int cols, int* x, int leading, int row,
              int col);
}

namespace cairn::testing {

inline int world_rank() {
  int rank = 0, ranks = 0;
  Cblacs_pinfo(&rank, &ranks);
  return rank;
}

inline int world_ranks() {
  int rank = 0, ranks = 0;
  Cblacs_pinfo(&rank, &ranks);
  return ranks;
}

/// A BLACS context, given back at the end. All ranks of the world construct it, also those that are not in it.
class Grid {
 public:
  /// The first rows·cols ranks of a system context (usually the world), 'R' along rows or 'C' along columns.
  Grid(char order, int rows, int cols, int system = world()) : context_(system), rows_(rows), cols_(cols) {
    Cblacs_gridinit(&context_, &order, rows, cols);
    find_place();
  }
  /// ranks[i + j·rows] is at (i, j).
  Grid(std::vector<int> ranks, int rows, int cols) : context_(world()), rows_(rows), cols_(cols) {
    Cblacs_gridmap(&context_, ranks.data(), rows, rows, cols);
    find_place();
  }
  ~Grid() {
    if (inside()) Cblacs_gridexit(context_);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  int context() const { return context_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int row() const { return row_; }
  int col() const { return col_; }
  bool inside() const { return row_ >= 0; }

 private:
  void find_place() {
    int rows = 0, cols = 0;
    Cblacs_gridinfo(context_, &rows, &cols, &row_, &col_);
  }
  static int world() {
    int context = 0;
    Cblacs_get(-1, 0, &context);
    return context;
  }
  int context_, rows_, cols_, row_ = -1, col_ = -1;
};

}  // namespace cairn::testing
