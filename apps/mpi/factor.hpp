// `cairn cholesky` and `cairn solve`: what was asked for, what was done, and how it is told.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/factor_plan.hpp"
#include "file_run.hpp"

namespace cairn::app {

struct FactorArguments : FileArguments {
  std::string a;
  std::optional<std::string> b;  ///< files; no b: A is only factorised
  Uplo triangle = Uplo::full;    ///< of A, which alone counts; full: not said, A must be Hermitian

  Uplo uplo() const { return triangle == Uplo::full ? Uplo::lower : triangle; }
};

/// Everything that the report says.
struct FactorReport {
  std::vector<FactorPlan> plans;  ///< of the factorisation, then of the solves with its factor
  FileInfo a;
  std::optional<FileInfo> b;
  RunFacts run;
  struct Check {
    double ratio = 0;  ///< scaled residual, or the largest residual over the rounding bound
    double most = 0;   ///< allowed
    bool passed() const { return ratio <= most; }
  };
  std::optional<Check> check;
};

/// Factorises A, and solves for b if there is one. Collective; throws the same cairn::Error on all ranks.
FactorReport factorise(const Comm& world, const FactorArguments& arguments);

std::string as_text(const FactorReport& report, const FactorArguments& arguments);
std::string as_json(const FactorReport& report, const FactorArguments& arguments);

}  // namespace cairn::app
