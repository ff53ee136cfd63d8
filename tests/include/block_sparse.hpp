// Block-sparse matrices of small integers, the same on all ranks, and their products computed serially.
#pragma once
#include <cmath>
#include <map>

#include "base/scalars.hpp"
#include "cairn/block_sparse.hpp"
#include "cairn/comm.hpp"

namespace cairn::testing {

/// A whole matrix by blocks, each by columns.
template <class T>
struct Whole {
  BlockSizes rows, cols;
  std::map<std::pair<BlockIndex, BlockIndex>, std::vector<T>> blocks;

  Int words(BlockIndex i, BlockIndex j) const {
    return Int{rows[static_cast<std::size_t>(i)]} * cols[static_cast<std::size_t>(j)];
  }
  std::vector<T>& at(BlockIndex i, BlockIndex j) {
    std::vector<T>& block = blocks[{i, j}];
    block.resize(static_cast<std::size_t>(words(i, j)));
    return block;
  }
};

inline std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// `count` sizes from 0 to 5.
inline BlockSizes some_sizes(Int count, std::uint64_t seed) {
  BlockSizes sizes;
  for (Int i = 0; i < count; ++i)
    sizes.push_back(static_cast<BlockIndex>(mixed(seed * 1000 + static_cast<std::uint64_t>(i)) % 6));
  return sizes;
}

template <class T>
T small(std::uint64_t seed) {
  const auto digit = [&](int shift) { return static_cast<double>(mixed(seed) >> shift & 7) - 3; };
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(digit(0));
  else
    return {static_cast<typename T::value_type>(digit(0)), static_cast<typename T::value_type>(digit(8))};
}

/// About `percent` of the blocks; rows of blocks in which 5 divides the number are empty.
template <class T>
Whole<T> some_blocks(BlockSizes rows, BlockSizes cols, std::uint64_t percent, std::uint64_t seed) {
  Whole<T> x{std::move(rows), std::move(cols), {}};
  for (BlockIndex i = 0; i < static_cast<BlockIndex>(x.rows.size()); ++i)
    for (BlockIndex j = 0; j < static_cast<BlockIndex>(x.cols.size()); ++j) {
      const std::uint64_t number = (seed * 4096 + static_cast<std::uint64_t>(i)) * 4096 + static_cast<std::uint64_t>(j);
      if (x.words(i, j) == 0 || i % 5 == 4 || mixed(number) % 100 >= percent) continue;
      std::uint64_t element = number * 64;
      for (T& v : x.at(i, j)) v = small<T>(element++);
    }
  return x;
}

template <class T>
BlockSparse<T> distributed(const Comm& comm, const Whole<T>& x, BlockDistribution where) {
  BlockSparse<T> all(comm, x.rows, x.cols, std::move(where));
  for (const auto& [place, block] : x.blocks)
    if (all.here(place.first, place.second)) all.put(place.first, place.second, block.data());
  return all;
}

template <class T>
double frobenius(const std::vector<T>& block) {
  double sum = 0;
  for (T x : block) sum += static_cast<double>(std::norm(x));
  return std::sqrt(sum);
}

template <class T>
Whole<T> transposed(const Whole<T>& x, Op op) {
  if (op == Op::none) return x;
  Whole<T> y{x.cols, x.rows, {}};
  for (const auto& [place, block] : x.blocks) {
    const auto [i, j] = place;
    const auto m = static_cast<std::size_t>(x.rows[static_cast<std::size_t>(i)]),
               n = static_cast<std::size_t>(x.cols[static_cast<std::size_t>(j)]);
    std::vector<T>& to = y.at(j, i);
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t c = 0; c < n; ++c)
        to[c + r * n] = op == Op::adjoint ? conjugated(block[r + c * m]) : block[r + c * m];
  }
  return y;
}

/// Which products of blocks are done, and which blocks are kept.
struct Filtered {
  double eps = 0;
  bool retain = false;
  bool upper = false;  ///< only blocks (i, j) of C with i <= j are computed, and no small ones dropped
};

/// C = alpha·A·B + beta·C, and the number of products of blocks.
template <class T>
Int multiply(T alpha, const Whole<T>& A, const Whole<T>& B, T beta, Whole<T>& C, const Filtered& f = {}) {
  std::map<BlockIndex, Int> in_row;
  for (const auto& [place, block] : A.blocks) ++in_row[place.first];
  if (beta == T(0) && !f.retain) C.blocks.clear();
  for (auto& [place, block] : C.blocks)
    for (T& x : block) x = beta == T(0) ? T(0) : beta * x;
  Int products = 0;
  for (const auto& [left, a] : A.blocks)
    for (const auto& [right, b] : B.blocks) {
      if (alpha == T(0)) break;
      const auto [i, k] = left;
      const BlockIndex j = right.second;
      if (right.first != k || (f.upper && i > j) || (f.retain && !C.blocks.contains({i, j}))) continue;
      if (std::abs(alpha) * frobenius(a) * frobenius(b) < f.eps / static_cast<double>(in_row[i])) continue;
      ++products;
      const auto m = static_cast<std::size_t>(A.rows[static_cast<std::size_t>(i)]),
                 n = static_cast<std::size_t>(B.cols[static_cast<std::size_t>(j)]),
                 q = static_cast<std::size_t>(A.cols[static_cast<std::size_t>(k)]);
      std::vector<T>& c = C.at(i, j);
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t p = 0; p < q; ++p)
          for (std::size_t x = 0; x < m; ++x) c[x + y * m] += alpha * a[x + p * m] * b[p + y * q];
    }
  if (!f.retain && !f.upper)
    std::erase_if(C.blocks, [&](const auto& block) { return frobenius(block.second) < f.eps; });
  return products;
}

/// x with the blocks in these rows and columns, or with all others.
template <class T>
Whole<T> cropped(Whole<T> x, BlockRange rows, BlockRange cols, bool others = false) {
  std::erase_if(x.blocks, [&](const auto& block) {
    return (rows.has(block.first.first) && cols.has(block.first.second)) == others;
  });
  return x;
}

/// Whether this rank has its blocks of the expected matrix, bit by bit, and no others.
template <class T>
bool equal(const BlockSparse<T>& found, const Whole<T>& expected) {
  bool same = true;
  std::size_t mine = 0;
  for (const auto& [place, block] : expected.blocks) {
    if (!found.here(place.first, place.second)) continue;
    ++mine;
    const MatrixView<const T> x = found.find(place.first, place.second);
    same = same && x.data && std::equal(block.begin(), block.end(), x.data);
  }
  return same && mine == found.local().cols.size();
}

}  // namespace cairn::testing
