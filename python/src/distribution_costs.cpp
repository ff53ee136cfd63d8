// Which of several distributions suits products of a block-sparse matrix.
#include "cairn/choose_distribution.hpp"
#include "sparse.hpp"

namespace cairn::python {

void bind_distribution_costs(nb::module_& m) {
  using Candidates = std::vector<BlockDistribution>;
  const nb::call_guard<nb::gil_scoped_release> released;
  nb::class_<DistributionCost> bound(
      m, "DistributionCost",
      "What X·X costs in a distribution of X and the result if nothing is filtered. It is the same on all ranks.");
  pickle_by<&DistributionCost::received, &DistributionCost::busiest>(bound);
  bound
      .def_ro("received", &DistributionCost::received,
              "Words that a rank receives in the mean, on as many layers as make them fewest; sums count as expected. "
              "Words by "
              "which X is brought to where it can be multiplied are included.")
      .def_ro("busiest", &DistributionCost::busiest,
              "Multiplications of the busiest rank over the mean of X's ranks, on one layer.")
      .def("__repr__", [](const DistributionCost& c) {
        return fmt::format("DistributionCost(received={:.6g}, busiest={:.3f})", c.received, c.busiest);
      });
  m.def("distribution_costs", on_matrix<const Candidates&>([](const auto& x, const auto& candidates) {
          return distribution_costs(x, candidates);
        }),
        nb::arg("x"), nb::arg("candidates"), released);
  m.def("choose_distribution", on_matrix<const Candidates&>([](const auto& x, const auto& candidates) {
          return choose_distribution(x, candidates);
        }),
        nb::arg("x"), nb::arg("candidates"), released);
  m.def("choose_usual_distribution", on_matrix([](const auto& x) { return choose_distribution(x); }), nb::arg("x"),
        released);
}

}  // namespace cairn::python
