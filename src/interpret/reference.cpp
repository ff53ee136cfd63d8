#include "interpret/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/arithmetic.hpp"
#include "schedule/kernels.hpp"
#include "schedule/step_transfers.hpp"

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

template <class F>
void for_each(const IndexSet& set, F f) {
  for (Range r : set.pieces())
    for (Int i = r.lo; i < r.hi; ++i) f(i);
}

class Reference {
 public:
  Reference(const Schedule& s, double alpha, double beta)
      : s_(s), alpha_(alpha), beta_(beta), memory_(s.slots.size() * place(s.ranks)) {}

  // Every rank keeps a storage slot as a whole matrix, NaN where it holds nothing.
  Dense& at(Slot x, Int rank) {
    const Slot storage = s_.storage(x);
    std::optional<Dense>& found = memory_[place(storage * s_.ranks + rank)];
    const Layout& l = s_.layout(storage);
    return found ? *found : found.emplace(l.rows.extent.hi, l.cols.extent.hi, nothing);
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

  bool writes(const Move& m, Int i, Int j) const {
    return counts(m.adds_to(s_[m.dst].shape) ? s_[m.dst].shape : travelling_shape(s_, m), i, j);
  }

  template <class F>
  void on_all(F f) const {
    for (Int r = 0; r < s_.grid.size(); ++r) f(r);
  }

  // All ranks send what they had before the step.
  void operator()(const Move& m) {
    std::map<Int, Dense> before;
    std::map<Int, std::vector<Int>> sources;
    on_all([&](Int r) {
      for_each_source(s_.grid, m, r, [&](Int from) {
        before.try_emplace(from, at(m.src, from));
        sources[r].push_back(from);
      });
    });
    for (const auto& [rank, of] : sources) {
      if (m.from == Move::From::terms) {
        sum(m, before, of, rank);
        continue;
      }
      Dense& to = at(m.dst, rank);
      for (Int from : of) {
        const Dense& value = before.at(from);
        for_each_element(m.from == Move::From::pieces ? s_.layout(m.src) : s_.layout(m.dst),
                         m.from == Move::From::pieces ? from : rank, [&](Int i, Int j) {
                           if (writes(m, i, j)) put(to(i, j), value(i, j), m.update);
                         });
      }
    }
  }
  void sum(const Move& m, const std::map<Int, Dense>& terms, const std::vector<Int>& sources, Int rank) {
    for_each_element(s_.layout(m.dst), rank, [&](Int i, Int j) {
      double total = 0;
      for (Int from : sources) total += terms.at(from)(i, j);
      if (writes(m, i, j)) put(at(m.dst, rank)(i, j), total, m.update);
    });
  }
  void operator()(const Redistribute& x) {
    const Uplo shape = stairs(s_, x).shape;
    for (Int r = 0; r < s_.ranks; ++r)
      for_each_element(s_.layout(x.dst), r, [&](Int i, Int j) {
        if (!counts(shape, i, j)) return;
        double value = nothing;
        for (Int q = 0; q < s_.ranks && std::isnan(value); ++q) value = at(x.src, q)(i, j);
        put(at(x.dst, r)(i, j), x.scaled ? alpha_ * value : value, x.update);
      });
  }
  void operator()(const Compute& x) {
    on_all([&](Int r) {
      const Work w = work_at(s_, x, r);
      switch (x.kernel) {
        case Kernel::gemm:
        case Kernel::gemmt: return multiply(x, w, r);
        case Kernel::trsm: return substitute(x, w, r);
        case Kernel::potrf: return factor(x, w, r);
        case Kernel::scal: return scale(x, r);
      }
    });
  }
  void multiply(const Compute& x, const Work& w, Int rank) {
    const double factor = x.factor == Factor::alpha ? alpha_ : x.factor == Factor::one ? 1 : -1;
    const Dense &A = at(x.A, rank), &B = at(x.B, rank);
    Dense& C = at(x.C, rank);
    for_each_element(s_.layout(x.C), rank, [&](Int i, Int j) {
      if (x.kernel == Kernel::gemmt && !counts(s_[x.C].shape, i, j)) return;
      double dot = 0;
      for_each(w.A.cols, [&](Int p) { dot += seen(A, x.op_a, i, p) * seen(B, x.op_b, p, j); });
      put(C(i, j), factor * dot, x.update);
    });
  }
  // Forward or backward substitution, by columns of C if the triangle is on the left, else by rows.
  void substitute(const Compute& x, const Work& w, Int rank) {
    const Dense& A = at(x.A, rank);
    Dense& C = at(x.C, rank);
    const bool left = x.side == Side::left, down = (s_[x.A].shape == Uplo::lower) == (x.op_a == Op::none);
    std::vector<Int> order;
    for_each(left ? w.C.rows : w.C.cols, [&](Int i) { order.push_back(i); });
    if (down != left) std::reverse(order.begin(), order.end());
    for_each(left ? w.C.cols : w.C.rows, [&](Int other) {
      const auto value = [&](Int i) -> double& { return left ? C(i, other) : C(other, i); };
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t p = 0; p < i; ++p) {
          const Int row = left ? order[i] : order[p], col = left ? order[p] : order[i];
          value(order[i]) -= seen(A, x.op_a, row, col) * value(order[p]);
        }
        if (x.diag == Diag::stored) value(order[i]) /= A(order[i], order[i]);
      }
    });
  }
  void scale(const Compute& x, Int rank) {
    const double factor = x.factor == Factor::alpha ? alpha_ : 0;
    for_each_element(s_.layout(x.C), rank, [&](Int i, Int j) {
      double& c = at(x.C, rank)(i, j);
      c = factor == 0 ? 0 : factor * c;
    });
  }
  // Column by column of L; U is its transpose.
  void factor(const Compute& x, const Work& w, Int rank) {
    Dense& C = at(x.C, rank);
    const bool lower = s_[x.C].shape == Uplo::lower;
    const auto L = [&](Int i, Int j) -> double& { return lower ? C(i, j) : C(j, i); };
    for_each(w.C.cols, [&](Int j) {
      for_each(w.C.rows, [&](Int i) {
        if (i < j) return;
        for_each(w.C.cols, [&](Int p) {
          if (p < j) L(i, j) -= L(i, p) * L(j, p);
        });
        L(i, j) = i == j ? std::sqrt(L(j, j)) : L(i, j) / L(j, j);
      });
    });
  }
  static double seen(const Dense& x, Op op, Int i, Int j) { return op == Op::none ? x(i, j) : x(j, i); }

  void all() {
    for (const Effect& e : effects(s_)) std::visit(*this, e);
  }

  Dense result() {
    const Slot x = s_.callers().back();
    const Extents size = result_of(s_.problem);
    Dense whole(size.m, size.n, nothing), found(size.m, size.n, 0);
    for (Int r = 0; r < s_.ranks; ++r)
      for_each_element(s_.layout(x), r, [&](Int i, Int j) {
        if (!counts(s_[x].shape, i, j)) return;
        const double mine = at(x, r)(i, j);
        if (found(i, j) == 0)
          whole(i, j) = mine;
        else if (whole(i, j) != mine)  // copies must agree
          whole(i, j) = nothing;
        found(i, j) = 1;
      });
    return whole;
  }

 private:
  const Schedule& s_;
  double alpha_, beta_;
  std::vector<std::optional<Dense>> memory_;  // by storage slot and rank
};

}  // namespace

Dense reference(const Schedule& s, const std::vector<const Dense*>& callers, double alpha, double beta) {
  Reference run(s, alpha, beta);
  const std::vector<Slot> slots = s.callers();
  for (std::size_t x = 0; x < slots.size(); ++x)
    if (x + 1 < slots.size() || beta != 0 || in_place(s.problem)) run.load(slots[x], *callers[x]);
  run.all();
  return run.result();
}

Dense reference(const Schedule& s, const Dense& A, const Dense& B, const Dense& C, double alpha, double beta) {
  return reference(s, {&A, &B, &C}, alpha, beta);
}

Dense reference(const Schedule& s, const Dense& A, const Dense& B, double alpha, double beta) {
  return reference(s, {&A, &B}, alpha, beta);
}

}  // namespace cairn
