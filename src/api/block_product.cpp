// Products of block-sparse matrices: operands are brought to C's grid where they are not, cut into panels, and
// multiplied by a schedule whose elements are these panels.
#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "api/arguments.hpp"
#include "base/scalars.hpp"
#include "cairn/block_sparse.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "planner/plan_panels.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/largest_of_ranks.hpp"
#include "runtime/sparse/block_operations.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/kept_memory.hpp"
#include "runtime/sparse/panel_run.hpp"
#include "runtime/sparse/threads.hpp"

namespace cairn {

namespace {

constexpr std::size_t place(Int i) { return static_cast<std::size_t>(i); }

// Where C is computed, and what is in it then: see BlockProductOptions.
template <class T>
class Limits {
 public:
  Limits(const BlockSparse<T>& C, const BlockProductOptions& o)
      : rows_(o.rows.value_or(all(C.rows()))),
        cols_(o.cols.value_or(all(C.cols()))),
        everywhere_(rows_ == all(C.rows()) && cols_ == all(C.cols())),
        retains_(o.retain_sparsity) {}

  static BlockRange all(const BlockSizes& sizes) { return {0, static_cast<BlockIndex>(sizes.size())}; }

  /// beta·C there, where beta = 0 forgets the pattern unless it is retained.
  void scale(T beta, BlockSparse<T>& C) const {
    if (beta == T(0) && !retains_) {
      if (everywhere_)
        C.clear();
      else
        C.assign(cropped(C.local(), rows_, cols_, true));
    } else if (beta != T(1)) {
      C.for_each([&](BlockIndex i, BlockIndex j, MatrixView<T> x) {
        if (!rows_.has(i) || !cols_.has(j)) return;
        for (Int w = 0; w < x.rows * x.cols; ++w) x.data[w] = beta == T(0) ? T(0) : beta * x.data[w];
      });
    }
  }
  /// Whether nothing of C is left for beta = 0.
  bool forgets_all(T beta) const { return beta == T(0) && !retains_ && everywhere_; }

 private:
  BlockRange rows_, cols_;
  bool everywhere_, retains_;
};

template <class T>
class Product {
 public:
  Product(T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta, BlockSparse<T>& C,
          const BlockProductOptions& options)
      : comm_(C.comm()), where_(C.where()), alpha_(alpha), beta_(beta), C_(C), options_(options) {
    problem_.pr = where_.pr, problem_.pc = where_.pc;
    problem_.stays = options.retain_sparsity;
    V_ = problem_.k();
    for (Int q = 0; q < where_.ranks(); ++q)
      ranks_.push_back(static_cast<int>(where_.rank(q / where_.pc, q % where_.pc)));
    me_ = std::find(ranks_.begin(), ranks_.end(), comm_.rank()) - ranks_.begin();
    bring(A, B);
  }

  BlockProductReport run() {
    cut();
    find_sizes();
    const std::shared_ptr<const PanelSchedule> schedule = planned();
    if (options_.retain_sparsity && schedule->sums_travel())
      throw ArgumentError(
          fmt::format("algorithm: {} adds up C from several ranks, expected one by which C stays where "
                      "its sparsity is retained, as fetch25d on one layer",
                      options_.algorithm));
    report_.algorithm = schedule->wire.algorithm;
    const std::array<Blocks<T>, 3> none{none_like(A_->local()), none_like(B_->local()), none_like(C_.local())};
    Blocks<T> result = none[2];
    if (takes_part()) {
      const int threads = options_.threads > 0 ? options_.threads : threads_given();
      const PanelRules rules{options_.filter_eps, options_.retain_sparsity, threads};
      const SizedPanels sizes(*schedule, sizes_a_, sizes_b_, sums_);
      PanelRun<T> run(comm_, *schedule, sizes, ranks_, none, rules);
      load(run);
      note(run.run(alpha_));
      result = run.take({row(), col()});
    }
    KeptMemory::of(comm_)->forget_unused();
    if (!options_.retain_sparsity) filter(result, options_.filter_eps);
    C_.assign(std::move(result));
    return report_;
  }

