// The operands of a multiplication as every algorithm declares them.
#pragma once
#include "cairn/problem.hpp"
#include "schedule/builder.hpp"

namespace cairn {

/// A matrix of the problem as op() shows it, where the caller holds it if the problem says so.
struct Seen {
  std::optional<Layout> layout;
  bool conjugated = false;  ///< its elements are, before they are multiplied
};
Seen seen_a(const GemmProblem& p);
Seen seen_b(const GemmProblem& p);
Seen seen_c(const GemmProblem& p);

/// op(A), op(B): the caller's matrix seen through its transposition (in the same memory), brought to `wanted`.
Slot input_a(Builder& s, const GemmProblem& p, const Layout& wanted, Here at = Here::current());
Slot input_b(Builder& s, const GemmProblem& p, const Layout& wanted, Here at = Here::current());
/// C, made in layout `made` and handed back in the caller's.
Slot output_c(Builder& s, const GemmProblem& p, const Layout& made);

}  // namespace cairn
