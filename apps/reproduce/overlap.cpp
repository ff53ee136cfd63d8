// Georganas et al., 2012: Figures 4, 5 and 9, on Hopper with one rank on the six cores of a NUMA domain.
#include "overlap.hpp"

#include <fmt/format.h>

namespace cairn::app {

namespace {

// side × side ranks, or layers of a smaller square.
std::string spelling(const char* family, Int side, bool replicated, Int n) {
  const Int s = replicated ? side / 2 : side;
  if (std::string_view(family) == "cannon")
    return replicated ? fmt::format("cannon {}x{}x{}", s, s, layers) : fmt::format("cannon {}x{}", s, s);
  return replicated ? fmt::format("summa25d {}x{}x{} b={}", s, s, layers, n / s)
                    : fmt::format("summa {}x{} b={}", s, s, n / s);
}

Cost run(const char* family, Int side, const Variant& v, Int n) {
  static const Machine hopper = find_machine("hopper");
  return cost(hopper, product(n, n, n, side * side),
              {.algorithm = spelling(family, side, v.replicated, n), .look_ahead = v.look_ahead});
}

double percent_of_peak(const Cost& c, Int n, Int side) {
  const double size = static_cast<double>(n);
  return 100 * 2 * size * size * size / (c.seconds * peak * static_cast<double>(side * side));
}

}  // namespace

Reproduction overlap_figure4() {
  Reproduction r;
  r.setting =
      "SUMMA, n = 32768, 1536, 6144 and 24576 cores of Hopper, c = 4 layers, panels as wide as a rank's block; ours: "
      "the clock without contention. The paper's numbers are those of its text";
  r.unit = "% of peak, or as said";
  constexpr Int n = 32768;
  double base = 0, both = 0;
  for (const Variant& v : variants) {
    Curve curve{v.name, {}, {}};
    for (Int side : {Int{16}, Int{32}, Int{64}}) {
      const Cost c = run("summa", side, v, n);
      const double percent = percent_of_peak(c, n, side);
      r.lines.push_back({fmt::format("{} cores: {}", side * side * cores_per_rank, v.name), {}, percent});
      curve.x.push_back(static_cast<double>(side * side * cores_per_rank)), curve.y.push_back(percent);
      if (side == 64 && !v.replicated && v.look_ahead == 0) base = c.seconds;
      if (side == 64 && v.replicated && v.look_ahead == 1) both = c.seconds;
    }
    r.curves.push_back(std::move(curve));
  }
  r.lines.push_back({"24576 cores: 2D / 2.5D overlapped, time", 2.0, base / both});
  r.x_label = "cores", r.y_label = "% of peak", r.log_x = true;
  return r;
}

Reproduction overlap_figure5() {
  Reproduction r;
  r.setting =
      "Cannon, n = 16384, 1536 and 24576 cores of Hopper, c = 4 layers; ours: the clock without contention, of the "
      "rank that ends last. The paper's numbers are those of its text";
  r.unit = "ms, or as said";
  constexpr Int n = 16384;
  constexpr double ms = 1e3;
  for (Int side : {Int{16}, Int{64}})
    for (const Variant& v : variants) {
      const Cost c = run("cannon", side, v, n);
      const std::string what = fmt::format("{} cores: {}", side * side * cores_per_rank, v.name);
      r.lines.push_back({what + ", computation", {}, ms * c.computation});
      r.lines.push_back({what + ", exposed communication", {}, ms * c.communication()});
    }
  const Variant& best = variants[3];
  r.lines.push_back({"24576 cores, n = 32768: SUMMA / Cannon, time", 1.25,
                     run("summa", 64, best, 2 * n).seconds / run("cannon", 64, best, 2 * n).seconds});
  return r;
}

Reproduction overlap_figure9() {
  Reproduction r;
  r.setting =
      "SUMMA, n = 32768, 1536 cores of Hopper; the paper sets its model beside measured times and finds computation "
      "and idle time right and communication far too optimistic, as contention is not in the model";
  r.unit = std::string("s");
  constexpr Int n = 32768;
  for (const Variant& v : variants) {
    const Cost c = run("summa", 16, v, n);
    r.lines.push_back({fmt::format("{}, computation", v.name), {}, c.computation});
    r.lines.push_back({fmt::format("{}, exposed communication", v.name), {}, c.communication()});
  }
  return r;
}

}  // namespace cairn::app
