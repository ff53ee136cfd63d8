// The matrices of the benchmarks that call ScaLAPACK: in square blocks over a grid of all ranks.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "cairn/matrix.hpp"
#include "scalapack_library.hpp"

struct BlockCyclic {
  BlockCyclic(const BlacsGrid& grid, int rank, cairn::Int m, cairn::Int n, cairn::Int block)
      : layout_(cairn::Layout::block_cyclic(m, n, {block, block, grid.rows(), grid.cols()})), rank_(rank) {
    const cairn::Int rows = std::max<cairn::Int>(1, layout_.rows_at(rank).size());
    elements.resize(static_cast<std::size_t>(std::max<cairn::Int>(1, layout_.words(rank))));
    const auto small = [](cairn::Int x) { return static_cast<int>(x); };
    desc = {1, grid.context(), small(m), small(n), small(block), small(block), 0, 0, small(rows)};
  }
  /// element(i, j) everywhere.
  template <class F>
  void fill(F element) {
    cairn::DistMatrix<double>::borrow(layout_, rank_, elements.data(), static_cast<cairn::Int>(elements.size()),
                                      desc.back())
        .for_each([&](cairn::Int i, cairn::Int j, double& x) { x = element(i, j); });
  }

  std::vector<double> elements;  ///< this rank's, columns one after the other
  std::vector<int> desc;         ///< ScaLAPACK's descriptor

 private:
  cairn::Layout layout_;
  int rank_;
};
