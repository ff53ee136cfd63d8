#include "local/sparse/full_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/large_pages.hpp"

namespace cairn {

namespace {

// A tile has so many rows and columns that what is loaded of C is worth it. Parts of so many columns, which stay in
// cache, are multiplied at once. It is packed for so many rows of A.
constexpr Int least_height = 64, least_width = 32, part_width = 64, least_runs = 4;
// Tiles are joined up to so many rows, for which A and B still fit into caches.
constexpr Int most_height = 512;
// So many bytes of A stay in a core's own cache, beside a part of the tile, and so many of the tile in one that cores
// may share.
constexpr Int near_bytes = Int{384} * 1024, far_bytes = Int{2} * 1024 * 1024;

bool same_columns(const BlockPattern& x, Int row, Int other) {
  const auto begin = x.cols.begin();
  return std::equal(begin + x.first[place(row)], begin + x.first[place(row + 1)], begin + x.first[place(other)],
                    begin + x.first[place(other + 1)]);
}

// Of some blocks of a row.
Int width_of(const BlockPattern& x, Int first, Int last) {
  Int width = 0;
  for (Int b = first; b < last; ++b) width += x.width(x.cols[place(b)]);
  return width;
}

Int widest(const BlockPattern& x, Int first, Int last) {
  Int most = 0;
  for (Int b = first; b < last; ++b) most = std::max(most, x.width(x.cols[place(b)]));
  return most;
}

template <class T>
void scaled(const T* from, Int count, T alpha, T* to) {
  if (alpha == T(1))
    std::copy_n(from, count, to);
  else
    std::transform(from, from + count, to, [&](T x) { return alpha * x; });
}

// But for NaN: what it is in is never left out.
double least(std::span<const double> norms, Int first, Int last) {
  double result = std::numeric_limits<double>::infinity();
  for (Int b = first; b < last; ++b)
    if (norms[place(b)] < result) result = norms[place(b)];
  return result;
}

}  // namespace

template <class T>
ProductWork FullTiles<T>::multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter,
                                   Blocks<T>& C, std::vector<bool>& done) {
  const Call call{alpha, A, B, filter, C};
  done.clear();
  find_tiles(call);
  if (tiles_.empty()) return {};
  find_runs(call);
  if (tiles_.empty()) return {};
  join_tiles(call);
  make_blocks(call);
  ProductWork work;
  done.resize(A.pattern.cols.size());
  for (const Tile& tile : tiles_) {
    const Int begin = B.pattern.first[place(tile.first)], end = B.pattern.first[place(tile.first + 1)];
    const Int width = width_of(B.pattern, begin, end);
    multiply(call, tile);
    for (const Run& run : tile.runs) {
      std::fill_n(done.begin() + run.block, tile.last - tile.first, true);
      const Int first = first_block(call, tile, run);
      work.products += (tile.last - tile.first) * (end - first);
      work.flops +=
          2 * A.pattern.height(A.pattern.rows[run.row]) * (width - width_of(B.pattern, begin, first)) * tile.height();
    }
  }
  return work;
}

template <class T>
void FullTiles<T>::find_tiles(const Call& call) {
  const BlockPattern& B = call.B.pattern;
  tiles_.clear();
  const Int rows = static_cast<Int>(B.rows.size());
  for (Int first = 0, last = 0; first < rows; first = last) {
    Int height = B.height(B.rows[place(first)]);
    for (last = first + 1; last < rows && same_columns(B, first, last); ++last) {
      const Int more = B.height(B.rows[place(last)]);
      if (height + more > ProductsOfWidths<T>::longest) break;
      height += more;
    }
    if (last == first + 1 || height < least_height) continue;
    const Int begin = B.first[place(first)], end = B.first[place(first + 1)];
    if (width_of(B, begin, end) < least_width || widest(B, begin, end) > ProductsOfWidths<T>::widest) continue;
    const double norm = call.filter.limits.empty() ? 0 : least(call.filter.norms_b, begin, B.first[place(last)]);
    tiles_.push_back({first, last, norm, {}, {static_cast<BlockIndex>(height)}});
  }
}

template <class T>
void FullTiles<T>::find_runs(const Call& call) {
  const BlockPattern& A = call.A.pattern;
  for (std::size_t row = 0; row < A.rows.size(); ++row)
    for (Tile& tile : tiles_) {
      const Run run{row, find_column(A, row, call.B.pattern.rows[place(tile.first)])};
      if (is_run(call, tile, run) && passes(call, tile, run) && has_place(call, tile, run)) tile.runs.push_back(run);
    }
  std::erase_if(tiles_, [](const Tile& tile) { return tile.runs.size() < place(least_runs); });
}

