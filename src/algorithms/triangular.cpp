#include "algorithms/triangular.hpp"

#include <algorithm>

#include "algorithms/panels.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

Panels::Panels(const GridAndBlock& f, Int order, bool is_turned)
    : turned(is_turned),
      n(real(order)),
      pr(real(turned ? f.pc : f.pr)),
      pc(real(turned ? f.pr : f.pc)),
      layers(real(f.layers)),
      b(real(std::clamp<Int>(order, 1, f.b))),
      rows_b(b) {}

Sketch Panels::sketch(double m) const {
  Sketch s;
  s.grid = {static_cast<Int>(turned ? pc : pr), static_cast<Int>(turned ? pr : pc), static_cast<Int>(layers)};
  s.b = static_cast<Int>(b);
  s.rows = most_rows(m), s.cols = n / pc;
  s.share = s.rows / std::max(1.0, m) / (pc * layers);
  s.hidden = layers == 1;
  return s;
}

// Ranks are numbered as Turned numbers its grid.
Road Panels::down(double received, double turns, double words) const {
  return {static_cast<Int>(turned ? pr : ranks()), received, blocks() * turns, blocks() * words};
}
Road Panels::across(double received, double turns, double words) const {
  return {static_cast<Int>(turned ? ranks() : pc * layers), received, blocks() * turns, blocks() * words};
}
Road Panels::up(double received, double turns, double words) const {
  return {static_cast<Int>(turned ? pr * layers : layers), received, blocks() * turns, blocks() * words};
}

double Panels::held(double m, double rows, bool operand) const {
  const auto own = [&](double its_rows, auto part) {
    return its_rows * (part(n, pc * layers) + (layers > 1 ? part(n, pc) : 0)) +
           (operand ? part(n, pr * layers) * part(n, pc) : 0);
  };
  const double left = std::max(0.0, n - layers * b), along = left > 0 && pc > 1 ? least_rows(rows) : 0,
               down = left > 0 && pr > 1 ? least(left, pc) : 0;
  const double passing = (left > pc * b ? along : 0) + (left > pr * b ? down : 0),
               first = own(most_rows(m), [&](double extent, double over) { return most(extent, over); }) + b * passing,
               last = own(least_rows(m), [&](double extent, double over) { return least(extent, over); }) +
                      b * (along + down);
  return std::max(first, last);
}

double brought(const std::optional<Layout>& held, Uplo shape, GridAndBlock form, int trips, bool transposed) {
  const double ranks = real(form.pr * form.pc * form.layers);
  if (!held || (!transposed && lies_so(*held, form))) return 0;
  const double words = real(held->m()) * real(held->n()) * (shape == Uplo::full ? 1 : 0.5);
  return trips * words / ranks * (1 - 1 / ranks);
}

}  // namespace cairn
