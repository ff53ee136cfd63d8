// Block-sparse matrices over MPI, and their products.
// Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "cairn/block_iterator.hpp"
#include "cairn/blocks.hpp"
#include "cairn/matrix.hpp"

namespace cairn {

class Comm;

/// Of a matrix with elements x: √Σ|x|², the largest |x|, the largest Σ|x| of a row.
enum class Norm : std::uint8_t { frobenius, max, gershgorin };

/// A matrix of blocks most of which may be zero and are then not stored. Ranks hold the blocks of their rows and
/// columns of the grid. Copies are copies of the blocks. Blocks without elements are never stored.
///
/// Of a matrix that is symmetric, antisymmetric or Hermitian only blocks (i, j) with i <= j are stored; those on the
/// diagonal are whole, and have the symmetry exactly. What is asked for about all elements is that of the whole matrix.
template <class T>
class BlockSparse {
 public:
  /// Without any block, dealt over all ranks or distributed as given. Collective: throws ArgumentError on every rank if
  /// arguments differ between ranks, a size is negative, or the distribution is for other numbers of blocks, names rows
  /// or columns that its grid has not, or needs more ranks than there are, or if rows and columns of a matrix that has
  /// a symmetry are in different blocks.
  BlockSparse(const Comm& comm, BlockSizes rows, BlockSizes cols, Symmetry symmetry = Symmetry::general);
  BlockSparse(const Comm& comm, BlockSizes rows, BlockSizes cols, BlockDistribution where,
              Symmetry symmetry = Symmetry::general);

  const BlockSizes& rows() const { return *none_.row_sizes; }
  const BlockSizes& cols() const { return *none_.col_sizes; }
  Int m() const;
  Int n() const;
  const Comm& comm() const { return *comm_; }
  const BlockDistribution& where() const { return *where_; }
  /// As which it is stored; a real matrix that is Hermitian is symmetric.
  Symmetry symmetry() const { return symmetry_; }
  /// Whether block (i, j) may be stored on this rank.
  bool here(BlockIndex i, BlockIndex j) const;

  // --- Blocks of this rank. Not collective.
  /// Stores a block, by columns without gaps, in the place of what was there, or adds it to that. Throws ArgumentError
  /// if the matrix has no such block, or stores its mirror image (j, i) in its place, or it belongs to another rank, or
  /// if one on the diagonal does not have the matrix's symmetry. Where it is off by rounding errors, less than the
  /// square root of the precision times its norm, the mean of it and its mirror image is taken. The block may be one of
  /// the matrix itself.
  void put(BlockIndex i, BlockIndex j, const T* block) { store(i, j, block, false); }
  void add(BlockIndex i, BlockIndex j, const T* block) { store(i, j, block, true); }
  /// Makes room for blocks, zero; those that are there stay as they are. Throws ArgumentError, and makes no room, for a
  /// block that put() refuses.
  void reserve(std::span<const std::pair<BlockIndex, BlockIndex>> blocks);
  /// The block; data is null if it is not stored. Valid until blocks are stored or dropped. Throws ArgumentError if the
  /// matrix stores its mirror image (j, i) in its place. What is written to one on the diagonal has to have the
  /// matrix's symmetry.
  MatrixView<T> find(BlockIndex i, BlockIndex j);
  MatrixView<const T> find(BlockIndex i, BlockIndex j) const;
  /// The blocks that are stored, row by row: `for (auto [i, j, x] : A)`. Iterators, too, are valid until blocks are
  /// stored or dropped.
  BlockIterator<T> begin() { return BlockIterator<T>(settle()); }
  BlockIterator<T> end() { return BlockIterator<T>::end_of(settle()); }
  BlockIterator<const T> begin() const { return BlockIterator<const T>(local()); }
  BlockIterator<const T> end() const { return BlockIterator<const T>::end_of(local()); }
  /// f(i, j, MatrixView) for each of them.
  template <class F>
  void for_each(F f) {
    for (const auto& [i, j, x] : *this) f(i, j, x);
  }
  template <class F>
  void for_each(F f) const {
    for (const auto& [i, j, x] : *this) f(i, j, x);
  }
  /// All of them, compressed by rows.
  const Blocks<T>& local() const { return settle(); }
  /// Blocks of this rank in the place of all that it had, of a matrix of the same sizes; sizes that are not given are
  /// taken to be the same. Throws ArgumentError if a block is none of those that the matrix stores on this rank, blocks
  /// are not in order, or one has no values; what is on the diagonal has to have the matrix's symmetry.
  void assign(Blocks<T> blocks);
  /// All of them, which the matrix then has no more.
  Blocks<T> take() {
    settle();
    return std::exchange(blocks_, none_);
  }
  void clear() { assign(none_); }
  /// A factor of 0 leaves zeros, also of what was no number. Throws ArgumentError if the matrix is Hermitian and the
  /// factor is not real.
  void scale(T factor);
  /// Divides the elements of all blocks that are stored; by 0 they become infinite or NaN. Throws as scale().
  void divide(T divisor);
  /// Drops blocks of a Frobenius norm below eps; one with NaN stays. Throws ArgumentError unless eps is 0 or more.
  void filter(double eps);
  /// The same matrix with no blocks but those in these rows and columns. Throws ArgumentError for a range that goes
  /// beyond the matrix, or if it has a symmetry and they differ.
  BlockSparse cropped(BlockRange rows, BlockRange cols) const;

