#include "cairn/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "model/transport.hpp"
#include "model/whole_layout.hpp"
#include "planner/choose.hpp"
#include "planner/plan_data.hpp"
#include "planner/problem_text.hpp"
#include "planner/redistribution.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

void require_size(std::string_view name, Int size) {
  if (size < 0) throw ArgumentError(fmt::format("{} is {}, expected 0 or more", name, size));
}

}  // namespace

// Where ranks share elements, on so many that looking at all takes long, they are taken to be as a plan has them.
void require_whole(std::string_view name, const std::optional<Layout>& l) {
  constexpr Int most_ranks = 1 << 14;
  const bool too_large = l && real(l->m()) * real(l->n()) > most_words;  // of another size
  if (!l || too_large || (l->overlapping() && l->grid.ranks() > most_ranks)) return;
  const std::string what = fmt::format("layout of {}", name);
  if (const auto problem = l->overlapping() ? unless_covered(what, *l) : unless_whole(what, *l))
    throw ArgumentError(*problem);
}

void require_layout(std::string_view name, const std::optional<Layout>& layout, Int ranks) {
  if (!layout) return;
  if (const auto problem = layout->problem()) throw ArgumentError(fmt::format("layout of {}: {}", name, *problem));
  if (layout->grid.ranks() > ranks)
    throw ArgumentError(
        fmt::format("layout of {}: over {} ranks, expected at most {}", name, layout->grid.ranks(), ranks));
}

void require_arguments(const GemmProblem& p, const Options& o) {
  require_size("m", p.m);
  require_size("n", p.n);
  require_size("k", p.k);
  require_one_of("type", p.type, ScalarType::complex128);
  require_one_of("op_a", p.op_a, Op::adjoint);
  require_one_of("op_b", p.op_b, Op::adjoint);
  if (p.ranks < 1) throw ArgumentError(fmt::format("ranks: {}, expected at least 1", p.ranks));
  constexpr Int most_ranks = std::numeric_limits<int>::max();  // as MPI counts them
  if (p.ranks > most_ranks) throw ArgumentError(fmt::format("ranks: {}, expected at most {}", p.ranks, most_ranks));
  const double m = real(p.m), n = real(p.n), k = real(p.k);
  if (std::max({m * n, m * k, k * n, real(p.ranks) * std::max({m, n, k})}) > most_words)
    throw ArgumentError(too_large(p, "more words"));
  if (2 * m * n * k / real(p.ranks) > real(std::numeric_limits<Int>::max()))  // also if the work could be shared evenly
    throw ArgumentError(too_large(p, "a rank has more operations"));
  require_layout("A", p.a, p.ranks);
  require_layout("B", p.b, p.ranks);
  require_layout("C", p.c, p.ranks);
  require_whole("A", p.a);
  require_whole("B", p.b);
  require_options(o);
}

void require_options(const Options& o) {
  if (o.memory_words && *o.memory_words < 0)
    throw ArgumentError(fmt::format("memory: {} words, expected 0 or more", *o.memory_words));
  if (o.look_ahead && *o.look_ahead < 0)
    throw ArgumentError(fmt::format("look-ahead: {}, expected 0 or more", *o.look_ahead));
  if (o.ranks_per_node < 0)
    throw ArgumentError(fmt::format("ranks_per_node: {}, expected 0 or more", o.ranks_per_node));
  transport_named(o.transport);
  if (o.max_idle && !(*o.max_idle >= 0 && *o.max_idle < 1))
    throw ArgumentError(fmt::format("max_idle: {}, expected 0 or more and below 1", *o.max_idle));
  preference(o);
}

void require_rank(Int rank, Int ranks) {
  if (rank < 0 || rank >= ranks) throw ArgumentError(fmt::format("rank {}, expected one of 0..{}", rank, ranks - 1));
}

Machine machine_of(const Options& o) { return find_machine(o.machine).with_kernels(o.kernels); }

