// A call of p?gemm with its operands, and the comparison of two implementations of it.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>

#include "matrix.hpp"
#include "recorder.hpp"
#include "routines.hpp"

namespace cairn::testing {

template <class T>
using RealOf = decltype(std::abs(T{}));

/// One call. Matrices may share their storage: what[x] is the matrix that operand x is a window of.
template <class T>
struct Product {
  std::array<char, 2> trans{'N', 'N'};
  int m = 0, n = 0, k = 0;
  T alpha = 1, beta = 0;
  std::vector<Matrix> matrices;
  std::array<std::size_t, 3> what{0, 1, 2};
  std::array<int, 3> i{}, j{};  ///< from 0

  const Matrix& matrix(std::size_t x) const { return matrices[what[x]]; }
  bool transposed(std::size_t x) const { return x < 2 && trans[x] != 'N' && trans[x] != 'n'; }
  Window window(std::size_t x) const {
    int rows = x == 1 ? k : m, cols = x == 0 ? k : n;
    if (transposed(x)) std::swap(rows, cols);
    return {i[x], j[x], rows, cols};
  }
  /// Whether the call may read the elements of operand x.
  bool reads(std::size_t x) const { return x < 2 ? alpha != T(0) && k > 0 : beta != T(0); }
  std::string text() const;
};

template <class T>
std::string Product<T>::text() const {
  std::ostringstream out;
  out << 'p' << Routines<T>::letter << "gemm " << trans[0] << trans[1] << ' ' << m << "x" << n << "x" << k << " alpha "
      << alpha << " beta " << beta;
  for (std::size_t x = 0; x < 3; ++x) {
    out << "\n  "
        << "ABC"[x] << '(' << i[x] + 1 << ',' << j[x] + 1 << ") of matrix " << what[x] << ", descriptor";
    for (int entry : matrix(x).desc) out << ' ' << entry;
  }
  return out.str();
}

/// Element (i, j) of matrix `which`: between -1 and 1, the same on every rank.
template <class T>
T value(std::size_t which, int i, int j) {
  auto part = [&](std::uint64_t salt) {
    std::uint64_t x = (which * 7919 + salt) * 0x9E3779B97F4A7C15ull +
                      static_cast<std::uint64_t>(i) * 0xBF58476D1CE4E5B9ull +
                      static_cast<std::uint64_t>(j) * 0x94D049BB133111EBull;
    x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93ull;
    x ^= x >> 32;
    return static_cast<RealOf<T>>(static_cast<std::int64_t>(x % 20001) - 10000) / RealOf<T>(10000);
  };
  if constexpr (std::is_floating_point_v<T>)
    return part(1);
  else
    return {part(1), part(2)};
}

template <class T>
using Storage = std::vector<std::vector<T>>;  // by matrix

/// Values where the call may read, NaN everywhere else: so whatever is read wrongly shows in C.
template <class T>
Storage<T> filled(const Product<T>& p) {
  Storage<T> data;
  for (std::size_t which = 0; which < p.matrices.size(); ++which) {
    data.emplace_back(p.matrices[which].storage(), T(std::numeric_limits<RealOf<T>>::quiet_NaN()));
    p.matrices[which].for_each([&](std::size_t position, int i, int j) {
      for (std::size_t x = 0; x < 3; ++x)
        if (p.what[x] == which && p.reads(x) && p.window(x).has(i, j)) data.back()[position] = value<T>(which, i, j);
    });
  }
  return data;
}

template <class T>
void call(Gemm* gemm, const Product<T>& p, Storage<T>& data) {
  std::array<int, 3> i = p.i, j = p.j;
  for (int& index : i) ++index;
  for (int& index : j) ++index;
  gemm(&p.trans[0], &p.trans[1], &p.m, &p.n, &p.k, &p.alpha, data[p.what[0]].data(), &i[0], &j[0],
       p.matrix(0).desc.data(), data[p.what[1]].data(), &i[1], &j[1], p.matrix(1).desc.data(), &p.beta,
       data[p.what[2]].data(), &i[2], &j[2], p.matrix(2).desc.data());
}

/// |alpha| |A| |B| + |beta| |C|, element by element, where C is.
template <class T>
Storage<T> magnitudes(Product<T> p, Storage<T> data) {
  p.alpha = std::abs(p.alpha), p.beta = std::abs(p.beta);
  for (auto& matrix : data)
    for (T& x : matrix) x = std::abs(x);
  call(original_gemm<T>(), p, data);
  return data;
}

/// True if both are the same to the last bit.
template <class T>
bool same(const T& x, const T& y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

/// Which calls should reach ScaLAPACK, as CAIRN_TEST_HANDED_BACK says: "all", "some", or usually none.
inline std::string expected_to_be_handed_back() {
  const char* const text = std::getenv("CAIRN_TEST_HANDED_BACK");
  return text ? text : "none";
}

/// Calls both on the same data. C must be the same up to twice the rounding error that any order of summation may have;
/// what is not sub(C) must be as it was, bit by bit; nothing is reported. `data` is the input.
template <class T>
void expect_same(const Product<T>& p, const Storage<T>& data, Gemm* gemm = Routines<T>::gemm) {
  Storage<T> ours = data, theirs = data;
  call(original_gemm<T>(), p, theirs);
  const int before = cairn_handed_back();
  call(gemm, p, ours);
  const std::string handed_back = expected_to_be_handed_back();
  if (handed_back != "some") {
    EXPECT_EQ(cairn_handed_back() - before, handed_back == "all" ? 1 : 0) << p.text();
  }
  EXPECT_EQ(take_aborts().size(), 0u) << p.text();
  const Storage<T> magnitude = magnitudes(p, data);
  const RealOf<T> complex = std::is_floating_point_v<T> ? 1 : 3;  // a product of complex numbers is several
  const RealOf<T> unit = complex * RealOf<T>(p.k + 4) * std::numeric_limits<RealOf<T>>::epsilon();
  std::size_t wrong = 0;
  std::ostringstream first;
  for (std::size_t which = 0; which < data.size(); ++which)
    p.matrices[which].for_each([&](std::size_t at, int i, int j) {
      const T x = ours[which][at], y = theirs[which][at];
      bool right;
      if (p.what[2] == which && p.window(2).has(i, j))
        right = std::abs(x - y) <= unit * std::abs(magnitude[which][at]) || (x != x && y != y);
      else
        right = same(x, data[which][at]);
      if (!right && ++wrong == 1)
        first << "matrix " << which << " (" << i << ", " << j << ") is " << x << ", not " << y;
    });
  EXPECT_EQ(wrong, 0u) << p.text() << "\n  " << first.str();
}

template <class T>
void expect_same(const Product<T>& p) {
  expect_same(p, filled(p));
}

}  // namespace cairn::testing
