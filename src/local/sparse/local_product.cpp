#include "local/sparse/local_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/large_pages.hpp"

namespace cairn {

namespace {

constexpr Int nowhere = -1;
// How long before its use a block of C is fetched: it may come from farther than one of B.
constexpr std::size_t ahead = 2;

/// Has a block brought into cache while another one is multiplied: the processor itself does not see what comes next.
/// Not inlined it would be left out, because the compiler sees no effect.
template <class T>
[[gnu::always_inline]] inline void fetch(const T* block, Int size) {
  constexpr Int line = 64 / static_cast<Int>(sizeof(T));
  for (Int i = 0; i < size; i += line) __builtin_prefetch(block + i);
}

// In which order products of block rows of A are done.
struct RowOrder {
  std::size_t together;  // so many rows
  bool collects;         // those of a block of C one after another
};

// Several rows together where they share many blocks of B, which are then read once for all of them. Where they share
// few, their rows of C drive each other from the cache. There, and where blocks of C have several products each, a
// large block of C is computed at once: it is not read from a farther cache for each product. Small blocks of B are
// better read one after another.
RowOrder order_of(const BlockPattern& A, const BlockPattern& B, Int products, Int bytes_of_b) {
  constexpr Int large = 2048;                     // bytes of a block of B
  constexpr double filled = 0.25, several = 1.5;  // of all blocks of A; products of a block of C
  const auto of = [](const auto& x, const auto& y) {
    return static_cast<double>(x.size()) * static_cast<double>(y.size());
  };
  if (static_cast<double>(A.blocks()) >= filled * of(A.rows, B.rows)) return {8, false};
  return {1, bytes_of_b >= large * B.blocks() && static_cast<double>(products) >= several * of(A.rows, *B.col_sizes)};
}

// f of a constant, which a loop is compiled for.
template <class F>
void with_constant(bool x, F f) {
  x ? f(std::true_type()) : f(std::false_type());
}

}  // namespace

template <class T>
Int LocalProduct<T>::multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter,
                              Blocks<T>& C) {
  flops_ = 0;
  if (alpha == T(0) || A.pattern.rows.empty() || B.pattern.rows.empty()) return 0;
  const ProductWork in_tiles = tiles_.multiply(alpha, A, B, filter, C, done_);
  flops_ += in_tiles.flops, products_ += in_tiles.products;
  const Call call{alpha, A.pattern, B.pattern, A.values, B.values, filter, C};
  prepare(call);
  const Int rows = static_cast<Int>(A.pattern.rows.size()), together = static_cast<Int>(rows_.size());
  for (Int first = 0; first < rows; first += together) {
    const Int last = std::min(rows, first + together);
    begin_rows(call, first, last);
    multiply_rows(call);
    if (collects_) multiply_collected(call);
    end_rows(call, first, last);
  }
  if (!filter.retain_sparsity) {
    copy_rows(C, static_cast<BlockIndex>(C.row_sizes->size()));
    std::swap(C.rows, index_.rows);
    std::swap(C.first, index_.first);
    std::swap(C.cols, index_.cols);
    std::swap(C.at, index_.at);
  }
  return flops_;
}

template <class T>
void LocalProduct<T>::prepare(const Call& call) {
  const BlockPattern& B = call.B;
  row_of_b_.assign(B.row_sizes->size(), nowhere);
  for (std::size_t r = 0; r < B.rows.size(); ++r) row_of_b_[place(B.rows[r])] = static_cast<Int>(r);
  Int products = 0;
  for (const BlockIndex k : call.A.cols)
    if (const Int row = row_of_b_[place(k)]; row != nowhere) products += B.first[place(row + 1)] - B.first[place(row)];
  const RowOrder order = order_of(call.A, B, products, words_of(B) * static_cast<Int>(sizeof(T)));
  collects_ = order.collects && call.alpha == T(1);  // scaled blocks of a whole row would take memory
  lists_.assign(collects_ ? B.col_sizes->size() : 0, {nowhere, nowhere});
  listed_.reserve(static_cast<Int>(lists_.size()));
  rows_.resize(order.together);
  for (Row& row : rows_) row.added.reserve(static_cast<Int>(B.col_sizes->size()));
  places_.assign(B.col_sizes->size() * rows_.size(), nowhere);
  index_.rows.clear(), index_.cols.clear(), index_.at.clear();
  index_.first.assign(1, 0);
  copied_ = 0;
}

