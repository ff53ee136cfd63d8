// Reading, multiplying, writing: the work of `cairn spgemm`, on all ranks.
#include "block_multiply.hpp"

#include <fmt/format.h>

#include <array>

#include "base/scalars.hpp"
#include "cairn/block_check.hpp"
#include "cairn/block_product_plan.hpp"
#include "cairn/choose_distribution.hpp"
#include "cairn/error.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn::app {

namespace {

BlockShape shape_of(const Comm& world, const FileInfo& file, const std::string& asked) {
  if (file.symmetry == Symmetry::general) return blocks_of(world, file, asked);
  const BlockSizes blocks = square_blocks_of(world, file, asked);
  return {blocks, blocks};
}

void require_blocks(const FileInfo& file, const BlockShape& its, const BlockShape& product) {
  if (its.rows != product.rows || its.cols != product.cols)
    throw ArgumentError(fmt::format("{} ({}): in other blocks than the product of A and B, expected the same",
                                    file.argument, file.path));
}

void settle(const Comm& world, const BlockProductReport& done, BlockMultiplyReport& r) {
  r.algorithm = done.algorithm, r.transport = done.transport;
  const auto sum = [&](auto mine) { return over_ranks(world, MPI_SUM, static_cast<double>(mine)); };
  const auto mean = [&](auto mine) { return sum(mine) / world.size(); };
  const auto most = [&](auto mine) { return over_ranks(world, MPI_MAX, static_cast<double>(mine)); };
  r.products = sum(done.products), r.flops = sum(done.flops);
  r.received = mean(done.received), r.predicted = mean(done.predicted), r.most_received = most(done.received);
  r.index = mean(done.received_index), r.messages = mean(done.messages), r.redistributed = mean(done.redistributed);
  r.local = most(done.multiply_seconds), r.waiting = most(done.wait_seconds);
}

/// Of C, half of which is computed where it is the square of a matrix of which a file has half.
Symmetry result_symmetry(const ProductOperands& o, const ProductFiles& files) {
  const Symmetry A = files.a.symmetry;
  const bool square = files.a.path == files.b.path && o.op_a == Op::none && o.op_b == Op::none && !files.c;
  const bool kept = A == Symmetry::symmetric || (A == Symmetry::hermitian && o.alpha.imag() == 0);
  return square && kept ? A : Symmetry::general;
}

/// A and B where they are multiplied, and where C is then.
template <class T>
class Operands {
 public:
  Operands(const Comm& world, const BlockMultiplyArguments& a, const BlockShape& blocks_a, const BlockShape& blocks_b,
           const BlockMultiplyReport& r)
      : once_(r.files.a.path == r.files.b.path),
        c_{r.m, r.n},
        problem_{.m = BlockDim::of(r.m),
                 .n = BlockDim::of(r.n),
                 .k = BlockDim::of(a.op_a == Op::none ? blocks_a.cols : blocks_a.rows),
                 .ranks = world.size(),
                 .type = scalar_type_of<T>} {
    const bool asked = !a.options.algorithm.empty();
    if (asked) {
      const BlockPlan spelled = plan(problem_, {.algorithm = a.options.algorithm});
      grid_ = spelled.grid(), algorithm_ = spelled.algorithm();
    }
    A_ = read(world, r.files.a, blocks_a, a.op_a);
    const bool as_they_are = a.op_a == Op::none && a.op_b == Op::none;
    const bool square = blocks_a.rows == blocks_a.cols && blocks_a.rows == blocks_b.rows && c_.cols == c_.rows;
    // Half of a result is even where blocks are dealt.
    if (!asked && square && as_they_are && result_symmetry(a, r.files) == Symmetry::general) lie_best();
    if (!once_) B_ = read(world, r.files.b, blocks_b, a.op_b);
    if (!asked && !square && !once_) deal_best(a);
  }

  const BlockSparse<T>& A() const { return *A_; }
  const BlockSparse<T>& B() const { return once_ ? *A_ : *B_; }
  bool dealt() const { return !strips_; }
  BlockDistribution where_c() const { return where(c_, Op::none); }
  /// As asked for, in full; empty where none was.
  const std::string& algorithm() const { return algorithm_; }

