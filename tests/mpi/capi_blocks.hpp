// Block-sparse matrices of small integers made by the C API, and what its calls say.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cairn/block_sparse.h"
#include "capi_calls.hpp"

#define EXPECT_DONE(call) EXPECT_EQ(call, CAIRN_OK) << cairn_error_message()

namespace cairn::testing::capi {

using Matrix = std::unique_ptr<cairn_block_sparse, Release<cairn_block_sparse, cairn_block_sparse_free>>;

inline const std::vector<int32_t> sizes{2, 0, 3, 1};
inline constexpr int32_t blocks = 4;

template <class T>
cairn_type type_of() {
  return static_cast<cairn_type>(scalar_type_of<T>);
}

// An element of a block, whose rows and columns are numbered within it.
template <class T>
T element(int32_t i, int32_t j, int32_t row, int32_t col, int seed) {
  return testing::element<T>(10 * i + row, 10 * j + col, seed);
}

// With all blocks but those of which i + j is 3.
template <class T>
Matrix filled(const CommHandle& comm, int seed, const cairn_block_distribution* where = nullptr) {
  cairn_block_sparse* x = nullptr;
  EXPECT_DONE(
      cairn_block_sparse_create(comm.get(), type_of<T>(), blocks, sizes.data(), blocks, sizes.data(), where, &x));
  for (int32_t i = 0; i < blocks; ++i)
    for (int32_t j = 0; j < blocks; ++j) {
      if (i + j == 3 || !cairn_block_sparse_here(x, i, j)) continue;
      std::vector<T> block;
      for (int32_t c = 0; c < sizes[static_cast<std::size_t>(j)]; ++c)
        for (int32_t r = 0; r < sizes[static_cast<std::size_t>(i)]; ++r) block.push_back(element<T>(i, j, r, c, seed));
      block.push_back(T(0));  // a block may have no element
      EXPECT_DONE(cairn_block_sparse_put(x, i, j, block.data()));
    }
  return Matrix(x);
}

template <class T>
T value(int32_t i, int32_t j, int32_t row, int32_t col, int seed) {
  return i + j == 3 ? T(0) : element<T>(i, j, row, col, seed);
}

}  // namespace cairn::testing::capi