template <class T>
void LocalProduct<T>::begin_rows(const Call& call, Int first, Int last) {
  for (Row& row : rows_) row.next = row.end = 0;
  for (Int r = first; r < last; ++r) {
    const BlockIndex index = call.A.rows[place(r)];
    Row& row = rows_[place(r - first)];
    row.height = call.A.height(index);
    row.first_col = call.filter.upper ? index : 0;
    row.next = call.A.first[place(r)], row.end = call.A.first[place(r + 1)];
    if (call.alpha != T(1)) {
      Int width = 0;
      for (Int b = row.next; b < row.end; ++b) width = std::max<Int>(width, call.A.width(call.A.cols[place(b)]));
      row.scaled.resize(place(row.height * width));
    }
    skip_done(row);
    row.limit = call.filter.limits.empty() ? 0 : call.filter.limits[place(index)];
    const std::size_t old = find_row(call.C, index);
    if (old == call.C.rows.size()) continue;
    for (std::size_t b = place(call.C.first[old]); b < place(call.C.first[old + 1]); ++b)
      places_[place(call.C.cols[b]) * rows_.size() + place(r - first)] = call.C.at[b];
  }
}

template <class T>
void LocalProduct<T>::multiply_rows(const Call& call) {
  for (;;) {
    const BlockIndex k = take_factors(call);
    if (factors_.empty()) return;
    const Int row_of_b = row_of_b_[place(k)];
    if (row_of_b == nowhere) continue;
    const bool filtered = !call.filter.limits.empty();
    with_constant(filtered, [&](auto f) {
      with_constant(call.filter.upper, [&](auto u) {
        with_constant(collects_, [&](auto c) { multiply_factors<f(), u(), c()>(call, row_of_b); });
      });
    });
  }
}

// The blocks of the next column that a row has.
template <class T>
BlockIndex LocalProduct<T>::take_factors(const Call& call) {
  factors_.clear();
  BlockIndex k = std::numeric_limits<BlockIndex>::max();
  for (const Row& row : rows_)
    if (row.next < row.end) k = std::min(k, call.A.cols[place(row.next)]);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (Row& row = rows_[r]; row.next < row.end && call.A.cols[place(row.next)] == k) {
      factors_.push_back(factor(call, r, row.next++));
      skip_done(row);
    }
  return k;
}

template <class T>
void LocalProduct<T>::skip_done(Row& row) const {
  if (done_.empty()) return;
  while (row.next < row.end && done_[place(row.next)]) ++row.next;
}

template <class T>
auto LocalProduct<T>::factor(const Call& call, std::size_t row, Int block) -> Factor {
  Row& r = rows_[row];
  const BlockIndex k = call.A.width(call.A.cols[place(block)]);
  const T* values = call.values_a + call.A.at[place(block)];
  if (call.alpha != T(1)) {
    std::transform(values, values + Int{r.height} * k, r.scaled.data(), [&](T x) { return call.alpha * x; });
    values = r.scaled.data();
  }
  const double norm = call.filter.limits.empty() ? 0 : std::abs(call.alpha) * call.filter.norms_a[place(block)];
  return {row, values, norm, r.limit, r.first_col, r.height, &small_.of(r.height, k)};
}

