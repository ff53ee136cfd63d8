#include "cairn/types.hpp"

#include <array>

namespace cairn {

void IndexSet::push_back(Range r) {
  if (r.empty()) return;
  Range& last = several_.empty() ? first_ : several_.back();
  if (empty())
    first_ = r;
  else if (last.hi == r.lo)
    last.hi = r.hi;
  else if (several_.empty())
    several_ = {first_, r};
  else
    several_.push_back(r);
  size_ += r.size();
}

namespace {

bool ascending(std::span<const Range> pieces) { return std::ranges::is_sorted(pieces); }

}  // namespace

IndexSet IndexSet::intersect(const IndexSet& other) const {
  const std::span mine = pieces(), others = other.pieces();
  IndexSet both;
  if (ascending(mine) && ascending(others)) {
    for (auto a = mine.begin(), b = others.begin(); a != mine.end() && b != others.end();) {
      both.push_back(cairn::intersect(*a, *b));
      a->hi < b->hi ? ++a : ++b;
    }
    return both;
  }
  for (Range a : mine) {  // a set that wraps around: rare and short
    std::vector<Range> parts;
    for (Range b : others)
      if (Range c = cairn::intersect(a, b); !c.empty()) parts.push_back(c);
    std::ranges::sort(parts);
    for (Range c : parts) both.push_back(c);
  }
  return both;
}

bool IndexSet::meets(const IndexSet& other) const {
  const std::span mine = pieces(), others = other.pieces();
  if (mine.size() == 1 || others.size() == 1) {
    const Range one = mine.size() == 1 ? mine.front() : others.front();
    return std::ranges::any_of(mine.size() == 1 ? others : mine,
                               [&](Range r) { return !cairn::intersect(one, r).empty(); });
  }
  if (!ascending(mine) || !ascending(others)) return !intersect(other).empty();
  for (auto a = mine.begin(), b = others.begin(); a != mine.end() && b != others.end();) {
    if (!cairn::intersect(*a, *b).empty()) return true;
    a->hi < b->hi ? ++a : ++b;
  }
  return false;
}

IndexSet IndexSet::without(const IndexSet& other) const {
  std::vector<Range> gone(other.pieces().begin(), other.pieces().end());
  std::ranges::sort(gone);
  IndexSet rest;
  for (Range piece : pieces()) {
    for (auto g = gone.begin(); g != gone.end() && g->lo < piece.hi; ++g) {
      rest.push_back({piece.lo, std::min(g->lo, piece.hi)});
      piece.lo = std::max(piece.lo, g->hi);
    }
    rest.push_back(piece);
  }
  return rest;
}

Int IndexSet::local(Int g) const {
  Int before = 0;
  for (Range r : pieces()) {
    if (r.lo <= g && g < r.hi) return before + g - r.lo;
    before += r.size();
  }
  return -1;
}

bool IndexSet::contains(const IndexSet& other) const { return intersect(other).size() == other.size(); }

namespace {
struct ScalarInfo {
  Int bytes;
  std::string_view name;
};
constexpr std::array<ScalarInfo, 4> scalars{{{4, "float32"}, {8, "float64"}, {8, "complex64"}, {16, "complex128"}}};
}  // namespace

Int size_of(ScalarType type) { return scalars[static_cast<std::size_t>(type)].bytes; }
std::string_view name_of(ScalarType type) { return scalars[static_cast<std::size_t>(type)].name; }

}  // namespace cairn
