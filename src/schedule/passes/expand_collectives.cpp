#include "schedule/passes/expand.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

struct Expand {
  Expansion& e;
  void operator()(const Bcast& x) const { expand_bcast(e, x); }
  void operator()(const Reduce& x) const { expand_reduce(e, x); }
  void operator()(const AllGather& x) const { expand_allgather(e, x); }
  void operator()(const ReduceScatter& x) const { expand_reduce_scatter(e, x); }
  template <class Other>
  void operator()(const Other& x) const {
    e.push(x);
  }
};

}  // namespace

Schedule expand_collectives(const Schedule& s) {
  Schedule wire = s;
  wire.steps.clear();
  for (const LabelledStep& l : s.steps) {
    Expansion e(s, wire, l.source);
    std::visit(Expand{e}, l.step);
  }
  return wire;
}

}  // namespace cairn
