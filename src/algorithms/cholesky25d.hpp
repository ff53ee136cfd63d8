// Cholesky factorisation in 2.5D as the paper does it; of what it is made are its words.
#pragma once
#include <string>

#include "cairn/factor_problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// pr × pc ranks in each layer, narrow blocks of b columns, one for each layer in a block, and so many fat panels.
struct Cholesky25dForm {
  Int pr, pc, layers, b, fat;
};
std::string print_cholesky25d(const Cholesky25dForm& form);
Schedule cholesky25d(const FactoriseProblem& problem, const Cholesky25dForm& form);

}  // namespace cairn
