// Kwasniewski et al., SC '19, Table 3: volumes per rank, averaged over core counts.
#include <fmt/format.h>

#include "reproduction.hpp"

namespace cairn::app {

namespace {

struct Shape {
  const char* name;
  Int m, n, k;
  std::vector<Int> cores;
  double scalapack, ctf, carma, cosma;  // MB, as printed
};

// Sizes from §8 and §9. Core counts: the powers of two that the text and the axes name, and 512 nodes.
std::vector<Shape> shapes() {
  const std::vector<Int> all{256, 512, 1024, 2048, 4096, 8192, 16384, 18432}, many{2048, 4096, 8192, 16384, 18432};
  return {{"square", 16384, 16384, 16384, all, 203, 222, 195, 107},
          {"largeK", 17408, 17408, 3735552, many, 2636, 2278, 659, 545},
          {"largeM", 3735552, 17408, 17408, many, 3507, 2024, 541, 410},
          {"flat", 131072, 131072, 512, all, 134, 68, 10, 7}};
}

}  // namespace

Reproduction cosma_table3() {
  Reproduction r;
  r.setting =
      "strong scaling at the paper's sizes; one rank a core with 64 GiB / 36 of memory, ScaLAPACK one rank on nine "
      "cores; mean over 256, 512, …, 16384 and 18432 cores (from 2048 on where the paper says so); words on the wire, "
      "mean over ranks";
  r.unit = "MB per rank";
  const Machine machine = find_machine("piz-daint");
  constexpr double memory_bytes = 64.0 * 1024 * 1024 * 1024 / 36;
  constexpr Int cores_per_scalapack_rank = 9;
  const auto memory = static_cast<Int>(memory_bytes / 8);
  for (const Shape& s : shapes()) {
    const auto mean = [&](const char* algorithm, Int cores_per_rank) {
      double sum = 0;
      for (Int cores : s.cores) {
        const Options options{.memory_words = memory * cores_per_rank, .algorithm = algorithm};
        sum += 8e-6 * cost(machine, product(s.m, s.n, s.k, cores / cores_per_rank), options).mean_wire;
      }
      return sum / static_cast<double>(s.cores.size());
    };
    const auto add = [&](const char* who, double paper, double ours) {
      r.lines.push_back({fmt::format("{}: {}", s.name, who), paper, ours});
    };
    add("ScaLAPACK (summa)", s.scalapack, mean("summa", cores_per_scalapack_rank));
    add("CTF (summa25d)", s.ctf, mean("summa25d", 1));
    add("CARMA (carma)", s.carma, mean("carma", 1));
    add("COSMA (cosma)", s.cosma, mean("cosma", 1));
  }
  return r;
}

}  // namespace cairn::app
