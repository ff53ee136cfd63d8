// What all ranks' blocks say together, and block-sparse matrices as dense ones.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "api/arguments.hpp"
#include "api/block_arguments.hpp"
#include "api/block_ranks.hpp"
#include "api/made_together.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/block_sparse.hpp"
#include "cairn/comm.hpp"
#include "cairn/redistribute.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/squares.hpp"
#include "local/sparse/symmetry.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/sparse/exchange.hpp"

namespace cairn {

namespace {

// Of the rows that this rank has a part of, in their order, or of all of them if the matrix has a symmetry: Σ|x|, and
// the real part of the element on the diagonal.
struct RowSums {
  std::vector<double> sizes, diagonal;
};
// `whole`: elements on the diagonal are among those that are added up.
template <class T>
RowSums row_sums(const BlockSparse<T>& A, bool whole) {
  const BlockDistribution& where = A.where();
  const Int me = A.comm().rank();
  const auto may_hold = [&](std::size_t i) {
    return A.symmetry() != Symmetry::general || (me < where.ranks() && where.row[i] == row_of_rank(where, me));
  };
  std::vector<Int> first(A.rows().size());  // of each block row
  Int mine = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = mine;
    if (may_hold(i)) mine += A.rows()[i];
  }
  RowSums sums{std::vector<double>(place(mine)), std::vector<double>(place(mine))};
  A.for_each([&](BlockIndex i, BlockIndex j, MatrixView<const T> x) {
    for (Int c = 0; c < x.cols; ++c)
      for (Int r = 0; r < x.rows; ++r) {
        const double size = std::abs(Wide<T>(x(r, c)));
        if (whole || i != j || r != c) sums.sizes[place(first[place(i)] + r)] += size;
        if (i != j && A.symmetry() != Symmetry::general) sums.sizes[place(first[place(j)] + c)] += size;
      }
    for (Int d = 0; i == j && d < x.rows && d < x.cols; ++d)
      sums.diagonal[place(first[place(i)] + d)] = std::real(Wide<T>(x(d, d)));
  });
  for (std::vector<double>* x : {&sums.sizes, &sums.diagonal})
    if (A.symmetry() == Symmetry::general)
      sum_along_row(A.comm(), where, *x);
    else
      over_ranks(A.comm(), MPI_SUM, *x);
  return sums;
}
double largest_of(const std::vector<double>& x, double otherwise) {
  return x.empty() ? otherwise : *std::max_element(x.begin(), x.end());
}

// Every block, stored or not, on its rank: blocks of a rank lie one after another, row by row.
template <class T>
DistMatrix<T> all_places(const Comm& comm, const BlockSizes& rows, const BlockSizes& cols,
                         const BlockDistribution& where) {
  return made_together(comm, [&] {
    Layout::Blocks blocks{bounds_of(rows), bounds_of(cols), {}};
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < cols.size(); ++j)
        blocks.owner.push_back(where.owner(static_cast<BlockIndex>(i), static_cast<BlockIndex>(j)));
    const Int m = blocks.row_bounds.back(), n = blocks.col_bounds.back();
    return DistMatrix<T>::own(Layout::arbitrary(m, n, comm.size(), std::move(blocks)), comm.rank());
  });
}

// f(i, j, its first element) for all blocks of this rank in such a matrix.
template <class T, class F>
void for_each_place(const BlockSparse<T>& A, T* dense, F f) {
  for (BlockIndex i = 0; place(i) < A.rows().size(); ++i)
    for (BlockIndex j = 0; place(j) < A.cols().size(); ++j)
      if (A.here(i, j)) {
        f(i, j, dense);
        dense += Int{A.rows()[place(i)]} * A.cols()[place(j)];
      }
}

// Times how many elements of the whole matrix one of a block that is stored stands for.
template <class T>
int standing_for(const BlockSparse<T>& A, BlockIndex i, BlockIndex j) {
  return i != j && A.symmetry() != Symmetry::general ? 2 : 1;
}

// Σ|scale·x|² over all elements of the whole matrix. Collective.
template <class T>
double squares_of(const BlockSparse<T>& A, double scale) {
  double sum = 0;
  for (const auto& [i, j, x] : A) sum += standing_for(A, i, j) * sum_of_squares(x.data, x.rows * x.cols, scale);
  return over_ranks(A.comm(), MPI_SUM, sum);
}

std::optional<std::string> unless_alike(const BlockSizes& rows, const BlockSizes& cols) {
  if (rows == cols) return {};
  return "matrix: its rows and columns are in different blocks, expected the same where its diagonal is asked for";
}

}  // namespace

template <class T>
Int BlockSparse<T>::blocks() const {
  comm_->agree_same("matrix", meant(*this));
  return static_cast<Int>(over_ranks(*comm_, MPI_SUM, static_cast<double>(local().blocks())));
}

