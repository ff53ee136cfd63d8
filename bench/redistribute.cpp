// run: 4
// Redistribution of a double matrix between two block-cyclic layouts, against ScaLAPACK's pdgemr2d, and transposition
// in one layout, against pdtran, in turn in one run: milliseconds on the slowest rank, medians; the median of the
// ratios (below 1: Cairn is faster); the same for a first call, where Cairn knows nothing of the layouts yet; words
// received by all ranks, and the least that must be moved. Arguments: order of the matrix (8192), repetitions (7).
// Needs Debian's libscalapack-openmpi.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "arguments.hpp"
#include "cairn/cairn.hpp"
#include "runtime/measure/sampling.hpp"
#include "timing.hpp"

namespace {

using cairn::Int;
using cairn::Layout;

using Gemr2d = void(const int* m, const int* n, const double* A, const int* ia, const int* ja, const int* desc_a,
                    double* B, const int* ib, const int* jb, const int* desc_b, const int* context);

using Tran = void(const int* m, const int* n, const double* alpha, const double* A, const int* ia, const int* ja,
                  const int* desc_a, const double* beta, double* C, const int* ic, const int* jc, const int* desc_c);

struct Scalapack {
  void* library = dlopen("libscalapack-openmpi.so.2.2", RTLD_NOW | RTLD_LOCAL);
  template <class F>
  F* find(const char* name) const {
    void* const found = library ? dlsym(library, name) : nullptr;
    if (!found) {
      fmt::print(stderr, "no {}: Debian has libscalapack-openmpi.so in libscalapack-openmpi-dev\n", name);
      std::exit(1);
    }
    return reinterpret_cast<F*>(reinterpret_cast<std::uintptr_t>(found));
  }
};

struct Grid {
  int pr, pc, block;
};

struct Case {
  Grid a, b;
  bool transposes = false;  ///< pdtran has both matrices on one grid
};

const std::vector<Case> on_2{{{1, 2, 32}, {1, 2, 64}}, {{1, 2, 32}, {2, 1, 64}},       {{2, 1, 64}, {1, 2, 128}},
                             {{2, 1, 32}, {2, 1, 1}},  {{1, 2, 64}, {1, 2, 64}, true}, {{2, 1, 16}, {2, 1, 16}, true}};
const std::vector<Case> on_4{{{2, 2, 32}, {2, 2, 64}}, {{1, 4, 32}, {4, 1, 64}},       {{2, 2, 64}, {1, 4, 2048}},
                             {{4, 1, 8}, {2, 2, 32}},  {{2, 2, 64}, {2, 2, 64}, true}, {{4, 1, 16}, {4, 1, 16}, true}};

// Elements along one dimension that are on coordinate x of `a` and on y of `b`.
Int common(Int n, Int block_a, Int pa, Int x, Int block_b, Int pb, Int y) {
  Int count = 0;
  for (Int i = 0; i < n; ++i) count += i / block_a % pa == x && i / block_b % pb == y;
  return count;
}

class Bench {
 public:
  Bench(Int n, int repetitions) : n_(n), repetitions_(repetitions), world_(cairn::Comm::world()) {
    handle_ = scalapack_.find<int(MPI_Comm)>("Csys2blacs_handle")(MPI_COMM_WORLD);
    whole_ = context(1, world_.size());
  }

