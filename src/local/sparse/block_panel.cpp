#include "local/sparse/block_panel.hpp"

#include <algorithm>
#include <cstring>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/column_set.hpp"
#include "local/sparse/large_pages.hpp"

namespace cairn {

namespace {

template <class T>
std::shared_ptr<const T> shared(BlockValues<T> values) {
  const auto owner = std::make_shared<const BlockValues<T>>(std::move(values));
  return {owner, owner->data()};
}

// Values are to lie one after another, by rows: how many there are.
Int lay_out(BlockPattern& x) {
  Int words = 0;
  for_each(x, [&](BlockIndex i, BlockIndex j, Int b) { x.at[place(b)] = words, words += x.height(i) * x.width(j); });
  return words;
}

}  // namespace

template <class T>
std::vector<BlockIndex> index_of(const BlockPanel<T>& panel) {
  const BlockPattern& x = panel.blocks;
  std::vector<BlockIndex> index{static_cast<BlockIndex>(x.rows.size()), panel.in_row.empty() ? 0 : 1};
  index.reserve(2 + (panel.in_row.empty() ? 2 : 3) * x.rows.size() + x.cols.size());
  index.insert(index.end(), x.rows.begin(), x.rows.end());
  for (std::size_t r = 0; r < x.rows.size(); ++r) index.push_back(static_cast<BlockIndex>(x.first[r + 1] - x.first[r]));
  index.insert(index.end(), panel.in_row.begin(), panel.in_row.end());
  index.insert(index.end(), x.cols.begin(), x.cols.end());
  return index;
}

template <class T>
BlockPanel<T> panel_of(std::vector<BlockIndex> index,  // NOLINT(performance-unnecessary-value-param): it is moved
                       std::shared_ptr<const T> values, const BlockPattern& like) {
  BlockPanel<T> panel;
  BlockPattern& x = panel.blocks;
  x = none_like(like);
  panel.index = std::move(index);
  auto next = panel.index.begin() + 2;
  const auto take = [&](std::vector<BlockIndex>& to, Int count) { to.assign(next, next + count), next += count; };
  const Int rows = panel.index[0];
  std::vector<BlockIndex> counts;
  take(x.rows, rows);
  take(counts, rows);
  if (panel.index[1] != 0) take(panel.in_row, rows);
  take(x.cols, panel.index.end() - next);
  for (BlockIndex count : counts) x.first.push_back(x.first.back() + count);
  x.at.resize(x.cols.size());
  panel.words = lay_out(x);
  panel.values = std::move(values);
  return panel;
}

template <class T>
BlockPanel<T> panel_of(Blocks<T> blocks) {
  BlockPanel<T> panel;
  panel.words = words_of(blocks);
  panel.values = shared(std::move(blocks.values));
  panel.blocks = std::move(blocks);
  panel.index = index_of(panel);
  return panel;
}

template <class T>
void put_in_order(BlockPanel<T>& panel) {
  Int next = 0;
  bool in_order = true;
  const BlockPattern& x = panel.blocks;
  for_each(x, [&](BlockIndex i, BlockIndex j, Int b) {
    in_order = in_order && x.at[place(b)] == next;
    next += x.height(i) * x.width(j);
  });
  if (in_order) return;
  Blocks<T> ordered = compact(panel.view());
  panel.blocks.at = std::move(ordered.at);
  panel.values = shared(std::move(ordered.values));
}

// Blocks that lie one after another are copied together.
template <class T>
void copy_values(const BlocksView<T>& view, std::byte* values) {
  const BlockPattern& x = view.pattern;
  Int from = 0, to = 0;
  const auto copy = [&] {
    const auto bytes = place(to - from) * sizeof(T);
    if (bytes > 0) std::memcpy(values, view.values + from, bytes), values += bytes;
  };
  for_each(x, [&](BlockIndex i, BlockIndex j, Int b) {
    const Int at = x.at[place(b)];
    if (at != to) copy(), from = to = at;
    to += x.height(i) * x.width(j);
  });
  copy();
}

template <class T>
void write(const BlockPanel<T>& panel, std::byte* index, std::byte* values) {
  std::memcpy(index, panel.index.data(), panel.index.size() * sizeof(BlockIndex));
  copy_values(panel.view(), values);
}

Int columns_with_blocks(const BlockPattern& x) {
  Marks there;
  Int count = 0;
  there.reserve(static_cast<Int>(x.col_sizes->size()));
  for (const BlockIndex col : x.cols) there.set(col);
  there.take([&](Int) { ++count; });
  return count;
}

template <class T>
std::vector<BlockPanel<T>> split(const BlocksView<T>& view, std::size_t panels,
                                 const std::function<std::size_t(BlockIndex, BlockIndex)>& panel_of,
                                 const std::vector<BlockIndex>* in_row) {
  const BlockPattern& x = view.pattern;
  std::vector<BlockPanel<T>> all(panels);
  for (BlockPanel<T>& panel : all) {
    panel.blocks = none_like(x);
    panel.values = {std::shared_ptr<const void>(), view.values};
  }
  for_each(x, [&](BlockIndex i, BlockIndex j, Int b) {
    BlockPanel<T>& panel = all[panel_of(i, j)];
    panel.blocks.append(i, j, x.at[place(b)]);
    panel.words += x.height(i) * x.width(j);
  });
  for (BlockPanel<T>& panel : all) {
    if (in_row)
      for (BlockIndex row : panel.blocks.rows) panel.in_row.push_back((*in_row)[place(row)]);
    panel.index = index_of(panel);
  }
  return all;
}

template <class T>
Blocks<T> joined(const std::vector<BlocksView<T>>& panels, const BlockPattern& like) {
  struct Row {
    BlockIndex row;
    const BlocksView<T>* panel;
    std::size_t number;
  };
  std::vector<Row> rows;
  Int blocks = 0, words = 0;
  for (const BlocksView<T>& panel : panels) {
    const BlockPattern& x = panel.pattern;
    for (std::size_t r = 0; r < x.rows.size(); ++r) rows.push_back({x.rows[r], &panel, r});
    blocks += x.blocks(), words += words_of(x);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.row < b.row; });
  Blocks<T> all = none_like<Blocks<T>>(like);
  all.cols.reserve(place(blocks)), all.at.reserve(place(blocks)), reserve(all.values, place(words));
  std::vector<std::pair<BlockIndex, const T*>> row;
  for (auto r = rows.begin(); r != rows.end();) {
    const BlockIndex number = r->row;
    for (row.clear(); r != rows.end() && r->row == number; ++r)
      for (Int b = r->panel->pattern.first[r->number]; b < r->panel->pattern.first[r->number + 1]; ++b)
        row.emplace_back(r->panel->pattern.cols[place(b)], r->panel->block(b));
    std::sort(row.begin(), row.end());
    for (const auto& [col, values] : row) append(all, number, col, values);
  }
  return all;
}

