#include "local/sparse/row_strips.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/large_pages.hpp"

namespace cairn {

namespace {

template <class T>
void copy_columns(Int rows, Int columns, const T* from, Int from_ld, T* to, Int to_ld) {
  for (Int j = 0; j < columns; ++j, from += from_ld, to += to_ld)
    for (Int i = 0; i < rows; ++i) to[i] = from[i];
}

template <class T>
void clear_columns(Int rows, Int columns, T* to, Int ld) {
  for (Int j = 0; j < columns; ++j, to += ld) std::fill_n(to, rows, T(0));
}

}  // namespace

template <class T>
void RowStrips<T>::pack(const BlocksView<T>& A, std::span<const BlocksOfRow> rows, std::span<const BlockIndex> slices) {
  slices_.assign(slices.begin(), slices.end());
  rows_.clear();
  Int top = 0;
  for (const BlocksOfRow& row : rows) {
    rows_.push_back({top, row.height});
    top += row.height;
  }
  cut_into_strips();
  for (const Strip& strip : strips_)
    for (std::size_t r = strip.first; r < strip.last; ++r) pack(A, rows[r], strip, share(strip, rows_[r]));
}

template <class T>
void RowStrips<T>::cut_into_strips() {
  strips_.clear();
  packed_.clear(), products_.clear();
  const auto alone = [this](std::size_t row) { return rows_[row].height >= kernel_.alone; };
  for (std::size_t first = 0, last = 0; first < rows_.size(); first = last) {
    last = first + 1;
    if (alone(first)) {
      cut(first, last, rows_[first].height, 1);
      continue;
    }
    while (last < rows_.size() && !alone(last)) ++last;
    cut(first, last, kernel_.together, kernel_.multiple);
  }
}

// Strips of that height; the last one may be lower.
template <class T>
void RowStrips<T>::cut(std::size_t first, std::size_t last, BlockIndex height, BlockIndex multiple) {
  const auto end_of = [&](std::size_t row) { return rows_[row].top + rows_[row].height; };
  std::size_t row = first;
  for (Int top = rows_[first].top, end = end_of(last - 1); top < end; top += height) {
    const Int rows = std::min<Int>(height, end - top);
    const auto whole = static_cast<BlockIndex>((rows + multiple - 1) / multiple * multiple);
    while (end_of(row) <= top) ++row;
    std::size_t after = row;
    while (after < last && rows_[after].top < top + rows) ++after;
    Strip strip{top, whole, row, after, static_cast<Int>(packed_.size()), products_.size()};
    const BlockIndex ld = in_one_row(strip) ? rows_[row].height : whole;
    Int columns = 0;
    for (const BlockIndex slice : slices_) products_.push_back(&small_.of(whole, slice, ld)), columns += slice;
    strips_.push_back(strip);
    resize(packed_, packed_.size() + place(whole * columns));
    if (whole > rows) std::fill(packed_.begin() + strip.at, packed_.end(), T(0));
  }
}

template <class T>
auto RowStrips<T>::share(const Strip& strip, const Row& row) -> Share {
  const Int begin = std::max(strip.top, row.top), end = std::min(strip.top + strip.height, row.top + row.height);
  return {begin - strip.top, begin - row.top, end - begin};
}

template <class T>
bool RowStrips<T>::in_one_row(const Strip& strip) const {
  return share(strip, rows_[strip.first]).height == strip.height;
}

template <class T>
void RowStrips<T>::pack(const BlocksView<T>& A, const BlocksOfRow& blocks, const Strip& strip, const Share& share) {
  T* to = packed_.data() + strip.at + share.in_strip;
  for (Int b = blocks.first; b < blocks.last; ++b) {
    const Int width = A.pattern.width(A.pattern.cols[place(b)]);
    copy_columns<T>(share.height, width, A.block(b) + share.in_row, blocks.height, to, strip.height);
    to += width * strip.height;
  }
}

template <class T>
void RowStrips<T>::multiply(const T* B, BlockIndex width, std::span<const std::vector<Stretch<T>>> stretches) {
  for (const Strip& strip : strips_)
    in_one_row(strip) ? add_product(strip, B, width, stretches[strip.first]) : add_by_copy(strip, B, width, stretches);
}

// C (+)= the strip · columns of B from `left` on.
template <class T>
void RowStrips<T>::add_slices(const Strip& strip, const T* B, BlockIndex width, Int left, BlockIndex columns, T* C,
                              Update update) const {
  const T* A = packed_.data() + strip.at;
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    (*products_[strip.products + s])(columns, A, B + left * slices_[s], C, update);
    update = Update::accumulate;
    A += Int{strip.height} * slices_[s], B += Int{width} * slices_[s];
  }
}

template <class T>
void RowStrips<T>::add_product(const Strip& strip, const T* B, BlockIndex width,
                               std::span<const Stretch<T>> stretches) const {
  const Share of_row = share(strip, rows_[strip.first]);
  for (const Stretch<T>& to : stretches)
    add_slices(strip, B, width, to.left, static_cast<BlockIndex>(to.width), to.values + of_row.in_row,
               to.unset ? Update::overwrite : Update::accumulate);
}

template <class T>
void RowStrips<T>::add_by_copy(const Strip& strip, const T* B, BlockIndex width,
                               std::span<const std::vector<Stretch<T>>> stretches) {
  if (const std::size_t size = place(Int{strip.height} * width); size > copy_.size()) copy_.assign(size, T(0));
  const auto for_each = [&](auto f) {
    for (std::size_t r = strip.first; r < strip.last; ++r) {
      const Share of_row = share(strip, rows_[r]);
      for (const Stretch<T>& x : stretches[r])
        f(of_row.height, x, x.values + of_row.in_row, rows_[r].height,
          copy_.data() + x.left * strip.height + of_row.in_strip);
    }
  };
  bool any = false;
  for_each([&](Int height, const Stretch<T>& x, const T* values, Int ld, T* copy) {
    any = true;
    if (x.unset)
      clear_columns(height, x.width, copy, strip.height);
    else
      copy_columns(height, x.width, values, ld, copy, strip.height);
  });
  if (!any) return;
  add_slices(strip, B, width, 0, width, copy_.data(), Update::accumulate);
  for_each([&](Int height, const Stretch<T>& x, T* values, Int ld, const T* copy) {
    copy_columns(height, x.width, copy, strip.height, values, ld);
  });
}

#define CAIRN_INSTANTIATE(T) template class RowStrips<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
