#include "scalapack/report.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "scalapack/settings.hpp"

namespace cairn::scalapack {

namespace {

struct Totals {
  Int handled = 0, handed_back = 0;
  double seconds = 0, handed_back_seconds = 0, scalapack_seconds = 0;
  Int received = 0;
};

// By routine. Never destroyed: it is printed when the program ends.
std::map<std::string, Totals>& totals() {
  static auto* const all = new std::map<std::string, Totals>;
  return *all;
}

void print_summary() {
  fmt::print(stderr, "cairn: calls in ScaLAPACK's place, as the first rank of each grid saw them\n");
  fmt::print(stderr, "  {:8} {:>9} {:>12} {:>16} {:>14} {:>12} {:>12}\n", "routine", "handled", "seconds",
             "ScaLAPACK, model", "words received", "handed back", "seconds");
  for (const auto& [routine, t] : totals()) {
    const std::string model = t.scalapack_seconds > 0 ? fmt::format("{:.6f}", t.scalapack_seconds) : "-";
    fmt::print(stderr, "  {:8} {:>9} {:>12.6f} {:>16} {:>14} {:>12} {:>12.6f}\n", routine, t.handled, t.seconds, model,
               t.received, t.handed_back, t.handed_back_seconds);
  }
}

void add(const CallReport& call) {
  if (totals().empty()) std::atexit(&print_summary);
  Totals& t = totals()[call.call.substr(0, call.call.find(' '))];
  (call.handled ? t.handled : t.handed_back) += 1;
  (call.handled ? t.seconds : t.handed_back_seconds) += call.seconds;
  t.scalapack_seconds += call.scalapack_seconds;
  t.received += call.received;
}

}  // namespace

bool reporting() { return settings().verbose || settings().summary; }

void report(const CallReport& call) {
  if (settings().summary) add(call);
  if (!settings().verbose) return;
  const std::string words = call.handled ? fmt::format(", {} words received", call.received) : "";
  fmt::print(stderr, "cairn: {}: {}: {}, {:.6f} s{}\n", call.call, call.handled ? "handled" : "handed back", call.why,
             call.seconds, words);
}

}  // namespace cairn::scalapack
