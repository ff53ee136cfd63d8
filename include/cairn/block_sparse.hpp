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

#include "cairn/blocks.hpp"
#include "cairn/matrix.hpp"

namespace cairn {

class Comm;

/// Of a matrix with elements x: √Σ|x|², the largest |x|, the largest Σ|x| of a row.
enum class Norm : std::uint8_t { frobenius, max, gershgorin };

/// A matrix of blocks most of which may be zero and are then not stored. Ranks hold the blocks of their rows and
/// columns of the grid. Copies are copies of the blocks. Blocks without elements are never stored.
template <class T>
class BlockSparse {
 public:
  /// Without any block, dealt over all ranks or distributed as given. Collective: throws ArgumentError on every rank if
  /// arguments differ between ranks, a size is negative, or the distribution is for other numbers of blocks, names rows
  /// or columns that its grid has not, or needs more ranks than there are.
  BlockSparse(const Comm& comm, BlockSizes rows, BlockSizes cols);
  BlockSparse(const Comm& comm, BlockSizes rows, BlockSizes cols, BlockDistribution where);

  const BlockSizes& rows() const { return *none_.row_sizes; }
  const BlockSizes& cols() const { return *none_.col_sizes; }
  Int m() const;
  Int n() const;
  const Comm& comm() const { return *comm_; }
  const BlockDistribution& where() const { return *where_; }
  /// Whether block (i, j) belongs to this rank.
  bool here(BlockIndex i, BlockIndex j) const;

  // --- Blocks of this rank. Not collective.
  /// Stores a block, by columns without gaps, in the place of what was there, or adds it to that. Throws ArgumentError
  /// if the matrix has no such block, or it belongs to another rank.
  void put(BlockIndex i, BlockIndex j, const T* block) { store(i, j, block, false); }
  void add(BlockIndex i, BlockIndex j, const T* block) { store(i, j, block, true); }
  /// Makes room for blocks, zero; those that are there stay as they are.
  void reserve(std::span<const std::pair<BlockIndex, BlockIndex>> blocks);
  /// The block; data is null if it is not stored. Valid until blocks are stored or dropped.
  MatrixView<T> find(BlockIndex i, BlockIndex j);
  MatrixView<const T> find(BlockIndex i, BlockIndex j) const;
  /// f(i, j, MatrixView) for every block, row by row.
  template <class F>
  void for_each(F f) {
    Blocks<T>& x = settle();
    cairn::for_each(x, [&](BlockIndex i, BlockIndex j, Int b) {
      f(i, j, MatrixView<T>{x.values.data() + x.at[static_cast<std::size_t>(b)], x.height(i), x.width(j), x.height(i)});
    });
  }
  template <class F>
  void for_each(F f) const {
    const Blocks<T>& x = local();
    cairn::for_each(x, [&](BlockIndex i, BlockIndex j, Int b) {
      f(i, j,
        MatrixView<const T>{x.values.data() + x.at[static_cast<std::size_t>(b)], x.height(i), x.width(j), x.height(i)});
    });
  }
  /// All of them, compressed by rows.
  const Blocks<T>& local() const { return settle(); }
  /// Blocks of this rank in the place of all that it had, of a matrix of the same sizes.
  void assign(Blocks<T> blocks);
  /// All of them, which the matrix then has no more.
  Blocks<T> take() {
    settle();
    return std::exchange(blocks_, none_);
  }
  void clear() { assign(none_); }
  /// A factor of 0 leaves zeros, also of what was no number.
  void scale(T factor);
  /// Drops blocks of a Frobenius norm below eps; one with NaN stays.
  void filter(double eps);
  /// The same matrix with no blocks but those in these rows and columns.
  BlockSparse cropped(BlockRange rows, BlockRange cols) const;

