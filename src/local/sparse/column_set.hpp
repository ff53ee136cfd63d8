// A set of columns that is filled in any order and emptied in ascending order, in time that depends on how many are in
// it.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Bits, and above them a bit for each word of these that is not zero.
class Marks {
 public:
  void reserve(Int size) {
    const auto words = static_cast<std::size_t>(size / 64 + 1);
    if (bits_.size() < words) bits_.resize(words), words_.resize(words / 64 + 1);
  }
  void set(Int i) {
    const auto word = static_cast<std::size_t>(i) / 64;
    bits_[word] |= std::uint64_t{1} << (i % 64);
    words_[word / 64] |= std::uint64_t{1} << (word % 64);
  }
  /// visit(i) for all that were set, ascending; then none is.
  template <class Visit>
  void take(Visit visit) {
    for (std::size_t above = 0; above < words_.size(); ++above)
      for (; words_[above] != 0; words_[above] &= words_[above] - 1) {
        const std::size_t word = 64 * above + static_cast<std::size_t>(std::countr_zero(words_[above]));
        for (; bits_[word] != 0; bits_[word] &= bits_[word] - 1)
          visit(static_cast<Int>(64 * word) + std::countr_zero(bits_[word]));
      }
  }

 private:
  std::vector<std::uint64_t> bits_, words_;
};

}  // namespace cairn
