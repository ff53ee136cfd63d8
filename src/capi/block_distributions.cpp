// Distributions of block-sparse matrices for the C API: made, asked for and chosen.
#include <algorithm>
#include <array>
#include <span>

#include "cairn/choose_distribution.hpp"
#include "capi/blocks.hpp"

using namespace cairn::capi;
using cairn::BlockDistribution;
using cairn::made_together;

namespace {

cairn_block_distribution as_c(const BlockDistribution& where) {
  return {where.pr, where.pc, where.row.data(), where.col.data(), where.row_major ? 0 : 1};
}

/// What Cairn has made, with what its pointers point to.
struct MadeDistribution : cairn_block_distribution {
  explicit MadeDistribution(BlockDistribution where) : kept(std::move(where)) {
    static_cast<cairn_block_distribution&>(*this) = as_c(kept);
  }
  const BlockDistribution kept;
};

/// make(pr, pc), or make(pr) for a grid as square as possible.
template <class Make>
cairn_status make_distribution(int64_t pr, int64_t pc, cairn_block_distribution** where, Make make) {
  return giving(where, [&] {
    need(where, "where");
    *where = new MadeDistribution(pc == 0 ? make(pr) : make(pr, pc));
  });
}

/// The candidates, on every rank as many, or an error on all.
template <class T>
std::vector<BlockDistribution> all_of(const cairn::BlockSparse<T>& x, int64_t count,
                                      const cairn_block_distribution* candidates, const void* result,
                                      const char* name) {
  return made_together(x.comm(), [&] {
    if (count != 0) need(result, name);
    std::vector<BlockDistribution> all;
    for (const cairn_block_distribution& d : numbers(candidates, "candidates", count, "count"))
      all.push_back(distribution(&d, block_rows_of(x), block_cols_of(x), x.comm().size()));
    return all;
  });
}

}  // namespace

cairn_status cairn_block_distribution_dealt(int64_t block_rows, int64_t block_cols, int64_t pr, int64_t pc,
                                            cairn_block_distribution** where) {
  return make_distribution(pr, pc, where,
                           [&](auto... grid) { return BlockDistribution::dealt(block_rows, block_cols, grid...); });
}

cairn_status cairn_block_distribution_by_region(int64_t blocks, const double* places, int64_t pr, int64_t pc,
                                                cairn_block_distribution** where) {
  return make_distribution(pr, pc, where, [&](auto... grid) {
    if (most_of(blocks, "blocks") > 0) need(places, "places");
    std::vector<std::array<double, 3>> points;
    for (int64_t i = 0; i < blocks; ++i) points.push_back({places[3 * i], places[3 * i + 1], places[3 * i + 2]});
    return BlockDistribution::by_region(points, grid...);
  });
}

void cairn_block_distribution_free(cairn_block_distribution* where) { delete static_cast<MadeDistribution*>(where); }

cairn_status cairn_block_sparse_where(const cairn_block_sparse* matrix, cairn_block_distribution* where) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) { *need(where, "where") = as_c(x.where()); });
}

cairn_status cairn_block_distribution_chosen(const cairn_block_sparse* x, cairn_block_distribution** where) {
  return giving(where, x, "x", [&](const auto& X, auto) {
    made_together(X.comm(), [&] { return need(where, "where"); });
    *where = new MadeDistribution(cairn::choose_distribution(X));
  });
}

cairn_status cairn_distribution_costs(const cairn_block_sparse* x, int64_t count,
                                      const cairn_block_distribution* candidates, cairn_distribution_cost* costs) {
  return on_matrix(x, "x", [&](const auto& X, auto) {
    const std::vector<BlockDistribution> all = all_of(X, count, candidates, costs, "costs");
    for (const cairn::DistributionCost& c : cairn::distribution_costs(X, std::span(all)))
      *costs++ = {c.received, c.busiest};
  });
}

cairn_status cairn_choose_distribution(const cairn_block_sparse* x, int64_t count,
                                       const cairn_block_distribution* candidates, int64_t* chosen) {
  return on_matrix(x, "x", [&](const auto& X, auto) {
    const std::vector<BlockDistribution> all = all_of(X, count, candidates, chosen, "chosen");
    *chosen = std::find(all.begin(), all.end(), cairn::choose_distribution(X, std::span(all))) - all.begin();
  });
}
