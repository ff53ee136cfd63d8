#include <utility>
#include <vector>

#include "capi/handles.hpp"

using cairn::Int;
using cairn::Layout;
using cairn::Order;
using namespace cairn::capi;

namespace {

template <class F>
cairn_status make(cairn_layout** layout, F f) {
  return giving(layout, [&] {
    need(layout, "layout");
    *layout = new cairn_layout{f()};
  });
}

Order order_of(cairn_order order) { return enumerator<Order>(static_cast<int>(order), 1, "order"); }

// Of as many blocks, which have one boundary more.
std::vector<Int> bounds(const int64_t* from, int64_t blocks, const char* name, const char* count) {
  most_of(blocks, count);
  need(from, name);
  return {from, from + blocks + 1};
}

// Rows or columns, as `dim` says; arbitrary blocks lie one after another, not in rows and columns of all.
int64_t local_size(const cairn_layout* layout, int64_t rank, cairn::Dim Layout::*dim) {
  return asked(layout, int64_t{0}, [&](const cairn_layout& l) {
    if (l.layout.blocks) return Int{-1};
    return rank >= 0 && l.layout.live(rank) ? (l.layout.*dim).size(l.layout.grid, rank) : 0;
  });
}

}  // namespace

cairn_status cairn_layout_on_one_rank(int64_t m, int64_t n, cairn_order order, cairn_layout** layout) {
  return make(layout, [&] { return Layout::on_one_rank(m, n, order_of(order)); });
}

cairn_status cairn_layout_row_blocks(int64_t m, int64_t n, int64_t ranks, cairn_order order, cairn_layout** layout) {
  return make(layout, [&] { return Layout::row_blocks(m, n, ranks, order_of(order)); });
}

cairn_status cairn_layout_col_blocks(int64_t m, int64_t n, int64_t ranks, cairn_order order, cairn_layout** layout) {
  return make(layout, [&] { return Layout::col_blocks(m, n, ranks, order_of(order)); });
}

cairn_status cairn_layout_block_cyclic(int64_t m, int64_t n, int64_t mb, int64_t nb, int64_t pr, int64_t pc,
                                       int64_t rsrc, int64_t csrc, int col_major_grid, cairn_layout** layout) {
  return make(layout, [&] { return Layout::block_cyclic(m, n, {mb, nb, pr, pc, rsrc, csrc, col_major_grid == 0}); });
}

cairn_status cairn_layout_arbitrary(int64_t m, int64_t n, int64_t ranks, int64_t row_blocks, const int64_t* row_bounds,
                                    int64_t col_blocks, const int64_t* col_bounds, const int64_t* owner,
                                    cairn_order order, cairn_layout** layout) {
  return make(layout, [&] {
    std::vector<Int> rows = bounds(row_bounds, row_blocks, "row_bounds", "row_blocks"),
                     cols = bounds(col_bounds, col_blocks, "col_bounds", "col_blocks");
    if (row_blocks * col_blocks > 0) need(owner, "owner");
    return Layout::arbitrary(m, n, ranks,
                             {std::move(rows), std::move(cols), {owner, owner + row_blocks * col_blocks}, false},
                             order_of(order));
  });
}

void cairn_layout_free(cairn_layout* layout) { delete layout; }

int64_t cairn_layout_m(const cairn_layout* layout) {
  return asked(layout, int64_t{0}, [](const cairn_layout& l) { return l.layout.m(); });
}
int64_t cairn_layout_n(const cairn_layout* layout) {
  return asked(layout, int64_t{0}, [](const cairn_layout& l) { return l.layout.n(); });
}
int64_t cairn_layout_ranks(const cairn_layout* layout) {
  return asked(layout, int64_t{0}, [](const cairn_layout& l) { return l.layout.grid.ranks(); });
}
int64_t cairn_layout_words(const cairn_layout* layout, int64_t rank) {
  return asked(layout, int64_t{0}, [&](const cairn_layout& l) { return rank < 0 ? 0 : l.layout.words(rank); });
}
int64_t cairn_layout_local_rows(const cairn_layout* layout, int64_t rank) {
  return local_size(layout, rank, &Layout::rows);
}
int64_t cairn_layout_local_cols(const cairn_layout* layout, int64_t rank) {
  return local_size(layout, rank, &Layout::cols);
}
cairn_order cairn_layout_order(const cairn_layout* layout) {
  return asked(layout, CAIRN_COL, [](const cairn_layout& l) { return static_cast<int>(l.layout.order); });
}
int64_t cairn_layout_global_row(const cairn_layout* layout, int64_t rank, int64_t local) {
  return asked(layout, int64_t{-1}, [&](const cairn_layout& l) { return l.listed.row(l.layout, rank, local); });
}
int64_t cairn_layout_global_col(const cairn_layout* layout, int64_t rank, int64_t local) {
  return asked(layout, int64_t{-1}, [&](const cairn_layout& l) { return l.listed.col(l.layout, rank, local); });
}
