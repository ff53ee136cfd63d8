// Schedules that between them use all of the notation.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/cosma.hpp"
#include "schedule/schedule.hpp"

namespace cairn::samples {

inline Schedule cosma_of(Int m, Int n, Int k, Int ranks, std::string_view cuts) {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.ranks = ranks;
  return cosma(p, parse_cosma_cuts(cuts));
}

/// The caller holds A block-cyclically, its transpose B in arbitrary blocks and C on one rank.
inline Schedule caller_layouts() {
  GemmProblem p;
  p.m = 12;
  p.n = 10;
  p.k = 8;
  p.ranks = 8;
  p.type = ScalarType::complex128;
  p.op_b = Op::adjoint;
  p.a = Layout::block_cyclic(12, 8, {.mb = 3, .nb = 2, .pr = 2, .pc = 3, .rsrc = 1});
  Layout::Blocks blocks{{0, 3, 3, 10}, {0, 5, 8}, {4, 0, 1, 7, 4, 2}, true};
  p.b = Layout::arbitrary(10, 8, 8, std::move(blocks), Order::row);
  p.c = Layout::on_one_rank(12, 10, Order::row);
  return cosma(p, parse_cosma_cuts("pm2,pn2,pk2,sk2"));
}

/// One cut of every kind, and every way to say which piece.
inline std::vector<Cut> every_cut(const Grid& g) {
  const Affine i = Affine::along(0), j = Affine::along(1);
  using Kind = Cut::Kind;
  return {Cut::even(g, 1),
          Cut::fixed(2, 4),
          Cut::fixed(-3, 4),
          Cut::each(3),
          {Kind::even, 5, j, 0, 0, {}},
          {Kind::even, 2, i + j, 0, 0, {}},
          {Kind::even, 3, i + -2 * j + Affine(-7), 0, 0, {}},
          {Kind::cyclic, 2, i, 64, 64, {}},
          {Kind::cyclic, 2, i, 64, 7, {}},
          {Kind::cyclic, 4, -1 * j + Affine(1), 3, 0, {}},
          {Kind::bounds, 2, i, 0, 0, {0, 3, 10}},
          {Kind::bounds, 1, Affine(), 0, 0, {4, 4}},
          {Kind::bounds, 3, 12 * i, 0, 0, {0, 0, 5, 1000}},
          Cut::span(j, 3, 2),
          Cut::span(j + Affine(-1), 5, 3),
          Cut::group(i, 8, 4),
          Cut::group(Affine(3), 8, 1),
          Cut::classes(g, 0, 64, Holders({{0, 1}, {}, {1}})),
          {Kind::classes, 1, Affine(), 1, 0, {}, Holders(std::vector<std::vector<Int>>(1))},
          {Kind::classes, 3, i, 4, 1, {}, Holders({{0, 2}, {1, 0}, {2, 1}})},
          {Kind::even, 4, i + Affine(-1), 0, 0, {}, {}, true},
          {Kind::group, 8, Affine(3), 2, 0, {}, {}, true}};
}

inline std::vector<Step> every_step() {
  const Affine i = Affine::along(0), skew = i + 2 * Affine::along(2) + Affine(3);
  std::vector<Step> steps{Bcast{0, 1, 1, skew},
                          Bcast{0, 1, 0, Affine(-1)},
                          AllGather{0, 1, 2},
                          Shift{2, 1, 1, -1 * i, {}, {0, 3}},
                          Shift{2, 1, 1, 2, skew, {1, 2}},
                          Shift{0, 1, 0, 1, Affine(), {1, 1}},
                          Shift{2, 1, 1, -1, i, {1, 3, 4, 1}},
                          Shift{2, 1, 1, -1, {}, {0, 3, 4, 2}},
                          Shift{2, 1, 1, -1, {}, {0, 3, 1, 5}},
                          Bcast{0, 1, 1, skew, {Way::chain, 8}},
                          Bcast{0, 1, 1, {}, {Way::chain, 0}}};
  for (Way way : ways_of(Collective::bcast)) steps.push_back(Bcast{0, 1, 1, skew, {way, 0}});
  for (Way way : ways_of(Collective::allgather)) steps.push_back(AllGather{0, 1, 1, {way, 0}});
  for (Way way : ways_of(Collective::reduce)) steps.push_back(Reduce{0, 1, 1, 2, Update::beta, {way, 0}});
  for (Way way : ways_of(Collective::reduce_scatter)) steps.push_back(ReduceScatter{0, 1, 1, Update::beta, {way, 0}});
  for (Update u : {Update::overwrite, Update::accumulate, Update::beta}) {
    steps.push_back(Reduce{0, 1, 1, skew, u});
    steps.push_back(ReduceScatter{0, 1, 2, u});
    steps.push_back(Add{0, 1, 1, Affine(), {0, 3}, u});
    steps.push_back(Add{0, 1, 1, i, {0, 3}, u});
    steps.push_back(Add{0, 1, 1, Affine(), {0, 2}, u});
    steps.push_back(Redistribute{0, 1, true, u});
    steps.push_back(Redistribute{0, 1, false, u});
    steps.push_back(Redistribute{0, 1, u != Update::beta, u, true});
    Compute product{Kernel::gemm, 0, 1, 2, u};
    steps.push_back(product);
    product.conjugate_a = u != Update::overwrite, product.conjugate_b = u != Update::accumulate;
    steps.push_back(product);
  }
  return steps;
}

/// Every cut, alone and in a list, every step, every way to name things. It computes nothing.
inline Schedule everything() {
  Schedule s;
  s.algorithm = "everything 2x3x2";
  s.problem = Multiply{1000, 0, 7};
  s.ranks = 13;
  s.grid = Grid({{"i", 2}, {"j", 3}, {"l2", 2}});
  const std::vector<Cut> cuts = every_cut(s.grid);
  for (const Cut& cut : cuts) {
    Layout l;
    l.grid = s.grid;
    l.rows = {{17, 1017}, {cut}};
    l.order = s.slots.size() % 2 == 0 ? Order::col : Order::row;
    s.slots.push_back(
        {"A'", l, static_cast<SlotInfo::Role>(s.slots.size() % 5), -1, static_cast<Uplo>(s.slots.size() % 3)});
  }
  SlotInfo all{"C+", s.slots[0].layout, SlotInfo::Role::panel, 3};
  all.layout.rows.cuts = cuts;
  all.layout.cols = {{0, 5}, {cuts.rbegin(), cuts.rend()}};
  all.layout.where = {{0, 1}, {2, 0}};
  s.slots.push_back(all);
  const Grid odd({{"on", 2}, {"2l", 3}, {"a \"quoted\\\n\xff# name", 1}});
  const Affine sum = Affine::along(0) + 3 * Affine::along(1) + -1 * Affine::along(2);
  for (std::string name : {"on", "on'", "view", "", "9", "x[", "tab\tand\r", "\x7f \"", "of"}) {
    SlotInfo x{name, all.layout, s.slots.back().role, static_cast<Slot>(s.slots.size()) - 1};
    x.layout.grid = odd;
    x.layout.rows.cuts = {Cut::even(odd, 1), {Cut::Kind::even, 2, sum, 0, 0, {}}};
    x.layout.where = {{1, 2}};
    s.slots.push_back(x);
  }
  int line = 0;
  for (const Step& step : every_step()) s.steps.push_back({step, "every_step.cpp:" + std::to_string(++line)});
  for (const char* source : {"", "a b.cpp:1", "@", "#", "\"", "\\x", "\n", "C:/a-b_c+d.cpp:7"})
    s.steps.push_back({Compute{Kernel::gemm, 0, 1, 2, Update::beta}, source});
  return s;
}

}  // namespace cairn::samples
