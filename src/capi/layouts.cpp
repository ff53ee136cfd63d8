#include "capi/handles.hpp"

using cairn::Int;
using cairn::Layout;
using cairn::Order;
using namespace cairn::capi;

namespace {

template <class F>
cairn_status make(int64_t m, int64_t n, cairn_layout** layout, F f) {
  return guarded([&] {
    need(layout, "layout");
    if (m < 0 || n < 0) throw cairn::ArgumentError("layout: a negative size, expected m >= 0 and n >= 0");
    *layout = new cairn_layout{f()};
  });
}

Order order_of(cairn_order order) { return enumerator<Order>(static_cast<int>(order), 1, "order"); }

// Arbitrary blocks lie one after another, not in rows and columns of all.
bool has_rows(const cairn_layout* l, int64_t rank) { return !l->layout.blocks && rank >= 0 && l->layout.live(rank); }

int64_t global(const cairn::IndexSet& set, int64_t local) {
  for (cairn::Range r : set.pieces()) {
    if (local >= 0 && local < r.size()) return r.lo + local;
    local -= r.size();
  }
  return -1;
}

}  // namespace

cairn_status cairn_layout_on_one_rank(int64_t m, int64_t n, cairn_order order, cairn_layout** layout) {
  return make(m, n, layout, [&] { return Layout::on_one_rank(m, n, order_of(order)); });
}

cairn_status cairn_layout_row_blocks(int64_t m, int64_t n, int64_t ranks, cairn_order order, cairn_layout** layout) {
  return make(m, n, layout, [&] { return Layout::row_blocks(m, n, ranks, order_of(order)); });
}

cairn_status cairn_layout_col_blocks(int64_t m, int64_t n, int64_t ranks, cairn_order order, cairn_layout** layout) {
  return make(m, n, layout, [&] { return Layout::col_blocks(m, n, ranks, order_of(order)); });
}

cairn_status cairn_layout_block_cyclic(int64_t m, int64_t n, int64_t mb, int64_t nb, int64_t pr, int64_t pc,
                                       int64_t rsrc, int64_t csrc, int col_major_grid, cairn_layout** layout) {
  return make(m, n, layout, [&] {
    return Layout::block_cyclic(m, n, {mb, nb, pr, pc, rsrc, csrc, col_major_grid == 0});
  });
}

cairn_status cairn_layout_arbitrary(int64_t m, int64_t n, int64_t ranks, int64_t row_blocks, const int64_t* row_bounds,
                                    int64_t col_blocks, const int64_t* col_bounds, const int64_t* owner,
                                    cairn_order order, cairn_layout** layout) {
  return make(m, n, layout, [&] {
    need(row_bounds, "row_bounds"), need(col_bounds, "col_bounds"), need(owner, "owner");
    if (row_blocks < 0 || col_blocks < 0) throw cairn::ArgumentError("row_blocks, col_blocks: expected at least 0");
    return Layout::arbitrary(m, n, ranks,
                             {{row_bounds, row_bounds + row_blocks + 1},
                              {col_bounds, col_bounds + col_blocks + 1},
                              {owner, owner + row_blocks * col_blocks},
                              false},
                             order_of(order));
  });
}

void cairn_layout_free(cairn_layout* layout) { delete layout; }

int64_t cairn_layout_words(const cairn_layout* l, int64_t rank) { return rank < 0 ? 0 : l->layout.words(rank); }
int64_t cairn_layout_local_rows(const cairn_layout* l, int64_t rank) {
  return l->layout.blocks ? -1 : has_rows(l, rank) ? l->layout.rows_at(rank).size() : 0;
}
int64_t cairn_layout_local_cols(const cairn_layout* l, int64_t rank) {
  return l->layout.blocks ? -1 : has_rows(l, rank) ? l->layout.cols_at(rank).size() : 0;
}
cairn_order cairn_layout_order(const cairn_layout* l) { return l->layout.order == Order::col ? CAIRN_COL : CAIRN_ROW; }
int64_t cairn_layout_global_row(const cairn_layout* l, int64_t rank, int64_t local) {
  return has_rows(l, rank) ? global(l->layout.rows_at(rank), local) : -1;
}
int64_t cairn_layout_global_col(const cairn_layout* l, int64_t rank, int64_t local) {
  return has_rows(l, rank) ? global(l->layout.cols_at(rank), local) : -1;
}
