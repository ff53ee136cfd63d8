// Functions of block-sparse matrices.
#include "cairn/matrix_functions.hpp"
#include "sparse.hpp"

namespace cairn::python {

namespace {

// `watch` is Python's, and outlives the call; it is called with the interpreter's lock.
FunctionOptions options_of(double eps, int order, int max_iterations, std::optional<Int> memory_words,
                           nb::handle watch) {
  FunctionOptions options;
  options.eps = eps, options.order = order, options.max_iterations = max_iterations;
  options.memory_words = memory_words;
  if (!watch.is_none())
    options.watch = [watch](const Iteration& i) {
      const nb::gil_scoped_acquire held;
      watch(i);
    };
  return options;
}

using Found = std::pair<Sparse, std::vector<Iteration>>;

/// f(x, options) of an iteration.
template <class F>
auto iterated(F f) {
  return [f](const Sparse& x, double eps, int order, int max_iterations, std::optional<Int> memory_words,
             nb::handle watch) {
    const nb::gil_scoped_release released;
    return with_matrix(x, [&](const auto& a) {
      auto found = f(a, options_of(eps, order, max_iterations, memory_words, watch));
      return Found{Sparse{std::move(found.value)}, std::move(found.iterations)};
    });
  };
}

struct Density {
  Sparse P;
  std::string method;
  double electrons, band_energy, chemical_potential, idempotency;
  std::vector<Iteration> iterations;
};

Density density(const Sparse& h, const Sparse& s, std::optional<Int> electrons, std::optional<double> potential,
                const std::string& method, double eps, int order, int max_iterations, std::optional<Int> memory_words,
                nb::handle watch) {
  const nb::gil_scoped_release released;
  DensityOptions options;
  static_cast<FunctionOptions&>(options) = options_of(eps, order, max_iterations, memory_words, watch);
  options.method = density_method_named(method);
  return with_matrix(h, [&]<class T>(const BlockSparse<T>& H) {
    const auto& S = std::get<BlockSparse<T>>(s.matrix);
    DensityMatrix<T> d = electrons ? density_matrix<T>(H, S, Electrons{*electrons}, options)
                                   : density_matrix<T>(H, S, ChemicalPotential{potential.value_or(0)}, options);
    return Density{Sparse{std::move(d.P)}, name_of(d.method),      d.electrons, d.band_energy, d.chemical_potential,
                   d.idempotency,          std::move(d.iterations)};
  });
}

}  // namespace

void bind_functions(nb::module_& m) {
  translate<ConvergenceError>(nb::module_::import_("numpy.linalg").attr("LinAlgError"));
  nb::class_<Iteration> bound(m, "Iteration", "What one step of an iteration did, the same on all ranks.");
  using I = Iteration;
  pickle_by<&I::stage, &I::number, &I::residual, &I::occupancy, &I::products, &I::flops, &I::received, &I::seconds>(
      bound);
  bound.def_ro("stage", &Iteration::stage, "'inverse', 'sign' and so on.")
      .def_ro("number", &Iteration::number, "Number of the iteration in its stage, from 1.")
      .def_ro("residual", &Iteration::residual, "Residual of the iterate before it.")
      .def_ro("occupancy", &Iteration::occupancy, "Occupancy of the iterate after it.")
      .def_ro("products", &Iteration::products, "Products of matrices.")
      .def_ro("flops", &Iteration::flops, "Operations of all ranks.")
      .def_ro("received", &Iteration::received, "Words received, the mean of the ranks.")
      .def_ro("seconds", &Iteration::seconds, "Time of the slowest rank.")
      .def("__repr__", [](const Iteration& i) {
        return fmt::format("Iteration({}, {}, residual={:.3g}, occupancy={:.3g})", i.stage, i.number, i.residual,
                           i.occupancy);
      });
  const auto bind = [&](const char* name, auto f) {
    m.def(name, f, nb::arg("x"), nb::arg("eps"), nb::arg("order"), nb::arg("max_iterations"),
          nb::arg("memory_words").none(), nb::arg("watch").none());
  };
  bind("sparse_inverse", iterated([](const auto& x, const FunctionOptions& o) { return inverse(x, o); }));
  bind("sparse_inverse_sqrt", iterated([](const auto& x, const FunctionOptions& o) { return inverse_sqrt(x, o); }));
  bind("sparse_sign", iterated([](const auto& x, const FunctionOptions& o) { return sign(x, o); }));
  nb::class_<Density>(m, "Density")
      .def_ro("P", &Density::P)
      .def_ro("method", &Density::method)
      .def_ro("electrons", &Density::electrons)
      .def_ro("band_energy", &Density::band_energy)
      .def_ro("chemical_potential", &Density::chemical_potential)
      .def_ro("idempotency", &Density::idempotency)
      .def_ro("iterations", &Density::iterations);
  m.def("sparse_density_matrix", &density, nb::arg("h"), nb::arg("s"), nb::arg("electrons").none(),
        nb::arg("potential").none(), nb::arg("method"), nb::arg("eps"), nb::arg("order"), nb::arg("max_iterations"),
        nb::arg("memory_words").none(), nb::arg("watch").none());
}

}  // namespace cairn::python
