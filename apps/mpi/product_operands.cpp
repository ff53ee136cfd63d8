#include "product_operands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "file_run.hpp"
#include "model/problem.hpp"
#include "planner/problem_text.hpp"

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
  for (bool second = false; at != end; second = true) {
    if (*at == '+' && at + 1 != end && at[1] != '-') ++at;
    double part = 0;
    const auto read = std::from_chars(at, end, part);
    if (read.ec != std::errc() || !std::isfinite(part)) return fail();
    at = read.ptr;
    const bool imaginary = at != end && (*at == 'i' || *at == 'j');
    if (second && !imaginary) return fail();
    at += imaginary ? 1 : 0;
    value += imaginary ? std::complex<double>(0, part) : std::complex<double>(part);
    if (at != end && (imaginary || (*at != '+' && *at != '-'))) return fail();
  }
  return value;
}

std::string described(const char* name, const FileInfo& f, Op op) {
  return fmt::format("{} is {}x{}{}", name, f.rows, f.cols, op == Op::none ? "" : " before it is transposed");
}

std::string number_text(std::complex<double> x) {
  return x.imag() == 0 ? fmt::format("{}", x.real()) : fmt::format("({}{:+}i)", x.real(), x.imag());
}

void require_factors_of(const ProductOperands& o, ScalarType type) {
  for (const auto& [name, value] : {std::pair{"--alpha", o.alpha}, {"--beta", o.beta}}) {
    if (!is_complex(type) && value.imag() != 0)
      throw ArgumentError(fmt::format("{}: {}{:+}i is complex, expected a real number for {} matrices", name,
                                      value.real(), value.imag(), name_of(type)));
    constexpr double most = std::numeric_limits<float>::max();
    if (is_single(type) && std::max(std::abs(value.real()), std::abs(value.imag())) > most)
      throw ArgumentError(fmt::format("{}: {} is too large for {} matrices, expected at most {:.7g} in size", name,
                                      number_text(value), name_of(type), most));
  }
}

}  // namespace

void add_operands(CLI::App& command, ProductOperands& o, ProductFlags& f) {
  CLI::Option* ta = command.add_flag("--transpose-a", f.transpose_a, "Use the transpose of A");
  CLI::Option* tb = command.add_flag("--transpose-b", f.transpose_b, "Use the transpose of B");
  command.add_flag("--adjoint-a", f.adjoint_a, "Use the conjugate transpose of A")->excludes(ta);
  command.add_flag("--adjoint-b", f.adjoint_b, "Use the conjugate transpose of B")->excludes(tb);
  command.add_option("--alpha", f.alpha, "C = alpha·A·B + beta·C: 2, -0.5, 1+2i")->capture_default_str();
  command.add_option("--beta", f.beta, "If not 0, --c-in says what it multiplies")->capture_default_str();
  command.add_option("--c-in", o.c_in, "File with C before");
}

void understand(const ProductFlags& f, ProductOperands& o, bool pattern) {
  o.op_a = f.transpose_a ? Op::transpose : f.adjoint_a ? Op::adjoint : Op::none;
  o.op_b = f.transpose_b ? Op::transpose : f.adjoint_b ? Op::adjoint : Op::none;
  o.alpha = parse_scalar("--alpha", f.alpha);
  o.beta = parse_scalar("--beta", f.beta);
  if (o.beta != 0.0 && o.c_in.empty())
    throw ArgumentError("--beta is not 0: expected --c-in FILE with the matrix that it multiplies");
  if (o.beta == 0.0 && !o.c_in.empty() && !pattern)
    throw ArgumentError("--c-in: not used as --beta is 0, expected --beta with it");
}

ProductFiles inspect_operands(const Comm& world, const ProductOperands& o, const std::string& type) {
  ProductFiles p{inspect_file(world, o.a, "A"), inspect_file(world, o.b, "B"), {}};
  if (!o.c_in.empty()) p.c = inspect_file(world, o.c_in, "--c-in");
  const bool flip_a = o.op_a != Op::none, flip_b = o.op_b != Op::none;
  p.m = flip_a ? p.a.cols : p.a.rows, p.k = flip_a ? p.a.rows : p.a.cols;
  p.n = flip_b ? p.b.rows : p.b.cols;
  const Int rows_b = flip_b ? p.b.cols : p.b.rows;
  if (p.k != rows_b)
    throw ArgumentError(fmt::format("{}, {}: the {} of A ({}) must equal the {} of B ({})", described("A", p.a, o.op_a),
                                    described("B", p.b, o.op_b), flip_a ? "rows" : "columns", p.k,
                                    flip_b ? "columns" : "rows", rows_b));
  if (p.c && (p.c->rows != p.m || p.c->cols != p.n))
    throw ArgumentError(
        fmt::format("--c-in is {}x{}, expected {}x{}, the sizes of the product", p.c->rows, p.c->cols, p.m, p.n));
  std::vector<const FileInfo*> files{&p.a, &p.b};
  if (p.c) files.push_back(&*p.c);
  p.type = type_of_files(files, type);
  require_factors_of(o, p.type);
  return p;
}

std::string formula_of(const ProductOperands& o) {
  std::string formula = fmt::format("A{}·B{}", mark(o.op_a), mark(o.op_b));
  if (o.alpha != 1.0) formula = number_text(o.alpha) + "·" + formula;
  if (o.beta != 0.0) formula += fmt::format(" + {}·C", number_text(o.beta));
  return "C = " + formula;
}

void require_right(const CheckResult& check, const char* explained, bool inputs_may_be_nonfinite) {
  if (check.passed() || (inputs_may_be_nonfinite && !std::isfinite(check.ratio))) return;
  throw RuntimeError(
      std::isfinite(check.ratio)
          ? fmt::format("--check: C is wrong: a residual is {:.3g} times what {} explain; nothing was written",
                        check.ratio, explained)
          : std::string("--check: C holds numbers that are not finite, though A and B do not; nothing was written"));
}

std::string check_text(const CheckResult& check, const char* bound) {
  return fmt::format("Freivalds' test, {} random vectors: largest residual {:.1g} of {}", check.rounds, check.ratio,
                     bound);
}

Json check_json(const CheckResult& check) {
  return {{"passed", check.passed()}, {"ratio", finite_json(check.ratio)}, {"rounds", check.rounds}};
}

Json product_json(const char* operation, const ProductOperands& o, const ProductFiles& f, int ranks) {
  Json j{{"operation", operation},
         {"m", f.m},
         {"n", f.n},
         {"k", f.k},
         {"ranks", ranks},
         {"type", name_of(f.type)},
         {"op_a", name_of(o.op_a)},
         {"op_b", name_of(o.op_b)},
         {"alpha", {o.alpha.real(), o.alpha.imag()}},
         {"beta", {o.beta.real(), o.beta.imag()}},
         {"a", file_json(f.a)},
         {"b", file_json(f.b)}};
  if (f.c) j["c_in"] = file_json(*f.c);
  return j;
}

}  // namespace cairn::app