  // --- All ranks' blocks. Collective. Where ranks ask for different norms, or give different factors or shifts, and
  // where another matrix is not on the same ranks in the same order, every rank throws ArgumentError.
  Int blocks() const;  ///< that are stored
  /// Elements of the blocks that are stored.
  Int words() const;
  /// The share of the matrix's elements that are in blocks that are stored, or in their mirror images; 1 if it has
  /// none.
  double occupancy() const;
  /// Adds to every element of the diagonal; blocks that are not there are made. Throws ArgumentError on every rank
  /// unless rows and columns are in the same blocks, and so does trace(); or if the matrix is Hermitian and the shift
  /// is not real, or antisymmetric and it is not zero.
  void add_to_diagonal(T shift);
  T trace() const;
  /// Σ conj(x)·y over all elements; `other` has the same blocks, anywhere.
  T dot(const BlockSparse& other) const;
  double norm(Norm which) const;
  /// Of a square matrix in the same blocks: every eigenvalue's real part lies from the first to the second, the ends of
  /// all of Gershgorin's circles; 0 and 0 if there is no row.
  std::array<double, 2> gershgorin() const;
  /// Adds factor·other, which has the same blocks, anywhere. A matrix that has a symmetry takes only another that is
  /// stored as the same; a Hermitian one, only real multiples. Throws ArgumentError on every rank otherwise.
  void add(T factor, const BlockSparse& other);
  /// No block leaves its rank. The transpose has the transposed distribution, or the same if it has a symmetry;
  /// Op::none makes a copy.
  BlockSparse transposed(Op op = Op::transpose) const;
  BlockSparse redistributed(BlockDistribution where) const;
  /// Stored as one of that symmetry, where it is. Throws ArgumentError on every rank if rows and columns are in
  /// different blocks, or the matrix does not have the symmetry up to the square root of rounding errors in Frobenius's
  /// norm; blocks with i <= j count where it is off by less. NaN and infinities have to be in both of two mirrored
  /// places. `name` is what messages call it.
  BlockSparse stored_as(Symmetry symmetry, const char* name = "matrix") const;
  /// With all its blocks, as one without a symmetry.
  BlockSparse expanded() const { return stored_as(Symmetry::general); }
  /// With all elements, on the same ranks: blocks of its layout are those of the matrix.
  DistMatrix<T> to_dense() const;
  /// Of a matrix in any layout; blocks of a norm below eps, and zero ones, are left out. Throws ArgumentError on every
  /// rank if the matrix has not as many rows and columns as the blocks, or eps is negative or NaN or differs between
  /// ranks, and as the constructor does.
  static BlockSparse from_dense(const Comm& comm, const DistMatrix<T>& dense, BlockSizes rows, BlockSizes cols,
                                BlockDistribution where, double eps = 0);

 private:
  BlockSparse(std::shared_ptr<const Comm> comm, std::shared_ptr<const BlockDistribution> where, Blocks<T> blocks,
              Symmetry symmetry);
  void store(BlockIndex i, BlockIndex j, const T* block, bool adds);
  Blocks<T>& settle() const;
  void require_inside(BlockIndex i, BlockIndex j) const;
  void require_stored(BlockIndex i, BlockIndex j) const;
  void require_own(BlockIndex i, BlockIndex j) const;
  BlockSparse upper(Symmetry symmetry) const;
  void require_same_blocks(const BlockSparse& other, const char* what) const;

