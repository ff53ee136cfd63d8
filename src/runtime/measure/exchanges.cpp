// The executor's exchanges, measured by running schedules that do nothing else.
#include <algorithm>

#include "program/compile.hpp"
#include "runtime/executor.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/nodes.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/prepared_schedule.hpp"
#include "runtime/shared/node_memory.hpp"
#include "schedule/builder.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

/// A schedule to be run on zeros, with arrays for its inputs and outputs.
class Runner {
 public:
  Runner(const Comm& comm, const Schedule& schedule, Transport transport = Transport::two_sided)
      : wire_(expand_collectives(schedule)),
        ready_(comm, {wire_, wire_, ScalarType::float64, transport}),
        program_(prepared()),
        executor_(program_, ready_.wire(program_)),
        arrays_(wire_.slots.size(), nullptr) {
    for (std::size_t x = 0; x < wire_.slots.size(); ++x) {
      const SlotInfo& slot = wire_.slots[x];
      if (slot.role != SlotInfo::Role::operand && slot.role != SlotInfo::Role::result) continue;
      memory_.emplace_back(static_cast<std::size_t>(slot.layout.words(comm.rank())));
      arrays_[x] = memory_.back().data();
    }
  }
  Transport transport() const { return ready_.transport(); }
  void run() { executor_.run(1.0, 0.0, arrays_, reinterpret_cast<double*>(ready_.arena()), nullptr); }

 private:
  Program prepared() {
    ready_.prepare(std::vector<Int>(wire_.slots.size(), 0), std::vector<bool>(wire_.slots.size(), false));
    return ready_.take_program();
  }

  Schedule wire_;
  PreparedSchedule ready_;
  Program program_;
  Executor<double> executor_;
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

// Every rank gets so many words of the one `distance` after it.
Schedule fetches(Int words, Int distance, Int ranks) {
  Builder s("fetch", words * ranks, 1, 1, Grid({{"i", ranks}}), ranks);
  const Layout spread = s.layout({0, words * ranks}, {Cut::even(s.grid(), 0)}, {0, 1}, {}, Order::col);
  s.shift(s.input("A", spread, spread, false), 0, distance);
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
  Runner runner(comm, exchange(name, words, comm.size()));
  return {name, words, Sampler(comm, seconds).slowest([&] { runner.run(); })};
}

namespace {

// All ranks get so many words of the one `distance` after them; nothing where the transport does not work.
std::vector<MessageCost> measure_fetches(const Comm& comm, double seconds, const std::vector<Int>& words, Int distance,
                                         Transport transport) {
  std::vector<MessageCost> costs;
  for (Int w : words) {
    Runner runner(comm, fetches(w, distance, comm.size()), transport);
    if (runner.transport() != transport) return {};
    const Sampler sampler(comm, seconds / static_cast<double>(words.size()));
    costs.push_back({w * static_cast<Int>(sizeof(double)), 0, sampler.slowest([&] { runner.run(); })});
  }
  return costs;
}

}  // namespace

std::vector<MessageCost> measure_one_sided(const Comm& comm, double seconds) {
  const std::vector<int>& node = nodes_of(comm, 0).of;
  const Int near = std::count(node.begin(), node.end(), node.front());
  return measure_fetches(comm, seconds, {1, 128, 1024, 8192, Int{1} << 16U, Int{1} << 19U, Int{1} << 21U},
                         near < comm.size() ? near : 1, Transport::one_sided);
}

std::vector<MessageCost> measure_messages(const Comm& comm, double seconds, Int longest) {
  std::vector<Int> words{1};
  for (Int w = 1024; w * static_cast<Int>(sizeof(double)) <= longest; w *= 8) words.push_back(w);
  return measure_fetches(comm, seconds, words, 1, Transport::two_sided);
}

double measure_wait(const Comm& comm, double seconds) {
  constexpr Int phases = 1000;
  std::vector<int> peers = ranks_of_node(comm);
  std::erase(peers, comm.rank());
  const bool alone = over_ranks(comm, MPI_MAX, Int{peers.empty()}) != 0;
  NodeMemory& memory = node_memory(comm, 0);
  memory.prepare();
  if (alone || !memory.obstacle().empty()) return 0;
  return Sampler(comm, seconds).slowest([&] {
    MPI_TRY(MPI_Barrier(comm.raw()));
    memory.begin(phases + 1);
    for (Int phase = 1; phase <= phases; ++phase) {
      memory.reach(phase);
      for (int p : peers) memory.await(p, phase, [] {});
    }
  }) / static_cast<double>(phases);
}

double measure_step(const Comm& comm, double seconds) {
  constexpr Int steps = 1000;
  Runner runner(Comm::self(), nothing_much(steps));
  return Sampler(comm, seconds).slowest([&] { runner.run(); }) / static_cast<double>(steps);
}

}  // namespace cairn
