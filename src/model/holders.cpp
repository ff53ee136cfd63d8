#include "cairn/holders.hpp"

#include <algorithm>

namespace cairn {

Holders Holders::from(Int block, Int blocks) const {
  Holders part = *this;
  part.first_ = (first_ + block % size_) % static_cast<Int>(table_->size());
  if (block % size_ == 0 || size_ == static_cast<Int>(table_->size())) {
    part.size_ = std::min(size_, blocks);
    return part;
  }
  std::vector<std::vector<Int>> rest;
  for (Int number = 0; number < std::min(size_, blocks); ++number) rest.push_back(of((block + number) % size_));
  return rest;
}

std::vector<Int> Holders::held(Int index) const {
  std::vector<Int> all;
  for (Int number = 0; number < size_; ++number)
    if (std::find(of(number).begin(), of(number).end(), index) != of(number).end()) all.push_back(number);
  return all;
}

bool Holders::overlapping() const {
  for (Int number = 0; number < size_; ++number)
    if (of(number).size() > 1) return true;
  return false;
}

bool Holders::operator==(const Holders& other) const {
  if (size_ != other.size_) return false;
  if (table_ == other.table_ && first_ == other.first_) return true;
  for (Int number = 0; number < size_; ++number)
    if (of(number) != other.of(number)) return false;
  return true;
}

}  // namespace cairn
