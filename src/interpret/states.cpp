#include "interpret/states.hpp"

namespace cairn {

IndexSet without(const IndexSet& set, const IndexSet& other) {
  IndexSet rest;
  for (Range r : set.pieces()) {
    std::vector<Range> left{r};
    for (Range o : other.pieces()) {
      std::vector<Range> next;
      for (Range l : left) {
        next.push_back({l.lo, std::min(l.hi, o.lo)});
        next.push_back({std::max(l.lo, o.hi), l.hi});
      }
      std::erase_if(next, [](Range l) { return l.empty(); });
      left = std::move(next);
    }
    for (Range l : left) rest.push_back(l);
  }
  return rest;
}

Region common(const Region& a, const Region& b) { return {a.rows.intersect(b.rows), a.cols.intersect(b.cols)}; }

std::vector<States::Piece> States::at(const Region& part) const {
  std::vector<Piece> all;
  for (const Piece& p : pieces_)
    if (Region both = common(p.part, part); both.words() > 0) all.push_back({std::move(both), p.value});
  return all;
}

// What is left of a piece: the rows that the part has not, and of the others its other columns.
void States::set(const Region& part, Fingerprint value) {
  if (part.words() == 0) return;
  std::vector<Piece> kept;
  for (Piece& p : pieces_) {
    Region both = common(p.part, part);
    if (both.words() == 0) {
      kept.push_back(std::move(p));
      continue;
    }
    const Region above{without(p.part.rows, both.rows), p.part.cols},
        beside{std::move(both.rows), without(p.part.cols, both.cols)};
    for (const Region& rest : {above, beside})
      if (rest.words() > 0) kept.push_back({rest, p.value});
  }
  kept.push_back({part, value});
  pieces_ = std::move(kept);
}

}  // namespace cairn
