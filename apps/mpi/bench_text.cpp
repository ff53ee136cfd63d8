// What `cairn bench` prints for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench.hpp"

namespace cairn::app {

namespace {

constexpr double close = 0.25, long_enough = 0.01;  // the criterion of a good prediction: share, seconds

std::string time(double t) {
  if (t < 1e-3) return fmt::format("{:.1f} us", t * 1e6);
  if (t < 1) return fmt::format("{:.2f} ms", t * 1e3);
  return fmt::format("{:.3f} s", t);
}
template <class F>
std::string or_dash(bool there, F text) {
  return there ? text() : std::string("-");
}
std::string count(Int x) { return x > 0 ? fmt::format("{}", x) : "-"; }

std::string head(const BenchReport& r, const BenchCase& c) {
  return fmt::format("\n{}: {} x {} x {} (m x n x k), {}, {} {}, {} {}{}\n", c.shape, c.m, c.n, c.k, name_of(r.type),
                     r.ranks, r.ranks == 1 ? "rank" : "ranks", r.repeats, r.repeats == 1 ? "round" : "rounds",
                     r.regime.empty() ? "" : ", " + r.regime + " scaling");
}

std::string line(std::size_t width, const std::vector<std::string>& cells) {
  return fmt::format("  {:<{}} {:<11} {:>5} {:>12} {:>8} {:>10} {:>8} {:>6} {:>10} {:>6} {:>6}\n", cells[0], width,
                     cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9],
                     cells[10]);
}

std::string row(std::size_t width, const BenchRow& r) {
  const bool cairns = r.predicted.has_value();
  const auto over = r.predicted_over_measured();
  const auto hidden = r.hidden();
  return line(width,
              {r.algorithm, r.transport, or_dash(cairns, [&] { return fmt::format("{}", r.look_ahead); }),
               or_dash(cairns, [&] { return count(r.words); }), or_dash(cairns, [&] { return count(r.messages); }),
               time(r.seconds), fmt::format("{:.1f}", r.gflops), fmt::format("{:.3f}", r.speed),
               or_dash(cairns, [&] { return time(*r.predicted); }),
               or_dash(over.has_value(), [&] { return fmt::format("{:.2f}", *over); }),
               or_dash(hidden.has_value(), [&] { return fmt::format("{:.0f} %", 100 * *hidden); })});
}

std::string predictions(const BenchReport& r) {
  int cases = 0, good = 0;
  for (const BenchRow& x : r.rows) {
    const auto over = x.predicted_over_measured();
    if (!over || x.seconds < long_enough) continue;
    ++cases;
    good += std::abs(*over - 1) <= close ? 1 : 0;
  }
  if (cases == 0) return "\nPredictions: no case took over 10 ms, too short to judge them.\n";
  return fmt::format("\nPredictions on machine '{}'{}: {} of {} cases over 10 ms within 25 % of what was measured.\n",
                     r.machine, r.kernels.empty() ? "" : fmt::format(" with {} kernels", r.kernels), good, cases);
}

}  // namespace

std::optional<double> BenchRow::hidden() const {
  constexpr double least = 0.02;  // share of the time below which messages are too little to tell
  if (!computing || !moving || *moving < least * seconds) return {};
  return 1 - (seconds - *computing) / *moving;
}

std::optional<double> BenchRow::predicted_over_measured() const {
  if (!predicted || seconds <= 0) return {};
  return *predicted / seconds;
}

std::string as_text(const BenchReport& r) {
  std::string text;
  std::size_t width = 20;
  for (const BenchRow& x : r.rows) width = std::max(width, x.algorithm.size());
  const BenchRow* last = nullptr;
  for (const BenchRow& x : r.rows) {
    if (last == nullptr || last->what.shape != x.what.shape || last->what.m != x.what.m || last->what.n != x.what.n ||
        last->what.k != x.what.k)
      text += head(r, x.what) + line(width, {"algorithm", "transport", "ahead", "words", "messages", "time", "GFLOP/s",
                                             "speed", "predicted", "/meas.", "hidden"});
    text += row(width, x);
    last = &x;
  }
  text += fmt::format(
      "\nwords, messages: received by the rank with the most. time: median. speed: median of (time of {} / time).\n"
      "/meas.: predicted over measured. hidden: share of the messages' time behind products.\n",
      r.baseline);
  text += predictions(r);
  for (const std::string& note : r.notes) text += "Left out: " + note + '\n';
  return text;
}

}  // namespace cairn::app
