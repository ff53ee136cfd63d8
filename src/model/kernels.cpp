#include "model/kernels.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn {

namespace {

struct Known {
  std::string_view name;
  double flops_per_cycle;
};

// Names are those of openblas_get_corename() [OpenBLAS, driver/others/dynamic.c and dynamic_arm64.c]. What kernels do
// in a cycle follows from the instructions they are written in, on a core with two units for them, as current ones
// have: vectors of 2 (SSE2, NEON), 4 (AVX, AVX2) or 8 doubles (AVX-512), added and multiplied by two instructions
// before there were fused ones, by one afterwards. The slowest first.
constexpr std::array known{
    Known{"Prescott", 4},     Known{"Atom", 4},        Known{"Core2", 4},       Known{"Penryn", 4},
    Known{"Dunnington", 4},   Known{"Nehalem", 4},     Known{"Opteron", 4},     Known{"Barcelona", 4},
    Known{"Bobcat", 4},       Known{"cortexa53", 4},   Known{"Sandybridge", 8}, Known{"Bulldozer", 8},
    Known{"Piledriver", 8},   Known{"Steamroller", 8}, Known{"Excavator", 8},   Known{"armv8", 8},
    Known{"cortexa57", 8},    Known{"cortexa72", 8},   Known{"neoversen1", 8},  Known{"neoversen2", 8},
    Known{"thunderx2t99", 8}, Known{"tsv110", 8},      Known{"Haswell", 16},    Known{"Zen", 16},
    Known{"neoversev1", 16},  Known{"SkylakeX", 32},   Known{"Cooperlake", 32}, Known{"SapphireRapids", 32},
};

const Known* find(std::string_view name) {
  const auto* const found =
      std::find_if(known.begin(), known.end(), [&](const Known& k) { return same_kernels(k.name, name); });
  return found == known.end() ? nullptr : found;
}

}  // namespace

bool same_kernels(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return small(x) == small(y); });
}

std::string_view kernels_named(std::string_view name) {
  const Known* const k = find(name);
  return k ? k->name : std::string_view();
}

double flops_per_cycle(std::string_view kernels) {
  const Known* const k = find(kernels);
  return k ? k->flops_per_cycle : 0;
}

std::vector<std::string_view> kernel_names() {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const Known& k : known) names.push_back(k.name);
  return names;
}

const KernelRate* find_rate(const std::vector<KernelRate>& rates, std::string_view kernels) {
  const auto found =
      std::find_if(rates.begin(), rates.end(), [&](const KernelRate& r) { return same_kernels(r.kernels, kernels); });
  return found == rates.end() ? nullptr : &*found;
}

}  // namespace cairn
