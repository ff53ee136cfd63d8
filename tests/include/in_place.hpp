// A schedule that overwrites one of its matrices, carried out over MPI.
#pragma once
#include <memory>
#include <vector>

#include "distributed.hpp"
#include "interpret/count.hpp"
#include "runtime/executor.hpp"
#include "runtime/nodes.hpp"
#include "runtime/transport/one_sided.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn::testing {

/// The callers' matrices are filled, overwritten and looked at element by element; what a run receives is as counted.
template <class T>
class InPlace {
 public:
  InPlace(const Comm& comm, Schedule schedule, int look_ahead_depth, Transport transport = Transport::two_sided)
      : comm_(comm),
        transport_(transport),
        collective_(std::move(schedule)),
        wire_(expand_collectives(look_ahead(collective_, look_ahead_depth))),
        arrays_(wire_.callers().size()) {}

  /// f(i, j) of all elements that this rank holds of the caller's matrix number x.
  template <class F>
  void fill(std::size_t x, F f) {
    arrays_[x].clear();
    visit(x, [&](Int i, Int j) { arrays_[x].push_back(f(i, j)); });
  }
  template <class F>
  void for_each(std::size_t x, F f) {
    std::size_t at = 0;
    visit(x, [&](Int i, Int j) { f(i, j, arrays_[x][at++]); });
  }
  RunReport run(T alpha) {
    const Program program = compile(wire_, comm_.rank(), transport_);
    std::vector<T*> arrays(wire_.slots.size(), nullptr);
    for (std::size_t x = 0; x < arrays_.size(); ++x)
      arrays[static_cast<std::size_t>(wire_.callers()[x])] = arrays_[x].data();
    const Int words = program.placement.words + 1, bytes = words * size_of(scalar_type_of<T>);
    const bool fetched = transport_ == Transport::one_sided;
    const Arena arena = fetched ? Arena::window(comm_, bytes) : Arena::plain(comm_, bytes);
    T* const memory = reinterpret_cast<T*>(arena.data());
    std::fill_n(memory, words, T(std::numeric_limits<double>::quiet_NaN()));
    const Nodes nodes = nodes_of(comm_, 0);
    const RemotePlaces places = fetched ? exchange_places(comm_, program) : RemotePlaces();
    std::unique_ptr<TwoSided> wire;
    if (fetched)
      wire = std::make_unique<OneSided>(comm_, nodes, program, scalar_type_of<T>, arena.window(), places);
    else
      wire = std::make_unique<TwoSided>(comm_, nodes, program, scalar_type_of<T>, Datatypes::most);
    Executor<T> executor(program, std::move(wire));
    const RunReport report = executor.run(alpha, T(0), arrays, memory, nullptr);
    expect_counted(report, count(collective_, wire_, comm_.rank(), transport_));
    return report;
  }

 private:
  template <class F>
  void visit(std::size_t x, F f) const {
    const Layout& l = wire_.layout(wire_.callers()[x]);
    for (const Patch& patch : l.patches(comm_.rank()))
      lines(l.order == Order::col ? patch.cols : patch.rows, l.order == Order::col ? patch.rows : patch.cols,
            [&](Int outer, Int inner) { l.order == Order::col ? f(inner, outer) : f(outer, inner); });
  }
  template <class F>
  static void lines(const IndexSet& outer, const IndexSet& inner, F f) {
    for (Range p : outer.pieces())
      for (Int j = p.lo; j < p.hi; ++j)
        for (Range q : inner.pieces())
          for (Int i = q.lo; i < q.hi; ++i) f(j, i);
  }

  Comm comm_;
  Transport transport_;
  Schedule collective_, wire_;
  std::vector<std::vector<T>> arrays_;
};

}  // namespace cairn::testing
