#include "cairn/block_sparse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "api/block_arguments.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/squares.hpp"
#include "local/sparse/symmetry.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/sparse/exchange.hpp"

namespace cairn {

namespace {

// What differs by less is taken to be equal but for rounding errors.
template <class T>
double closeness() {
  return std::sqrt(static_cast<double>(LimitsOf<T>::epsilon()));
}

// Where an element is among values; -1 if it is not one of them.
template <class T>
Int place_among(const BlockValues<T>& values, const T* element) {
  const T *const first = values.data(), *const end = first + values.size();
  return std::less_equal<>()(first, element) && std::less<>()(element, end) ? element - first : -1;
}

// What is wrong with an index, but for which blocks it names.
std::optional<std::string> problem_with(const BlockPattern& x, const BlockSizes& rows, const BlockSizes& cols) {
  if ((x.row_sizes && *x.row_sizes != rows) || (x.col_sizes && *x.col_sizes != cols))
    return "blocks: of another matrix, expected those of one with the same sizes of blocks";
  if (x.first.size() != x.rows.size() + 1 || x.first.front() != 0 || place(x.first.back()) != x.cols.size() ||
      x.at.size() != x.cols.size() || !std::is_sorted(x.first.begin(), x.first.end()))
    return "blocks: rows, columns and places that do not belong together, expected an index as append() makes it";
  return {};
}

// A block on the diagonal as a matrix of that symmetry stores it.
template <class T>
std::vector<T> with_symmetry(Symmetry symmetry, BlockIndex i, const T* block, Int order) {
  if (!off_symmetry(symmetry, block, order).within(closeness<T>()))
    throw ArgumentError(
        fmt::format("block: ({}, {}) is not {}, expected one that is, on the diagonal of a matrix that is", i, i,
                    name_of(symmetry)));
  std::vector<T> exact(block, block + order * order);
  make_exact(symmetry, exact.data(), order);
  return exact;
}

// Of a whole matrix.
template <class T>
OffSymmetry off_symmetry(Symmetry symmetry, const BlockSparse<T>& A) {
  OffSymmetry off(over_ranks(A.comm(), MPI_MAX, largest_finite<T>(A.local())));
  for_each_mirrored(symmetry, A, [&](BlockIndex, BlockIndex, T x, T expected) { off.add(x, expected); });
  over_ranks(A.comm(), MPI_SUM, off.squares);
  return off;
}

}  // namespace

template <class T>
BlockSparse<T>::BlockSparse(const Comm& comm, BlockSizes rows, BlockSizes cols, Symmetry symmetry)
    : BlockSparse(comm, rows, cols,
                  BlockDistribution::dealt(static_cast<Int>(rows.size()), static_cast<Int>(cols.size()), comm.size()),
                  symmetry) {}

template <class T>
BlockSparse<T>::BlockSparse(const Comm& comm, BlockSizes rows, BlockSizes cols, BlockDistribution where,
                            Symmetry symmetry)
    : comm_(std::make_shared<const Comm>(comm)), symmetry_(of_type<T>(symmetry)) {
  agree_on_blocks(comm, rows, cols, where, symmetry, scalar_type_of<T>);
  where_ = std::make_shared<const BlockDistribution>(std::move(where));
  none_.row_sizes = std::make_shared<const BlockSizes>(std::move(rows));
  none_.col_sizes = std::make_shared<const BlockSizes>(std::move(cols));
  blocks_ = none_;
}

template <class T>
BlockSparse<T>::BlockSparse(std::shared_ptr<const Comm> comm, std::shared_ptr<const BlockDistribution> where,
                            Blocks<T> blocks, Symmetry symmetry)
    : comm_(std::move(comm)),
      where_(std::move(where)),
      none_(none_like(blocks)),
      symmetry_(symmetry),
      blocks_(std::move(blocks)) {}

template <class T>
Int BlockSparse<T>::m() const {
  return total(rows());
}
template <class T>
Int BlockSparse<T>::n() const {
  return total(cols());
}

template <class T>
bool BlockSparse<T>::here(BlockIndex i, BlockIndex j) const {
  return (i <= j || symmetry_ == Symmetry::general) && where_->owner(i, j) == comm_->rank();
}

template <class T>
void BlockSparse<T>::require_stored(BlockIndex i, BlockIndex j) const {
  if (i > j && symmetry_ != Symmetry::general)
    throw ArgumentError(fmt::format("block: ({0}, {1}), expected ({1}, {0}), which a matrix that is {2} stores instead",
                                    i, j, name_of(symmetry_)));
}

template <class T>
void BlockSparse<T>::require_inside(BlockIndex i, BlockIndex j) const {
  if (i < 0 || j < 0 || place(i) >= rows().size() || place(j) >= cols().size())
    throw ArgumentError(fmt::format("block: ({}, {}), expected one of {}x{}", i, j, rows().size(), cols().size()));
}

template <class T>
void BlockSparse<T>::require_own(BlockIndex i, BlockIndex j) const {
  require_inside(i, j);
  require_stored(i, j);
  if (!here(i, j))
    throw ArgumentError(fmt::format("block: ({}, {}) belongs to rank {}, expected one of rank {}", i, j,
                                    where_->owner(i, j), comm_->rank()));
}

template <class T>
void BlockSparse<T>::store(BlockIndex i, BlockIndex j, const T* block, bool adds) {
  require_own(i, j);
  const Int words = Int{none_.height(i)} * none_.width(j);
  if (words == 0) return;
  if (!block) throw ArgumentError(fmt::format("block: null, expected {} elements", words));
  std::vector<T> exact;
  if (i == j && symmetry_ != Symmetry::general) {
    exact = with_symmetry<T>(symmetry_, i, block, none_.height(i));
    block = exact.data();
  }
  MatrixView<T> there = find(i, j);
  if (!there.data) {
    adds = false;
    const auto at = static_cast<Int>(blocks_.values.size());
    const Int from = place_among(blocks_.values, block);
    resize(blocks_.values, place(at + words));
    if (from >= 0) block = blocks_.values.data() + from;
    stored_.emplace(std::pair(i, j), at);
    there.data = blocks_.values.data() + at;
  }
  for (Int w = 0; w < words; ++w) there.data[w] = adds ? there.data[w] + block[w] : block[w];
}

template <class T>
void BlockSparse<T>::reserve(std::span<const std::pair<BlockIndex, BlockIndex>> blocks) {
  for (const auto& [i, j] : blocks) require_own(i, j);
  for (const auto& [i, j] : blocks) {
    const Int words = Int{none_.height(i)} * none_.width(j);
    if (words == 0 || find(i, j).data) continue;
    const auto at = static_cast<Int>(blocks_.values.size());
    resize(blocks_.values, place(at + words));
    std::fill_n(blocks_.values.data() + at, words, T(0));
    stored_.emplace(std::pair(i, j), at);
  }
}

template <class T>
MatrixView<T> BlockSparse<T>::find(BlockIndex i, BlockIndex j) {
  require_stored(i, j);
  const auto found = stored_.find({i, j});
  const Int at = found != stored_.end() ? found->second : cairn::find(blocks_, i, j);
  if (at < 0) return {};
  return {blocks_.values.data() + at, none_.height(i), none_.width(j), none_.height(i)};
}

template <class T>
MatrixView<const T> BlockSparse<T>::find(BlockIndex i, BlockIndex j) const {
  const MatrixView<T> found = const_cast<BlockSparse*>(this)->find(i, j);
  return {found.data, found.rows, found.cols, found.ld};
}

// Blocks that were stored one by one get into their rows.
template <class T>
Blocks<T>& BlockSparse<T>::settle() const {
  if (stored_.empty()) return blocks_;
  BlockPattern more = none_;
  for (const auto& [block, at] : stored_) more.append(block.first, block.second, at);
  insert(blocks_, more);
  stored_.clear();
  return blocks_;
}

template <class T>
void BlockSparse<T>::assign(Blocks<T> blocks) {
  if (const auto problem = problem_with(blocks, rows(), cols())) throw ArgumentError(*problem);
  const Int values = static_cast<Int>(blocks.values.size());
  std::pair<BlockIndex, BlockIndex> before{-1, -1};
  cairn::for_each(blocks, [&](BlockIndex i, BlockIndex j, Int b) {
    require_own(i, j);
    const Int words = Int{none_.height(i)} * none_.width(j), at = blocks.at[place(b)];
    if (std::pair(i, j) <= before)
      throw ArgumentError(fmt::format("blocks: ({}, {}) after ({}, {}), expected them row by row, each once", i, j,
                                      before.first, before.second));
    if (words == 0 || at < 0 || at > values - words)
      throw ArgumentError(
          fmt::format("block: ({}, {}) has {} values, from number {} of {}, expected 1 or more that are "
                      "there",
                      i, j, words, at, values));
    before = {i, j};
  });
  stored_.clear();
  blocks.row_sizes = none_.row_sizes, blocks.col_sizes = none_.col_sizes;
  blocks_ = std::move(blocks);
}

template <class T>
void BlockSparse<T>::scale(T factor) {
  if (const auto problem = unless_real("factor", symmetry_, factor)) throw ArgumentError(*problem);
  for (T& x : settle().values) x = scaled(factor, x);
}

template <class T>
void BlockSparse<T>::divide(T divisor) {
  if (const auto problem = unless_real("divisor", symmetry_, divisor)) throw ArgumentError(*problem);
  for (T& x : settle().values) x /= divisor;
}

template <class T>
void BlockSparse<T>::filter(double eps) {
  if (!(eps >= 0)) throw ArgumentError(fmt::format("eps: {}, expected 0 or more", eps));
  cairn::filter(settle(), eps);
}

template <class T>
BlockSparse<T> BlockSparse<T>::cropped(BlockRange rows, BlockRange cols) const {
  if (const auto problem = unless_within("rows", rows, this->rows())) throw ArgumentError(*problem);
  if (const auto problem = unless_within("cols", cols, this->cols())) throw ArgumentError(*problem);
  if (symmetry_ != Symmetry::general && !(rows == cols))
    throw ArgumentError(
        fmt::format("cols: blocks {} to {}, expected those of the rows, {} to {}, of a matrix that is {}", cols.from,
                    cols.to, rows.from, rows.to, name_of(symmetry_)));
  return BlockSparse(comm_, where_, compact<T>({within(local(), rows, cols), blocks_.values.data()}), symmetry_);
}

template <class T>
BlockSparse<T> BlockSparse<T>::transposed(Op op) const {
  if (op == Op::none) return *this;
  if (symmetry_ != Symmetry::general) return BlockSparse(comm_, where_, operated(op, symmetry_, local()), symmetry_);
  return BlockSparse(comm_, std::make_shared<const BlockDistribution>(where_->transposed()),
                     cairn::transposed(local(), op == Op::adjoint), symmetry_);
}

template <class T>
BlockSparse<T> BlockSparse<T>::redistributed(BlockDistribution where) const {
  comm_->agree_same("matrix", meant(*this));
  BlockSparse x(*comm_, rows(), cols(), std::move(where), symmetry_);
  x.assign(brought<T>(*comm_, settled(*this), x.where()));
  return x;
}

// The difference from the mirror image is found where the matrix is.
template <class T>
BlockSparse<T> BlockSparse<T>::stored_as(Symmetry symmetry, const char* name) const {
  const Symmetry asked = symmetry;
  symmetry = of_type<T>(asked);
  comm_->agree(symmetry == Symmetry::general ? std::nullopt : unless_square(name, *this), "matrix and storage",
               fmt::format("{}, to be {}", meant(*this), name_of(symmetry)));
  if (symmetry_ == symmetry) return *this;
  if (symmetry_ != Symmetry::general) {
    BlockSparse x(*comm_, rows(), cols(), where());
    Blocks<T> made;
    together(*comm_, [&] {
      static_cast<BlockPattern&>(made) =
          whole<T>(Op::none, symmetry_, local(), all_blocks(rows()), all_blocks(cols()), [&](Int words) {
            made.values.resize(place(words));
            return made.values.data();
          });
    });
    x.assign(where().ranks() == 1 ? std::move(made) : brought<T>(*comm_, made, where()));
    return symmetry == Symmetry::general ? std::move(x) : x.stored_as(symmetry, name);
  }
  const OffSymmetry off = off_symmetry(symmetry, *this);
  if (!off.within(closeness<T>()))
    throw ArgumentError(fmt::format("{0}: it is not {1}, ‖{0} {2} {0}{3}‖/‖{0}‖ is {4:.2g}", name, name_of(asked),
                                    asked == Symmetry::antisymmetric ? "+" : "-",
                                    asked == Symmetry::hermitian ? "ᴴ" : "ᵀ", off.ratio()));
  return upper(symmetry);
}

// The blocks (i, j) with i <= j of a matrix that has the symmetry up to rounding errors.
template <class T>
BlockSparse<T> BlockSparse<T>::upper(Symmetry symmetry) const {
  const BlockPattern blocks = chosen(local(), [](BlockIndex i, BlockIndex j, Int) { return i <= j; });
  BlockSparse x(comm_, where_, compact<T>({blocks, blocks_.values.data()}), symmetry);
  make_exact(symmetry, x.blocks_);
  return x;
}

#define CAIRN_INSTANTIATE(T)                                                                              \
  template BlockSparse<T>::BlockSparse(const Comm&, BlockSizes, BlockSizes, Symmetry);                    \
  template BlockSparse<T>::BlockSparse(const Comm&, BlockSizes, BlockSizes, BlockDistribution, Symmetry); \
  template Int BlockSparse<T>::m() const;                                                                 \
  template Int BlockSparse<T>::n() const;                                                                 \
  template bool BlockSparse<T>::here(BlockIndex, BlockIndex) const;                                       \
  template void BlockSparse<T>::store(BlockIndex, BlockIndex, const T*, bool);                            \
  template void BlockSparse<T>::reserve(std::span<const std::pair<BlockIndex, BlockIndex>>);              \
  template MatrixView<T> BlockSparse<T>::find(BlockIndex, BlockIndex);                                    \
  template MatrixView<const T> BlockSparse<T>::find(BlockIndex, BlockIndex) const;                        \
  template Blocks<T>& BlockSparse<T>::settle() const;                                                     \
  template void BlockSparse<T>::assign(Blocks<T>);                                                        \
  template void BlockSparse<T>::scale(T);                                                                 \
  template void BlockSparse<T>::divide(T);                                                                \
  template void BlockSparse<T>::filter(double);                                                           \
  template BlockSparse<T> BlockSparse<T>::cropped(BlockRange, BlockRange) const;                          \
  template BlockSparse<T> BlockSparse<T>::transposed(Op) const;                                           \
  template BlockSparse<T> BlockSparse<T>::redistributed(BlockDistribution) const;                         \
  template BlockSparse<T> BlockSparse<T>::stored_as(Symmetry, const char*) const;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
