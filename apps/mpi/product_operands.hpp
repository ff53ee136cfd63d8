// What commands share that multiply matrices from files: C = alpha·op(A)·op(B) + beta·C as users give it.
#pragma once
#include <complex>
#include <optional>
#include <string>
#include <type_traits>

#include "cairn/check.hpp"
#include "cairn/files.hpp"
#include "report_json.hpp"

namespace CLI {
class App;
}

namespace cairn::app {

struct ProductOperands {
  std::string a, b, c_in;  ///< files
  Op op_a = Op::none, op_b = Op::none;
  std::complex<double> alpha = 1, beta = 0;
};

/// As they are typed.
struct ProductFlags {
  std::string alpha = "1", beta = "0";
  bool transpose_a = false, transpose_b = false, adjoint_a = false, adjoint_b = false;
};
void add_operands(CLI::App& command, ProductOperands& operands, ProductFlags& flags);
/// Throws ArgumentError for flags that make no sense; one is a C before that nothing multiplies, unless its `pattern`
/// is wanted.
void understand(const ProductFlags& flags, ProductOperands& operands, bool pattern = false);

/// The files of a product, and its sizes and type.
struct ProductFiles {
  FileInfo a, b;
  std::optional<FileInfo> c;
  Int m = 0, n = 0, k = 0;
  ScalarType type = ScalarType::float64;
};
/// Throws ArgumentError unless the sizes go together, and factors are real where the type is; empty `type`: what holds
/// all files. Collective.
ProductFiles inspect_operands(const Comm& world, const ProductOperands& operands, const std::string& type);

/// "C = 2·Aᵀ·B + 3·C".
std::string formula_of(const ProductOperands& operands);
/// Throws RuntimeError where a residual is larger than `explained` explains.
void require_right(const CheckResult& check, const char* explained, bool inputs_may_be_nonfinite);
/// "Freivalds' test, 8 random vectors: largest residual 0.02 of the rounding bound".
std::string check_text(const CheckResult& check, const char* bound);
Json check_json(const CheckResult& check);
/// The first keys of a report: operation, sizes, ranks, type, operands, and files before `output`.
Json product_json(const char* operation, const ProductOperands& operands, const ProductFiles& files, int ranks);

}  // namespace cairn::app
