#include "interpret/element_states.hpp"

namespace cairn {

std::vector<States::Piece> States::at(const Region& part) const {
  std::vector<Piece> all;
  for (const Piece& p : pieces_)
    if (Region both = intersect(p.part, part); both.words() > 0) all.push_back({std::move(both), p.value});
  return all;
}

// What is left of a piece: the rows that the part has not, and of the others its other columns.
void States::set(const Region& part, Fingerprint value) {
  if (part.words() == 0) return;
  std::vector<Piece> kept;
  for (Piece& p : pieces_) {
    Region both = intersect(p.part, part);
    if (both.words() == 0) {
      kept.push_back(std::move(p));
      continue;
    }
    const Region above{p.part.rows.without(both.rows), p.part.cols},
        beside{std::move(both.rows), p.part.cols.without(both.cols)};
    for (const Region& rest : {above, beside})
      if (rest.words() > 0) kept.push_back({rest, p.value});
  }
  kept.push_back({part, value});
  pieces_ = std::move(kept);
}

}  // namespace cairn
