// Arguments that must be the same on all ranks, made certain before anything that would hang if they were not.
#pragma once
#include <array>
#include <complex>
#include <string>
#include <vector>

#include "scalapack/first_look.hpp"

namespace cairn::scalapack {

/// The global arguments of a call as numbers, each with its place and name.
class GlobalArguments {
 public:
  void add(Place place, const char* name, Int value) { all_.push_back({place, name, value}); }
  void add(Place place, const char* name, std::complex<double> value);
  /// The first of those that a notice has, with these values.
  void add(std::span<const Noticed> names, std::initializer_list<Int> values) {
    for (auto name = names.begin(); const Int value : values) add(name->place, name->name, value), ++name;
  }
  /// Its first row and column, and its descriptor without the leading dimension, which is local, and the context, whose
  /// handle is.
  void add(const std::array<const char*, 3>& names, const MatrixArgument& x);

  /// One reduction. Where the ranks' values differ, all ranks find the first argument that does.
  void compare(const Comm& comm, Findings& findings) const;
  /// Whether they are the same on all ranks. One reduction.
  bool same(const Comm& comm) const;
  /// The values, to find what was prepared for them.
  std::string key() const;

 private:
  struct Argument {
    Place place;
    const char* name;
    Int value;
  };
  struct Hashes {
    bool same, as_many;  ///< values, and how many there are
  };
  Hashes hashes(const Comm& comm) const;

  std::vector<Argument> all_;
};

}  // namespace cairn::scalapack
