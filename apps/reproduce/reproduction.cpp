#include "reproduction.hpp"

#include "algorithms/registry.hpp"
#include "planner/choose_collectives.hpp"
#include "planner/plan_facts.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn::app {

GemmProblem product(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

Cost cost(const Machine& machine, const GemmProblem& problem, const Options& options) {
  const Plan plan = plan_on(machine, problem, options);
  const Totals& totals = totals_of(plan);
  Cost c;
  c.received = static_cast<double>(totals.max.received);
  c.touched =
      c.received + static_cast<double>(plan.layout_a().words(0) + plan.layout_b().words(0) + plan.layout_c().words(0));
  c.flops = static_cast<double>(totals.max.flops);
  c.mean_wire = totals.mean_wire_words;
  c.seconds = times_of(plan).seconds;
  c.computation = times_of(plan).computation;
  return c;
}

Cost clocked(const Machine& machine, const GemmProblem& problem, const Options& options, Int panels) {
  CollectiveChooser chooser(machine, problem.type, parse_collectives(options.collectives));
  Schedule asked = make_algorithm(problem, options.algorithm).schedule;
  std::erase_if(asked.steps, [&](const LabelledStep& l) {
    const bool later = panels <= 0;
    if (as_compute(effect(l.step)) != nullptr) --panels;
    return later;
  });
  const Times times = clock(expand_collectives(chooser.choose(look_ahead(asked, options.look_ahead.value_or(0)))),
                            machine, problem.type);
  Cost c;
  c.seconds = times.seconds;
  c.computation = times.computation;
  return c;
}

const std::vector<Reproducible>& reproducibles() {
  static const std::vector<Reproducible> all{
      {"cosma-table2", "[cosma-sc19 Table 2]: words touched by a rank, both special cases", cosma_table2},
      {"cosma-figure3", "[cosma-sc19 Figure 3]: 8 ranks, COSMA against a 3D decomposition", cosma_figure3, true},
      {"cosma-figure5", "[cosma-sc19 Figure 5]: 65 ranks, one left idle", cosma_figure5},
      {"cosma-table3", "[cosma-sc19 Table 3]: megabytes received by a rank, strong scaling", cosma_table3},
      {"hsumma-figure5", "[hsumma-2014 Figure 5]: 2^20 ranks at exascale, by number of groups", hsumma_figure5, true},
      {"hsumma-figure10", "[hsumma-2014 Figure 10]: 16384 cores of a BlueGene/P, by number of groups", hsumma_figure10,
       true},
      {"hsumma-figure11", "[hsumma-2014 Figure 11]: communication of SUMMA over HSUMMA, 2048 to 16384 cores",
       hsumma_figure11, true},
      {"overlap-figure4",
       "[communication-avoiding-overlapping-2012 Figure 4]: SUMMA, 2D and 2.5D, with and without overlap",
       overlap_figure4, true},
      {"overlap-figure5", "[communication-avoiding-overlapping-2012 Figure 5]: Cannon's time by part", overlap_figure5},
      {"overlap-figure6",
       "[communication-avoiding-overlapping-2012 Figure 6]: triangular solve, 2D and 2.5D, with and without overlap",
       overlap_figure6, true},
      {"overlap-figure8",
       "[communication-avoiding-overlapping-2012 Figure 8]: Cholesky, 2D and 2.5D, with and without overlap",
       overlap_figure8, true},
      {"overlap-figure9", "[communication-avoiding-overlapping-2012 Figure 9]: SUMMA's estimated time by part",
       overlap_figure9},
      {"dbcsr-table2", "[dbcsr-25d-rma-2017 Table 2]: gigabytes received by a rank, strong scaling", dbcsr_table2},
      {"dbcsr-figure1", "[dbcsr-25d-rma-2017 Figure 1]: speedups over Cannon's algorithm", dbcsr_figure1},
      {"dbcsr-figure2", "[dbcsr-25d-rma-2017 Figure 2]: mean sizes of messages, strong scaling", dbcsr_figure2, true},
      {"dbcsr-figure3", "[dbcsr-25d-rma-2017 Figure 3]: volumes of one layer over those of layers", dbcsr_figure3,
       true},
      {"dbcsr-figure4", "[dbcsr-25d-rma-2017 Figure 4]: weak scaling", dbcsr_figure4, true},
      {"dbcsr-memory", "[dbcsr-25d-rma-2017 §4.1, Equation 6]: memory of layers", dbcsr_memory},
  };
  return all;
}

}  // namespace cairn::app