template <class T>
Blocks<T> compact(const BlocksView<T>& x) {
  Blocks<T> all;
  static_cast<BlockPattern&>(all) = x.pattern;
  resize(all.values, place(lay_out(all)));
  copy_values(x, reinterpret_cast<std::byte*>(all.values.data()));
  return all;
}

void insert(BlockPattern& x, const BlockPattern& more) {
  BlockPattern all = none_like(x);
  for (std::size_t p = 0, q = 0; p < x.rows.size() || q < more.rows.size();) {
    const bool of_x = q == more.rows.size() || (p < x.rows.size() && x.rows[p] <= more.rows[q]),
               of_more = p == x.rows.size() || (q < more.rows.size() && more.rows[q] <= x.rows[p]);
    const BlockIndex row = of_x ? x.rows[p] : more.rows[q];
    Int a = of_x ? x.first[p] : 0, b = of_more ? more.first[q] : 0;
    const Int a_end = of_x ? x.first[p + 1] : 0, b_end = of_more ? more.first[q + 1] : 0;
    while (a < a_end || b < b_end) {
      const bool next_of_x = b == b_end || (a < a_end && x.cols[place(a)] < more.cols[place(b)]);
      const BlockPattern& from = next_of_x ? x : more;
      const std::size_t next = place(next_of_x ? a++ : b++);
      all.append(row, from.cols[next], from.at[next]);
    }
    p += of_x, q += of_more;
  }
  x = std::move(all);
}

Int find(const BlockPattern& x, BlockIndex i, BlockIndex j) {
  const std::size_t row = find_row(x, i);
  if (row == x.rows.size()) return -1;
  const Int b = find_column(x, row, j);
  return b < x.first[row + 1] && x.cols[place(b)] == j ? x.at[place(b)] : -1;
}

// A block of both is added to where it is, one of y alone goes to the end. There is room for all before any is added.
template <class T>
void add(Blocks<T>& x, T factor, const BlocksView<T>& y) {
  BlockPattern more = none_like<BlockPattern>(x);
  std::vector<Int> places;  // of y's blocks in x
  places.reserve(place(y.pattern.blocks()));
  const Int before = static_cast<Int>(x.values.size());
  Int words = before;
  for_each(y.pattern, [&](BlockIndex i, BlockIndex j, Int) {
    places.push_back(find(x, i, j));
    if (places.back() >= 0) return;
    more.append(i, j, places.back() = words);
    words += Int{x.height(i)} * x.width(j);
  });
  if (more.blocks() > 0) resize(x.values, place(words)), insert(x, more);
  auto next = places.begin();
  for_each(y.pattern, [&](BlockIndex i, BlockIndex j, Int b) {
    const bool fresh = *next >= before;
    T* const to = x.values.data() + *next++;
    const T* const from = y.block(b);
    const Int size = Int{x.height(i)} * x.width(j);
    for (Int w = 0; w < size; ++w) to[w] = fresh ? factor * from[w] : to[w] + factor * from[w];
  });
}

#define CAIRN_INSTANTIATE(T)                                                                               \
  template std::vector<BlockIndex> index_of(const BlockPanel<T>&);                                         \
  template BlockPanel<T> panel_of(std::vector<BlockIndex>, std::shared_ptr<const T>, const BlockPattern&); \
  template BlockPanel<T> panel_of(Blocks<T>);                                                              \
  template void put_in_order(BlockPanel<T>&);                                                              \
  template void write(const BlockPanel<T>&, std::byte*, std::byte*);                                       \
  template std::vector<BlockPanel<T>> split(const BlocksView<T>&, std::size_t,                             \
                                            const std::function<std::size_t(BlockIndex, BlockIndex)>&,     \
                                            const std::vector<BlockIndex>*);                               \
  template Blocks<T> joined(const std::vector<BlocksView<T>>&, const BlockPattern&);                       \
  template Blocks<T> compact(const BlocksView<T>&);                                                        \
  template void add(Blocks<T>&, T, const BlocksView<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
