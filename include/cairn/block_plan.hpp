// Plans of products of block-sparse matrices, from sizes and densities: the grid, the number of layers, and what ranks
// are expected to receive, hold and take. Needs no MPI, no BLAS and no matrices; block_product_plan.hpp plans products
// of matrices that are there.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "cairn/block_problem.hpp"
#include "cairn/options.hpp"

namespace cairn {

/// What one rank of a block-sparse product receives, computes and holds, as expected.
struct BlockCount {
  std::array<Int, 3> received{};  ///< words of A, B and sums of C
  Int received_index = 0;         ///< 32-bit numbers that say which blocks these are
  Int messages = 0;               ///< panels received
  double flops = 0;               ///< 2 for each product of two elements
  Int peak_words = 0;             ///< of values: own parts of A, B and C, copies, panels and sums
  Int words() const { return received[0] + received[1] + received[2]; }
};

class BlockPlan {
 public:
  struct Data;  ///< private to the library
  explicit BlockPlan(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  const BlockProblem& problem() const;
  /// One-line spelling, which Options::algorithm and BlockProductOptions::algorithm accept.
  std::string algorithm() const;
  /// Rows and columns of the grid over which A, B and C are to be dealt.
  std::array<Int, 2> grid() const;
  /// Whether no words are left to chance: all blocks are there and, in layers, enough of them for all panels; or A and
  /// B are there, their panels travel as a whole, and no sums of C travel.
  bool exact() const;
  /// What `rank` will receive, compute and hold.
  BlockCount count(Int rank) const;
  /// Largest of each figure over all ranks.
  BlockCount max_count() const;
  /// Words received, over all ranks.
  double mean_received() const;
  /// Words that some rank must receive, whatever its memory and whatever the pattern, if all do as many products.
  double received_bound() const;
  double predicted_seconds() const;
  /// The page that `cairn plan spgemm` prints.
  std::string explain() const;
  /// The same as JSON; the keys are documented in docs/plan_json.md and stable.
  std::string json() const;
  /// The schedule as text, one line a step; its elements are panels.
  std::string print() const;

  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Plan a product of block-sparse matrices. Of the options those count that concern memory, the algorithm, what is
/// preferred, the transport, machine and kernels. Without an algorithm all grids pr × pc of all ranks are compared,
/// with all numbers of layers. Throws ArgumentError for negative sizes, occupancies outside 0 to 1, no ranks, an
/// unknown algorithm or machine, a grid larger than the ranks, and options for which there is no choice; MemoryError,
/// naming the words that would do, if nothing fits options.memory_words.
BlockPlan plan(const BlockProblem& problem, const Options& options = {});

}  // namespace cairn