  void run(const Case& c) const {
    const Layout a = layout(c.a), b = layout(c.b);
    const auto A = cairn::DistMatrix<double>::own(a, world_.rank()),
               B = cairn::DistMatrix<double>::own(b, world_.rank());
    const auto theirs = cairn::DistMatrix<double>::own(b, world_.rank());
    A.for_each([this](Int i, Int j, double& x) { x = static_cast<double>(i * n_ + j); });
    const int from = context(c.a.pr, c.a.pc), to = c.transposes ? from : context(c.b.pr, c.b.pc);
    const auto desc_a = descriptor(c.a, a, from), desc_b = descriptor(c.b, b, to);
    const auto gemr2d = scalapack_.find<Gemr2d>("pdgemr2d_");
    const auto tran = scalapack_.find<Tran>("pdtran_");
    const cairn::Op op = c.transposes ? cairn::Op::transpose : cairn::Op::none;
    const double all = 1, none = 0;
    const int size = static_cast<int>(n_), one = 1;
    cairn::RunReport report;
    std::vector<double> mine, other, ratio;
    double first = 0;
    for (int r = 0; r <= repetitions_; ++r) {
      const double ours = slowest_seconds([&] { report = cairn::redistribute(world_, op, all, A, none, B); });
      const double scalapacks = slowest_seconds([&] {
        if (c.transposes)
          tran(&size, &size, &all, A.data(), &one, &one, desc_a.data(), &none, theirs.data(), &one, &one,
               desc_b.data());
        else
          gemr2d(&size, &size, A.data(), &one, &one, desc_a.data(), theirs.data(), &one, &one, desc_b.data(), &whole_);
      });
      if (r == 0) {
        first = ours / scalapacks;
        continue;
      }
      mine.push_back(ours), other.push_back(scalapacks), ratio.push_back(ours / scalapacks);
    }
    Int wrong = 0;
    for (Int i = 0; i < B.words(); ++i) wrong += B.data()[i] != theirs.data()[i];
    std::array<Int, 3> sums{report.received, least(c, b.words(world_.rank())), wrong};
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (world_.rank() == 0)
      fmt::print("{},{},{:.1f},{:.1f},{:.3f},{:.3f},{},{}{}\n", text(c.a), c.transposes ? "transposed" : text(c.b),
                 1e3 * cairn::median(mine), 1e3 * cairn::median(other), cairn::median(ratio), first, sums[0], sums[1],
                 sums[2] ? ",WRONG" : "");
    scalapack_.find<void(int)>("Cblacs_gridexit")(from);
    if (to != from) scalapack_.find<void(int)>("Cblacs_gridexit")(to);
  }

 private:
  int context(int pr, int pc) const {
    int c = handle_;
    scalapack_.find<void(int*, const char*, int, int)>("Cblacs_gridinit")(&c, "Row", pr, pc);
    return c;
  }
  Layout layout(Grid g) const { return Layout::block_cyclic(n_, n_, {g.block, g.block, g.pr, g.pc}); }
  std::array<int, 9> descriptor(Grid g, const Layout& l, int on) const {
    const int n = static_cast<int>(n_), ld = static_cast<int>(std::max<Int>(1, l.rows_at(world_.rank()).size()));
    return {1, on, n, n, g.block, g.block, 0, 0, ld};
  }
  // `wanted`, less what is here already: of rows and columns of B, those that are here as ones of A or of its
  // transpose.
  Int least(const Case& c, Int wanted) const {
    const Int r = world_.rank(), row = r / c.a.pc, col = r % c.a.pc;
    const auto here = [&](Int pa, Int x, Int pb, Int y) { return common(n_, c.a.block, pa, x, c.b.block, pb, y); };
    const bool t = c.transposes;
    return wanted - here(t ? c.a.pc : c.a.pr, t ? col : row, c.b.pr, r / c.b.pc) *
                        here(t ? c.a.pr : c.a.pc, t ? row : col, c.b.pc, r % c.b.pc);
  }
  static std::string text(Grid g) { return fmt::format("{}x{} b={}", g.pr, g.pc, g.block); }

  Int n_;
  int repetitions_;
  cairn::Comm world_;
  Scalapack scalapack_;
  int handle_ = 0, whole_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world();
  return run_benchmark(argv[0], world.rank() == 0, [&] {
    if (argc > 3) throw std::invalid_argument(std::string(argv[3]) + ": expected an order and repetitions");
    const Int order = argc > 1 ? whole_number(argv[1], argv[1]) : 8192;
    const Int repetitions = argc > 2 ? whole_number(argv[2], argv[2]) : 7;
    if (world.size() != 2 && world.size() != 4)
      throw std::invalid_argument(fmt::format("on {} ranks, expected 2 or 4", world.size()));
    const Bench bench(order, static_cast<int>(repetitions));
    if (world.rank() == 0) fmt::print("from,to,cairn_ms,scalapack_ms,ratio,first_ratio,words,least_words\n");
    for (const Case& c : world.size() == 2 ? on_2 : on_4) bench.run(c);
  });
}
