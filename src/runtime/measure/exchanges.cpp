// The executor's exchanges, measured by running schedules that do nothing else.
#include "runtime/compile.hpp"
#include "runtime/executor.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/nodes.hpp"
#include "schedule/builder.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

/// A schedule ready to run on zeros, with arrays for its inputs and outputs.
class Ready {
 public:
  Ready(const Comm& comm, const Schedule& schedule)
      : wire_(expand_collectives(schedule)),
        program_(compile(wire_, comm.rank(), ScalarType::float64, std::vector<Int>(wire_.slots.size(), 0))),
        executor_(program_, std::make_unique<TwoSided>(comm, nodes_of(comm, 0), program_)),
        arena_(static_cast<std::size_t>(program_.placement.words)),
        arrays_(wire_.slots.size(), nullptr) {
    for (std::size_t x = 0; x < wire_.slots.size(); ++x) {
      const SlotInfo& slot = wire_.slots[x];
      if (slot.kind != SlotInfo::Kind::input && slot.kind != SlotInfo::Kind::output) continue;
      memory_.emplace_back(static_cast<std::size_t>(slot.layout.words(comm.rank())));
      arrays_[x] = memory_.back().data();
    }
  }
  void run() { executor_.run(1.0, 0.0, arrays_, arena_.data(), nullptr); }

 private:
  Schedule wire_;
  Program program_;
  Executor<double> executor_;
  std::vector<double> arena_;
  std::vector<std::vector<double>> memory_;
  std::vector<double*> arrays_;
};

// An exchange along the only axis in which a rank receives so many words, and nothing else.
Schedule exchange(const std::string& name, Int words, Int ranks) {
  const Int others = std::max<Int>(1, ranks - 1);
  const Int rows = name == "bcast" ? words : std::max<Int>(1, words / others) * ranks;
  Builder s(name, rows, 1, 1, Grid({{"i", ranks}}), ranks);
  const Layout spread = s.layout({0, rows}, {Cut::even(s.grid(), 0)}, {0, 1}, {}, Order::col);
  const Layout everywhere = s.layout({0, rows}, {}, {0, 1}, {}, Order::col);
  const bool spreads = name == "allgather";
  const Slot A = s.input("A", spreads ? spread : everywhere, spreads ? spread : everywhere, false);
  if (name == "allgather") s.all_gather(A, 0);
  if (name == "reduce_scatter") s.reduce_scatter(A, s.scratch("C", spread), 0);
  if (name == "bcast") s.bcast(A, 0, 0);
  return s.done();
}

// Copies of one word, one after another.
Schedule nothing_much(Int steps) {
  Builder s("nothing", 1, 1, 1, Grid({{"i", 1}}), 1);
  Slot x = s.scratch("A", s.layout({0, 1}, {}, {0, 1}, {}, Order::col));
  for (Int i = 0; i < steps; ++i) x = s.shift(x, 0, 0);
  return s.done();
}

}  // namespace

ExchangeCost measure_exchange(const Comm& comm, double seconds, const std::string& name, Int words) {
  Ready ready(comm, exchange(name, words, comm.size()));
  return {name, words, Sampler(comm, seconds).slowest([&] { ready.run(); })};
}

double measure_step(const Comm& comm, double seconds) {
  constexpr Int steps = 1000;
  Ready ready(Comm::self(), nothing_much(steps));
  return Sampler(comm, seconds).slowest([&] { ready.run(); }) / static_cast<double>(steps);
}

}  // namespace cairn
