// Products of block-sparse matrices: operands are brought to C's grid where they are not, cut into panels, and
// multiplied by a schedule whose elements are these panels. A limited memory is looked at before anything is copied.
// And plans of such products.
#include <chrono>

#include "api/product_arguments.hpp"
#include "api/product_planner.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/block_product_plan.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/symmetry.hpp"
#include "local/sparse/threads.hpp"
#include "model/transport.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/kept_memory.hpp"
#include "runtime/sparse/panel_run.hpp"

namespace cairn {

namespace {

template <class T>
class Product {
 public:
  Product(T alpha, ProductOperand<T> A, ProductOperand<T> B, T beta, BlockSparse<T>& C,
          const BlockProductOptions& options)
      : alpha_(alpha), C_(C), options_(options), x_(std::move(A), std::move(B), beta, C, options), planner_(x_) {}

  BlockProductReport run() {
    const Comm& comm = x_.comm;
    KeptMemory::of(comm)->keep(!options_.memory_words);
    if (options_.memory_words) forget_window();
    std::shared_ptr<const PanelSchedule> schedule;
    if (options_.memory_words) {
      planner_.see();
      schedule = planner_.fitting();
    }
    x_.A.lie_on(comm, x_.deal.a, x_.a_is_c(), report_.redistributed);
    if (x_.shares())
      x_.B.lie_with(x_.A);
    else
      x_.B.lie_on(comm, x_.deal.b, x_.b_is_c(), report_.redistributed);
    cut();
    find_sizes();
    if (!schedule) schedule = planner_.best();
    report_.algorithm = schedule->wire.algorithm;
    const SizedPanels sizes = planner_.sizes(*schedule);
    std::optional<PanelPlaces> places;
    if (planner_.transport() == Transport::one_sided) places.emplace(*schedule, sizes, sizeof(T));
    const std::shared_ptr<PanelWindow> window = places ? window_for(*places) : nullptr;
    report_.transport = name_of(window ? Transport::one_sided : Transport::two_sided);
    const std::array<Blocks<T>, 3> none{without_blocks(x_.A), without_blocks(x_.B), none_like(C_.local())};
    Blocks<T> result = none[2];
    if (x_.takes_part()) {
      std::optional<SizedPanels> most;
      if (options_.memory_words) most.emplace(planner_.sizes_at_most(*schedule));
      const int by = threads();
      const PanelRules rules{.filter_eps = options_.filter_eps,
                             .retain_sparsity = options_.retain_sparsity,
                             .upper = x_.upper(),
                             .threads = by,
                             .most = most ? &*most : nullptr,
                             .room = planner_.spare() - (by > 1 ? planner_.parts() : 0),
                             .window = window.get(),
                             .places = places ? &*places : nullptr};
      PanelRun<T> run(comm, *schedule, sizes, x_.ranks, none, rules);
      load(run);
      note(run.run(alpha_));
      result = run.take({x_.row(), x_.col()});
    } else if (window) {
      window->open(comm);
    }
    if (window) window->wait();
    if (options_.memory_words) forget_window();
    KeptMemory::of(comm)->forget_unused();
    x_.A.drop_copies(), x_.B.drop_copies();
    make_exact(C_.symmetry(), result);
    if (filters(options_)) filter(result, options_.filter_eps);
    if (options_.memory_words) give_back(result);
    C_.assign(std::move(result));
    return report_;
  }

 private:
  using Run = PanelRun<T>;
  static Blocks<T> without_blocks(const ProductOperand<T>& X) { return none_like<Blocks<T>>(X.blocks().pattern); }

  void cut() {
    std::vector<BlockIndex> in_row;
    if (options_.filter_eps > 0) in_row = blocks_in_rows();
    const auto panel = [&](BlockIndex k) { return x_.deal.panel[place(k)]; };
    const PanelGrid& grid = x_.deal.grid;
    a_ = split<T>(
        x_.A.blocks(), place(grid.of_a), [&](BlockIndex, BlockIndex k) { return place(grid.place_in_a(panel(k))); },
        options_.filter_eps > 0 ? &in_row : nullptr);
    b_ = split<T>(x_.B.blocks(), place(grid.of_b),
                  [&](BlockIndex k, BlockIndex) { return place(grid.place_in_b(panel(k))); });
  }
  // Of A, on all ranks.
  std::vector<BlockIndex> blocks_in_rows() const {
    std::vector<BlockIndex> all(x_.A.rows().size());
    std::vector<double> mine;
    const auto for_each_mine = [&](auto f) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (x_.takes_part() && x_.where.row[i] == x_.row()) f(i);
    };
    const BlockPattern& x = x_.A.blocks().pattern;
    for (std::size_t r = 0; r < x.rows.size(); ++r)
      all[place(x.rows[r])] = static_cast<BlockIndex>(x.first[r + 1] - x.first[r]);
    for_each_mine([&](std::size_t i) { mine.push_back(all[i]); });
    sum_along_row(x_.comm, x_.where, mine);
    std::size_t next = 0;
    for_each_mine([&](std::size_t i) { all[i] = static_cast<BlockIndex>(mine[next++]); });
    return all;
  }

