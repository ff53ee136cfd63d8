// fetch25d's spelling, and its words in closed form.
#include <fmt/format.h>

#include <numeric>

#include "algorithms/arguments.hpp"
#include "algorithms/fetch25d.hpp"
#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"

namespace cairn {

std::string print(const Fetch25d& f) {
  return fmt::format("fetch25d {}x{}{}{}", f.pr, f.pc, f.layers() > 1 ? fmt::format(" layers={}x{}", f.lr, f.lc) : "",
                     f.crossed ? " crossed" : "");
}

// A rank needs lr rows, and the layer's share of k, but for what it has itself; of sums over that share the columns of
// its part, and then of sums over those of lr layers its own.
double received(const Fetch25d& f, double a, double b, const std::function<double(double)>& c) {
  const double pr = real(f.pr), pc = real(f.pc), lr = real(f.lr), lc = real(f.lc), layers = lr * lc;
  const double rows = f.lr > 1 ? (lr - 1) * lc * c(1 / layers) : 0, cols = f.lc > 1 ? (lc - 1) * c(1 / lc) : 0;
  return a * (lr - 1 / pc) / (pr * layers) + b * (lc - 1 / pr) / (pc * layers) + (rows + cols) / (pr * pc);
}

Fetch25d parse_fetch25d(std::string_view text) {
  Arguments arguments(text, "fetch25d 4x4 layers=2x2");
  const std::vector<Int> grid = arguments.sizes(2);
  Fetch25d f{grid[0], grid[1]};
  if (text.find("layers=") != std::string_view::npos) {
    const std::vector<Int> layers = arguments.sizes("layers", 2);
    f.lr = layers[0], f.lc = layers[1];
  }
  f.crossed = arguments.flag("crossed");
  arguments.finish();
  if (f.pr % f.lr != 0 || f.pc % f.lc != 0)
    arguments.refuse(fmt::format("layers={}x{}: expected divisors of {} and {}", f.lr, f.lc, f.pr, f.pc));
  if (f.crossed && f.layers() > 1) arguments.refuse("crossed: expected on one layer");
  return f;
}

std::optional<Fetch25d> find_fetch25d(std::string_view spelling) {
  constexpr std::string_view name = "fetch25d";
  if (algorithm_name(spelling) != name) return std::nullopt;
  return parse_fetch25d(spelling.substr(spelling.find(name) + name.size()));
}

Int pieces(const Fetch25d& f) {
  constexpr Int most = 1 << 16;  // each is a few steps of the schedule
  Int V = f.crossed ? f.pr : f.pr / std::gcd(f.pr, f.pc);
  bool many = __builtin_mul_overflow(V, f.pc, &V) || V > most;
  if (!many) many = __builtin_mul_overflow(V / std::gcd(V, f.layers()), f.layers(), &V) || V > most;
  if (many)
    throw ArgumentError(fmt::format("algorithm: {}: more than {} pieces, expected fewer, as in fetch25d 4x4 layers=2x2",
                                    print(f), most));
  return V;
}

}  // namespace cairn
