// Functions of block-sparse matrices and density matrices for the C API.
#include "cairn/matrix_functions.hpp"

#include "capi/blocks.hpp"

using namespace cairn::capi;
using cairn::made_together;

namespace {

void watched(const cairn_function_options& options, const cairn::Iteration& i) {
  const cairn_iteration told = {i.stage.c_str(), i.number,   i.residual,  i.occupancy,     i.products,
                                i.flops,         i.received, i.predicted, i.most_received, i.seconds};
  if (options.watch(&told, options.context) != 0) throw cairn::RuntimeError("the iteration was ended by watch");
}

cairn::DensityMethod method_named(const std::string& name) {
  if (const auto method = cairn::density_method_named(name)) return *method;
  throw cairn::ArgumentError("method: '" + name + "', expected trs4, sign or mcweeny");
}

cairn::DensityOptions options_of(const cairn_function_options* o) {
  cairn::DensityOptions options;
  if (!o) return options;
  options.eps = o->eps, options.order = o->order, options.max_iterations = o->max_iterations;
  if (o->memory_words != 0) options.memory_words = o->memory_words;
  if (o->method) options.method = method_named(o->method);
  if (o->watch) options.watch = [o](const cairn::Iteration& i) { watched(*o, i); };
  return options;
}

template <class Function>
cairn_status function_of(const cairn_block_sparse* x, const char* name, const cairn_function_options* options,
                         cairn_block_sparse** result, Function f) {
  return giving(result, x, name, [&](const auto& matrix, auto) {
    const cairn::FunctionOptions how = made_together(matrix.comm(), [&] {
      need(result, "result");
      return options_of(options);
    });
    give(result, f(matrix, how).value);
  });
}

template <class Occupied>
cairn_status density(const cairn_block_sparse* h, const cairn_block_sparse* s, Occupied occupied,
                     const cairn_function_options* options, cairn_block_sparse** p, cairn_density* found) {
  return giving(p, s, "s", [&]<class T>(const auto& S, T) {
    struct Given {
      const cairn::BlockSparse<T>* h;
      cairn::DensityOptions options;
    };
    const Given given = made_together(S.comm(), [&] {
      need(p, "p");
      return Given{&matrix_of<T>(h, "h"), options_of(options)};
    });
    auto made = cairn::density_matrix(*given.h, S, occupied, given.options);
    give(p, std::move(made.P));
    if (found) *found = {made.electrons, made.band_energy, made.chemical_potential, made.idempotency};
  });
}

}  // namespace

void cairn_function_options_init(cairn_function_options* options) {
  const cairn::FunctionOptions defaults;
  if (options) *options = {defaults.eps, defaults.order, defaults.max_iterations, 0, nullptr, nullptr, nullptr};
}

cairn_status cairn_inverse(const cairn_block_sparse* s, const cairn_function_options* options,
                           cairn_block_sparse** result) {
  return function_of(s, "s", options, result, [](const auto& S, const auto& how) { return cairn::inverse(S, how); });
}

cairn_status cairn_inverse_sqrt(const cairn_block_sparse* s, const cairn_function_options* options,
                                cairn_block_sparse** result) {
  return function_of(s, "s", options, result,
                     [](const auto& S, const auto& how) { return cairn::inverse_sqrt(S, how); });
}

cairn_status cairn_sign(const cairn_block_sparse* a, const cairn_function_options* options,
                        cairn_block_sparse** result) {
  return function_of(a, "a", options, result, [](const auto& A, const auto& how) { return cairn::sign(A, how); });
}

cairn_status cairn_density_of_electrons(const cairn_block_sparse* h, const cairn_block_sparse* s, int64_t electrons,
                                        const cairn_function_options* options, cairn_block_sparse** p,
                                        cairn_density* found) {
  return density(h, s, cairn::Electrons{electrons}, options, p, found);
}

cairn_status cairn_density_below(const cairn_block_sparse* h, const cairn_block_sparse* s, double chemical_potential,
                                 const cairn_function_options* options, cairn_block_sparse** p, cairn_density* found) {
  return density(h, s, cairn::ChemicalPotential{chemical_potential}, options, p, found);
}
