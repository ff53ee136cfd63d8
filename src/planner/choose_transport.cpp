// Which transport.
#include <algorithm>
#include <exception>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "planner/choose.hpp"
#include "planner/cosma_cost.hpp"
#include "planner/limits.hpp"
#include "planner/within_limit.hpp"

namespace cairn {

namespace {

std::vector<Transport> worth_a_plan(const Machine& machine, const GemmProblem& problem, const Options& options) {
  if (!options.transport.empty()) return {transport_named(options.transport)};
  std::vector<Transport> worth{Transport::two_sided};
  if (problem.ranks == 1) return worth;
  const Int node = options.ranks_per_node > 0 ? options.ranks_per_node : machine.ranks_per_node();
  if (machine.shared && node != 1 && problem.ranks <= limits.sharing_compared) worth.push_back(Transport::node_shared);
  if (!machine.one_sided.empty()) worth.push_back(Transport::one_sided);
  return worth;
}

// Others were compared without the limit.
void leave_out_larger(Plan::Data& d, Int limit) {
  const auto fits = [limit](const RunnerUp& r) { return r.held <= real(limit); };
  for (RunnerUp& r : d.others)
    if (!fits(r)) r = {.algorithm = r.algorithm, .why = "does not fit", .fits = false};
  std::ranges::stable_partition(d.others, &RunnerUp::fits);
  const Dims dims{d.problem.m, d.problem.n, d.problem.k};
  std::vector<CosmaCandidate>& grids = d.found.best;
  const auto too_large = [&](const CosmaCandidate& c) { return cosma_memory(dims, c.way) > limit; };
  if (!grids.empty()) grids.erase(std::remove_if(grids.begin() + 1, grids.end(), too_large), grids.end());
}

// What is best without a limit may fit. It stays where time decides. Where words do, more rounds are searched with a
// limit, which may receive fewer; balanced, mirror images are equal, and the limit decides between them. But no limit
// makes that fit no longer.
Draft chosen(const Machine& machine, const GemmProblem& problem, const Options& options) {
  const auto best = [&](const Options& o) { return choose(Drafts(machine, problem, o)); };
  if (!leaves_cuts_open(options.algorithm)) return best(options);
  const Drafts drafts(machine, problem, options);
  const Prefer prefers = preference(options);
  bool fits = false;
  const Draft free = within_limit(options, best, [&](const Draft& d) { return fits = drafts.over_limit(d) <= 0; });
  if (fits && options.memory_words) leave_out_larger(*free, *options.memory_words);
  if (!fits || prefers == Prefer::time) return free;
  try {
    const Draft limited = best(options);
    return prefers == Prefer::balanced || drafts.better(limited, free) ? limited : free;
  } catch (const MemoryError&) {
    return free;
  }
}

}  // namespace

Draft choose_transport(const Machine& machine, const GemmProblem& problem, const Options& options) {
  const std::vector<Transport> worth = worth_a_plan(machine, problem, options);
  if (worth.size() == 1) return chosen(machine, problem, options);
  std::vector<OtherTransport> all;
  Draft best;
  std::exception_ptr too_large;
  for (Transport t : worth) {
    all.push_back({t, "", 0});
    Options o = options;
    o.transport = name_of(t);
    const Drafts drafts(machine, problem, o);
    try {
      const Draft d = chosen(machine, problem, o);
      all.back() = {t, d->collective.algorithm, d->times().seconds};
      d->options.transport.clear();
      if (!best || drafts.better(d, best)) best = d;
    } catch (const MemoryError&) {
      if (!too_large) too_large = std::current_exception();
    }
  }
  if (!best) std::rethrow_exception(too_large);
  for (const OtherTransport& o : all)
    if (o.transport != best->transport) best->other_transports.push_back(o);
  return best;
}

}  // namespace cairn
