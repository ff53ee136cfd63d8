// 2.5D multiplication in which operands stay in two dimensions, and ranks fetch what they multiply.
#pragma once
#include <string>

#include "cairn/types.hpp"

namespace cairn {

struct Fetch25d {
  Int pr, pc;          ///< the grid
  Int lr = 1, lc = 1;  ///< neighbouring rows and columns of it that compute the same part of C
  Int layers() const { return lr * lc; }
};
std::string print(const Fetch25d& form);
/// Words that a rank receives in the mean, if A, B and C have so many, dealt evenly.
double received(const Fetch25d& form, double a, double b, double c);

}  // namespace cairn