Prefer preference(const Options& o) {
  if (o.prefer == "time") return Prefer::time;
  if (o.prefer == "words") return Prefer::words;
  if (o.prefer == "balanced") return Prefer::balanced;
  throw ArgumentError(fmt::format("prefer: '{}' is unknown, expected one of time, words, balanced", o.prefer));
}

Int fewest_ranks(Int ranks, const Options& o) {
  constexpr double rounding = 1e-9;  // 3 % of 100 ranks are 3 ranks
  if (!o.max_idle) return 1;
  return std::clamp<Int>(static_cast<Int>(std::ceil((1 - *o.max_idle) * real(ranks) * (1 - rounding))), 1, ranks);
}

Int fewest_ranks(const GemmProblem& p, const Options& o) {
  if (o.max_idle || preference(o) != Prefer::words) return fewest_ranks(p.ranks, o);
  const double products = real(p.m) * real(p.n) * real(p.k);
  Int fewest = (products < real(p.ranks) ? static_cast<Int>(products) : p.ranks) / 2 + 1, holders = 0;
  for (const auto* layout : {&p.a, &p.b, &p.c})
    if (*layout) holders = std::max(holders, (*layout)->grid.size());
  return holders > 0 ? std::min(fewest, holders) : fewest;
}

CosmaSearch search_of(const GemmProblem& p, const Options& o) {
  return {{p.m, p.n, p.k},
          p.ranks,
          p.type,
          o.memory_words,
          fewest_ranks(p, o),
          o.max_idle.has_value(),
          o.look_ahead.value_or(0),
          o.look_ahead != 0,
          preference(o)};
}

Plan plan_on(const Machine& machine, const GemmProblem& problem, const Options& options) {
  require_arguments(problem, options);
  Draft chosen = choose_transport(machine, problem, options);
  require_countable(*chosen);
  return Plan(std::move(chosen));
}

Plan plan(const GemmProblem& problem, const Options& options) { return plan_on(machine_of(options), problem, options); }

Plan plan_alike(const Plan& model, const GemmProblem& problem) {
  const Plan::Data& d = model.data();
  Options options = d.options;
  options.algorithm = spelled_alike(d.collective.algorithm, d.rounds, problem);
  options.look_ahead = d.look_ahead;
  options.transport = name_of(d.transport);
  return plan_on(d.machine, problem, options);
}

const GemmProblem& Plan::problem() const { return data_->problem; }
const Options& Plan::options() const { return data_->options; }
std::string Plan::algorithm() const { return data_->collective.algorithm; }
std::array<Int, 3> Plan::grid() const { return data_->grid; }
Int Plan::rounds() const { return data_->rounds; }
Count Plan::max_count() const { return cairn::max_count(*data_); }
std::string_view Plan::transport() const { return name_of(data_->transport); }
double Plan::predicted_seconds() const { return data_->times().seconds; }
std::string Plan::explain() const { return cairn::explain(*data_); }
std::string Plan::json() const { return explain_json(*data_); }
std::string Plan::print() const { return cairn::print(data_->collective); }

Count Plan::count(Int rank) const {
  require_rank(rank, data_->problem.ranks);
  return count_of(*data_, data_->relabelling.labels.position(rank));
}

namespace {

// The caller's layout, or the plan's seen as the matrix is stored.
Layout stored(const Plan::Data& d, std::string_view name, const std::optional<Layout>& callers, Op op) {
  if (callers) return *callers;
  const Layout plans = d.relabelling.labels.of_ranks(d.wire.layout(d.wire.find(name)));
  return op == Op::none ? plans : plans.transposed();
}

}  // namespace

Layout Plan::layout_a() const { return stored(*data_, "A", data_->problem.a, data_->problem.op_a); }
Layout Plan::layout_b() const { return stored(*data_, "B", data_->problem.b, data_->problem.op_b); }
Layout Plan::layout_c() const { return stored(*data_, "C", data_->problem.c, Op::none); }

}  // namespace cairn
