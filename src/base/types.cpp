#include "cairn/types.hpp"

#include <array>

namespace cairn {

void IndexSet::push_back(Range r) {
  if (r.empty()) return;
  size_ += r.size();
  if (!pieces_.empty() && pieces_.back().hi == r.lo)
    pieces_.back().hi = r.hi;
  else
    pieces_.push_back(r);
}

namespace {

bool ascending(const std::vector<Range>& pieces) {
  return std::is_sorted(pieces.begin(), pieces.end(), [](Range a, Range b) { return a.lo < b.lo; });
}

}  // namespace

IndexSet IndexSet::intersect(const IndexSet& other) const {
  IndexSet both;
  if (ascending(pieces_) && ascending(other.pieces_)) {
    for (auto a = pieces_.begin(), b = other.pieces_.begin(); a != pieces_.end() && b != other.pieces_.end();) {
      both.push_back(cairn::intersect(*a, *b));
      a->hi < b->hi ? ++a : ++b;
    }
    return both;
  }
  for (Range a : pieces_) {  // a set that wraps around: rare and short
    std::vector<Range> parts;
    for (Range b : other.pieces_)
      if (Range c = cairn::intersect(a, b); !c.empty()) parts.push_back(c);
    std::sort(parts.begin(), parts.end(), [](Range x, Range y) { return x.lo < y.lo; });
    for (Range c : parts) both.push_back(c);
  }
  return both;
}

bool IndexSet::meets(const IndexSet& other) const {
  if (!ascending(pieces_) || !ascending(other.pieces_)) return !intersect(other).empty();
  for (auto a = pieces_.begin(), b = other.pieces_.begin(); a != pieces_.end() && b != other.pieces_.end();) {
    if (!cairn::intersect(*a, *b).empty()) return true;
    a->hi < b->hi ? ++a : ++b;
  }
  return false;
}

IndexSet IndexSet::without(const IndexSet& other) const {
  std::vector<Range> gone = other.pieces_;
  std::sort(gone.begin(), gone.end(), [](Range x, Range y) { return x.lo < y.lo; });
  IndexSet rest;
  for (Range piece : pieces_) {
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
  for (Range r : pieces_) {
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