  // --- All ranks' blocks. Collective.
  Int blocks() const;
  /// Elements of the blocks that are stored.
  Int words() const;
  /// Their share of all elements; 1 if there are none.
  double occupancy() const;
  /// Adds to every element of the diagonal; blocks that are not there are made. Throws ArgumentError on every rank
  /// unless rows and columns are in the same blocks; so does trace().
  void add_to_diagonal(T shift);
  T trace() const;
  /// Σ conj(x)·y over all elements; `other` has the same blocks, anywhere.
  T dot(const BlockSparse& other) const;
  double norm(Norm which) const;
  /// Of a square matrix in the same blocks: every eigenvalue's real part lies from the first to the second, the ends of
  /// all of Gershgorin's circles; 0 and 0 if there is no row.
  std::array<double, 2> gershgorin() const;
  /// Adds factor·other, which has the same blocks, anywhere.
  void add(T factor, const BlockSparse& other);
  /// No block leaves its rank.
  BlockSparse transposed(Op op = Op::transpose) const;
  BlockSparse redistributed(BlockDistribution where) const;
  /// With all elements, on the same ranks: blocks of its layout are those of the matrix.
  DistMatrix<T> to_dense() const;
  /// Of a matrix in any layout; blocks of a norm below eps, and zero ones, are left out.
  static BlockSparse from_dense(const Comm& comm, const DistMatrix<T>& dense, BlockSizes rows, BlockSizes cols,
                                BlockDistribution where, double eps = 0);

 private:
  BlockSparse(std::shared_ptr<const Comm> comm, std::shared_ptr<const BlockDistribution> where, Blocks<T> blocks);
  void store(BlockIndex i, BlockIndex j, const T* block, bool adds);
  Blocks<T>& settle() const;
  void require_same_blocks(const BlockSparse& other, const char* what) const;

  std::shared_ptr<const Comm> comm_;
  std::shared_ptr<const BlockDistribution> where_;
  Blocks<T> none_;  // the sizes
  mutable Blocks<T> blocks_;
  mutable std::map<std::pair<BlockIndex, BlockIndex>, Int> stored_;  // in blocks_.values, but not yet in its rows
};

struct BlockProductOptions {
  /// Products of blocks a·b are left out if |alpha|·‖a‖·‖b‖ < filter_eps / the number of blocks in that block row of A,
  /// and blocks of the result with ‖c‖ < filter_eps are dropped, unless its pattern is retained; norms are Frobenius's.
  /// So every block of C is wrong by less than 2·filter_eps, in the same way on any number of ranks.
  /// [dbcsr-25d-rma-2017 §2]
  double filter_eps = 0;
  /// C keeps its pattern: nothing else is computed, and C stays where it is, on one layer.
  bool retain_sparsity = false;
  /// If given, only these block rows and columns of C are computed, from these inner blocks: as if A and B had no
  /// others in their rows and columns. beta is for that part of C, and for the rest 1; a filter drops small blocks of
  /// all of C.
  std::optional<BlockRange> rows{}, cols{}, inner{};
  /// The schedule of a dense product, "fetch25d 4x4 layers=2x2", for the ranks of C's grid; empty: fetch25d with that
  /// number of layers with which ranks receive fewest words in the mean, if C is as expected.
  std::string algorithm{};
  /// Words of values that a rank may hold at most, A, B, C and all copies included.
  std::optional<Int> memory_words{};
  /// How panels of A and B travel: "two-sided", as messages, or "one-sided", fetched out of windows that are kept with
  /// the communicator; where this MPI library's windows are not to be trusted, as messages, too. Empty: two-sided.
  std::string transport{};
  /// With which this rank multiplies, if Cairn was built with OpenMP; 0: as many as OMP_NUM_THREADS says, 1 if it is
  /// not set. Ranks may differ.
  int threads = 0;
};

/// What one product did on this rank.
struct BlockProductReport {
  std::string algorithm;
  std::string transport;  ///< by which panels travelled
  Int products = 0;       ///< of blocks
  Int flops = 0;
  Int received = 0;        ///< words of values that arrived
  Int received_index = 0;  ///< 32-bit numbers that said which blocks these are
  Int messages = 0;        ///< panels that arrived
  Int redistributed = 0;   ///< words that arrived when A and B were brought to C's grid
  double predicted = 0;    ///< words that this rank receives: exactly of A and B, and as expected of C
  double seconds = 0, multiply_seconds = 0, wait_seconds = 0;
};

/// C = alpha·op(A)·op(B) + beta·C; C may be A or B. beta = 0 forgets C and its pattern, unless it is retained; alpha =
/// 0 makes A and B irrelevant. They stay where they are if op(A) has the distribution of C's rows, op(B) that of C's
/// columns, and their inner dimension is dealt alike, as BlockDistribution::dealt does; else they are brought there
/// first. Collective. Throws ArgumentError on every rank if blocks do not match or ranks differ in their arguments,
/// MemoryError if the memory is too small; C is then as it was.
template <class T>
BlockProductReport multiply(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                            BlockSparse<T>& C, const BlockProductOptions& options = {});

}  // namespace cairn