 private:
  using Run = PanelRun<T>;
  bool takes_part() const { return me_ < where_.ranks(); }
  Int row() const { return me_ / where_.pc; }
  Int col() const { return me_ % where_.pc; }
  Int panels_of_a() const { return V_ / where_.pc; }
  Int panels_of_b() const { return V_ / where_.pr; }

  // Each block of the inner dimension gets a panel, such that operands need not move if they lie well.
  void bring(const BlockSparse<T>& A, const BlockSparse<T>& B) {
    const auto on_grid = [&](const BlockDistribution& x) {
      return x.pr == where_.pr && x.pc == where_.pc && x.row_major == where_.row_major;
    };
    const bool a_fits = on_grid(A.where()) && A.where().row == where_.row,
               b_fits = on_grid(B.where()) && B.where().col == where_.col;
    const Int blocks = static_cast<Int>(A.cols().size());
    panel_.resize(place(blocks));
    std::vector<BlockIndex> of_a(panel_.size()), of_b(panel_.size());
    std::vector<Int> dealt(place(where_.pr * where_.pc));  // to pairs of a column and a row
    for (Int k = 0; k < blocks; ++k) {
      const Int a = a_fits ? A.where().col[place(k)] : -1, b = b_fits ? B.where().row[place(k)] : -1;
      panel_[place(k)] = panel_for(a, b, dealt, k);
      of_a[place(k)] = static_cast<BlockIndex>(panel_[place(k)] / panels_of_a());
      of_b[place(k)] = static_cast<BlockIndex>(panel_[place(k)] / panels_of_b());
    }
    A_ = moved(A, {where_.pr, where_.pc, where_.row, std::move(of_a), where_.row_major}, brought_a_);
    B_ = moved(B, {where_.pr, where_.pc, std::move(of_b), where_.col, where_.row_major}, brought_b_);
  }
  // Of the panels on column a of the grid and row b, those that both have, in turn; of a, or of b, alone if none.
  Int panel_for(Int a, Int b, std::vector<Int>& dealt, Int k) const {
    Range of{0, V_};
    if (a >= 0) of = {a * panels_of_a(), (a + 1) * panels_of_a()};
    if (b >= 0) {
      const Range of_b{b * panels_of_b(), (b + 1) * panels_of_b()};
      of = intersect(of, of_b).empty() ? of : intersect(of, of_b);
    }
    Int& turn = a >= 0 && b >= 0 ? dealt[place(b * where_.pc + a)] : k;
    return of.lo + turn++ % of.size();
  }
  const BlockSparse<T>* moved(const BlockSparse<T>& X, BlockDistribution to, std::optional<BlockSparse<T>>& brought_x) {
    if (X.where() == to && &X != &C_) return &X;
    if (X.where() == to) return &brought_x.emplace(X);  // C is overwritten while panels of it are used
    brought_x.emplace(comm_, X.rows(), X.cols(), std::move(to));
    brought_x->assign(brought(comm_, X.local(), brought_x->where(), report_.redistributed));
    return &*brought_x;
  }

