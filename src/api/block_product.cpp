// Products of block-sparse matrices: operands are brought to C's grid where they are not, cut into panels, and
// multiplied by a schedule whose elements are these panels. A limited memory is looked at before anything is copied.
#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "api/arguments.hpp"
#include "api/block_ranks.hpp"
#include "api/panel_deal.hpp"
#include "api/product_limits.hpp"
#include "api/product_operand.hpp"
#include "base/scalars.hpp"
#include "cairn/block_sparse.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "model/transport.hpp"
#include "planner/plan_panels.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/largest_of_ranks.hpp"
#include "runtime/sparse/block_operations.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/kept_memory.hpp"
#include "runtime/sparse/large_pages.hpp"
#include "runtime/sparse/panel_run.hpp"
#include "runtime/sparse/symmetry.hpp"
#include "runtime/sparse/threads.hpp"
#include "runtime/transport/self_test.hpp"
#include "schedule/panel_memory.hpp"

namespace cairn {

namespace {

constexpr std::size_t place(Int i) { return static_cast<std::size_t>(i); }

template <class T>
Int words(const BlockSparse<T>& X) {
  return static_cast<Int>(X.local().values.size());
}
// Of A and B, where they are not C.
template <class T>
Int words_beside(const BlockSparse<T>& C, const BlockSparse<T>& A, const BlockSparse<T>& B) {
  return (&A == &C ? 0 : words(A)) + (&B == &C || &B == &A ? 0 : words(B));
}

// A copy of what is large enough takes the place of C.
bool filters(const BlockProductOptions& o) { return o.filter_eps > 0 && !o.retain_sparsity; }

[[noreturn]] void refuse(Int limit, Int needed) {
  throw MemoryError(
      fmt::format("memory: {} words a rank are too few for this product, expected at least {}", limit, needed));
}

template <class T>
class Product {
 public:
  Product(T alpha, ProductOperand<T> A, ProductOperand<T> B, T beta, BlockSparse<T>& C,
          const BlockProductOptions& options)
      : comm_(C.comm()),
        where_(C.where()),
        alpha_(alpha),
        beta_(beta),
        C_(C),
        options_(options),
        limits_(C, options),
        A_(std::move(A)),
        B_(std::move(B)),
        deal_(where_, A_.where(), B_.where()) {
    for (Int q = 0; q < where_.ranks(); ++q)
      ranks_.push_back(static_cast<int>(where_.rank(q / where_.pc, q % where_.pc)));
    me_ = std::find(ranks_.begin(), ranks_.end(), comm_.rank()) - ranks_.begin();
  }

  BlockProductReport run() {
    KeptMemory::of(comm_)->keep(!options_.memory_words);
    std::shared_ptr<const PanelSchedule> schedule;
    if (options_.memory_words) {
      see_sizes();
      schedule = fitting();
    }
    A_.lie_on(deal_.a, &A_.matrix() == &C_, report_.redistributed);  // C is overwritten while panels of it are used
    if (shares())
      B_.lie_with(A_);
    else
      B_.lie_on(deal_.b, &B_.matrix() == &C_, report_.redistributed);
    cut();
    find_sizes();
    if (!schedule) schedule = made(spellings().front());
    report_.algorithm = schedule->wire.algorithm;
    const SizedPanels sizes(*schedule, sizes_a_, sizes_b_, sums_);
    std::optional<PanelPlaces> places;
    if (fetches()) places.emplace(*schedule, sizes, sizeof(T));
    const std::shared_ptr<PanelWindow> window = places ? window_for(*places) : nullptr;
    report_.transport = name_of(window ? Transport::one_sided : Transport::two_sided);
    const std::array<Blocks<T>, 3> none{without_blocks(A_), without_blocks(B_), none_like(C_.local())};
    Blocks<T> result = none[2];
    if (takes_part()) {
      std::optional<SizedPanels> most;
      if (options_.memory_words) most.emplace(*schedule, sizes_a_, sizes_b_, sums_.at_most());
      const PanelRules rules{
          options_.filter_eps, options_.retain_sparsity,   upper(), threads(), most ? &*most : nullptr,
          window.get(),        places ? &*places : nullptr};
      PanelRun<T> run(comm_, *schedule, sizes, ranks_, none, rules);
      load(run);
      note(run.run(alpha_));
      result = run.take({row(), col()});
    } else if (window) {
      window->open(comm_);
    }
    if (window) window->wait();
    if (window && options_.memory_words) window->forget(comm_);
    KeptMemory::of(comm_)->forget_unused();
    A_.drop_copies(), B_.drop_copies();
    make_exact(C_.symmetry(), result);
    if (filters(options_)) filter(result, options_.filter_eps);
    if (options_.memory_words) give_back(result);
    C_.assign(std::move(result));
    return report_;
  }