  std::shared_ptr<const Comm> comm_;
  std::shared_ptr<const BlockDistribution> where_;
  Blocks<T> none_;  // the sizes
  Symmetry symmetry_ = Symmetry::general;
  mutable Blocks<T> blocks_;
  mutable std::map<std::pair<BlockIndex, BlockIndex>, Int> stored_;  // in blocks_.values, but not yet in its rows
};

struct BlockProductOptions {
  /// Products of blocks a·b are left out if |alpha|·‖a‖·‖b‖ < filter_eps / the number of blocks in that block row of A,
  /// and blocks of the result with ‖c‖ < filter_eps are dropped, unless its pattern is retained; norms are Frobenius's.
  /// So every block of C is wrong by less than 2·filter_eps, in the same way on any number of ranks.
  /// [dbcsr-25d-rma-2017 §2]
  double filter_eps = 0;
  /// C keeps its pattern: nothing else is computed, no block is dropped, and C stays where it is, on one layer.
  /// Products that are too small for filter_eps are left out all the same.
  bool retain_sparsity = false;
  /// If given, only these block rows and columns of C are computed, from these inner blocks: as if A and B had no
  /// others in their rows and columns. beta is for that part of C, and for the rest 1; a filter drops small blocks of
  /// all of C.
  std::optional<BlockRange> rows{}, cols{}, inner{};
  /// The schedule of a dense product, "fetch25d 4x4 layers=2x2", for the ranks of C's grid; empty: fetch25d, on as many
  /// layers as give ranks the fewest words in the mean, if C is as expected, or on fewer, where the clock says that
  /// these are faster (docs/decisions/0054-layers-are-left-to-the-clock-where-it-pays.md); "fetch25d 4x4 crossed" where
  /// A and B can then stay where they are, and ranks receive much less.
  std::string algorithm{};
  /// Words of values that a rank may hold at most, A, B, C and all copies included.
  std::optional<Int> memory_words{};
  /// How panels of A and B travel: "two-sided", as messages, or "one-sided", fetched out of windows that are kept with
  /// the communicator; where this MPI library's windows are not to be trusted, and of panels of which only a part is
  /// needed, as messages, too. Empty: one-sided without a limit of memory where ranks of one node would wait for each
  /// other's messages while they multiply, else two-sided.
  std::string transport{};
  /// With which this rank multiplies, if Cairn was built with OpenMP; 0: as many as OMP_NUM_THREADS says, 1 if it is
  /// not set. At most 1024. Ranks may differ.
  int threads = 0;
};

/// What one product did on this rank.
struct BlockProductReport {
  std::string algorithm;
  std::string transport;  ///< by which panels travelled
  Int products = 0;       ///< of blocks
  Int flops = 0;
  Int received = 0;        ///< words of values that arrived
  Int received_index = 0;  ///< 32-bit numbers that said which blocks these are, or which are needed
  Int messages = 0;        ///< panels that arrived
  Int redistributed = 0;   ///< words that arrived when A and B were brought to C's grid
  double predicted = 0;    ///< words that this rank receives: exactly of whole panels, else as expected
  double seconds = 0, multiply_seconds = 0, wait_seconds = 0;
};

/// C = alpha·op(A)·op(B) + beta·C; C may be A or B. beta = 0 forgets C and its pattern, unless it is retained; alpha =
/// 0 makes A and B irrelevant. They stay where they are if op(A) has the distribution of C's rows, op(B) that of C's
/// columns, and their inner dimension is dealt alike, as BlockDistribution::dealt does, or if ranks then receive
/// much less, as where BlockDistribution::by_region has them; else they are brought there first. Where C has a
/// symmetry, the caller states that the result has it, as X² has that of X: only the blocks that C stores are computed,
/// in about half the operations, and the mean of a block on the diagonal and of its mirror image is taken. A and B that
/// have a symmetry are brought to C's grid with the blocks that they do not store, once where they are the same.
/// Collective. Throws ArgumentError on every rank if blocks do not match, ranks differ in their arguments, or limits of
/// rows and columns differ or beta is not real where C's symmetry asks for it; MemoryError if the memory is too small;
/// C is then as it was.
template <class T>
BlockProductReport multiply(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                            BlockSparse<T>& C, const BlockProductOptions& options = {});

}  // namespace cairn
