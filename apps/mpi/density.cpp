// Reading, finding the density matrix, writing: the work of `cairn density`, on all ranks.
#include "density.hpp"

#include <fmt/format.h>

#include "base/scalars.hpp"
#include "cairn/block_files.hpp"
#include "cairn/error.hpp"
#include "commands.hpp"
#include "file_run.hpp"
#include "io/memory_size.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"
#include "runtime/largest_of_ranks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

bool ends_with(const std::string& path, const char* ending) { return path.ends_with(ending); }

void require_output(const Comm& world, const DensityArguments& a, ScalarType type, Int n) {
  if (a.output.empty()) return;
  const bool dense = ends_with(a.output, ".npy");
  if (!dense && !ends_with(a.output, ".cbs") && !ends_with(a.output, ".mtx"))
    throw ArgumentError(fmt::format("-o {}: expected a file that ends with .cbs, .mtx or .npy", a.output));
  require_writable(world, a.output, dense ? npy_bytes(type, n, n) : 0, "-o");
}

std::optional<DensityMethod> method_named(const std::string& name) {
  if (name.empty()) return {};
  for (DensityMethod method : {DensityMethod::sign, DensityMethod::mcweeny, DensityMethod::trs4})
    if (name_of(method) == name) return method;
  throw ArgumentError(fmt::format("--method '{}': expected trs4, sign or mcweeny", name));
}

void require_square(const FileInfo& file, const char* name, Int n) {
  if (file.rows != n || file.cols != n)
    throw ArgumentError(fmt::format("{} is {}x{}, expected {}x{}: a square matrix, and H and S of one size", name,
                                    file.rows, file.cols, n, n));
}

BlockSizes blocks_of(const Comm& world, const FileInfo& h, const std::string& asked) {
  try {
    return asked.empty() ? block_shape(world, h).rows : parse_block_sizes(asked, h.rows);
  } catch (const ArgumentError& e) {
    throw ArgumentError(asked.empty() ? e.what() : fmt::format("--blocks: {}", e.what()));
  } catch (const FileError& e) {
    if (!asked.empty()) throw;
    throw FileError(fmt::format("--blocks is needed, or a file that knows its blocks: {}", e.what()));
  }
}

void add(Iteration& sum, const Iteration& i) {
  sum.products += i.products, sum.flops += i.flops, sum.seconds += i.seconds;
  sum.received += i.received, sum.predicted += i.predicted, sum.most_received += i.most_received;
}

// Reduction to standard form and to tridiagonal form, eigenvectors and their products take about so many times n³
// operations, told as if all of them ran as fast as products do.
double dense_seconds(const Comm& world, ScalarType type, Int n) {
  constexpr double operations = 10, measured_for = 0.1;
  constexpr Int block = 256;
  const double rate = measured_gemm_rate(world, type, n, n, block, 1, measured_for), order = static_cast<double>(n);
  return rate > 0 ? operations * real_operations(type) * order * order * order / rate : 0;
}

// What becomes known as it goes on is printed at once, beside a line that says what it is at. Nothing is printed before
// the first iteration has ended: until then arguments may be refused.
class Live {
 public:
  Live(const Comm& world, const DensityArguments& a, const DensityReport& report, const Terminal& terminal)
      : world_(world),
        report_(report),
        terminal_(terminal),
        quiet_(a.json),
        progress_(world.rank() == 0 && terminal.errors, a.output.empty() ? 2 : 3) {}

  void step(const char* what) { progress_.step(what); }
  void iterated(const Iteration& i) {
    print(iteration_text(i));
    progress_.now(fmt::format("{} {}, residual {:.1e}", i.stage, i.number, i.residual));
  }

 private:
  void print(const std::string& line) {
    if (quiet_) return;
    progress_.aside([&] { print_once(world_, begun_ ? line : opening_text(report_, terminal_) + line); });
    begun_ = true;
  }

  const Comm& world_;
  const DensityReport& report_;
  const Terminal& terminal_;
  bool quiet_, begun_ = false;
  Progress progress_;
};

template <class T>
void write(const Comm& world, const BlockSparse<T>& P, const std::string& path) {
  if (ends_with(path, ".npy")) write_npy(world, path, P.to_dense(), {.argument = "-o"});
  if (ends_with(path, ".mtx")) write_matrix_market(P, path, {.symmetry = Symmetry::hermitian, .argument = "-o"});
  if (ends_with(path, ".cbs")) write_block_sparse(P, path, {.argument = "-o"});
}

template <class T>
DensityMatrix<T> found_for(const BlockSparse<T>& H, const BlockSparse<T>& S, const DensityArguments& a,
                           const DensityOptions& options) {
  try {
    return a.electrons ? density_matrix(H, S, Electrons{*a.electrons}, options)
                       : density_matrix(H, S, ChemicalPotential{*a.mu}, options);
  } catch (const MemoryError& e) {
    throw MemoryError(fmt::format("--memory {}: {}", a.memory, unnamed(e)));
  }
}

template <class T>
void run(const Comm& world, const DensityArguments& a, DensityReport& r, Watch& watch, Live& live) {
  live.step("read");
  const auto where = BlockDistribution::dealt(r.blocks.size(), r.blocks.size(), world.size());
  const auto read = [&](const FileInfo& file) {
    return read_block_sparse<T>(world, file, r.blocks, r.blocks, where, {.keep_symmetry = true});
  };
  const BlockSparse<T> H = read(r.h), S = read(r.s);
  r.h_occupancy = H.occupancy(), r.s_occupancy = S.occupancy();
  r.read = watch.lap();
  live.step("density matrix");
  DensityOptions options = a.options;
  options.watch = [&](const Iteration& i) { live.iterated(i); };
  const ProfiledRegion region;
  const DensityMatrix<T> found = found_for(H, S, a, options);
  r.density = watch.lap();
  r.method = found.method, r.electrons = found.electrons, r.band_energy = found.band_energy;
  r.chemical_potential = found.chemical_potential, r.idempotency = found.idempotency;
  r.occupancy = found.P.occupancy(), r.iterations = found.iterations;
  for (const Iteration& i : r.iterations) add(r.sum, i);
  if (!a.output.empty()) {
    live.step("write");
    watch.lap();
    write(world, found.P, a.output);
    r.write = watch.lap();
  }
}

void settle(const Comm& world, DensityReport& r, const Watch& watch) {
  std::vector<double> all{r.prepare, r.read, r.density, r.write, watch.total()};
  largest(world, all);
  r.prepare = all[0], r.read = all[1], r.density = all[2], r.write = all[3], r.all = all[4];
}

}  // namespace

DensityReport density(const Comm& world, DensityArguments a, const Terminal& terminal) {
  Watch watch;
  DensityReport r;
  r.h = inspect_file(world, a.h, "H"), r.s = inspect_file(world, a.s, "S");
  require_square(r.h, "H", r.h.rows), require_square(r.s, "S", r.h.rows);
  r.type = type_of_files({&r.h, &r.s}, a.type), r.ranks = world.size();
  r.blocks = blocks_of(world, r.h, a.blocks);
  a.options.method = method_named(a.method);
  if (!a.memory.empty()) a.options.memory_words = io::words_of_memory(a.memory, "--memory", r.type);
  require_output(world, a, r.type, r.h.rows);
  r.dense = dense_seconds(world, r.type, r.h.rows);
  r.prepare = watch.lap();
  Live live(world, a, r, terminal);
  with_type(r.type, [&]<class T>(T) { run<T>(world, a, r, watch, live); });
  settle(world, r, watch);
  return r;
}

}  // namespace cairn::app
