// The short table of `cairn calibrate`.
#include <fmt/format.h>

#include "base/scalars.hpp"
#include "calibrate.hpp"
#include "launch.hpp"

namespace cairn::app {

namespace {

std::string time(double t) {
  if (t < 1e-6) return fmt::format("{:.0f} ns", t * 1e9);
  if (t < 1e-3) return fmt::format("{:.2f} us", t * 1e6);
  return fmt::format("{:.2f} ms", t * 1e3);
}
std::string rate(double bytes_per_second) { return fmt::format("{:.2f} GB/s", bytes_per_second / 1e9); }
std::string size(Int bytes) {
  if (bytes >= Int{1} << 20) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 1024) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

std::string products(const Calibration& c) {
  const Machine::Gemm& gemm = c.machine.gemm;
  std::string text = "  local products, GFLOP/s of a rank while all are at work\n   ";
  for (ScalarType t : scalar_types)
    text += fmt::format(" {} {:.1f} ", name_of(t), gemm.flops_per_second[static_cast<std::size_t>(t)] / 1e9);
  const auto largest = static_cast<double>(c.measured.sizes.back());
  const double peak = gemm.flops_per_second[static_cast<std::size_t>(ScalarType::float64)] / 1e9;
  text += fmt::format("\n    float64, size d {:>20} {:>12} {:>12} {:>12}\n", "d x d x d", "k = d", "n = d", "m = d");
  for (double d : gemm.efficiency.k) {
    if (d > largest) break;
    text += fmt::format("    {:>15.0f} {:>20.1f} {:>12.1f} {:>12.1f} {:>12.1f}\n", d,
                        peak * gemm.efficiency.at(d, d, d), peak * gemm.efficiency.at(largest, largest, d),
                        peak * gemm.efficiency.at(largest, d, largest), peak * gemm.efficiency.at(d, largest, largest));
  }
  return text + fmt::format("    the other two sizes being {:.0f} in the last three columns\n\n", largest);
}

std::string messages(const Level& l) {
  std::string text = fmt::format("  messages, {}: L {}  o {}  g {}  G {:.3f} ns a byte\n", l.who.name, time(l.loggp.L),
                                 time(l.loggp.o), time(l.loggp.g), l.loggp.G * 1e9);
  if (l.messages.empty()) return text + "    none: one rank only\n\n";
  text += fmt::format("    {:>15} {:>20} {:>12} {:>12}\n", "size", "one pair", "all at once", "that is");
  for (const MessageCost& m : l.messages)
    text += fmt::format("    {:>15} {:>20} {:>12} {:>12}\n", size(m.bytes), time(m.alone), time(m.together),
                        rate(static_cast<double>(m.bytes) / m.together));
  return text + '\n';
}

std::string memory(const MemoryCost& m) {
  const auto item = [](const char* what, double seconds_per_byte) {
    return seconds_per_byte > 0 ? fmt::format("  {} {}", what, rate(1 / seconds_per_byte)) : std::string();
  };
  return fmt::format("  memory, blocks of {}, all ranks at once\n   {}{}{}{}{}\n\n", size(m.bytes),
                     item("copy", m.copy), item("add", m.add), item("read", m.read),
                     item("copy another's", m.shared_copy), item("read another's", m.shared_read));
}

std::string windows(const std::vector<MessageCost>& fetched) {
  if (fetched.empty()) return "  one-sided transport does not work here\n\n";
  std::string text = "  fetched out of windows, all at once\n";
  for (const MessageCost& m : fetched)
    text += fmt::format("    {:>15} {:>20} {:>12} {:>12}\n", size(m.bytes), "", time(m.together),
                        rate(static_cast<double>(m.bytes) / m.together));
  return text + '\n';
}

std::string exchanges(const Calibration& c) {
  std::string text;
  if (!c.measured.exchanges.empty())
    text += fmt::format("  the executor's exchanges among {} ranks\n    {:>15} {:>20} {:>12} {:>12}\n",
                        c.measured.ranks, "", "a rank receives", "takes", "that is");
  for (const ExchangeCost& x : c.measured.exchanges)
    text += fmt::format("    {:>15} {:>20} {:>12} {:>12}\n", x.name, size(x.words * 8), time(x.seconds),
                        rate(8 * static_cast<double>(x.words) / x.seconds));
  if (c.measured.wait > 0) text += fmt::format("  a wait for the ranks of the node  {}\n", time(c.measured.wait));
  return text + fmt::format("  a step of the executor  {}\n", time(c.measured.step));
}

}  // namespace

std::string as_text(const Calibration& c, const CalibrateArguments& a) {
  const int cores = usable_cores();
  std::string text = fmt::format("\n  {} {} on {} cores, measured in {:.0f} s\n", c.measured.ranks,
                                 c.measured.ranks == 1 ? "rank" : "ranks", cores, c.seconds);
  if (c.measured.ranks > cores)
    text += "  More ranks than cores: they take turns, and so will the ranks that the figures are used for.\n";
  text += '\n' + products(c);
  for (const Level& l : c.measured.levels) text += messages(l);
  text += memory(c.measured.memory);
  if (c.measured.ranks > 1) text += windows(c.measured.one_sided);
  text += exchanges(c) + '\n';
  if (!c.advice.empty()) text += "  " + c.advice + "\n\n";
  return text + (a.output.empty() ? std::string("  Nothing was written; -o FILE keeps this for --machine FILE.\n")
                                  : fmt::format("  Use it with --machine {}\n", a.output));
}

}  // namespace cairn::app
