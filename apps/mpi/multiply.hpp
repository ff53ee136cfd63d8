// `cairn multiply`: what was asked for, what was done, and how it is told.
#pragma once
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "cairn/check.hpp"
#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "cairn/plan.hpp"
#include "commands.hpp"
#include "launch.hpp"

namespace cairn::app {

struct MultiplyArguments {
  std::string a, b, output, c_in;  ///< files
  Op op_a = Op::none, op_b = Op::none;
  std::complex<double> alpha = 1, beta = 0;
  /// Sizes and scalar type follow from the files; an empty type: what holds A and B.
  PlanningArguments gemm;
  Order order = Order::row;
  int ranks = 0;  ///< 0: not said
  bool check = false, json = false, allow_nonfinite = false;
};

/// Everything that the report says; figures are the largest of any rank, the three parts of the multiplication those of
/// the rank that took longest.
struct MultiplyReport {
  Plan plan;
  FileInfo a, b;
  std::optional<FileInfo> c_in;
  int ranks = 1;
  struct Seconds {
    double prepare = 0, read = 0, multiply = 0, products = 0, waiting = 0, other = 0, check = 0, write = 0, all = 0;
  } seconds;
  double gemm_rate = 0;  ///< operations per second of the local products that the ranks would reach undisturbed
  Int received = 0, predicted = 0, from_other_nodes = 0;  ///< words
  Int messages = 0, copied_bytes = 0;
  std::string transport, obstacle;  ///< in use, and why it is not the plan's
  std::string kernels;              ///< of rank 0's BLAS; empty if it does not tell
  bool as_predicted = false;        ///< words and messages, on every rank
  std::optional<CheckResult> check;
};

/// Collective; throws the same cairn::Error on all ranks.
MultiplyReport multiply(const Comm& world, const MultiplyArguments& arguments);

/// Real operations of the whole product.
double flops_of(const GemmProblem& problem);

std::string as_text(const MultiplyReport& report, const MultiplyArguments& arguments, const Terminal& terminal);
std::string as_json(const MultiplyReport& report, const MultiplyArguments& arguments);

}  // namespace cairn::app
