// What is known of the elements of a matrix, region by region, in place of their values.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

/// A fingerprint of how an element came about: a polynomial in what the matrices held at the start and in what was
/// multiplied, evaluated modulo 2^64 at random arguments. Different histories have different fingerprints, but for a
/// chance of 2^-60 or so.
using Fingerprint = std::uint64_t;

class States {
 public:
  struct Piece {
    Region part;
    Fingerprint value;
  };
  /// Those elements of a part that are known, in pieces that do not overlap.
  std::vector<Piece> at(const Region& part) const;
  void set(const Region& part, Fingerprint value);

 private:
  std::vector<Piece> pieces_;
};

}  // namespace cairn
