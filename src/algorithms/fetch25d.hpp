// 2.5D multiplication in which operands stay in two dimensions, and ranks fetch what they multiply.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cairn/problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

struct Fetch25d {
  Int pr, pc;          ///< the grid
  Int lr = 1, lc = 1;  ///< neighbouring rows and columns of it that compute the same part of C
  /// Whether the inner dimension is cut by rows of the grid, and each piece by its columns; on one layer only.
  bool crossed = false;
  Int layers() const { return lr * lc; }
};
std::string print(const Fetch25d& form);
/// Pieces into which it cuts k: as many for each layer, and each with one owner in A and in B if k is cut evenly into
/// them. Throws ArgumentError for too many.
Int pieces(const Fetch25d& form);
/// "4x4 layers=2x2", "4x4 crossed"; throws ArgumentError.
Fetch25d parse_fetch25d(std::string_view arguments);
/// The one that is spelled; nothing if it is another algorithm. Throws ArgumentError as make_algorithm() does.
std::optional<Fetch25d> find_fetch25d(std::string_view spelling);
/// The schedule of the crossed form.
Schedule fetch25d_crossed(const GemmProblem& problem, const Fetch25d& form);
/// Words that a rank receives in the mean, if A and B have so many, dealt evenly, and C so many once it is summed over
/// a share of the inner dimension.
double received(const Fetch25d& form, double a, double b, const std::function<double(double share)>& c);
/// Likewise, if C has so many in any case.
inline double received(const Fetch25d& form, double a, double b, double c) {
  return received(form, a, b, [c](double) { return c; });
}

}  // namespace cairn
