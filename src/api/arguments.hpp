// What the API's calls say of their arguments, and what they ask of matrices.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/matrix.hpp"
#include "cairn/options.hpp"
#include "runtime/problem_with_part.hpp"

namespace cairn {

struct PlannedSchedule;

/// Everything that tells one set of options from another, as text_of() of a layout does of layouts.
std::string text_of(const Options& options);

/// What must be the same on all ranks that carry out a plan together: enough to read, a fingerprint of every step and
/// layout, and the options by which ranks meet at the end of a run.
std::string agreed_text(const PlannedSchedule& plan);

/// The same, for a computer: what is remembered of a call is looked up by it.
class Key {
 public:
  Key& add(Int value);
  Key& add(const std::string& text);
  Key& add(const Layout& layout);
  Key& add(const Options& options);
  const std::string& bytes() const { return bytes_; }

 private:
  void add(const Dim& dim);
  void add(const std::vector<Int>& values);
  std::string bytes_;
};

template <class T>
std::string text_of(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return fmt::format("{}", x);
  else
    return fmt::format("{}{:+}i", x.real(), x.imag());
}

template <class T>
std::string or_none(const std::optional<T>& x) {
  return x ? fmt::format("{}", *x) : "none";
}
inline std::string memory_text(const std::optional<Int>& words) {
  return words ? fmt::format("memory {} words", *words) : "memory unlimited";
}

/// What is wrong with this rank's part of X where BLAS computes with it, whose integers have 32 bits.
template <class T>
std::optional<std::string> problem_with_operand(const char* name, const DistMatrix<T>& X, int rank) {
  constexpr Int most = std::numeric_limits<int>::max();
  if (auto problem = problem_with_part(name, X, rank)) return problem;
  if (X.ld() <= most || X.layout().words(rank) == 0) return {};
  return fmt::format("{}: leading dimension {}, expected at most {}", name, X.ld(), most);
}

/// Why a plan for so many ranks and elements of a type cannot run.
template <class T>
std::optional<std::string> misfit(Int ranks, ScalarType type, const Comm& comm) {
  if (type != scalar_type_of<T>)
    return fmt::format("plan: for elements of type {}, expected {}", name_of(type), name_of(scalar_type_of<T>));
  if (ranks != comm.size())
    return fmt::format("plan: for {} ranks, expected the communicator's {}", ranks, comm.size());
  return {};
}

}  // namespace cairn
