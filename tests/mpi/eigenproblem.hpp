// Matrices whose eigenvalues are known, since they were made of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "block_sparse.hpp"
#include "distributed.hpp"

namespace cairn::testing {

// A dense matrix of order n, by columns.
template <class T>
struct Square {
  std::size_t n = 0;
  std::vector<T> x;
  explicit Square(std::size_t order) : n(order), x(order * order) {}
  T& operator()(std::size_t i, std::size_t j) { return x[i + j * n]; }
  T operator()(std::size_t i, std::size_t j) const { return x[i + j * n]; }
};
template <class T>
Square<T> operator*(const Square<T>& A, const Square<T>& B) {
  Square<T> C(A.n);
  for (std::size_t j = 0; j < A.n; ++j)
    for (std::size_t k = 0; k < A.n; ++k)
      for (std::size_t i = 0; i < A.n; ++i) C(i, j) += A(i, k) * B(k, j);
  return C;
}
template <class T>
Square<T> adjoint(const Square<T>& A) {
  Square<T> B(A.n);
  for (std::size_t j = 0; j < A.n; ++j)
    for (std::size_t i = 0; i < A.n; ++i) B(j, i) = conjugated(A(i, j));
  return B;
}
template <class T>
Square<T> diagonal(const std::vector<double>& values) {
  Square<T> D(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) D(i, i) = static_cast<T>(values[i]);
  return D;
}

// The problem H·c = E·S·c with S = RᴴR and H = RᴴER, so that R⁻¹ holds the eigenvectors. R is 1 and a little below.
template <class T>
struct Eigenproblem {
  BlockSizes blocks;
  std::vector<double> energies;
  Square<T> R, C;
  Square<T> S, H;

  Eigenproblem(BlockSizes sizes, std::vector<double> e)
      : blocks(std::move(sizes)),
        energies(std::move(e)),
        R(diagonal<T>(std::vector<double>(energies.size(), 1))),
        C(R),
        S(0),
        H(0) {
    const std::size_t n = R.n;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = j + 1; i < std::min(n, j + 7); ++i) R(i, j) = T(0.05) * small<T>(i * 1000 + j);
    for (std::size_t j = 0; j < n; ++j)  // C = R⁻¹, column by column
      for (std::size_t i = j + 1; i < n; ++i)
        for (std::size_t k = j; k < i; ++k) C(i, j) -= R(i, k) * C(k, j);
    S = adjoint(R) * R;
    H = adjoint(R) * diagonal<T>(energies) * R;
  }
  Square<T> density(double mu) const {
    std::vector<double> occupied;
    for (double e : energies) occupied.push_back(e < mu ? 2 : 0);
    return C * diagonal<T>(occupied) * adjoint(C);
  }
};

// Energies of which `low` lie in [-1, -0.4], the others in [0.1, 1.1].
inline std::vector<double> with_gap(std::size_t n, std::size_t low) {
  std::vector<double> e;
  for (std::size_t i = 0; i < n; ++i) {
    const bool below = i * low / n < (i + 1) * low / n;
    const double x = static_cast<double>(mixed(i) % 1000) / 1000;
    e.push_back(below ? -1 + 0.6 * x : 0.1 + x);
  }
  return e;
}

inline BlockSizes sizes_of(std::size_t n) {
  BlockSizes sizes{0};
  for (std::size_t left = n; left > 0;) {
    const auto size = std::min<std::size_t>(left, 1 + mixed(left) % 5);
    sizes.push_back(static_cast<BlockIndex>(size)), left -= size;
  }
  return sizes;
}

template <class T>
BlockSparse<T> sparse(const Comm& comm, const BlockSizes& blocks, const Square<T>& x) {
  BlockSparse<T> A(comm, blocks, blocks);
  std::vector<std::size_t> first{0};
  for (BlockIndex size : blocks) first.push_back(first.back() + static_cast<std::size_t>(size));
  for (BlockIndex i = 0; static_cast<std::size_t>(i) < blocks.size(); ++i)
    for (BlockIndex j = 0; static_cast<std::size_t>(j) < blocks.size(); ++j) {
      if (!A.here(i, j)) continue;
      std::vector<T> block;
      for (std::size_t c = first[j]; c < first[j + 1]; ++c)
        for (std::size_t r = first[i]; r < first[i + 1]; ++r) block.push_back(x(r, c));
      if (std::any_of(block.begin(), block.end(), [](T v) { return v != T(0); })) A.put(i, j, block.data());
    }
  return A;
}

template <class T>
double largest_difference(BlockSparse<T> A, const Square<T>& expected) {
  A.add(T(-1), sparse(A.comm(), A.rows(), expected));
  return A.norm(Norm::max);
}

// Products are tested on all numbers of ranks; here a square grid does, and one that is not.
template <class F>
void on_some(F f) {
  const Group group({4, 3});
  if (group.member()) f(Comm(group.raw()));
}

template <class T>
constexpr double rounding = 4000 * std::numeric_limits<decltype(std::abs(T()))>::epsilon();

}  // namespace cairn::testing
