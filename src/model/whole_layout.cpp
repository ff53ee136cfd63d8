#include "model/whole_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// Which pieces a rank keeps, by their numbers in each cut.
std::vector<Int> numbers_of(const Layout& l, Int rank) {
  std::vector<Int> numbers;
  for (const Dim* dim : {&l.rows, &l.cols})
    for (const Cut& cut : dim->cuts) {
      const Int index = wrap(cut.index.at(l.grid, rank), cut.parts);
      numbers.push_back(cut.kind == Cut::Kind::group ? index / cut.block : index);
    }
  return numbers;
}

}  // namespace

// Pieces of other numbers share no element, unless cuts are joined, span several or have several holders: then ranks
// hold another number of elements.
std::optional<std::string> unless_whole(std::string_view name, const Layout& l) {
  if (l.blocks) return {};  // owners are looked at when they are given
  Int words = 0;
  std::vector<std::vector<Int>> held;
  for (Int rank = 0; rank < l.grid.ranks(); ++rank) {
    if (!l.live(rank) || l.original(rank) != rank) continue;
    const Int mine = l.words(rank);
    words += mine;
    if (mine > 0) held.push_back(numbers_of(l, rank));
  }
  std::ranges::sort(held);
  const bool twice = std::ranges::adjacent_find(held) != held.end();
  if (words == l.m() * l.n() && !twice) return {};
  return fmt::format(
      "{}: ranks hold {} of {} elements{}, expected each of them once, or in copies along an axis of the grid", name,
      words, l.m() * l.n(), twice ? ", some several times" : "");
}

}  // namespace cairn
