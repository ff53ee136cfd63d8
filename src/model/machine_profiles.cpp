// The built-in machines. What a source gives is cited in `source`; what was derived or taken from elsewhere says so
// there.
#include "model/machine.hpp"

namespace cairn {

namespace {

// Kernels written in AVX2, as current processors have it; others are faster or slower by what they do in a cycle.
constexpr const char* avx2_kernels = "Haswell";

// Of all of them.
constexpr double precision = 0.1;

// The peak of float32, complex64 and complex128 for that of float64, in vector units of one width.
std::array<double, 4> peaks(double float64) { return {2 * float64, float64, 2 * float64, float64}; }

Machine::Level level(const char* name, Int ranks, double latency, double gap, double bytes_per_second) {
  return {name, ranks, latency, 1 / bytes_per_second, 0, gap};
}

// Orders of magnitude of a current cluster with one rank on each of a node's 64 cores, not a measurement: a network
// card of 25 GB/s leaves 0.4 GB/s to each of 64 ranks that all communicate, and a message takes 1.5 µs, a third of
// which keeps the port; a memory of 200 GB/s through which 64 ranks copy in and out, six bytes moved for each received,
// leaves 0.5 GB/s to each, and 0.5 µs; one core with two AVX2 fused multiply-adds a cycle at 3 GHz does 48 GF/s in
// double precision, half of that at a dimension of 12; a plain copy moves three bytes for each. Nothing here is known
// better than to a tenth.
Machine generic() {
  return {.name = "generic",
          .source = "orders of magnitude of a current cluster, one rank a core",
          .levels = {level("node", 64, 0.3e-6, 0.2e-6, 0.5e9), level("network", 0, 1e-6, 0.5e-6, 0.4e9)},
          .gemm = {peaks(48e9), 12, {}, avx2_kernels},
          .copy_seconds_per_byte = 1 / 1e9,
          .step_seconds = 0.5e-6,
          .precision = precision};
}

// One machine with few ranks, which talk through its memory: about 4 GB/s for each and 1 µs a message.
Machine local() {
  return {.name = "local",
          .source = "orders of magnitude of one workstation, one rank a core",
          .levels = {level("memory", 0, 0.6e-6, 0.4e-6, 4e9)},
          .gemm = {peaks(48e9), 12, {}, avx2_kernels},
          .copy_seconds_per_byte = 1 / 8e9,
          .step_seconds = 0.5e-6,
          .precision = precision};
}

// 16 flops a cycle at 2.1 GHz are 33.6 GF/s a core, 1.21 TF/s a node, 2.19 PF/s in 1,813 nodes.
Machine piz_daint() {
  return {.name = "piz-daint",
          .source =
              "cosma-sc19 §8: Cray XC40, 1813 nodes of two E5-2695 v4 (2 x 18 cores), Aries, one rank a core. "
              "Elsewhere: peak 33.6 GF/s a core at the nominal 2.1 GHz (CSCS: 2.19 PF/s in all), Aries 1.3 µs "
              "and 10 GB/s a node and direction (Cray), memory 120 GB/s a node. Derived: shares of 36 ranks, six "
              "bytes moved for each received in a node, three for each copied; half of the peak at dimension 16, "
              "gap and step",
          .levels = {level("node", 36, 0.4e-6, 0.1e-6, 120e9 / 36 / 6), level("network", 0, 1.3e-6, 0.2e-6, 10e9 / 36)},
          .gemm = {peaks(33.6e9), 16},
          .copy_seconds_per_byte = 3 * 36 / 120e9,
          .step_seconds = 0.5e-6,
          .precision = precision};
}

// The paper runs one process on the six cores of each NUMA domain. Products reach their best at dimension 1024: within
// 5 % if half of it is reached at 48.
Machine hopper() {
  return {.name = "hopper",
          .source =
              "communication-avoiding-overlapping-2012 Table I, §III: Cray XE6, 24 cores of 8.4 GF/s a node, one "
              "rank on each of 4 NUMA domains, 25.6 GB/s of memory for each, products best from dimension 1024 "
              "on (Figure 2). Elsewhere: Gemini 1.4 µs and 6 GB/s a node and direction as measured (Table I: 7 "
              "GB/s at most; Figure 3 reaches it at 512 KB). Derived: shares of 4 ranks, six bytes moved for "
              "each received in a node, three for each copied, gap and step",
          .levels = {level("node", 4, 0.8e-6, 0.2e-6, 25.6e9 / 6), level("network", 0, 1.4e-6, 0.4e-6, 6e9 / 4)},
          .gemm = {peaks(6 * 8.4e9), 48},
          .copy_seconds_per_byte = 3 / 25.6e9,
          .step_seconds = 0.5e-6,
          .precision = precision};
}

// The paper runs one rank a node with four threads. 4 flops a cycle at 2.53 GHz are 10.1 GF/s a core.
Machine graphene() {
  return {.name = "graphene",
          .source =
              "hsumma-2014 §5.1: Grid'5000 Graphene, 144 nodes of one Xeon X3440 (4 cores), Ethernet, one rank a "
              "node. From the same authors' paper of ICPP 2013: 100 µs and 1 ns a byte, their Hockney "
              "parameters. Elsewhere: 10.1 GF/s a core at 2.53 GHz, memory 21 GB/s. Derived: half of the peak at "
              "dimension 32, step",
          .levels = {level("network", 0, 1e-4, 0, 1e9)},
          .gemm = {peaks(4 * 10.12e9), 32},
          .copy_seconds_per_byte = 3 / 21e9,
          .step_seconds = 1e-6,
          .precision = precision};
}

Machine graphene_infiniband() {
  Machine m = graphene();
  m.name = "graphene-infiniband";
  m.source =
      "hsumma-2014 §5.1: Grid'5000 Graphene, 144 nodes of one Xeon X3440 (4 cores), InfiniBand 20G, one rank a node. "
      "Elsewhere: 2 GB/s of data and 2 µs (DDR InfiniBand with 8b/10b coding), 10.1 GF/s a core at 2.53 GHz, memory 21 "
      "GB/s. Derived: half of the peak at dimension 32, step";
  m.levels = {level("network", 0, 2e-6, 0.5e-6, 2e9)};
  return m;
}

// VN mode: one rank a core. Two fused multiply-adds a cycle at 850 MHz are 3.4 GF/s.
Machine shaheen() {
  return {.name = "shaheen",
          .source =
              "hsumma-2014 §5.2: BlueGene/P, 16 racks, nodes of four PowerPC 450 at 850 MHz, one rank a core (VN "
              "mode), torus. From the same authors' paper of ICPP 2013: 3 µs and 1 ns a byte, their Hockney "
              "parameters. Elsewhere: 3.4 GF/s a core, no units for float32, memory 13.6 GB/s a node (IBM). "
              "Derived: six bytes moved for each received in a node by 4 ranks, three for each copied; half of "
              "the peak at dimension 16, step",
          .levels = {level("node", 4, 1e-6, 0, 13.6e9 / 4 / 6), level("network", 0, 3e-6, 0, 1e9)},
          .gemm = {{3.4e9, 3.4e9, 3.4e9, 3.4e9}, 16},
          .copy_seconds_per_byte = 3 * 4 / 13.6e9,
          .step_seconds = 2e-6,
          .precision = precision};
}

Machine exascale() {
  return {.name = "exascale",
          .source =
              "hsumma-2014 §4.4, Figure 5: roadmap of 2012, p = 2^20. From the same authors' paper of ICPP 2013: "
              "500 ns, 100 GB/s and 1e18 flops a second of all. Assumed: each rank alone on its node, products "
              "at the peak, no time for steps",
          .levels = {level("network", 0, 500e-9, 0, 100e9)},
          .gemm = {peaks(1e18 / 0x1p20), 0},
          .copy_seconds_per_byte = 1 / 1e12,
          .precision = precision};
}

}  // namespace

const std::vector<Machine>& built_in_machines() {
  static const std::vector<Machine> all{generic(), local(),   piz_daint(), hopper(), graphene(), graphene_infiniband(),
                                        shaheen(), exascale()};
  return all;
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const Machine& m : built_in_machines()) names.push_back(m.name);
  return names;
}

}  // namespace cairn
