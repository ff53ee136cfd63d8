#include "runtime/files/owners.hpp"

#include <algorithm>

namespace cairn {

Int Owners::Axis::add(const IndexSet& set) {
  auto& alike = by_start_[set.pieces().front().lo];
  for (Int number : alike)
    if (sets_[static_cast<std::size_t>(number)] == set) return number;
  alike.push_back(count());
  sets_.push_back(set);
  return alike.back();
}

void Owners::Axis::finish() {
  for (const IndexSet& set : sets_)
    for (Range r : set.pieces()) {
      starts_.push_back(r.lo);
      starts_.push_back(r.hi);
    }
  std::sort(starts_.begin(), starts_.end());
  starts_.erase(std::unique(starts_.begin(), starts_.end()), starts_.end());
  hits_.resize(starts_.size());
  for (Int number = 0; number < count(); ++number) {
    Int before = 0;
    for (Range r : sets_[static_cast<std::size_t>(number)].pieces()) {
      auto at = std::lower_bound(starts_.begin(), starts_.end(), r.lo);
      for (; *at < r.hi; ++at) hits_[static_cast<std::size_t>(at - starts_.begin())].push_back({number, before - r.lo});
      before += r.size();
    }
  }
}

const std::vector<Owners::Hit>& Owners::Axis::at(Int index) const {
  static const std::vector<Hit> nobody;
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), index);
  return after == starts_.begin() ? nobody : hits_[static_cast<std::size_t>(after - starts_.begin() - 1)];
}

Owners::Owners(const Layout& layout, int ranks) : by_columns_(layout.order == Order::col) {
  struct Held {
    Int row_set, col_set;
    Stored stored;
  };
  std::vector<Held> all;
  for (int rank = 0; rank < ranks; ++rank) {
    Int base = 0;
    for (const Patch& p : layout.patches(rank)) {
      if (p.words() > 0) all.push_back({rows_.add(p.rows), cols_.add(p.cols), {rank, base}});
      base += p.words();
    }
  }
  rows_.finish();
  cols_.finish();
  for (const Held& h : all) patches_[h.row_set * cols_.count() + h.col_set].push_back(h.stored);
}

}  // namespace cairn
