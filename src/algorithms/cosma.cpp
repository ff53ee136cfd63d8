#include "algorithms/cosma.hpp"

#include "algorithms/operands.hpp"
#include "schedule/builder.hpp"

namespace cairn {

namespace {

Grid grid_of(const std::vector<CosmaCut>& cuts) {
  std::vector<Grid::Axis> axes;
  int seen[3] = {0, 0, 0};
  for (const CosmaCut& c : cuts) {
    if (c.kind != 'p') continue;
    const int d = c.dim == 'm' ? 0 : c.dim == 'n' ? 1 : 2;
    const std::string name(1, "ijl"[d]);
    axes.push_back({seen[d]++ == 0 ? name : name + std::to_string(seen[d]), c.parts});
  }
  return Grid(std::move(axes));
}

// The loop nest of Algorithm 1, lines 8-12. A panel is gathered as soon as no loop still to come cuts it, and
// partial sums of C are reduced as soon as the loops over k that feed them are done.
struct Rounds {
  Builder& s;
  std::vector<CosmaCut> loops;                 // the sequential cuts, outermost first
  std::vector<int> along_m, along_n, along_k;  // axes that cut m, n, k

  bool cut_later(std::size_t depth, std::string_view dims) const {
    return std::any_of(loops.begin() + static_cast<std::ptrdiff_t>(depth), loops.end(),
                       [&](const CosmaCut& c) { return dims.find(c.dim) != dims.npos; });
  }
  Slot gather(Slot X, const std::vector<int>& axes) {
    for (std::size_t a = axes.size(); a-- > 0;) X = s.all_gather(X, axes[a]);
    return X;
  }
  // Partial sums that the ranks along k will add up: C before it is shared among them.
  Layout partial(Slot C, std::size_t reduced) const {
    Layout l = s.layout(C);
    Dim& shared = l.cols.cuts.empty() || l.cols.cuts.back() != Cut::even(s.grid(), along_k.back()) ? l.rows : l.cols;
    shared.cuts.resize(shared.cuts.size() - (along_k.size() - reduced));
    return l;
  }
  void run(std::size_t depth, Slot A, Slot B, Slot C, bool a_here, bool b_here, bool c_here) {
    if (!a_here && !cut_later(depth, "mk")) A = gather(A, along_n), a_here = true;  // line 9, DistrData
    if (!b_here && !cut_later(depth, "kn")) B = gather(B, along_m), b_here = true;
    const bool sum_k = !c_here && (depth == loops.size() || loops[depth].dim == 'k');
    if (sum_k && !along_k.empty()) {
      Slot sum = s.scratch("C+", partial(C, 0));
      run(depth, A, B, sum, a_here, b_here, true);
      for (std::size_t a = 0; a + 1 < along_k.size(); ++a) {  // line 12, Reduce
        const Slot next = s.scratch("C+", partial(C, a + 1));
        s.reduce_scatter(sum, next, along_k[a]);
        sum = next;
      }
      return s.reduce_scatter(sum, C, along_k.back());
    }
    if (depth == loops.size()) return s.gemm(A, B, C);  // line 10, Multiply
    const char dim = loops[depth].dim;
    for (Int t = 0; t < loops[depth].parts; ++t) {  // one after another: compilers evaluate arguments in any order
      const Slot a = dim == 'm' ? s.rows_round(A, t) : dim == 'k' ? s.cols_round(A, t) : A;
      const Slot b = dim == 'k' ? s.rows_round(B, t) : dim == 'n' ? s.cols_round(B, t) : B;
      const Slot c = dim == 'm' ? s.rows_round(C, t) : dim == 'n' ? s.cols_round(C, t) : C;
      run(depth + 1, a, b, c, a_here, b_here, c_here || dim == 'k');
    }
  }
};

std::vector<Cut> operator+(std::vector<Cut> a, const std::vector<Cut>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

// COSMA.  [cosma-sc19 Algorithm 1; layouts §7.6]  M, N, K: sequential cuts; (i), (j), (l): parallel ones.
//   A[m/(i,M*), k/(l,K*,j)]   B[k/(l,K*,i), n/(j,N*)]   C[m/(i,M*), n/(j,N*,l)]
// Each panel is shared evenly by the ranks that need it. Without sequential cuts of m and n, received:
//   mk/(pm pk)·(1-1/pn) + kn/(pk pn)·(1-1/pm) + mn/(pm pn)·(1-1/pk)
Schedule cosma(const GemmProblem& p, const std::vector<CosmaCut>& cuts, std::string spelling) {
  if (spelling.empty()) spelling = "cosma " + print_cosma_cuts(cuts);
  Builder s(std::move(spelling), p.m, p.n, p.k, grid_of(cuts), p.ranks);
  Rounds rounds{s, {}, {}, {}, {}};
  std::vector<Cut> i, j, l, M, N, K;
  for (int axis = 0; const CosmaCut& c : cuts) {
    if (c.kind == 's') rounds.loops.push_back(c);
    if (c.kind == 's') (c.dim == 'm' ? M : c.dim == 'n' ? N : K).push_back(Cut::each(c.parts));
    if (c.kind == 's') continue;
    (c.dim == 'm' ? i : c.dim == 'n' ? j : l).push_back(Cut::even(s.grid(), axis));
    (c.dim == 'm' ? rounds.along_m : c.dim == 'n' ? rounds.along_n : rounds.along_k).push_back(axis++);
  }
  const auto parts = [&](char kind, char dim) { return parts_of(cuts, kind, dim); };
  const bool A_by_k = shares_inner(p.k, parts('p', 'k'), parts('s', 'k'), parts('p', 'n'));
  const bool B_by_k = shares_inner(p.k, parts('p', 'k'), parts('s', 'k'), parts('p', 'm'));
  const auto local = [&](Int size, char dim) { return piece({0, size}, parts('p', dim) * parts('s', dim), 0).size(); };
  const bool C_by_n = shares_columns(local(p.m, 'm'), local(p.n, 'n'), parts('p', 'k'));
  // The share is cut, and stored, along rows or along columns, so that it is one piece of the gathered panel's memory.
  const auto layout = [&](Int rows, std::vector<Cut> row_cuts, Int cols, std::vector<Cut> col_cuts,
                          const std::vector<Cut>& share, bool by_cols) {
    std::vector<Cut>& shared = by_cols ? col_cuts : row_cuts;
    shared.insert(shared.end(), share.begin(), share.end());
    const Order order = by_cols || share.empty() ? Order::col : Order::row;
    return s.layout({0, rows}, std::move(row_cuts), {0, cols}, std::move(col_cuts), order);
  };
  const Slot A = input_a(s, p, layout(p.m, i + M, p.k, l + K, j, A_by_k));
  const Slot B = input_b(s, p, layout(p.k, l + K, p.n, j + N, i, !B_by_k));
  const Slot C = output_c(s, p, layout(p.m, i + M, p.n, j + N, l, C_by_n));
  rounds.run(0, A, B, C, false, false, false);
  return s.done();
}

}  // namespace cairn
