#include "api/product_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

#include "api/line_words.hpp"
#include "api/plan_on_this_node.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "model/transport.hpp"
#include "planner/best_first.hpp"
#include "planner/limits.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/problem_text.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/transport/lone_messages.hpp"
#include "runtime/transport/self_test.hpp"
#include "schedule/panel_memory.hpp"

namespace cairn {

namespace {

std::vector<BlockIndex> numbers(Int count) {
  std::vector<BlockIndex> all(place(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

BlockDim dim(const BlockSizes& sizes, BlockRange range) {
  return BlockDim::of(std::span(sizes).subspan(place(range.from), place(range.to - range.from)));
}

double share(double words, const BlockDim& rows, const BlockDim& cols) {
  const double all = expected_words(rows, cols, 1);
  return all > 0 ? std::min(1.0, words / all) : 0;
}

// The same for words that differ by less than an eighth or so; exact, as all ranks must find the same.
Int about(Int words) {
  constexpr int digits = 4;
  const int more = std::bit_width(static_cast<std::uint64_t>(words)) - digits;
  return more > 0 ? words >> more << more : words;
}

// As many numbers as in random panels of as many words.
std::shared_ptr<PanelSizes> indexed(PanelSizes sizes, const PanelParts& rows, const PanelParts& cols, bool filtered) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < cols.size(); ++j) {
      PanelSizes::Size& x = sizes.at(static_cast<Int>(i), static_cast<Int>(j));
      const double all = rows[i].elements * cols[j].elements;
      if (x.words > 0)
        x.numbers =
            std::llround(index_numbers(rows[i].blocks, cols[j].blocks, std::min(1.0, real(x.words) / all), filtered));
    }
  return std::make_shared<PanelSizes>(std::move(sizes));
}

}  // namespace

void refuse_memory(Int limit, Int needed) { throw MemoryError(too_few_words(limit, "this product", needed)); }

template <class T>
Transport ProductPlanner<T>::transport() const {
  constexpr Int few = Int{1} << 14;  // words of a rank, which libraries hand over soon enough
  const BlockProductOptions& o = x_.options;
  const bool open =
      o.transport.empty() && !o.memory_words && panels_.A->words() + panels_.B->words() >= few * x_.comm.size();
  const bool fetches = open ? messages_need_sender(x_.comm) : transport_named(o.transport) == Transport::one_sided;
  return fetches && one_sided_trouble(x_.comm).empty() ? Transport::one_sided : Transport::two_sided;
}

template <class T>
void ProductPlanner<T>::see() {
  const std::vector<BlockIndex>& panel = x_.deal.panel;
  const auto words = [&](Int parts, const std::vector<BlockIndex>& part_of) {
    return LineWords(x_.comm, x_.A, x_.B, x_.where, parts, part_of);
  };
  const Int blocks = static_cast<Int>(panel.size());
  OperandSizes all = x_.asks() ? OperandSizes(x_.deal, words(blocks, numbers(blocks)), panel)
                               : OperandSizes(x_.deal, words(x_.deal.grid.k, panel));
  know(std::make_shared<PanelSizes>(std::move(all.A)), std::make_shared<PanelSizes>(std::move(all.B)));
  panels_.A = indexed(*panels_.A, panels_.m, panels_.k, x_.options.filter_eps > 0);
  panels_.B = indexed(*panels_.B, panels_.k, panels_.n, false);
}

template <class T>
void ProductPlanner<T>::know(SizedPanels::Sizes A, SizedPanels::Sizes B) {
  panels_ = known_panels(x_.deal.grid, std::move(A), std::move(B),
                         panel_parts(x_.A.rows(), x_.limits.rows(), x_.where.row, x_.where.pr),
                         panel_parts(x_.B.cols(), x_.limits.cols(), x_.where.col, x_.where.pc),
                         panel_parts(x_.A.cols(), x_.limits.inner(), x_.deal.panel, x_.deal.grid.k),
                         x_.upper() ? upper_shares() : std::vector<double>{});
  panels_.problem.stays = x_.options.retain_sparsity;
}

// Of the elements of each panel of C, those in blocks (i, j) with i <= j.
template <class T>
std::vector<double> ProductPlanner<T>::upper_shares() const {
  const BlockDistribution& where = x_.where;
  const BlockRange rows = x_.limits.rows();
  std::vector<double> above(place(where.pr)), left(place(where.pc)), shares(place(where.pr * where.pc));
  for (BlockIndex i = rows.from; i < rows.to; ++i) {
    const double size = x_.C.rows()[place(i)];
    const Int col = where.col[place(i)];
    above[place(where.row[place(i)])] += size, left[place(col)] += size;
    for (Int r = 0; r < where.pr; ++r) shares[place(r * where.pc + col)] += size * above[place(r)];
  }
  for (Int q = 0; q < where.ranks(); ++q)
    if (const double all = above[place(q / where.pc)] * left[place(q % where.pc)]; all > 0) shares[place(q)] /= all;
  return shares;
}

template <class T>
std::vector<std::string> ProductPlanner<T>::spellings() {
  if (!x_.options.algorithm.empty()) return {x_.options.algorithm};
  std::vector<std::string> all;
  for (const PanelCandidate& c : best_by_clock(panel_candidates(panels_.problem))) all.push_back(print(c.form));
  return all;
}

// In layers fewer words may arrive, but sums arrive last and are waited for: the clock says which is faster, once for
// products of about the same sizes, where asking it takes little of a product's time.
template <class T>
std::vector<PanelCandidate> ProductPlanner<T>::best_by_clock(std::vector<PanelCandidate> all) {
  const std::vector<Int> compared = first_of_each_number_of_layers(all);
  double panels = 0;
  for (const Int i : compared) panels += panels_that_travel(all[place(i)].form);
  by_clock_ = all.front().form.layers() > 1 && panels * limits.words_a_panel <= all.front().received;
  if (!by_clock_) return all;
  const std::shared_ptr<const Machine> machine = machine_if_known(x_.comm);
  by_clock_ = machine != nullptr;
  if (!by_clock_) return all;
  const BlockProblem p = problem();
  const std::string key =
      fmt::format("layers {}x{} {} {} {}x{}x{} {} {}", x_.where.pr, x_.where.pc, name_of(p.type), x_.upper(),
                  p.m.elements(), p.n.elements(), p.k.elements(), about(panels_.A->words()), about(panels_.B->words()));
  const auto chosen = x_.comm.state().cache.template get<const std::string>(key, [&]() -> Cache::Value {
    const Int mine = fastest(all, compared, *machine, seconds_per_flop(*machine, p));
    const Int same = over_ranks(x_.comm, MPI_MAX, mine);  // on all ranks
    return {std::make_shared<std::string>(print(all[place(same)].form)), 0};
  });
  const auto best =
      std::find_if(all.begin(), all.end(), [&](const PanelCandidate& c) { return print(c.form) == *chosen; });
  std::rotate(all.begin(), best, best + 1);
  return all;
}

// Of these candidates, the one with the fewest words among those that are as fast as the fastest.
template <class T>
Int ProductPlanner<T>::fastest(const std::vector<PanelCandidate>& all, const std::vector<Int>& compared,
                               const Machine& machine, double seconds_per_flop) const {
  struct Clocked {
    Int place;
    double words, seconds;
  };
  std::vector<Clocked> clocked;
  for (const Int i : compared) {
    const std::shared_ptr<const PanelSchedule> schedule = made(print(all[place(i)].form));
    const SizedPanels sized = sizes(*schedule);
    const PanelFlow flow(*schedule, sized, panels_.k, panels_.sums);
    double words = 0;
    for (const BlockCount& count : count_panels(flow)) words = std::max(words, real(count.words()));
    clocked.push_back(
        {i, words,
         clock_panels(flow, seconds_per_flop, machine, scalar_type_of<T>, Transport::two_sided).last.seconds});
  }
  best_first(
      clocked, Prefer::balanced, machine.precision, [](const Clocked& c) { return c.words; },
      [](const Clocked& c) { return c.seconds; });
  return clocked.front().place;
}

template <class T>
std::shared_ptr<const PanelSchedule> ProductPlanner<T>::fitting() {
  Int least = std::numeric_limits<Int>::max();
  for (const std::string& spelling : spellings()) {
    std::shared_ptr<const PanelSchedule> schedule = made(spelling);
    const auto [mine, sums] = memory_needed(*schedule);
    const Int needed = over_ranks(x_.comm, MPI_MAX, mine);
    spare_ = *x_.options.memory_words - mine, parts_ = 3 * sums;
    if (needed <= *x_.options.memory_words) return schedule;
    least = std::min(least, needed);
  }
  refuse_memory(*x_.options.memory_words, least);
}

// Words that this rank holds at most: while A and then B are copied, C gets its memory, panels are multiplied, and C is
// filtered; and those of sums among them.
template <class T>
std::pair<Int, Int> ProductPlanner<T>::memory_needed(const PanelSchedule& schedule) const {
  MemoryParts run;
  if (x_.takes_part()) run = panel_memory(schedule, sizes_at_most(schedule), x_.me);
  const auto a = x_.A.copies(x_.deal.a, x_.a_is_c(), run.own_a),
             b = x_.shares() ? decltype(a){} : x_.B.copies(x_.deal.b, x_.b_is_c(), run.own_b);
  const Int before = words(x_.C), beside = words_beside(x_.C, x_.A.matrix(), x_.B.matrix()), copies = a.stay + b.stay;
  const auto [within, elsewhere] = x_.limits.kept(x_.beta, x_.C.local());
  const Int c = room_of_c(), moved = x_.options.retain_sparsity ? 0 : within + elsewhere;
  run.own_a = run.own_b = 0, run.own_c = c;
  const Int most = std::max({before + a.most, before + a.stay + b.most, copies + moved + std::max(before, c),
                             copies + run.peak(), filters(x_.options) ? 2 * c : 0});
  return {beside + most, c + run.partial};
}

template <class T>
Int ProductPlanner<T>::room_of_c() const {
  const auto [within, elsewhere] = x_.limits.kept(x_.beta, x_.C.local());
  if (x_.options.retain_sparsity || !x_.takes_part()) return within + elsewhere;
  const ExpectedSums& sums = panels_.sums;
  const Int computed = sums.at_most().of(1).at(x_.row(), x_.col()).words;
  return elsewhere + std::min(within + computed, sums.elements(x_.row(), x_.col()));
}

template <class T>
std::shared_ptr<const PanelSchedule> ProductPlanner<T>::made(const std::string& spelling) const {
  const std::string key = fmt::format("panels {}x{}{} {} {}", x_.where.pr, x_.where.pc,
                                      panels_.problem.crossed ? " crossed" : "", x_.where.row_major, spelling);
  auto schedule = x_.comm.state().cache.template get<const PanelSchedule>(key, [&]() -> Cache::Value {
    auto made = std::make_shared<PanelSchedule>(make_panel_schedule(panels_.problem, spelling).wire, x_.me);
    return {made, bytes_of(made->wire)};
  });
  if (x_.options.retain_sparsity && schedule->sums_travel())
    throw ArgumentError(
        fmt::format("algorithm: {} adds up C from several ranks, expected one by which C stays where its sparsity is "
                    "retained, as fetch25d on one layer",
                    spelling));
  return schedule;
}

template <class T>
BlockProblem ProductPlanner<T>::problem() const {
  BlockProblem p{.m = dim(x_.A.rows(), x_.limits.rows()),
                 .n = dim(x_.B.cols(), x_.limits.cols()),
                 .k = dim(x_.A.cols(), x_.limits.inner())};
  p.occupancy_a = share(panels_.problem.a, p.m, p.k), p.occupancy_b = share(panels_.problem.b, p.k, p.n);
  p.ranks = x_.comm.size(), p.type = scalar_type_of<T>, p.filtered = x_.options.filter_eps > 0;
  return p;
}

// Words that arrive at each rank before the product.
template <class T>
std::vector<Int> ProductPlanner<T>::brought() const {
  std::vector<double> arriving(place(x_.comm.size()));
  const auto add = [&](const ProductOperand<T>& X, const BlockDistribution& to) {
    X.for_each_block([&](BlockIndex i, BlockIndex j, Int words) {
      if (const Int owner = to.owner(i, j); owner != x_.comm.rank()) arriving[place(owner)] += real(words);
    });
  };
  add(x_.A, x_.deal.a);
  if (!x_.shares()) add(x_.B, x_.deal.b);
  over_ranks(x_.comm, MPI_SUM, arriving);
  std::vector<Int> words(arriving.size());
  std::transform(arriving.begin(), arriving.end(), words.begin(), [](double x) { return std::llround(x); });
  return words;
}

template <class T>
BlockPlan ProductPlanner<T>::plan() {
  see();
  const std::shared_ptr<const PanelSchedule> schedule = x_.options.memory_words ? fitting() : best();
  Options asked{.memory_words = x_.options.memory_words, .algorithm = x_.options.algorithm};
  asked.prefer = by_clock_ ? "balanced" : "words";
  asked.transport = name_of(transport());
  BlockProblem p = problem();
  p.panels = std::make_shared<ProductPanels>(panels_);
  const std::shared_ptr<const Machine> machine = machine_of(x_.comm);
  const auto planned = [&](const std::string& spelling) {
    return std::make_shared<BlockPlan::Data>(p, asked, *machine, std::array{x_.where.pr, x_.where.pc}, spelling);
  };
  const std::shared_ptr<BlockPlan::Data> plan = planned(schedule->wire.algorithm);
  plan->ranks.assign(x_.ranks.begin(), x_.ranks.end());
  plan->brought = brought();
  if (!by_clock_ && x_.options.algorithm.empty()) plan->reason = "the fewest words of a rank in the mean";
  plan->least_memory = over_ranks(x_.comm, MPI_MAX, memory_needed(*schedule).first);
  std::vector<std::shared_ptr<BlockPlan::Data>> others;
  if (x_.options.algorithm.empty() && !x_.options.memory_words) {
    const std::vector<PanelCandidate> all = panel_candidates(panels_.problem);
    for (const Int i : first_of_each_number_of_layers(all))
      if (const Fetch25d& form = all[place(i)].form;
          print(form) != plan->algorithm() && panels_that_travel(form) <= limits.panels_of_one)
        others.push_back(planned(print(form)));
  }
  name_others(*plan, std::move(others));
  return BlockPlan(plan);
}

#define CAIRN_INSTANTIATE(T) template class ProductPlanner<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
