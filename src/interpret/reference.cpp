#include "interpret/reference.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "schedule/effect.hpp"

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

  template <class F>
  void on_all(F f) const {
    for (Int r = 0; r < s_.grid.size(); ++r) f(r);
  }

  // All ranks send what they had before the step.
  void operator()(const Move& m) {
    std::map<Int, Dense> before;
    on_all([&](Int r) { before.emplace(r, at(m.src, r)); });
    on_all([&](Int r) {
      std::vector<Int> sources;
      for_each_source(s_.grid, m, r, [&](Int from) { sources.push_back(from); });
      if (sources.empty()) return;
      if (m.from == Move::From::terms) return sum(m, before, sources, r);
      for (Int from : sources)
        for_each_element(m.from == Move::From::pieces ? s_.layout(m.src) : s_.layout(m.dst),
                         m.from == Move::From::pieces ? from : r,
                         [&](Int i, Int j) { put(at(m.dst, r)(i, j), before.at(from)(i, j), m.update); });
    });
  }
  void sum(const Move& m, const std::map<Int, Dense>& terms, const std::vector<Int>& sources, Int rank) {
    for_each_element(s_.layout(m.dst), rank, [&](Int i, Int j) {
      double total = 0;
      for (Int from : sources) total += terms.at(from)(i, j);
      put(at(m.dst, rank)(i, j), total, m.update);
    });
  }
  void operator()(const Redistribute& x) {
    for (Int r = 0; r < s_.ranks; ++r)
      for_each_element(s_.layout(x.dst), r, [&](Int i, Int j) {
        double value = nothing;
        for (Int q = 0; q < s_.ranks && std::isnan(value); ++q) value = at(x.src, q)(i, j);
        put(at(x.dst, r)(i, j), x.scaled ? alpha_ * value : value, x.update);
      });
  }
  void operator()(const Gemm& x) {
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
    for (const Effect& e : effects(s_)) std::visit(*this, e);
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
