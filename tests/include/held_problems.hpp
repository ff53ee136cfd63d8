// Products of block-cyclic matrices as callers of ScaLAPACK hold them: any blocks, first blocks, sources and grids,
// replicated or not, transposed or not.
#pragma once
#include <random>
#include <string>

#include "algorithms/summa_held.hpp"
#include "problem.hpp"

namespace cairn::testing {

struct HeldProblem {
  GemmProblem problem;
  std::string spelling;
};

class HeldProblems {
 public:
  HeldProblems(Int ranks, unsigned which) : random_(which), ranks_(ranks) {}

  /// A product of one shape, and a form of SUMMA that stays in its layouts. In half of them the dimensions that two
  /// matrices share are cut alike, as in most programs.
  HeldProblem next(Shape s) {
    pr_ = pick(1, ranks_);
    while (ranks_ % pr_ && !(ranks_ > 4 && pr_ < 4)) --pr_;
    pc_ = ranks_ / pr_;
    row_major_ = pick(0, 2) > 0;
    alike_ = pick(0, 1) == 0;
    block_ = pick(1, 6);
    GemmProblem p = problem(s, ranks_);
    p.op_a = static_cast<Op>(pick(0, 2));
    p.op_b = static_cast<Op>(pick(0, 2));
    p.a = p.op_a == Op::none ? layout(p.m, p.k) : layout(p.k, p.m);
    p.b = p.op_b == Op::none ? layout(p.k, p.n) : layout(p.n, p.k);
    p.c = layout(p.m, p.n);
    const char stays = "abc"[pick(0, 2)];
    if (pick(0, 5) == 0 && stays != 'a') p.a.reset();
    if (pick(0, 5) == 0 && stays != 'b') p.b.reset();
    if (pick(0, 5) == 0 && stays != 'c') p.c.reset();
    const auto [rows, cols] = *held_grid(p, stays);
    const Int inner = stays == 'a' ? p.n : stays == 'b' ? p.m : p.k;
    const Int which = pick(0, 2), b = which == 0   ? 1000
                                      : which == 1 ? pick(1, 9)
                                                   : std::max<Int>(1, (inner + rows - 1) / rows);
    return {p, "summa " + std::to_string(rows) + "x" + std::to_string(cols) + " b=" + std::to_string(b) +
                   " stationary=" + stays + " held"};
  }

 private:
  Int pick(Int lo, Int hi) { return lo + static_cast<Int>(random_() % static_cast<unsigned>(hi - lo + 1)); }

  Layout layout(Int m, Int n) {
    Layout::BlockCyclic how{block_, block_, pr_, pc_, 0, 0, row_major_};
    if (!alike_) how = {pick(1, 6), pick(1, 6), pr_, pc_, pick(0, pr_ - 1), pick(0, pc_ - 1), row_major_};
    Layout l = Layout::block_cyclic(m, n, how);
    for (Dim* dim : {&l.rows, &l.cols}) {
      if (!alike_) dim->cuts[0].first = pick(1, dim->cuts[0].block);  // of a part of a larger matrix
      if (pick(0, 9) == 0) dim->cuts.clear();                         // replicated
    }
    return l;
  }

  std::mt19937 random_;
  Int ranks_, pr_ = 1, pc_ = 1, block_ = 1;
  bool row_major_ = true, alike_ = true;
};

}  // namespace cairn::testing