// Whether it has a block for each row of the tile. High blocks are multiplied as fast by the BLAS, one by one.
template <class T>
bool FullTiles<T>::is_run(const Call& call, const Tile& tile, const Run& run) const {
  const BlockPattern& A = call.A.pattern;
  const Int blocks = tile.last - tile.first;
  return A.height(A.rows[run.row]) <= ProductsOfWidths<T>::highest && run.block + blocks <= A.first[run.row + 1] &&
         std::equal(A.cols.begin() + run.block, A.cols.begin() + run.block + blocks,
                    call.B.pattern.rows.begin() + tile.first);
}

// Whether a filter leaves none of its products out.
template <class T>
bool FullTiles<T>::passes(const Call& call, const Tile& tile, const Run& run) const {
  if (call.filter.limits.empty()) return true;
  const double norm = least(call.filter.norms_a, run.block, run.block + tile.last - tile.first);
  return std::abs(call.alpha) * norm * tile.least_norm >= call.filter.limits[place(call.A.pattern.rows[run.row])];
}

// The first block of the tile's first row that is multiplied with the run: all are, or those of columns from the row's
// number on.
template <class T>
Int FullTiles<T>::first_block(const Call& call, const Tile& tile, const Run& run) const {
  const BlockPattern& B = call.B.pattern;
  return call.filter.upper ? find_column(B, place(tile.first), call.A.pattern.rows[run.row])
                           : B.first[place(tile.first)];
}

// Whether C has, or may get, all of its products.
template <class T>
bool FullTiles<T>::has_place(const Call& call, const Tile& tile, const Run& run) const {
  if (!call.filter.retain_sparsity) return true;
  const BlockPattern &B = call.B.pattern, &C = call.C;
  const std::size_t row = find_row(C, call.A.pattern.rows[run.row]);
  return row < C.rows.size() &&
         std::includes(C.cols.begin() + C.first[row], C.cols.begin() + C.first[row + 1],
                       B.cols.begin() + first_block(call, tile, run), B.cols.begin() + B.first[place(tile.first + 1)]);
}

// Those that follow each other, and have the same columns and meet the same rows of A, become one.
template <class T>
void FullTiles<T>::join_tiles(const Call& call) {
  const auto goes_on = [&](const Tile& tile, const Tile& next) {
    return tile.height() + next.height() <= most_height && next.first == tile.last &&
           same_columns(call.B.pattern, tile.first, next.first) &&
           std::ranges::equal(tile.runs, next.runs, [&](const Run& x, const Run& y) {
             return y.row == x.row && y.block == x.block + tile.last - tile.first;
           });
  };
  std::size_t joined = 0;
  for (std::size_t i = 1; i < tiles_.size(); ++i) {
    Tile &tile = tiles_[joined], &next = tiles_[i];
    if (goes_on(tile, next)) {
      tile.last = next.last;
      tile.slices.push_back(next.slices.front());
    } else if (++joined < i) {
      tiles_[joined] = std::move(next);
    }
  }
  tiles_.resize(joined + 1);
}

// All that are new in a row lie one after another.
template <class T>
void FullTiles<T>::make_blocks(const Call& call) {
  const BlockPattern &A = call.A.pattern, &B = call.B.pattern;
  Blocks<T>& C = call.C;
  std::vector<std::vector<Range>> of_rows(A.rows.size());  // blocks of B
  for (const Tile& tile : tiles_)
    for (const Run& run : tile.runs)
      of_rows[run.row].push_back({first_block(call, tile, run), B.first[place(tile.first + 1)]});
  needed_.reserve(static_cast<Int>(B.col_sizes->size()));
  Blocks<T> more = none_like(C);
  const Int before = static_cast<Int>(C.values.size());
  Int words = before;
  for (std::size_t row = 0; row < of_rows.size(); ++row) {
    for (const Range& part : of_rows[row])
      for (Int b = part.lo; b < part.hi; ++b) needed_.set(B.cols[place(b)]);
    const BlockIndex index = A.rows[row];
    const std::size_t old = find_row(C, index);
    needed_.take([&](Int j) {
      const auto col = static_cast<BlockIndex>(j);
      if (old < C.rows.size()) {
        const Int b = find_column(C, old, col);
        if (b < C.first[old + 1] && C.cols[place(b)] == col) return;
      }
      more.append(index, col, words);
      words += C.height(index) * C.width(col);
    });
  }
  resize(C.values, place(words));
  if (more.blocks() > 0) insert(C, more);
  unset_.resize(C.at.size());
  for (std::size_t b = 0; b < unset_.size(); ++b) unset_[b] = C.at[b] >= before;
}

