// cairn multiply A B -o C: two matrices from files, on ranks that it starts itself if need be.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <memory>

#include "cairn/error.hpp"
#include "commands_over_mpi.hpp"
#include "multiply.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

/// "2", "-1.5e3", "1+2i", "-0.5i".
std::complex<double> parse_scalar(const std::string& name, const std::string& text) {
  const auto fail = [&]() -> std::complex<double> {
    throw ArgumentError(fmt::format("{} '{}': expected a number such as 2, -0.5, 1+2i", name, text));
  };
  const char *at = text.data(), *const end = at + text.size();
  std::complex<double> value = 0;
  if (at == end) return fail();
  while (at != end) {
    if (*at == '+' && at + 1 != end && at[1] != '-') ++at;
    double part = 0;
    const auto read = std::from_chars(at, end, part);
    if (read.ec != std::errc() || !std::isfinite(part)) return fail();
    at = read.ptr;
    const bool imaginary = at != end && (*at == 'i' || *at == 'j');
    at += imaginary ? 1 : 0;
    value += imaginary ? std::complex<double>(0, part) : std::complex<double>(part);
    if (at != end && (imaginary || (*at != '+' && *at != '-'))) return fail();
  }
  return value;
}

struct Flags {
  MultiplyArguments arguments;
  std::string alpha = "1", beta = "0";
  bool transpose_a = false, transpose_b = false, adjoint_a = false, adjoint_b = false;
};

MultiplyArguments understood(const Flags& f) {
  MultiplyArguments a = f.arguments;
  a.op_a = f.transpose_a ? Op::transpose : f.adjoint_a ? Op::adjoint : Op::none;
  a.op_b = f.transpose_b ? Op::transpose : f.adjoint_b ? Op::adjoint : Op::none;
  a.alpha = parse_scalar("--alpha", f.alpha);
  a.beta = parse_scalar("--beta", f.beta);
  if (a.beta != 0.0 && a.c_in.empty())
    throw ArgumentError("--beta is not 0: expected --c-in FILE with the matrix that it multiplies");
  if (a.beta == 0.0 && !a.c_in.empty()) throw ArgumentError("--c-in: not used as --beta is 0, expected --beta with it");
  return a;
}

void on_ranks(const Comm& world, const MultiplyArguments& a) {
  advise(world, a);
  const MultiplyReport report = multiply(world, a);
  print_once(world, a.json ? as_json(report, a) : as_text(report, a, terminal()));
}

[[noreturn]] void run(const CLI::App& command, const Flags& flags) {
  const MultiplyArguments a = understood(flags);
  run_on_ranks(command, a.ranks, a.json, [&](const Comm& world) { on_ranks(world, a); });
}

void add_operands(CLI::App* multiply, Flags& f) {
  CLI::Option* ta = multiply->add_flag("--transpose-a", f.transpose_a, "Use the transpose of A");
  CLI::Option* tb = multiply->add_flag("--transpose-b", f.transpose_b, "Use the transpose of B");
  multiply->add_flag("--adjoint-a", f.adjoint_a, "Use the conjugate transpose of A")->excludes(ta);
  multiply->add_flag("--adjoint-b", f.adjoint_b, "Use the conjugate transpose of B")->excludes(tb);
  multiply->add_option("--alpha", f.alpha, "C = alpha·A·B + beta·C: 2, -0.5, 1+2i")->capture_default_str();
  multiply->add_option("--beta", f.beta, "If not 0, --c-in says what it multiplies")->capture_default_str();
  multiply->add_option("--c-in", f.arguments.c_in, "File with C before");
}

}  // namespace

void add_multiply(CLI::App& app) {
  CLI::App* multiply = app.add_subcommand("multiply", "Multiply two matrices from files on several ranks");
  auto f = std::make_shared<Flags>();
  MultiplyArguments& a = f->arguments;
  multiply->add_option("A", a.a, "Left matrix: .npy or Matrix Market, which may be compressed with gzip")->required();
  multiply->add_option("B", a.b, "Right matrix")->required();
  add_planning_options(*multiply, a.planning, "cosma pm2,pn2,pk2,sk4");
  add_schedule_options(*multiply, a.planning);
  add_idle_option(*multiply, a.planning);
  add_transport_options(*multiply, a.planning);
  add_operands(multiply, *f);
  add_file_options(*multiply, a, "Product", "Check the product with Freivalds' random test before it is written");
  multiply->callback([multiply, f] { run(*multiply, *f); });
}

}  // namespace cairn::app