  void cut() {
    std::vector<BlockIndex> in_row;
    if (options_.filter_eps > 0) in_row = blocks_in_rows();
    const auto panel = [&](BlockIndex k) { return panel_[place(k)]; };
    a_ = split<T>(
        A_->local(), place(panels_of_a()), [&](BlockIndex, BlockIndex k) { return place(panel(k) % panels_of_a()); },
        options_.filter_eps > 0 ? &in_row : nullptr);
    b_ = split<T>(B_->local(), place(panels_of_b()),
                  [&](BlockIndex k, BlockIndex) { return place(panel(k) % panels_of_b()); });
  }
  // Of A, on all ranks.
  std::vector<BlockIndex> blocks_in_rows() const {
    std::vector<BlockIndex> all(A_->rows().size());
    std::vector<double> mine;
    const auto for_each_mine = [&](auto f) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (takes_part() && where_.row[i] == row()) f(i);
    };
    const Blocks<T>& x = A_->local();
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
    for (const auto* panels : {&a_, &b_})
      for (const Panel<T>& x : *panels) {
        mine.push_back(x.words);
        mine.push_back(static_cast<Int>(x.index.size()));
      }
    const std::vector<Int> all = of_all_ranks(comm_, mine);
    auto A = std::make_shared<PanelSizes>(where_.pr, V_), B = std::make_shared<PanelSizes>(V_, where_.pc);
    for (Int q = 0; q < where_.ranks(); ++q) {
      const Int i = q / where_.pc, j = q % where_.pc;
      const Int* next = all.data() + place(ranks_[place(q)]) * mine.size();
      for (Int s = 0; s < panels_of_a(); ++s, next += 2) A->at(i, j * panels_of_a() + s) = {next[0], next[1]};
      for (Int s = 0; s < panels_of_b(); ++s, next += 2) B->at(i * panels_of_b() + s, j) = {next[0], next[1]};
    }
    sizes_a_ = A, sizes_b_ = B;
    sums_ = ExpectedSums(*A, *B, parts(A_->rows(), where_.row, where_.pr), parts(B_->cols(), where_.col, where_.pc),
                         parts(A_->cols(), panel_, V_));
    problem_.a = static_cast<double>(A->words()), problem_.b = static_cast<double>(B->words());
    problem_.sums = [this](double share) { return sums_.words(share); };
  }
  static PanelParts parts(const BlockSizes& sizes, const std::vector<BlockIndex>& part_of, Int count) {
    PanelParts all(place(count));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      PanelPart& part = all[place(part_of[i])];
      part.elements += sizes[i], ++part.blocks;
    }
    return all;
  }
  std::shared_ptr<const PanelSchedule> planned() {
    std::vector<std::string> spellings{options_.algorithm};
    if (options_.algorithm.empty()) {
      spellings.clear();
      for (const PanelCandidate& c : panel_candidates(problem_)) spellings.push_back(print(c.form));
    }
    if (!options_.memory_words) return made(spellings.front());
    KeptMemory::of(comm_)->forget_all();
    Int least = std::numeric_limits<Int>::max();
    for (const std::string& spelling : spellings) {
      const std::shared_ptr<const PanelSchedule> schedule = made(spelling);
      const Int needed = memory_needed(*schedule);
      if (needed <= *options_.memory_words) return schedule;
      least = std::min(least, needed);
    }
    throw MemoryError(fmt::format("memory: {} words a rank are too few for this product, expected at least {}",
                                  *options_.memory_words, least));
  }
  // Of the fullest rank, if C is as it is expected. Collective.
  Int memory_needed(const PanelSchedule& schedule) const {
    Int needed = 0;
    if (takes_part()) needed = panel_memory(schedule, SizedPanels(schedule, sizes_a_, sizes_b_, sums_), me_).peak();
    largest(comm_, std::span<Int>(&needed, 1));
    return needed;
  }
  std::shared_ptr<const PanelSchedule> made(const std::string& spelling) const {
    const std::string key = fmt::format("panels {}x{} {} {}", where_.pr, where_.pc, where_.row_major, spelling);
    return std::static_pointer_cast<const PanelSchedule>(comm_.state().cache.get(key, [&]() -> Cache::Value {
      auto made = std::make_shared<PanelSchedule>(make_panel_schedule(problem_, spelling).wire, me_);
      return {made, bytes_of(made->wire)};
    }));
  }

