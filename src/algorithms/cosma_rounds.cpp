#include "algorithms/cosma_rounds.hpp"

#include <algorithm>

namespace cairn {

Dim Dealt::round(Dim dim, Int t, Int parts) const {
  const Range r = piece({0, longest}, parts, t);
  std::vector<Cut> share;
  if (!dim.cuts.empty() && dim.cuts.back().kind == Cut::Kind::cyclic) {
    share = {dim.cuts.back()};
    share[0].index = share[0].index + Affine(-r.lo);
    if (r.size() <= share[0].parts) share[0] = Cut::numbered(share[0].index, share[0].parts);
    dim.cuts.pop_back();
  }
  dim.cuts.push_back(alike ? Cut::fixed(t, parts) : Cut{Cut::Kind::bounds, 1, Affine(), 0, 0, {r.lo, r.hi}});
  dim.cuts.insert(dim.cuts.end(), share.begin(), share.end());
  return dim;
}

bool Rounds::cut_later(std::size_t depth, std::string_view dims) const {
  return std::any_of(loops.begin() + static_cast<std::ptrdiff_t>(depth), loops.end(),
                     [&](const CosmaCut& c) { return dims.find(c.dim) != dims.npos; });
}

Slot Rounds::gather(Slot X, const std::vector<int>& axes) {
  for (std::size_t a = axes.size(); a-- > 0;) X = s.all_gather(X, axes[a]);
  return X;
}

// Partial sums that the ranks along k will add up: C before it is shared among them.
Layout Rounds::partial(Slot C, std::size_t reduced) const {
  Layout l = s.layout(C);
  for (std::size_t a = along_k.size(); a-- > reduced;) {
    const bool columns = !l.cols.cuts.empty() && l.cols.cuts.back().index.factor(along_k[a]) != 0;
    (columns ? l.cols : l.rows).cuts.pop_back();
  }
  return l;
}

Slot Rounds::round(Slot X, bool rows, Int t) {
  if (!dealt.any) return rows ? s.rows_round(X, t) : s.cols_round(X, t);
  const Int parts = loops[0].parts;
  if (rows) return s.part(X, dealt.round(s.layout(X).rows, t, parts), s.all);
  return s.part(X, s.all, dealt.round(s.layout(X).cols, t, parts));
}

void Rounds::run(std::size_t depth, Slot A, Slot B, Slot C, bool a_here, bool b_here, bool c_here) {
  if (!a_here && !cut_later(depth, "mk")) A = gather(A, along_n), a_here = true;  // line 9, DistrData
  if (!b_here && !cut_later(depth, "kn")) B = gather(B, along_m), b_here = true;
  const bool sum_k = !c_here && (depth == loops.size() || loops[depth].dim == 'k');
  if (sum_k && !along_k.empty()) {
    Slot sum = s.partial_sum("C+", partial(C, 0));
    run(depth, A, B, sum, a_here, b_here, true);
    for (std::size_t a = 0; a + 1 < along_k.size(); ++a) {  // line 12, Reduce
      const Slot next = s.partial_sum("C+", partial(C, a + 1));
      s.reduce_scatter(sum, next, along_k[a]);
      sum = next;
    }
    return s.reduce_scatter(sum, C, along_k.back());
  }
  if (depth == loops.size()) return s.gemm(A, B, C);  // line 10, Multiply
  const char dim = loops[depth].dim;
  for (Int t = 0; t < loops[depth].parts; ++t) {  // one after another: compilers evaluate arguments in any order
    const Slot a = dim == 'n' ? A : round(A, dim == 'm', t);
    const Slot b = dim == 'm' ? B : round(B, dim == 'k', t);
    const Slot c = dim == 'k' ? C : round(C, dim == 'm', t);
    run(depth + 1, a, b, c, a_here, b_here, c_here || dim == 'k');
  }
}

}  // namespace cairn