template <class T>
template <bool filtered, bool upper, bool collects>
void LocalProduct<T>::multiply_factors(const Call& call, Int row_of_b) {
  const BlockPattern& B = call.B;
  const Int k = B.height(B.rows[place(row_of_b)]);
  const std::size_t end = place(B.first[place(row_of_b + 1)]), first = factors_.front().row;
  Int products = 0, words = 0;
  const Int begin = upper ? find_column(B, place(row_of_b), factors_.front().first_col) : B.first[place(row_of_b)];
  for (std::size_t b = place(begin); b < end; ++b) {
    const BlockIndex col = B.cols[b], width = B.width(col);
    const T* values = call.values_b + B.at[b];
    Int* const places = places_.data() + place(col) * rows_.size();
    if (b + 1 < end && !collects) fetch(call.values_b + B.at[b + 1], k * B.width(B.cols[b + 1]));
    if (b + ahead < end && !collects) {
      const BlockIndex next = B.cols[b + ahead];
      const Int there = places_[place(next) * rows_.size() + first];
      if (there != nowhere) fetch(call.C.values.data() + there, Int{rows_[first].height} * B.width(next));
    }
    for (const Factor& a : factors_) {
      if (upper && col < a.first_col) continue;
      if (filtered && a.norm * call.filter.norms_b[b] < a.limit) continue;  // never if one is NaN
      if (call.filter.retain_sparsity && places[a.row] == nowhere) continue;
      const Pair pair{a.products, a.values, values};
      if (collects)
        collect(col, pair);
      else
        multiply_pair(call, a.row, col, width, pair, places[a.row]);
      ++products, words += a.height * Int{width};
    }
  }
  products_ += products, flops_ += 2 * k * words;
}

template <class T>
void LocalProduct<T>::collect(BlockIndex col, const Pair& pair) {
  const auto number = static_cast<Int>(collected_.size());
  List& list = lists_[place(col)];
  if (list.first == nowhere) {
    listed_.set(col);
    list.first = number;
  } else {
    collected_[place(list.last)].next = number;
  }
  list.last = number;
  collected_.push_back({pair, nowhere});
}

template <class T>
void LocalProduct<T>::multiply_collected(const Call& call) {
  listed_.take([&](Int j) {
    const auto col = static_cast<BlockIndex>(j);
    const BlockIndex width = call.B.width(col);
    List& list = lists_[place(col)];
    for (Int next = list.first; next != nowhere; next = collected_[place(next)].next)
      multiply_pair(call, 0, col, width, collected_[place(next)].pair, places_[place(col)]);
    list.first = nowhere;
  });
  collected_.clear();
}

template <class T>
Int LocalProduct<T>::new_block(const Call& call, std::size_t row, BlockIndex col, BlockIndex width) {
  rows_[row].added.set(col);
  const auto begin = static_cast<Int>(call.C.values.size());
  resize(call.C.values, place(begin + Int{rows_[row].height} * width));
  return begin;
}

template <class T>
void LocalProduct<T>::end_rows(const Call& call, Int first, Int last) {
  for (Int r = first; r < last; ++r) {
    const BlockIndex index = call.A.rows[place(r)];
    copy_rows(call.C, index);
    end_row(call.C, place(r - first), index);
  }
}

template <class T>
void LocalProduct<T>::copy_rows(const Blocks<T>& C, BlockIndex before) {
  for (; copied_ < C.rows.size() && C.rows[copied_] < before; ++copied_) {
    const auto from = C.first[copied_], to = C.first[copied_ + 1];
    index_.cols.insert(index_.cols.end(), C.cols.begin() + from, C.cols.begin() + to);
    index_.at.insert(index_.at.end(), C.at.begin() + from, C.at.begin() + to);
    index_.rows.push_back(C.rows[copied_]);
    index_.first.push_back(index_.blocks());
  }
}

// Merges the old blocks of a row with the new ones, and forgets their places.
template <class T>
void LocalProduct<T>::end_row(const Blocks<T>& C, std::size_t row, BlockIndex index) {
  const auto append = [&](BlockIndex col) {
    Int& there = places_[place(col) * rows_.size() + row];
    index_.cols.push_back(col);
    index_.at.push_back(there);
    there = nowhere;
  };
  Int old = 0, end = 0;
  if (copied_ < C.rows.size() && C.rows[copied_] == index)
    old = C.first[copied_], end = C.first[copied_ + 1], ++copied_;
  rows_[row].added.take([&](Int col) {
    for (; old < end && C.cols[place(old)] < col; ++old) append(C.cols[place(old)]);
    append(static_cast<BlockIndex>(col));
  });
  for (; old < end; ++old) append(C.cols[place(old)]);
  if (index_.blocks() == index_.first.back()) return;
  index_.rows.push_back(index);
  index_.first.push_back(index_.blocks());
}

#define CAIRN_INSTANTIATE(T) template class LocalProduct<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
