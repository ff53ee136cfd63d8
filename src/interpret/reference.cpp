#include "interpret/reference.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace cairn {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

template <class F>
void for_each_element(const Layout& l, Int rank, F f) {
  for (const Patch& p : l.patches(rank))
    for (Range c : p.cols.pieces())
      for (Int j = c.lo; j < c.hi; ++j)
        for (Range r : p.rows.pieces())
          for (Int i = r.lo; i < r.hi; ++i) f(i, j);
}

class Reference {
 public:
  Reference(const Schedule& s, double alpha, double beta) : s_(s), alpha_(alpha), beta_(beta) {}

  // Every rank keeps a storage slot as a whole matrix, NaN where it holds nothing.
  Dense& at(Slot x, Int rank) {
    const auto key = std::pair(s_.storage(x), rank);
    const auto found = memory_.find(key);
    if (found != memory_.end()) return found->second;
    const Layout& l = s_.layout(key.first);
    return memory_.emplace(key, Dense(l.rows.extent.hi, l.cols.extent.hi, nothing)).first->second;
  }
  void load(Slot x, const Dense& from) {
    for (Int r = 0; r < s_.ranks; ++r)
      for_each_element(s_.layout(x), r, [&](Int i, Int j) { at(x, r)(i, j) = from(i, j); });
  }

  void put(double& dst, double value, Update update) const {
    if (update == Update::overwrite || (update == Update::beta && beta_ == 0))
      dst = value;
    else
      dst = value + (update == Update::beta ? beta_ * dst : dst);
  }

  // dst(rank) ←update src(from), for all elements of dst(rank) that src(from) holds.
  void copy(Slot src, Int from, Slot dst, Int rank, Update update) {
    for_each_element(s_.layout(dst), rank,
                     [&](Int i, Int j) { put(at(dst, rank)(i, j), at(src, from)(i, j), update); });
  }
  Int along(Int rank, int axis, Int index) const { return s_.grid.with(rank, axis, index); }
  template <class F>
  void on_all(F f) const {
    for (Int r = 0; r < s_.grid.size(); ++r) f(r);
  }

  void step(const Bcast& x) {
    on_all([&](Int r) { copy(x.src, along(r, x.axis, x.root.at(s_.grid, r)), x.dst, r, Update::overwrite); });
  }
  void step(const AllGather& x) {
    on_all([&](Int r) {
      for (Int i = 0; i < s_.grid.extent(x.axis); ++i) {
        const Int from = along(r, x.axis, i);
        for_each_element(s_.layout(x.src), from, [&](Int a, Int b) { at(x.dst, r)(a, b) = at(x.src, from)(a, b); });
      }
    });
  }
  void sum(Slot src, Slot dst, int axis, Int rank, Update update) {
    for_each_element(s_.layout(dst), rank, [&](Int i, Int j) {
      double total = 0;
      for (Int e = 0; e < s_.grid.extent(axis); ++e) total += at(src, along(rank, axis, e))(i, j);
      put(at(dst, rank)(i, j), total, update);
    });
  }
  void step(const Reduce& x) {
    on_all([&](Int r) {
      if (takes_part(s_.grid, r, x.axis, x.root, {0, 1})) sum(x.src, x.dst, x.axis, r, x.update);
    });
  }
  void step(const ReduceScatter& x) {
    on_all([&](Int r) { sum(x.src, x.dst, x.axis, r, x.update); });
  }
  void step(const Shift& x) {
    std::map<Int, Dense> before;  // all ranks send what they had before the step
    on_all([&](Int r) { before.emplace(r, at(x.src, r)); });
    on_all([&](Int r) {
      if (!takes_part(s_.grid, r, x.axis, x.origin, x.who)) return;
      const Dense& from = before.at(along(r, x.axis, s_.grid.index(r, x.axis) + x.by.at(s_.grid, r)));
      for_each_element(s_.layout(x.dst), r, [&](Int i, Int j) { at(x.dst, r)(i, j) = from(i, j); });
    });
  }
  void step(const Add& x) {
    on_all([&](Int r) {
      if (takes_part(s_.grid, r, x.axis, x.origin, x.who)) copy(x.src, r, x.dst, r, x.update);
    });
  }
  void step(const Redistribute& x) {
    for (Int r = 0; r < s_.ranks; ++r)
      for_each_element(s_.layout(x.dst), r, [&](Int i, Int j) {
        double value = nothing;
        for (Int q = 0; q < s_.ranks && std::isnan(value); ++q) value = at(x.src, q)(i, j);
        put(at(x.dst, r)(i, j), x.scaled ? alpha_ * value : value, x.update);
      });
  }
  void step(const Gemm& x) {
    on_all([&](Int r) {
      const IndexSet inner = s_.layout(x.A).cols_at(r);
      for_each_element(s_.layout(x.C), r, [&](Int i, Int j) {
        double dot = 0;
        for (Range k : inner.pieces())
          for (Int p = k.lo; p < k.hi; ++p) dot += at(x.A, r)(i, p) * at(x.B, r)(p, j);
        put(at(x.C, r)(i, j), alpha_ * dot, x.update);
      });
    });
  }

  void all() {
    for (const LabelledStep& l : s_.steps) std::visit([&](const auto& x) { step(x); }, l.step);
  }

  Dense result(Slot x) {
    Dense whole(s_.m, s_.n, nothing);
    for (Int r = 0; r < s_.ranks; ++r)
      for_each_element(s_.layout(x), r, [&](Int i, Int j) {
        const double mine = at(x, r)(i, j);
        const bool replica = s_.layout(x).grid.has(r) && s_.layout(x).original(r) != r;
        if (!replica)
          whole(i, j) = mine;
        else if (whole(i, j) != mine)
          whole(i, j) = nothing;
      });
    return whole;
  }

 private:
  const Schedule& s_;
  double alpha_, beta_;
  std::map<std::pair<Slot, Int>, Dense> memory_;
};

}  // namespace

Dense reference(const Schedule& s, const Dense& A, const Dense& B, const Dense& C, double alpha, double beta) {
  Reference run(s, alpha, beta);
  run.load(s.find("A"), A);
  run.load(s.find("B"), B);
  if (beta != 0) run.load(s.find("C"), C);
  run.all();
  return run.result(s.find("C"));
}

Dense reference(const Schedule& s, const Dense& A, const Dense& B, double alpha, double beta) {
  Reference run(s, alpha, beta);
  run.load(s.find("A"), A);
  if (beta != 0) run.load(s.find("B"), B);
  run.all();
  return run.result(s.find("B"));
}

}  // namespace cairn
