// What the API's calls say of their arguments, and what they ask of matrices.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/matrix.hpp"
#include "cairn/options.hpp"

namespace cairn {

/// Everything that tells one set of options from another, as text_of() of a layout does of layouts.
std::string text_of(const Options& options);

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

/// What is wrong with this rank's part of X: made for another rank, null, too narrow or too short.
template <class T>
std::optional<std::string> problem_with_part(const char* name, const DistMatrix<T>& X, int rank) {
  if (X.rank() != rank) return fmt::format("{}: made for rank {}, expected rank {}", name, X.rank(), rank);
  const Layout& l = X.layout();
  Int needed = l.words(rank);
  if (needed == 0) return {};
  if (!X.data()) return fmt::format("{}: null, expected room for {} elements", name, needed);
  if (!l.blocks) {
    const Int rows = l.rows.size(l.grid, rank), cols = l.cols.size(l.grid, rank);
    const Int line = l.order == Order::col ? rows : cols, lines = l.order == Order::col ? cols : rows;
    if (X.ld() < line) return fmt::format("{}: leading dimension {}, expected at least {}", name, X.ld(), line);
    needed = (lines - 1) * X.ld() + line;
  }
  if (X.words() < needed)
    return fmt::format("{}: a buffer of {} elements, expected at least {}", name, X.words(), needed);
  return {};
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