template <class T>
void FullTiles<T>::multiply(const Call& call, const Tile& tile) {
  const BlockPattern& B = call.B.pattern;
  for (Int first = B.first[place(tile.first)], end = B.first[place(tile.first + 1)]; first < end;) {
    first = pack(call, tile, first);
    for (std::size_t run = 0; run < tile.runs.size();) {
      take_rows(call, tile, run);
      for (const Part& part : parts_) {
        for (std::size_t row = 0; row < rows_.size(); ++row) find_stretches(call, row, part);
        strips_.multiply(part.packed, part.width, stretches_);
      }
    }
  }
}

// The columns from the tile's block `first` on, as many as there is room for; returns the block after them.
template <class T>
Int FullTiles<T>::pack(const Call& call, const Tile& tile, Int first) {
  const BlockPattern& B = call.B.pattern;
  const Int end = B.first[place(tile.first + 1)];
  const Int widest = std::max(Int{1}, far_bytes / (Int{sizeof(T)} * tile.height()));
  parts_.clear();
  Int width = 0;
  for (Int last = first; first < end && width < widest; first = last) {
    Int part = 0;
    for (; last < end; ++last) {
      const Int more = B.width(B.cols[place(last)]);
      if (last > first && part + more > part_width) break;
      part += more;
    }
    parts_.push_back({first, last, static_cast<BlockIndex>(part), nullptr});
    width += part;
  }
  resize(packed_, place(width * tile.height()));
  T* to = packed_.data();
  for (Part& part : parts_) {
    part.packed = to;
    to = pack_part(call, tile, part.first, part.last, to);
  }
  return first;
}

// Blocks first to last of the tile's rows, slice by slice. Returns where they end.
template <class T>
T* FullTiles<T>::pack_part(const Call& call, const Tile& tile, Int first, Int last, T* to) {
  const BlockPattern& B = call.B.pattern;
  const Int width = width_of(B, first, last);
  Int row = tile.first;
  for (const BlockIndex slice : tile.slices) {
    for (Int top = 0; top < slice; ++row) {
      const Int height = B.height(B.rows[place(row)]), skipped = B.first[place(row)] - B.first[place(tile.first)];
      T* column = to + top;
      for (Int b = first + skipped; b < last + skipped; ++b) {
        const T* from = call.B.block(b);
        for (Int j = B.width(B.cols[place(b)]); j > 0; --j, from += height, column += slice)
          scaled(from, height, call.alpha, column);
      }
      top += height;
    }
    to += width * slice;
  }
  return to;
}

// As many runs from `run` on as stay near, or one.
template <class T>
void FullTiles<T>::take_rows(const Call& call, const Tile& tile, std::size_t& run) {
  const BlockPattern &A = call.A.pattern, &B = call.B.pattern, &C = call.C;
  rows_.clear(), places_.clear();
  for (Int bytes = 0; run < tile.runs.size(); ++run) {
    const Run& next = tile.runs[run];
    const BlockIndex height = A.height(A.rows[next.row]);
    bytes += Int{sizeof(T)} * height * tile.height();
    if (bytes > near_bytes && !rows_.empty()) break;
    const Int begin = std::max(parts_.front().first, first_block(call, tile, next));
    if (begin >= parts_.back().last) continue;
    rows_.push_back({next.block, next.block + tile.last - tile.first, height});
    places_.push_back({begin, find_column(C, find_row(C, A.rows[next.row]), B.cols[place(begin)])});
  }
  stretches_.resize(rows_.size());
  strips_.pack(call.A, rows_, tile.slices);
}

// Blocks of C that lie one after another, and all have a value or none has, are one stretch. They get their values
// now.
template <class T>
void FullTiles<T>::find_stretches(const Call& call, std::size_t row, const Part& part) {
  const BlockPattern &B = call.B.pattern, &C = call.C;
  const Int height = rows_[row].height;
  auto& [b, c] = places_[row];
  Int left = b < part.last ? width_of(B, part.first, b) : 0;
  stretches_[row].clear();
  while (b < part.last) {
    while (C.cols[place(c)] != B.cols[place(b)]) ++c;
    const Int begin = C.at[place(c)];
    const bool unset = unset_[place(c)];
    Int width = 0;
    for (; b < part.last && C.cols[place(c)] == B.cols[place(b)] && C.at[place(c)] == begin + width * height &&
           unset_[place(c)] == unset;
         ++b, ++c) {
      width += B.width(B.cols[place(b)]);
      unset_[place(c)] = false;
    }
    stretches_[row].push_back({left, width, call.C.values.data() + begin, unset});
    left += width;
  }
}

#define CAIRN_INSTANTIATE(T) template class FullTiles<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