 private:
  using Run = PanelRun<T>;
  /// Whether only blocks (i, j) with i <= j of C are computed.
  bool upper() const { return C_.symmetry() != Symmetry::general; }
  /// Whether copies of A serve as those of B.
  bool shares() const { return B_.same_as(A_) && deal_.a == deal_.b; }
  bool takes_part() const { return me_ < where_.ranks(); }
  Int row() const { return me_ / where_.pc; }
  Int col() const { return me_ % where_.pc; }
  static Blocks<T> without_blocks(const ProductOperand<T>& X) {
    Blocks<T> none;
    none.row_sizes = X.blocks().pattern.row_sizes, none.col_sizes = X.blocks().pattern.col_sizes;
    return none;
  }

  void cut() {
    std::vector<BlockIndex> in_row;
    if (options_.filter_eps > 0) in_row = blocks_in_rows();
    const auto panel = [&](BlockIndex k) { return deal_.panel[place(k)]; };
    a_ = split<T>(
        A_.blocks(), place(deal_.panels_of_a()),
        [&](BlockIndex, BlockIndex k) { return place(panel(k) % deal_.panels_of_a()); },
        options_.filter_eps > 0 ? &in_row : nullptr);
    b_ = split<T>(B_.blocks(), place(deal_.panels_of_b()),
                  [&](BlockIndex k, BlockIndex) { return place(panel(k) % deal_.panels_of_b()); });
  }
  // Of A, on all ranks.
  std::vector<BlockIndex> blocks_in_rows() const {
    std::vector<BlockIndex> all(A_.rows().size());
    std::vector<double> mine;
    const auto for_each_mine = [&](auto f) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (takes_part() && where_.row[i] == row()) f(i);
    };
    const BlockPattern& x = A_.blocks().pattern;
    for (std::size_t r = 0; r < x.rows.size(); ++r)
      all[place(x.rows[r])] = static_cast<BlockIndex>(x.first[r + 1] - x.first[r]);
    for_each_mine([&](std::size_t i) { mine.push_back(all[i]); });
    sum_along_row(comm_, where_, mine);
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
    for (const BlockPanel<T>& x : a_) add(x, asks() ? columns_with_blocks(x.blocks) : 0);
    for (const BlockPanel<T>& x : b_) add(x, asks() ? static_cast<Int>(x.blocks.rows.size()) : 0);
    const std::vector<Int> all = of_all_ranks(comm_, mine);
    auto A = std::make_shared<PanelSizes>(where_.pr, deal_.V), B = std::make_shared<PanelSizes>(deal_.V, where_.pc);
    for (Int q = 0; q < where_.ranks(); ++q) {
      const Int i = q / where_.pc, j = q % where_.pc;
      const Int* next = all.data() + place(ranks_[place(q)]) * mine.size();
      for (Int s = 0; s < deal_.panels_of_a(); ++s, next += 3)
        A->at(i, j * deal_.panels_of_a() + s) = {next[0], next[1], next[2]};
      for (Int s = 0; s < deal_.panels_of_b(); ++s, next += 3)
        B->at(i * deal_.panels_of_b() + s, j) = {next[0], next[1], next[2]};
    }
    know(A, B);
  }
  // Only on lines of ranks do some have all of A or of B that they multiply. What is cut out is a copy of its own, for
  // which a limited memory may have no room.
  bool asks() const { return (where_.pr == 1 || where_.pc == 1) && where_.ranks() > 1 && !options_.memory_words; }
  // The words of the same, from patterns alone.
  void see_sizes() {
    auto A = std::make_shared<PanelSizes>(where_.pr, deal_.V), B = std::make_shared<PanelSizes>(deal_.V, where_.pc);
    std::vector<double> all(place(deal_.V * (where_.pr + where_.pc)));
    double *const of_a = all.data(), *const of_b = of_a + deal_.V * where_.pr;
    A_.for_each_block([&](BlockIndex i, BlockIndex k, Int words) {
      of_a[where_.row[place(i)] * deal_.V + deal_.panel[place(k)]] += static_cast<double>(words);
    });
    B_.for_each_block([&](BlockIndex k, BlockIndex j, Int words) {
      of_b[deal_.panel[place(k)] * where_.pc + where_.col[place(j)]] += static_cast<double>(words);
    });
    sum_over_ranks(comm_, std::span<double>(all));
    for (Int s = 0; s < deal_.V; ++s) {
      for (Int i = 0; i < where_.pr; ++i) A->at(i, s).words = std::llround(of_a[i * deal_.V + s]);
      for (Int j = 0; j < where_.pc; ++j) B->at(s, j).words = std::llround(of_b[s * where_.pc + j]);
    }
    know(A, B);
  }
  void know(const SizedPanels::Sizes& A, const SizedPanels::Sizes& B) {
    sizes_a_ = A, sizes_b_ = B;
    const BlockRange inner = options_.inner.value_or(ProductLimits<T>::all(A_.cols()));
    sums_ = ExpectedSums(*A, *B, panel_parts(A_.rows(), limits_.rows(), where_.row, where_.pr),
                         panel_parts(B_.cols(), limits_.cols(), where_.col, where_.pc),
                         panel_parts(A_.cols(), inner, deal_.panel, deal_.V));
    if (upper()) sums_ = sums_.of_shares(upper_shares());
    problem_ = panel_problem(*A, *B, where_.pr, where_.pc, sums_);
    problem_.stays = options_.retain_sparsity;
  }
  // Of the elements of each panel of C, those in blocks (i, j) with i <= j.
  std::vector<double> upper_shares() const {
    std::vector<double> above(place(where_.pr)), left(place(where_.pc)), shares(place(where_.pr * where_.pc));
    for (BlockIndex i = limits_.rows().from; i < limits_.rows().to; ++i) {
      const double size = C_.rows()[place(i)];
      const Int col = where_.col[place(i)];
      above[place(where_.row[place(i)])] += size, left[place(col)] += size;
      for (Int r = 0; r < where_.pr; ++r) shares[place(r * where_.pc + col)] += size * above[place(r)];
    }
    for (Int q = 0; q < where_.ranks(); ++q)
      if (const double all = above[place(q / where_.pc)] * left[place(q % where_.pc)]; all > 0) shares[place(q)] /= all;
    return shares;
  }
  std::vector<std::string> spellings() const {
    if (!options_.algorithm.empty()) return {options_.algorithm};
    std::vector<std::string> all;
    for (const PanelCandidate& c : panel_candidates(problem_)) all.push_back(print(c.form));
    return all;
  }
  std::shared_ptr<const PanelSchedule> fitting() {
    Int least = std::numeric_limits<Int>::max();
    for (const std::string& spelling : spellings()) {
      std::shared_ptr<const PanelSchedule> schedule = made(spelling);
      const auto [mine, sums] = memory_needed(*schedule);
      Int needed = mine;
      largest(comm_, std::span<Int>(&needed, 1));
      parts_fit_ = mine + 3 * sums <= *options_.memory_words;
      if (needed <= *options_.memory_words) return schedule;
      least = std::min(least, needed);
    }
    refuse(*options_.memory_words, least);
  }
  // Threads hold their parts of sums beside these, in vectors that grow.
  int threads() const {
    const int wanted = options_.threads > 0 ? options_.threads : threads_given();
    return parts_fit_ ? wanted : 1;
  }
  // Words that this rank holds at most: while A and then B are copied, C gets its memory, panels are multiplied, and C
  // is filtered; and those of sums among them.
  std::pair<Int, Int> memory_needed(const PanelSchedule& schedule) const {
    PanelMemory run;
    if (takes_part()) run = panel_memory(schedule, SizedPanels(schedule, sizes_a_, sizes_b_, sums_.at_most()), me_);
    const auto a = A_.copies(deal_.a, &A_.matrix() == &C_, run.own_a),
               b = shares() ? decltype(a){} : B_.copies(deal_.b, &B_.matrix() == &C_, run.own_b);
    const Int before = words(C_), beside = words_beside(C_, A_.matrix(), B_.matrix()), copies = a.stay + b.stay;
    const auto [within, elsewhere] = limits_.kept(beta_, C_.local());
    const Int c = room_of_c(), moved = options_.retain_sparsity ? 0 : within + elsewhere;
    run.own_a = run.own_b = 0, run.own_c = c;
    const Int most = std::max({before + a.most, before + a.stay + b.most, copies + moved + std::max(before, c),
                               copies + run.peak(), filters(options_) ? 2 * c : 0});
    return {beside + most, c + run.partial};
  }
  // Words of C, with what it has already.
  Int room_of_c() const {
    const auto [within, elsewhere] = limits_.kept(beta_, C_.local());
    if (options_.retain_sparsity || !takes_part()) return within + elsewhere;
    const Int computed = sums_.at_most().of(1).at(row(), col()).words;
    return elsewhere + std::min(within + computed, sums_.elements(row(), col()));
  }
  std::shared_ptr<const PanelSchedule> made(const std::string& spelling) const {
    const std::string key = fmt::format("panels {}x{} {} {}", where_.pr, where_.pc, where_.row_major, spelling);
    auto schedule = std::static_pointer_cast<const PanelSchedule>(comm_.state().cache.get(key, [&]() -> Cache::Value {
      auto made = std::make_shared<PanelSchedule>(make_panel_schedule(problem_, spelling).wire, me_);
      return {made, bytes_of(made->wire)};
    }));
    if (options_.retain_sparsity && schedule->sums_travel())
      throw ArgumentError(
          fmt::format("algorithm: {} adds up C from several ranks, expected one by which C stays where "
                      "its sparsity is retained, as fetch25d on one layer",
                      spelling));
    return schedule;
  }

