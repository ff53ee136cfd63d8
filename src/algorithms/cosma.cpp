#include "algorithms/cosma.hpp"

#include <map>

#include "algorithms/cosma_rounds.hpp"
#include "algorithms/operands.hpp"
#include "base/arithmetic.hpp"

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

std::vector<Cut> operator+(std::vector<Cut> a, const std::vector<Cut>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

// COSMA.  [cosma-sc19 Algorithm 1; layouts §7.6]  M, N, K: sequential cuts; (i), (j), (l): parallel ones.
//   A[m/(i,M*), k/(l,K*,j)]   B[k/(l,K*,i), n/(j,N*)]   C[m/(i,M*), n/(j,N*,l)]
// Each panel is shared evenly by the ranks that need it, or dealt out to them over all rounds. Without sequential cuts
// of m and n, received:
//   mk/(pm pk)·(1-1/pn) + kn/(pk pn)·(1-1/pm) + mn/(pm pn)·(1-1/pk)
Schedule cosma(const GemmProblem& p, const std::vector<CosmaCut>& cuts, std::string spelling) {
  if (spelling.empty()) spelling = "cosma " + print_cosma_cuts(cuts);
  Builder s(std::move(spelling), p.m, p.n, p.k, grid_of(cuts), p.ranks);
  Rounds rounds{s, {}, {}, {}, {}, {}};
  std::map<char, std::vector<Cut>> ranks, loops;  // cuts of each dimension
  for (int axis = 0; const CosmaCut& c : cuts) {
    if (c.kind == 's') rounds.loops.push_back(c);
    if (c.kind == 's') loops[c.dim].push_back(Cut::each(c.parts));
    if (c.kind == 's') continue;
    ranks[c.dim].push_back(Cut::even(s.grid(), axis));
    (c.dim == 'm' ? rounds.along_m : c.dim == 'n' ? rounds.along_n : rounds.along_k).push_back(axis++);
  }
  const std::map<char, Int> size{{'m', p.m}, {'n', p.n}, {'k', p.k}};
  const auto parts = [&](char kind, char dim) { return parts_of(cuts, kind, dim); };
  const auto local = [&](char dim) { return piece({0, size.at(dim)}, parts('p', dim), 0).size(); };
  const CosmaShares shares = cosma_shares({p.m, p.n, p.k, parts('p', 'm'), parts('p', 'n'), parts('p', 'k')}, cuts);
  const char dealt = shares.dealt ? rounds.loops[0].dim : ' ';
  if (shares.dealt) loops.clear(), rounds.dealt = {true, local(dealt), size.at(dealt) % parts('p', dealt) == 0};
  // The share is cut, and stored, along rows or along columns, so that it is one piece of the gathered panel's memory;
  // along both only if its ranks are too many for that.
  const auto layout = [&](char row, char col, char sharers, bool by_cols) {
    std::vector<Cut> rows = ranks[row] + loops[row], cols = ranks[col] + loops[col];
    const std::vector<Cut>& share = ranks[sharers];
    std::vector<Int> axes;
    axes.reserve(share.size());
    for (const Cut& cut : share) axes.push_back(cut.parts);
    const auto thinnest = [&](char dim) { return ceil_div(local(dim), parts('s', dim)); };
    const std::vector<bool> columns = cut_by_columns(thinnest(row), thinnest(col), by_cols, axes);
    for (std::size_t a = 0; a < share.size(); ++a)
      (columns[a] ? cols : rows).push_back((columns[a] ? col : row) == dealt ? Dealt::deal(share[a]) : share[a]);
    const Order order = by_cols || share.empty() ? Order::col : Order::row;
    return s.layout({0, size.at(row)}, std::move(rows), {0, size.at(col)}, std::move(cols), order);
  };
  const Slot A = input_a(s, p, layout('m', 'k', 'n', shares.a_by_k));
  const Slot B = input_b(s, p, layout('k', 'n', 'm', !shares.b_by_k));
  const Slot C = output_c(s, p, layout('m', 'n', 'k', shares.c_by_n));
  rounds.run(0, A, B, C, false, false, false);
  return s.done();
}

}  // namespace cairn