template <class T>
Int BlockSparse<T>::words() const {
  comm_->agree_same("matrix", meant(*this));
  Int words = 0;
  for_each([&](BlockIndex, BlockIndex, MatrixView<const T> x) { words += x.rows * x.cols; });
  return static_cast<Int>(over_ranks(*comm_, MPI_SUM, static_cast<double>(words)));
}

template <class T>
double BlockSparse<T>::occupancy() const {
  comm_->agree_same("matrix", meant(*this));
  const double all = static_cast<double>(m()) * static_cast<double>(n());
  double stored = 0;
  for_each([&](BlockIndex i, BlockIndex j, MatrixView<const T> x) {
    stored += static_cast<double>(x.rows * x.cols * standing_for(*this, i, j));
  });
  stored = over_ranks(*comm_, MPI_SUM, stored);
  return all == 0 ? 1 : stored / all;
}

template <class T>
void BlockSparse<T>::add_to_diagonal(T shift) {
  std::optional<std::string> problem = unless_alike(rows(), cols());
  if (!problem) problem = unless_real("shift", symmetry_, shift);
  if (!problem && symmetry_ == Symmetry::antisymmetric && shift != T(0))
    problem = "shift: not zero, expected 0, which a matrix that is antisymmetric has on its diagonal";
  comm_->agree(problem, "shift", text_of(shift));
  comm_->agree_same("matrix", meant(*this));
  std::vector<std::pair<BlockIndex, BlockIndex>> diagonal;
  Int missing = 0;
  for (BlockIndex i = 0; place(i) < rows().size(); ++i) {
    if (!here(i, i)) continue;
    diagonal.emplace_back(i, i);
    if (!find(i, i).data) missing += Int{rows()[place(i)]} * rows()[place(i)];
  }
  // At once: block by block, the memory would grow to up to twice that.
  cairn::reserve(blocks_.values, blocks_.values.size() + place(missing));
  reserve(diagonal);
  for (const auto& [i, j] : diagonal)
    if (const MatrixView<T> x = find(i, j); x.data)
      for (Int d = 0; d < x.rows; ++d) x(d, d) += shift;
}

template <class T>
T BlockSparse<T>::trace() const {
  comm_->agree(unless_alike(rows(), cols()), "matrix", meant(*this));
  T sum(0);
  for_each([&](BlockIndex i, BlockIndex j, MatrixView<const T> x) {
    for (Int d = 0; i == j && d < x.rows; ++d) sum += x(d, d);
  });
  return over_ranks(*comm_, MPI_SUM, sum);
}

template <class T>
void BlockSparse<T>::require_same_blocks(const BlockSparse& other, const char* what) const {
  std::optional<std::string> problem = unless_same_ranks("other", other.comm(), "the matrix", *comm_);
  if (!problem && (rows() != other.rows() || cols() != other.cols()))
    problem = fmt::format("other: {}x{} blocks, expected the same {}x{} blocks as the matrix to {}",
                          other.rows().size(), other.cols().size(), rows().size(), cols().size(), what);
  comm_->agree(problem, "matrices", fmt::format("{}, and {}", meant(*this), meant(other)));
}

template <class T>
T BlockSparse<T>::dot(const BlockSparse& other) const {
  require_same_blocks(other, "be multiplied");
  const Symmetry mine = symmetry_, its = other.symmetry_;
  if (mine != its && mine == Symmetry::general) return dot(other.expanded());
  if (mine != its && its == Symmetry::general) return expanded().dot(other);
  if (!(other.where() == where())) return dot(other.redistributed(where()));
  T sum(0);
  for_each([&](BlockIndex i, BlockIndex j, MatrixView<const T> x) {
    const MatrixView<const T> y = other.find(i, j);
    for (Int w = 0; y.data && w < x.rows * x.cols; ++w) sum += conjugated(x.data[w]) * y.data[w];
    for (Int w = 0; y.data && standing_for(*this, i, j) > 1 && w < x.rows * x.cols; ++w)
      sum += conjugated(mirrored(mine, x.data[w])) * mirrored(its, y.data[w]);
  });
  return over_ranks(*comm_, MPI_SUM, sum);
}

template <class T>
double BlockSparse<T>::norm(Norm which) const {
  comm_->agree_same("matrix and norm", fmt::format("{}, norm number {}", meant(*this), static_cast<int>(which)));
  const double square = squares_of(*this, 1);
  if (which == Norm::frobenius && !squares_are_safe(square)) {
    const double scale = scale_of_squares(over_ranks(*comm_, MPI_MAX, largest_finite<T>(local())));
    return std::sqrt(squares_of(*this, scale)) / scale;
  }
  if (which == Norm::frobenius || std::isnan(square)) return std::sqrt(square);
  double most = 0;
  for_each([&](BlockIndex, BlockIndex, MatrixView<const T> x) {
    for (Int w = 0; w < x.rows * x.cols; ++w) most = std::max<double>(most, std::abs(Wide<T>(x.data[w])));
  });
  return over_ranks(*comm_, MPI_MAX, which == Norm::gershgorin ? largest_of(row_sums(*this, true).sizes, 0) : most);
}