  // Of all panels of A and B, which everybody gets to know, and of C, as they are expected.
  void find_sizes() {
    std::vector<Int> mine;
    const auto add = [&](const BlockPanel<T>& x, Int inner) {
      mine.insert(mine.end(), {x.words, static_cast<Int>(x.index.size()), inner});
    };
    for (const BlockPanel<T>& x : a_) add(x, x_.asks() ? columns_with_blocks(x.blocks) : 0);
    for (const BlockPanel<T>& x : b_) add(x, x_.asks() ? static_cast<Int>(x.blocks.rows.size()) : 0);
    const std::vector<Int> all = of_all_ranks(x_.comm, mine);
    const PanelGrid& grid = x_.deal.grid;
    auto A = std::make_shared<PanelSizes>(grid.pr, grid.k), B = std::make_shared<PanelSizes>(grid.k, grid.pc);
    for (Int q = 0; q < x_.where.ranks(); ++q) {
      const Int i = q / grid.pc, j = q % grid.pc;
      const Int* next = all.data() + place(x_.ranks[place(q)]) * mine.size();
      for (Int s = 0; s < grid.of_a; ++s, next += 3) A->at(i, grid.number_in_a(j, s)) = {next[0], next[1], next[2]};
      for (Int s = 0; s < grid.of_b; ++s, next += 3) B->at(grid.number_in_b(i, s), j) = {next[0], next[1], next[2]};
    }
    planner_.know(A, B);
  }
  // Threads hold their parts of sums beside these, in vectors that grow.
  int threads() const {
    const int wanted = options_.threads > 0 ? options_.threads : threads_given();
    return planner_.parts() <= planner_.spare() ? wanted : 1;
  }

  // There is one on all ranks or on none.
  void forget_window() const {
    if (const std::shared_ptr<PanelWindow> window = PanelWindow::of(x_.comm); window->raw() != MPI_WIN_NULL)
      window->forget(x_.comm);
  }
  // None where MPI has no memory for it.
  std::shared_ptr<PanelWindow> window_for(const PanelPlaces& places) const {
    std::shared_ptr<PanelWindow> window = PanelWindow::of(x_.comm);
    try {
      window->require(x_.comm, places.bytes());
    } catch (const RuntimeError&) {  // on all ranks
      return {};
    }
    return window;
  }

  void load(Run& run) {
    const PanelGrid& grid = x_.deal.grid;
    for (Int s = 0; s < grid.of_a; ++s)
      run.load(Run::A, {x_.row(), grid.number_in_a(x_.col(), s)}, std::move(a_[place(s)]));
    for (Int s = 0; s < grid.of_b; ++s)
      run.load(Run::B, {grid.number_in_b(x_.row(), s), x_.col()}, std::move(b_[place(s)]));
    run.load({x_.row(), x_.col()}, start());
  }
  // What is forgotten of C leaves its memory. With a limit there is as much as C is expected to need.
  Blocks<T> start() {
    const Int room = options_.memory_words ? planner_.room_of_c() : 0;
    Blocks<T> x = none_like(C_.local());
    if (!x_.limits.forgets_all(x_.beta)) {
      x_.limits.scale(x_.beta, C_);
      x = C_.take();
    } else if (options_.memory_words) {
      C_.clear();
    } else {
      x.values = C_.take().values;
      x.values.clear();
    }
    reserve(x.values, place(room));
    return x;
  }
  // Memory that C has not needed, where there is room to copy it.
  void give_back(Blocks<T>& c) const {
    const auto held = static_cast<Int>(c.values.capacity() + c.values.size());
    if (words_beside(C_, x_.A.matrix(), x_.B.matrix()) + held <= *options_.memory_words) c.values.shrink_to_fit();
  }
  void note(const PanelWork& work) {
    report_.products = work.products, report_.flops = work.flops;
    report_.received = work.arrived.words, report_.received_index = work.arrived.numbers;
    report_.messages = work.arrived.messages, report_.predicted = work.expected_words;
    report_.multiply_seconds = work.multiply_seconds, report_.wait_seconds = work.wait_seconds;
  }

  const T alpha_;
  BlockSparse<T>& C_;
  const BlockProductOptions& options_;
  ProductSetting<T> x_;
  ProductPlanner<T> planner_;
  std::vector<BlockPanel<T>> a_, b_;
  BlockProductReport report_;
};

// alpha = 0
template <class T>
void scale(T beta, BlockSparse<T>& C, const BlockSparse<T>& A, const BlockSparse<T>& B,
           const BlockProductOptions& options) {
  const ProductLimits<T> limits(C, options);
  if (options.memory_words) {
    Int needed = words_beside(C, A, B) + words(C) * (limits.copies(beta) || filters(options) ? 2 : 1);
    needed = over_ranks(C.comm(), MPI_MAX, needed);
    if (needed > *options.memory_words) refuse_memory(*options.memory_words, needed);
  }
  limits.scale(beta, C);
  if (filters(options)) C.filter(options.filter_eps);
}

}  // namespace

template <class T>
BlockProductReport multiply(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                            BlockSparse<T>& C, const BlockProductOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  agree_on_product(op_a, op_b, alpha, A, B, beta, C, options);
  BlockProductReport report;
  if (alpha == T(0))
    scale(beta, C, A, B, options);
  else
    report = Product<T>(alpha, {op_a, A, options.rows, options.inner}, {op_b, B, options.inner, options.cols}, beta, C,
                        options)
                 .run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template <class T>
BlockPlan plan(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
               const BlockSparse<T>& C, const BlockProductOptions& options) {
  agree_on_product(op_a, op_b, alpha, A, B, beta, C, options);
  if (alpha == T(0)) throw ArgumentError("alpha: 0, expected another number: by 0 nothing is multiplied");
  const ProductSetting<T> setting({op_a, A, options.rows, options.inner}, {op_b, B, options.inner, options.cols}, beta,
                                  C, options);
  return ProductPlanner<T>(setting).plan();
}

#define CAIRN_INSTANTIATE(T)                                                                                        \
  template BlockProductReport multiply(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, BlockSparse<T>&, \
                                       const BlockProductOptions&);                                                 \
  template BlockPlan plan(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, const BlockSparse<T>&,        \
                          const BlockProductOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