  void load(Run& run) {
    for (Int s = 0; s < panels_of_a(); ++s)
      run.load(Run::A, {row(), col() * panels_of_a() + s}, std::move(a_[place(s)]));
    for (Int s = 0; s < panels_of_b(); ++s)
      run.load(Run::B, {row() * panels_of_b() + s, col()}, std::move(b_[place(s)]));
    run.load({row(), col()}, start());
  }
  // What is forgotten of C leaves its memory.
  Blocks<T> start() {
    const Limits<T> limits(C_, options_);
    if (!limits.forgets_all(beta_)) {
      limits.scale(beta_, C_);
      return C_.take();
    }
    Blocks<T> x = none_like(C_.local());
    x.values = C_.take().values;
    x.values.clear();
    return x;
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
  PanelProblem problem_;
  SizedPanels::Shared sizes_a_, sizes_b_;
  ExpectedSums sums_;
  Int V_ = 1, me_ = 0;
  std::vector<int> ranks_;         // of the communicator, by place in C's grid
  std::vector<BlockIndex> panel_;  // by block of the inner dimension
  std::optional<BlockSparse<T>> brought_a_, brought_b_;
  const BlockSparse<T>*A_ = nullptr, *B_ = nullptr;
  std::vector<Panel<T>> a_, b_;
  BlockProductReport report_;
};

template <class T>
std::optional<std::string> problem_with(const BlockSparse<T>& A, const BlockSparse<T>& B, const BlockSparse<T>& C,
                                        const BlockProductOptions& options) {
  const auto differ = [](const char* x, const BlockSizes& a, const char* y, const BlockSizes& b) {
    return fmt::format("{}: {} blocks, expected the {} blocks of {}, of the same sizes", x, a.size(), b.size(), y);
  };
  if (A.cols() != B.rows()) return differ("rows of op(B)", B.rows(), "the columns of op(A)", A.cols());
  if (A.rows() != C.rows()) return differ("rows of C", C.rows(), "the rows of op(A)", A.rows());
  if (B.cols() != C.cols()) return differ("columns of C", C.cols(), "the columns of op(B)", B.cols());
  const auto outside = [](const char* what, const std::optional<BlockRange>& x,
                          const BlockSizes& of) -> std::optional<std::string> {
    const BlockRange all = Limits<T>::all(of);
    if (!x || (0 <= x->from && x->from <= x->to && x->to <= all.to)) return {};
    return fmt::format("{}: blocks {} to {}, expected a range of 0 to {}", what, x->from, x->to, all.to);
  };
  if (auto problem = outside("rows", options.rows, C.rows())) return problem;
  if (auto problem = outside("cols", options.cols, C.cols())) return problem;
  if (auto problem = outside("inner", options.inner, A.cols())) return problem;
  if (options.threads < 0) return fmt::format("threads: {}, expected 1 or more, or 0", options.threads);
  if (!(options.filter_eps >= 0)) return fmt::format("filter_eps: {}, expected 0 or more", options.filter_eps);
  return {};
}

std::string text_of(const std::optional<BlockRange>& x) {
  return x ? fmt::format("{}:{}", x->from, x->to) : std::string("all");
}

// All that is left of an operand by its limits; nothing where there are none.
template <class T>
std::optional<BlockSparse<T>> limited(const BlockSparse<T>& X, const std::optional<BlockRange>& rows,
                                      const std::optional<BlockRange>& cols) {
  if (!rows && !cols) return {};
  return X.cropped(rows.value_or(Limits<T>::all(X.rows())), cols.value_or(Limits<T>::all(X.cols())));
}

}  // namespace

template <class T>
BlockProductReport multiply(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                            BlockSparse<T>& C, const BlockProductOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto seen = [](Op op, const BlockSparse<T>& X) {
    return op == Op::none ? std::nullopt : std::optional(X.transposed(op));
  };
  const std::optional<BlockSparse<T>> turned_a = seen(op_a, A), turned_b = seen(op_b, B);
  const BlockSparse<T>&left = turned_a ? *turned_a : A, &right = turned_b ? *turned_b : B;
  C.comm().agree(problem_with(left, right, C, options), "arguments of the product",
                 fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", name_of(op_a), name_of(op_b), text_of(alpha),
                             text_of(beta), options.filter_eps, options.retain_sparsity, text_of(options.rows),
                             text_of(options.cols), text_of(options.inner), options.algorithm,
                             options.memory_words.value_or(-1), name_of(scalar_type_of<T>)));
  BlockProductReport report;
  if (alpha == T(0)) {
    Limits<T>(C, options).scale(beta, C);
    if (!options.retain_sparsity) C.filter(options.filter_eps);
  } else {
    const std::optional<BlockSparse<T>> part_a = limited(left, options.rows, options.inner),
                                        part_b = limited(right, options.inner, options.cols);
    report = Product<T>(alpha, part_a ? *part_a : left, part_b ? *part_b : right, beta, C, options).run();
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

#define CAIRN_INSTANTIATE(T)                                                                                        \
  template BlockProductReport multiply(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, BlockSparse<T>&, \
                                       const BlockProductOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