  bool fetches() const {
    return transport_named(options_.transport) == Transport::one_sided && one_sided_trouble(comm_).empty();
  }
  // None where MPI has no memory for it.
  std::shared_ptr<PanelWindow> window_for(const PanelPlaces& places) const {
    std::shared_ptr<PanelWindow> window = PanelWindow::of(comm_);
    try {
      window->require(comm_, places.bytes());
    } catch (const RuntimeError&) {  // on all ranks
      return {};
    }
    return window;
  }

  void load(Run& run) {
    for (Int s = 0; s < deal_.panels_of_a(); ++s)
      run.load(Run::A, {row(), col() * deal_.panels_of_a() + s}, std::move(a_[place(s)]));
    for (Int s = 0; s < deal_.panels_of_b(); ++s)
      run.load(Run::B, {row() * deal_.panels_of_b() + s, col()}, std::move(b_[place(s)]));
    run.load({row(), col()}, start());
  }
  // What is forgotten of C leaves its memory. With a limit there is as much as C is expected to need.
  Blocks<T> start() {
    const Int room = options_.memory_words ? room_of_c() : 0;
    Blocks<T> x = none_like(C_.local());
    if (!limits_.forgets_all(beta_)) {
      limits_.scale(beta_, C_);
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
    if (words_beside(C_, A_.matrix(), B_.matrix()) + held <= *options_.memory_words) c.values.shrink_to_fit();
  }
  void note(const PanelWork& work) {
    report_.products = work.products, report_.flops = work.flops;
    report_.received = work.arrived.words, report_.received_index = work.arrived.numbers;
    report_.messages = work.arrived.messages, report_.predicted = work.expected_words;
    report_.multiply_seconds = work.multiply_seconds, report_.wait_seconds = work.wait_seconds;
  }

  const Comm& comm_;
  const BlockDistribution& where_;
  const T alpha_, beta_;
  BlockSparse<T>& C_;
  const BlockProductOptions& options_;
  const ProductLimits<T> limits_;
  ProductOperand<T> A_, B_;
  const PanelDeal deal_;
  PanelProblem problem_;
  SizedPanels::Sizes sizes_a_, sizes_b_;
  ExpectedSums sums_;
  Int me_ = 0;
  bool parts_fit_ = true;   // of sums, into the memory
  std::vector<int> ranks_;  // of the communicator, by place in C's grid
  std::vector<BlockPanel<T>> a_, b_;
  BlockProductReport report_;
};

template <class T>
std::optional<std::string> problem_with(Op op_a, const BlockSparse<T>& A, Op op_b, const BlockSparse<T>& B, T beta,
                                        const BlockSparse<T>& C, const BlockProductOptions& options) {
  const auto differ = [](const char* x, const BlockSizes& a, const char* y, const BlockSizes& b) {
    return fmt::format("{}: {} blocks, expected the {} blocks of {}, of the same sizes", x, a.size(), b.size(), y);
  };
  if (auto problem = unless_same_ranks("A", A.comm(), "C", C.comm())) return problem;
  if (auto problem = unless_same_ranks("B", B.comm(), "C", C.comm())) return problem;
  const ProductOperand<T> left(op_a, A, {}, {}), right(op_b, B, {}, {});
  if (left.cols() != right.rows()) return differ("rows of op(B)", right.rows(), "the columns of op(A)", left.cols());
  if (left.rows() != C.rows()) return differ("rows of C", C.rows(), "the rows of op(A)", left.rows());
  if (right.cols() != C.cols()) return differ("columns of C", C.cols(), "the columns of op(B)", right.cols());
  const auto outside = [](const char* what, const std::optional<BlockRange>& x,
                          const BlockSizes& of) -> std::optional<std::string> {
    const BlockRange all = ProductLimits<T>::all(of);
    if (!x || (0 <= x->from && x->from <= x->to && x->to <= all.to)) return {};
    return fmt::format("{}: blocks {} to {}, expected a range of 0 to {}", what, x->from, x->to, all.to);
  };
  if (auto problem = outside("rows", options.rows, C.rows())) return problem;
  if (auto problem = outside("cols", options.cols, C.cols())) return problem;
  if (auto problem = outside("inner", options.inner, left.cols())) return problem;
  if (!options.transport.empty() && options.transport != name_of(Transport::two_sided) &&
      options.transport != name_of(Transport::one_sided))
    return fmt::format("transport: '{}' is unknown, expected one of {}, {}", options.transport,
                       name_of(Transport::two_sided), name_of(Transport::one_sided));
  if (C.symmetry() != Symmetry::general && options.rows != options.cols)
    return fmt::format("cols: other blocks than those of rows, expected the same where C is {}", name_of(C.symmetry()));
  if (auto problem = unless_real("beta", C.symmetry(), beta)) return problem;
  if (options.memory_words.value_or(0) < 0)
    return fmt::format("memory: {} words, expected 0 or more", *options.memory_words);
  if (options.threads < 0) return fmt::format("threads: {}, expected 1 or more, or 0", options.threads);
  if (!(options.filter_eps >= 0)) return fmt::format("filter_eps: {}, expected 0 or more", options.filter_eps);
  return {};
}

std::string text_of(const std::optional<BlockRange>& x) {
  return x ? fmt::format("{}:{}", x->from, x->to) : std::string("all");
}

// alpha = 0
template <class T>
void scale(T beta, BlockSparse<T>& C, const BlockSparse<T>& A, const BlockSparse<T>& B,
           const BlockProductOptions& options) {
  const ProductLimits<T> limits(C, options);
  if (options.memory_words) {
    Int needed = words_beside(C, A, B) + words(C) * (limits.copies(beta) || filters(options) ? 2 : 1);
    largest(C.comm(), std::span<Int>(&needed, 1));
    if (needed > *options.memory_words) refuse(*options.memory_words, needed);
  }
  limits.scale(beta, C);
  if (filters(options)) C.filter(options.filter_eps);
}

}  // namespace

template <class T>
BlockProductReport multiply(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                            BlockSparse<T>& C, const BlockProductOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  C.comm().agree(problem_with(op_a, A, op_b, B, beta, C, options), "arguments of the product",
                 fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", name_of(op_a), name_of(op_b), text_of(alpha),
                             text_of(beta), options.filter_eps, options.retain_sparsity, text_of(options.rows),
                             text_of(options.cols), text_of(options.inner), options.algorithm, options.transport,
                             options.memory_words.value_or(-1), name_of(scalar_type_of<T>)));
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

#define CAIRN_INSTANTIATE(T)                                                                                        \
  template BlockProductReport multiply(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, BlockSparse<T>&, \
                                       const BlockProductOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
