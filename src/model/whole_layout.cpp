#include "model/whole_layout.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace cairn {

// Pieces of a dimension are the same or have nothing in common, unless cuts are joined or span several: then the
// numbers of elements differ, too.
std::optional<std::string> unless_whole(std::string_view name, const Layout& l) {
  if (l.blocks) return {};  // owners are looked at when they are given
  Int words = 0;
  std::set<std::pair<Int, Int>> begins;
  bool twice = false;
  for (Int rank = 0; rank < l.grid.ranks(); ++rank) {
    const Int mine = l.live(rank) && l.original(rank) == rank ? l.words(rank) : 0;
    if (mine == 0) continue;
    words += mine;
    const auto begin = [](const IndexSet& set) { return set.pieces().front().lo; };
    twice = !begins.emplace(begin(l.rows_at(rank)), begin(l.cols_at(rank))).second || twice;
  }
  if (words == l.m() * l.n() && !twice) return {};
  return fmt::format(
      "{}: ranks hold {} of {} elements{}, expected each of them once, or in copies along an axis of the grid", name,
      words, l.m() * l.n(), twice ? ", some several times" : "");
}

}  // namespace cairn
