// Dense block-cyclic matrices of small integers for the C API, with known products, factors and solutions.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "capi_calls.hpp"
#include "triangular.hpp"

namespace cairn::testing::capi_dense {

using capi::CommHandle, capi::Release, capi::expect_message, capi::rank, capi::world;
using LayoutHandle = std::unique_ptr<cairn_layout, Release<cairn_layout, cairn_layout_free>>;
using PlanHandle = std::unique_ptr<cairn_plan, Release<cairn_plan, cairn_plan_free>>;
using FactorPlanHandle = std::unique_ptr<cairn_factor_plan, Release<cairn_factor_plan, cairn_factor_plan_free>>;

inline int64_t size() { return Comm(MPI_COMM_WORLD).size(); }

inline LayoutHandle block_cyclic(int64_t m, int64_t n) {
  cairn_layout* l = nullptr;
  EXPECT_EQ(cairn_layout_block_cyclic(m, n, 3, 2, size() / 2, 2, size() / 2 - 1, 0, 1, &l), CAIRN_OK)
      << cairn_error_message();
  return LayoutHandle(l);
}

using Complex = std::complex<double>;

struct Part {
  using Element = std::function<Complex(Int i, Int j)>;
  Part(int64_t m, int64_t n, int seed)
      : Part(m, n, [=](Int i, Int j) { return testing::element<Complex>(i, j, seed); }) {}
  Part(int64_t m, int64_t n, const Element& element) : Part(block_cyclic(m, n), element) {}
  Part(LayoutHandle where, const Element& element) : layout(std::move(where)) {
    const int64_t rows = cairn_layout_local_rows(layout.get(), rank()),
                  cols = cairn_layout_local_cols(layout.get(), rank());
    for (int64_t j = 0; j < cols; ++j)
      for (int64_t i = 0; i < rows; ++i)
        data.push_back(element(cairn_layout_global_row(layout.get(), rank(), i),
                               cairn_layout_global_col(layout.get(), rank(), j)));
    EXPECT_EQ(static_cast<int64_t>(data.size()), cairn_layout_words(layout.get(), rank()));
  }
  cairn_matrix matrix() { return {layout.get(), data.data(), static_cast<int64_t>(data.size()), 0}; }
  void expect(const Element& element) const {
    const int64_t rows = cairn_layout_local_rows(layout.get(), rank());
    for (std::size_t e = 0; e < data.size(); ++e) {
      const Int i = cairn_layout_global_row(layout.get(), rank(), static_cast<Int>(e) % rows);
      const Int j = cairn_layout_global_col(layout.get(), rank(), static_cast<Int>(e) / rows);
      ASSERT_EQ(data[e], element(i, j)) << i << ' ' << j;
    }
  }
  LayoutHandle layout;
  std::vector<Complex> data;
};

inline constexpr Int order = 29;

inline Complex definite(Int i, Int j) { return testing::factored_element<Complex>(i, j); }
inline Complex solution(Int i, Int j) { return testing::solution_element<Complex>(i, j); }
inline Complex right_side(Int i, Int j) {
  Complex sum = 0;
  for (Int k = 0; k < order; ++k) sum += definite(i, k) * solution(k, j);
  return sum;
}
inline Complex lower_factor(Int i, Int j) { return i >= j ? testing::factor_element<Complex>(i, j) : definite(i, j); }

}  // namespace cairn::testing::capi_dense