template <class T>
std::array<double, 2> BlockSparse<T>::gershgorin() const {
  comm_->agree(unless_alike(rows(), cols()), "matrix", meant(*this));
  if (m() == 0) return {};
  auto [high, low] = row_sums(*this, false);
  for (std::size_t i = 0; i < high.size(); ++i) {
    const double radius = high[i], centre = low[i];
    high[i] = centre + radius, low[i] = radius - centre;
  }
  const auto any_nan = [](const std::vector<double>& x) {
    return std::any_of(x.begin(), x.end(), [](double y) { return std::isnan(y); });
  };
  constexpr double none = -std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  if (over_ranks(*comm_, MPI_MAX, any_nan(high) || any_nan(low) ? 1.0 : 0.0) > 0) return {nan, nan};
  const double most = over_ranks(*comm_, MPI_MAX, largest_of(high, none));
  return {-over_ranks(*comm_, MPI_MAX, largest_of(low, none)), most};
}

template <class T>
void BlockSparse<T>::add(T factor, const BlockSparse& other) {
  require_same_blocks(other, "be added");
  std::optional<std::string> problem;
  if (symmetry_ != Symmetry::general) problem = unless_real("factor", symmetry_, factor);
  if (symmetry_ != Symmetry::general && symmetry_ != other.symmetry_)
    problem = fmt::format("other: a matrix stored as {}, expected one stored as {}, as that to be added to",
                          name_of(other.symmetry_), name_of(symmetry_));
  comm_->agree(problem, "factor", text_of(factor));
  if (symmetry_ != other.symmetry_) return add(factor, other.expanded());
  if (other.where() != where()) return add(factor, other.redistributed(where()));
  together(*comm_, [&] { cairn::add<T>(settle(), factor, other.local()); });
}

template <class T>
DistMatrix<T> BlockSparse<T>::to_dense() const {
  comm_->agree_same("matrix", meant(*this));
  if (symmetry_ != Symmetry::general) return expanded().to_dense();
  const auto dense = all_places<T>(*comm_, rows(), cols(), where());
  for_each_place(*this, dense.data(), [&](BlockIndex i, BlockIndex j, T* to) {
    if (const MatrixView<const T> x = find(i, j); x.data) std::copy_n(x.data, x.rows * x.cols, to);
  });
  return dense;
}

template <class T>
BlockSparse<T> BlockSparse<T>::from_dense(const Comm& comm, const DistMatrix<T>& dense, BlockSizes rows,
                                          BlockSizes cols, BlockDistribution where, double eps) {
  BlockSparse A(comm, std::move(rows), std::move(cols), std::move(where));
  const Layout& l = dense.layout();
  std::optional<std::string> problem;
  if (l.m() != A.m() || l.n() != A.n())
    problem = fmt::format("dense: {}x{}, expected {}x{}, as the blocks have elements", l.m(), l.n(), A.m(), A.n());
  else
    problem = problem_with_part("dense", dense, comm.rank());
  if (!problem && !(eps >= 0)) problem = fmt::format("eps: {}, expected 0 or more", eps);
  comm.agree(problem, "eps", fmt::format("{}", eps));
  const auto all = all_places<T>(comm, A.rows(), A.cols(), A.where());
  redistribute(comm, dense, all);
  together(comm, [&] {
    for_each_place(A, all.data(), [&](BlockIndex i, BlockIndex j, const T* block) {
      const Int words = Int{A.rows()[place(i)]} * A.cols()[place(j)];
      if (std::any_of(block, block + words, [](T x) { return x != T(0); })) A.put(i, j, block);
    });
    A.filter(eps);
  });
  return A;
}

#define CAIRN_INSTANTIATE(T)                                                                                    \
  template Int BlockSparse<T>::blocks() const;                                                                  \
  template Int BlockSparse<T>::words() const;                                                                   \
  template double BlockSparse<T>::occupancy() const;                                                            \
  template void BlockSparse<T>::add_to_diagonal(T);                                                             \
  template T BlockSparse<T>::trace() const;                                                                     \
  template void BlockSparse<T>::require_same_blocks(const BlockSparse&, const char*) const;                     \
  template T BlockSparse<T>::dot(const BlockSparse&) const;                                                     \
  template double BlockSparse<T>::norm(Norm) const;                                                             \
  template std::array<double, 2> BlockSparse<T>::gershgorin() const;                                            \
  template void BlockSparse<T>::add(T, const BlockSparse&);                                                     \
  template DistMatrix<T> BlockSparse<T>::to_dense() const;                                                      \
  template BlockSparse<T> BlockSparse<T>::from_dense(const Comm&, const DistMatrix<T>&, BlockSizes, BlockSizes, \
                                                     BlockDistribution, double);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