 private:
  /// Of a matrix of these blocks that is multiplied as `op` says.
  BlockDistribution where(const BlockShape& blocks, Op op) const {
    if (strips_) return *strips_;
    const Int rows = std::ssize(blocks.rows), cols = std::ssize(blocks.cols);
    if (!grid_) return BlockDistribution::dealt(rows, cols, problem_.ranks);
    const auto [pr, pc] = *grid_;
    return op == Op::none ? BlockDistribution::dealt(rows, cols, pr, pc)
                          : BlockDistribution::dealt(cols, rows, pr, pc).transposed();
  }
  BlockSparse<T> read(const Comm& world, const FileInfo& file, const BlockShape& blocks, Op op) const {
    return read_blocks<T>(world, file, blocks, where(blocks, op));
  }
  /// As the pattern of A says, if all are of the same blocks in rows and columns.
  void lie_best() {
    const BlockDistribution best = choose_distribution(*A_);
    if (best == A_->where()) return;
    strips_ = best;
    *A_ = A_->redistributed(best);
  }
  /// As planned for as many blocks, anywhere.
  void deal_best(const BlockMultiplyArguments& a) {
    problem_.occupancy_a = A_->occupancy(), problem_.occupancy_b = B_->occupancy();
    grid_ = plan(problem_).grid();
    const auto bring = [&](BlockSparse<T>& X, Op op) {
      const BlockDistribution best = where({X.rows(), X.cols()}, op);
      if (X.where() != best) X = X.redistributed(best);
    };
    bring(*A_, a.op_a), bring(*B_, a.op_b);
  }

  const bool once_;  ///< the same file
  const BlockShape c_;
  BlockProblem problem_;
  std::optional<std::array<Int, 2>> grid_;  ///< on which blocks are dealt; absent: the squarest
  std::optional<BlockDistribution> strips_;
  std::string algorithm_;
  std::optional<BlockSparse<T>> A_, B_;
};

template <class T>
void run(const Comm& world, const BlockMultiplyArguments& a, const BlockShape& blocks_a, const BlockShape& blocks_b,
         BlockMultiplyReport& r, Watch& watch, Progress& progress) {
  progress.step("read");
  const Operands<T> operands(world, a, blocks_a, blocks_b, r);
  const BlockSparse<T>&A = operands.A(), &B = operands.B();
  BlockProductOptions options = a.options;
  options.algorithm = operands.algorithm();
  r.dealt = operands.dealt();
  auto C = r.files.c ? read_block_sparse<T>(world, *r.files.c, r.m, r.n, operands.where_c()).expanded()
                     : BlockSparse<T>(world, r.m, r.n, operands.where_c(), result_symmetry(a, r.files));
  r.a_occupancy = A.occupancy(), r.b_occupancy = B.occupancy();
  r.seconds.read = watch.lap();
  const T alpha = element_of<T>(a.alpha), beta = element_of<T>(a.beta);
  if (a.plan) {
    r.plan = within_memory(a, [&] { return cairn::plan(a.op_a, a.op_b, alpha, A, B, beta, C, options); });
    return;
  }
  std::optional<BlockSparse<T>> before;
  if (a.check && beta != T(0)) before = C;
  progress.step("multiply");
  const BlockProductReport done = within_memory(a, [&] {
    const ProfiledRegion region;
    return cairn::multiply(a.op_a, a.op_b, alpha, A, B, beta, C, options);
  });
  r.seconds.compute = watch.lap();
  r.c_occupancy = C.occupancy();
  if (a.check) {
    progress.step("check");
    watch.lap();
    r.check = freivalds<T>(a.op_a, a.op_b, alpha, A, B, beta, before ? &*before : nullptr, C, a.options.filter_eps);
    require_right(*r.check, a.options.filter_eps > 0 ? "rounding errors and --eps" : "rounding errors", false);
    r.seconds.check = watch.lap();
  }
  if (!a.output.empty()) {
    progress.step("write");
    watch.lap();
    write_blocks(world, C, a.output, Symmetry::general);
    r.seconds.write = watch.lap();
  }
  settle_seconds(world, watch, r.seconds);
  settle(world, done, r);
}

}  // namespace

BlockMultiplyReport block_multiply(const Comm& world, BlockMultiplyArguments a) {
  Watch watch;
  BlockMultiplyReport r;
  r.files = inspect_operands(world, a, a.type), r.ranks = world.size();
  const BlockShape blocks_a = shape_of(world, r.files.a, a.blocks), blocks_b = shape_of(world, r.files.b, a.blocks);
  r.m = a.op_a == Op::none ? blocks_a.rows : blocks_a.cols;
  r.n = a.op_b == Op::none ? blocks_b.cols : blocks_b.rows;
  if (r.files.c) require_blocks(*r.files.c, blocks_of(world, *r.files.c, a.blocks), {r.m, r.n});
  a.options.memory_words = memory_words(a, r.files.type);
  require_block_output(world, a.output, r.files.type, r.files.m, r.files.n);
  r.seconds.prepare = watch.lap();
  Progress progress(world, 2 + (a.check ? 1 : 0) + (a.output.empty() ? 0 : 1));
  with_type(r.files.type, [&]<class T>(T) { run<T>(world, a, blocks_a, blocks_b, r, watch, progress); });
  return r;
}

}  // namespace cairn::app
