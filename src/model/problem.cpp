#include "model/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/arithmetic.hpp"
#include "model/bounds.hpp"

namespace cairn {

namespace {

// Callers' values are spelled before they are refused.
template <std::size_t n>
std::string_view name_at(std::size_t i, const std::string_view (&names)[n]) {
  return i < n ? names[i] : "unknown";
}

}  // namespace

std::string_view name_of(Uplo shape) { return name_at(static_cast<std::size_t>(shape), {"full", "lower", "upper"}); }
std::string_view name_of(Side side) { return side == Side::left ? "left" : "right"; }
std::string_view name_of(Op op) { return name_at(static_cast<std::size_t>(op), {"none", "transpose", "adjoint"}); }
std::string_view name_of(Diag diag) { return diag == Diag::unit ? "unit" : "stored"; }

namespace {

// Pieces of `set`, cut where those of the other begin or end.
std::vector<Range> cut(const IndexSet& set, const IndexSet& by) {
  std::vector<Range> all;
  for (Range r : set.pieces()) {
    for (Range other : by.pieces())
      for (Int at : {other.lo, other.hi})
        if (r.lo < at && at < r.hi) {
          all.push_back({r.lo, at});
          r.lo = at;
        }
    all.push_back(r);
  }
  return all;
}

}  // namespace

// The squares are the steps of stairs. Of each flight of steps, what is beside them is halved as often as need be, and
// what is below them is one part.
std::vector<CountedPart> counted_parts(Uplo shape, const IndexSet& rows, const IndexSet& cols, Int together) {
  if (shape == Uplo::full) return {{rows, cols, false}};
  const bool lower = shape == Uplo::lower;
  const IndexSet &across = lower ? cols : rows, &down = lower ? rows : cols;
  const std::vector<Range> steps = cut(across, down);
  std::vector<CountedPart> parts;
  const auto add = [&](std::size_t first, std::size_t end, Range below, bool on_diagonal) {
    const IndexSet far = down.intersect(below), near = across.intersect(Range{steps[first].lo, steps[end - 1].hi});
    if (far.empty()) return;
    parts.push_back(lower ? CountedPart{far, near, on_diagonal} : CountedPart{near, far, on_diagonal});
  };
  const std::function<void(std::size_t, std::size_t)> flight = [&](std::size_t first, std::size_t end) {
    if (end - first == 1) return add(first, end, steps[first], true);
    const std::size_t half = first + (end - first) / 2;
    flight(first, half);
    add(first, half, {steps[half - 1].hi, steps[end - 1].hi}, false);
    flight(half, end);
  };
  for (std::size_t first = 0, end = 0; first < steps.size(); first = end) {
    Int width = steps[end++].size();
    while (end < steps.size() && width + steps[end].size() <= together) width += steps[end++].size();
    flight(first, end);
    add(first, end, {steps[end - 1].hi, std::numeric_limits<Int>::max()}, false);
  }
  return parts;
}

namespace {

// Pairs (i, j) with i in `down` and j in `across`, ranges that overlap, and i ≥ j.
Int not_before(Range down, Range across) {
  const Range both{std::max(down.lo, across.lo), std::min(down.hi, across.hi)};
  const Int first = both.lo - across.lo + 1, last = both.hi - across.lo;
  return both.size() * (first + last) / 2 + (down.hi - both.hi) * across.size();
}

}  // namespace

// From the last piece across to the first, ever more pieces down come wholly after it.
Int counted(Uplo shape, const IndexSet& rows, const IndexSet& cols) {
  if (shape == Uplo::full) return rows.size() * cols.size();
  const auto &across = (shape == Uplo::lower ? cols : rows).pieces(),
             &down = (shape == Uplo::lower ? rows : cols).pieces();
  Int sum = 0, after = 0;
  auto d = down.rbegin();
  for (auto a = across.rbegin(); a != across.rend(); ++a) {
    for (; d != down.rend() && d->lo >= a->hi; ++d) after += d->size();
    sum += after * a->size();
    for (auto overlaps = d; overlaps != down.rend() && overlaps->hi > a->lo; ++overlaps)
      sum += not_before(*overlaps, *a);
  }
  return sum;
}

namespace {

struct Spelled {
  std::string operator()(const Multiply& x) const { return fmt::format("m={} n={} k={}", x.m, x.n, x.k); }
  std::string operator()(const Copy& x) const { return fmt::format("copy m={} n={}", x.m, x.n); }
  std::string operator()(const Factorise& x) const {
    return fmt::format("potrf n={} uplo={}", x.n, name_of(x.triangle));
  }
  std::string operator()(const Solve& x) const {
    return fmt::format("trsm m={} n={} side={} uplo={} op={} diag={}", x.m, x.n, name_of(x.side), name_of(x.triangle),
                       name_of(x.op), name_of(x.diag));
  }
};

struct ResultOf {
  Extents operator()(const Multiply& x) const { return {x.m, x.n}; }
  Extents operator()(const Copy& x) const { return {x.m, x.n}; }
  Extents operator()(const Factorise& x) const { return {x.n, x.n}; }
  Extents operator()(const Solve& x) const { return {x.m, x.n}; }
};

struct FlopsOf {
  double operator()(const Multiply& x) const { return 2 * real(x.m) * real(x.n) * real(x.k); }
  double operator()(const Copy&) const { return 0; }
  double operator()(const Factorise& x) const { return real(x.n) * real(x.n + 1) * real(2 * x.n + 1) / 6; }
  double operator()(const Solve& x) const { return real(x.m) * real(x.n) * real(x.order()); }
};

struct ReceivedBound {
  Int p;
  double operator()(const Multiply& x) const { return received_bound(x.m, x.n, x.k, p); }
  double operator()(const Copy&) const { return 0; }
  // 3 (n³/(6√2 p))^(2/3) − n²/p, where the ranks share the work evenly: symmetric Loomis-Whitney, with the triangle's
  // n²/2 words of input and of output each held once.  [Al Daas et al., SPAA 2023]
  double operator()(const Factorise& x) const {
    const double n = real(x.n), ranks = real(p);
    return std::max(0.0, 3 * std::pow(n * n * n / (6 * std::sqrt(2.0) * ranks), 2.0 / 3) - n * n / ranks);
  }
  // 3 (n²m/(2p))^(2/3) − n²/(2p) − 2nm/p for a triangle of order n and m right-hand sides: Loomis-Whitney for the
  // n²m/2 products of A, X and B, less what a rank holds of A and B, and may leave of X.
  // [Ballard, Demmel, Holtz, Schwartz, SIMAX 2011]
  double operator()(const Solve& x) const {
    const double n = real(x.order()), m = real(x.side == Side::left ? x.n : x.m), ranks = real(p);
    return std::max(0.0, 3 * std::pow(n * n * m / (2 * ranks), 2.0 / 3) - (n * n / 2 + 2 * n * m) / ranks);
  }
};

struct TouchedBound {
  Int p;
  double words;
  double operator()(const Multiply& x) const { return parallel_bound(x.m, x.n, x.k, p, words); }
  double operator()(const Copy&) const { return 0; }
  // n³/(3√2 p√S).  [Beaumont, Eyraud-Dubois, Vérité, Langou, SPAA 2022]
  double operator()(const Factorise& x) const {
    return real(x.n) * real(x.n) * real(x.n) / (3 * real(p) * std::sqrt(2 * words));
  }
  // n²m/(p√S).  [Ballard, Demmel, Holtz, Schwartz, SIMAX 2011]
  double operator()(const Solve& x) const {
    return real(x.order()) * real(x.m) * real(x.n) / (real(p) * std::sqrt(words));
  }
};

}  // namespace

std::string spelled(const Problem& problem) { return std::visit(Spelled{}, problem); }
Extents result_of(const Problem& problem) { return std::visit(ResultOf{}, problem); }
bool in_place(const Problem& problem) {
  return std::holds_alternative<Factorise>(problem) || std::holds_alternative<Solve>(problem);
}
double flops(const Problem& problem) { return std::visit(FlopsOf{}, problem); }
double received_bound(const Problem& problem, Int p) { return std::visit(ReceivedBound{p}, problem); }
double touched_bound(const Problem& problem, Int p, double words) {
  return words > 0 ? std::visit(TouchedBound{p, words}, problem) : 0;
}

}  // namespace cairn
