// What a plan of a block-sparse product says of itself.

#include <algorithm>

#include "base/arithmetic.hpp"
#include "model/bounds.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/plan_data.hpp"
#include "schedule/text.hpp"

namespace cairn {

BlockPlan::Data::Data(const BlockProblem& p, const Options& o, const Machine& on, std::array<Int, 2> over,
                      const std::string& spelling)
    : problem(p),
      options(o),
      machine(on),
      panels(product_panels(p, {over[0], over[1], find_fetch25d(spelling)})),
      made(make_panel_schedule(panels.problem, spelling)),
      values(made.wire),
      sizes(values, panels.A, panels.B, panels.sums),
      form(find_fetch25d(spelling)) {}

const PanelFlow& BlockPlan::Data::flow() const {
  std::call_once(followed_, [this] { flow_.emplace(values, sizes, panels.k, panels.sums); });
  return *flow_;
}

const std::vector<BlockCount>& BlockPlan::Data::counts() const {
  std::call_once(counted_, [this] { counts_ = count_panels(flow()); });
  return counts_;
}

void BlockPlan::Data::clock(Transport by) const {
  timings_[by == Transport::one_sided] =
      clock_panels(flow(), seconds_per_flop(machine, problem), machine, problem.type, by);
}

Transport BlockPlan::Data::transport() const {
  std::call_once(clocked_, [this] {
    if (!options.transport.empty()) return clock(transport_ = transport_named(options.transport));
    clock(Transport::two_sided);
    if (machine.one_sided.empty()) return;
    clock(Transport::one_sided);
    if (timings_[1].last.seconds < timings_[0].last.seconds) transport_ = Transport::one_sided;
  });
  return transport_;
}

const MemoryParts& BlockPlan::Data::memory() const {
  std::call_once(held_, [this] { memory_ = PanelMemories(values, sizes).fullest(); });
  return memory_;
}

// Of words, those of the rank that receives most.
BlockCount BlockPlan::Data::most_received() const {
  BlockCount most;
  for (const BlockCount& c : counts()) {
    if (c.words() > most.words()) most.received = c.received;
    most.received_index = std::max(most.received_index, c.received_index);
    most.messages = std::max(most.messages, c.messages);
    most.flops = std::max(most.flops, c.flops);
  }
  return most;
}

BlockCount BlockPlan::Data::most() const {
  BlockCount most = most_received();
  most.peak_words = memory().peak();
  return most;
}

double seconds_per_flop(const Machine& machine, const BlockProblem& p) {
  const double flops = 2 * real(p.m.size) * real(p.n.size) * real(p.k.size);
  return flops > 0 ? machine.gemm_seconds(p.m.size, p.n.size, p.k.size, p.type) / flops : 0;
}

const BlockProblem& BlockPlan::problem() const { return data_->problem; }
std::string BlockPlan::algorithm() const { return data_->algorithm(); }
std::array<Int, 2> BlockPlan::grid() const { return data_->grid(); }
// Sums are taken to be of as many blocks of the inner dimension on every layer.
bool BlockPlan::exact() const {
  const BlockProblem& p = data_->problem;
  if (p.panels) return !data_->values.sums_travel() && data_->flow().whole();
  const bool alike = !p.m.total && !p.n.total && !p.k.total;
  const bool full =
      alike && p.occupancy_a == 1 && p.occupancy_b == 1 && (p.k.elements() == 0 || expected_occupancy(p) == 1);
  const PanelValues& v = data_->values;
  return full && (!v.sums_travel() || (p.k.blocks >= data_->panels.problem.k && v.all_sums_have_terms()));
}
BlockCount BlockPlan::max_count() const { return data_->most(); }
double BlockPlan::mean_received() const { return data_->mean(&BlockCount::words); }
double BlockPlan::predicted_seconds() const { return data_->timing().last.seconds; }
std::string BlockPlan::print() const { return cairn::print(data_->made.collective); }

double BlockPlan::received_bound() const {
  const BlockProblem& p = data_->problem;
  const PanelProblem& words = data_->panels.problem;
  const double products = real(p.ranks) * data_->mean(&BlockCount::flops) / 2;
  if (!p.seed) return cairn::received_bound(products, {words.a, words.b, words.sums(1)}, p.ranks);
  // Products of drawn patterns are exact, so that a C as small as is expected would promise too much.
  const ProductPanels& drawn = data_->panels;
  return cairn::received_bound(
      products, {real(drawn.A->words()), real(drawn.B->words()), drawn.sums.at_most().words(1)}, p.ranks);
}

BlockCount BlockPlan::count(Int rank) const {
  require_rank(rank, data_->problem.ranks);
  const std::vector<BlockCount>& all = data_->counts();
  const std::vector<Int>& ranks = data_->ranks;
  const Int place = ranks.empty() ? rank : std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
  if (place >= static_cast<Int>(all.size())) return {};
  BlockCount count = all[static_cast<std::size_t>(place)];
  count.peak_words = data_->memory(place).peak();
  return count;
}

}  // namespace cairn
