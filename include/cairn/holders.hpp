// Who holds which blocks of a dimension where several may hold one, or nobody.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Classes of blocks, and the indices that hold each: none, one or several. An immutable value, cheap to copy.
class Holders {
 public:
  Holders() = default;
  Holders(std::vector<std::vector<Int>> of_classes)
      : size_(static_cast<Int>(of_classes.size())),
        table_(std::make_shared<const std::vector<std::vector<Int>>>(std::move(of_classes))) {}

  /// Number of classes.
  Int size() const { return size_; }
  const std::vector<Int>& of(Int number) const {
    return (*table_)[static_cast<std::size_t>(first_ + number) % table_->size()];
  }
  /// The classes of `blocks` blocks from this one on, the next one after the last being the first; unused ones dropped.
  Holders from(Int block, Int blocks) const;
  /// The numbers of the classes that an index holds.
  std::vector<Int> held(Int index) const;
  /// Whether a class has several holders.
  bool overlapping() const;
  bool operator==(const Holders& other) const;

 private:
  Int first_ = 0, size_ = 0;
  std::shared_ptr<const std::vector<std::vector<Int>>> table_;
};

}  // namespace cairn
