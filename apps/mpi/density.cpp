// Reading, finding the density matrix, writing: the work of `cairn density`, on all ranks.
#include "density.hpp"

#include <fmt/format.h>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

std::optional<DensityMethod> method_named(const std::string& name) {
  if (name.empty()) return {};
  if (const auto method = density_method_named(name)) return method;
  throw ArgumentError(fmt::format("--method '{}': expected trs4, sign or mcweeny", name));
}

template <class T>
DensityMatrix<T> found_for(const BlockSparse<T>& H, const BlockSparse<T>& S, const DensityArguments& a,
                           const DensityOptions& options) {
  return a.electrons ? density_matrix(H, S, Electrons{*a.electrons}, options)
                     : density_matrix(H, S, ChemicalPotential{*a.mu}, options);
}

template <class T>
void run(const Comm& world, const DensityArguments& a, DensityReport& r, Watch& watch, Live& live) {
  live.step("read");
  const auto H = read_blocks<T>(world, r.h, {r.blocks, r.blocks}), S = read_blocks<T>(world, r.s, {r.blocks, r.blocks});
  r.h_occupancy = H.occupancy(), r.s_occupancy = S.occupancy();
  r.seconds.read = watch.lap();
  live.step("density matrix");
  DensityOptions options = a.options;
  options.watch = [&](const Iteration& i) { live.iterated(i); };
  const ProfiledRegion region;
  const DensityMatrix<T> found = within_memory(a, [&] { return found_for(H, S, a, options); });
  r.seconds.compute = watch.lap();
  r.method = found.method, r.electrons = found.electrons, r.band_energy = found.band_energy;
  r.chemical_potential = found.chemical_potential, r.idempotency = found.idempotency;
  r.occupancy = found.P.occupancy(), r.iterations = found.iterations;
  if (!a.output.empty()) {
    live.step("write");
    watch.lap();
    write_blocks(world, found.P, a.output, Symmetry::hermitian);
    r.seconds.write = watch.lap();
  }
}

}  // namespace

DensityReport density(const Comm& world, DensityArguments a) {
  if (a.electrons.has_value() == a.mu.has_value())
    throw ArgumentError("density: expected either --electrons or --mu, the chemical potential");
  // Reduction to standard form and to tridiagonal form, eigenvectors and their products.
  constexpr double operations = 10;
  constexpr const char* square = "a square matrix, and H and S of one size";
  Watch watch;
  DensityReport r;
  r.h = inspect_file(world, a.h, "H"), r.s = inspect_file(world, a.s, "S");
  require_square(r.h, r.h.rows, square), require_square(r.s, r.h.rows, square);
  r.type = type_of_files({&r.h, &r.s}, a.type), r.ranks = world.size();
  r.blocks = square_blocks_of(world, r.h, a.blocks);
  if (a.blocks.empty() && r.s.format == FileFormat::block_sparse && square_blocks_of(world, r.s, "") != r.blocks)
    throw ArgumentError(fmt::format("S ({}) is in other blocks than H ({}), expected the same", r.s.path, r.h.path));
  a.options.method = method_named(a.method);
  a.options.memory_words = memory_words(a, r.type);
  require_block_output(world, a.output, r.type, r.h.rows, r.h.rows);
  r.dense = dense_seconds(world, r.type, r.h.rows, operations);
  r.seconds.prepare = watch.lap();
  Live live(world, r, a.json, a.output.empty() ? 2 : 3, [&] { return opening_text(r); });
  with_type(r.type, [&]<class T>(T) { run<T>(world, a, r, watch, live); });
  settle_seconds(world, watch, r.seconds);
  return r;
}

}  // namespace cairn::app
