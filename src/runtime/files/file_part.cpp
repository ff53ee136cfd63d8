#include "runtime/files/file_part.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// At most so many at a time, ascending: a layout that wraps around stores its indices in another order than the file,
// whose views must ascend.
std::vector<IndexSet> cut(const IndexSet& held, Int most) {
  std::vector<Range> ascending(held.pieces().begin(), held.pieces().end());
  std::ranges::sort(ascending);
  std::vector<IndexSet> all;
  for (Range rest : ascending)
    while (!rest.empty()) {
      if (all.empty() || all.back().size() == most) all.emplace_back();
      const Int end = std::min(rest.hi, rest.lo + most - all.back().size());
      all.back().push_back({rest.lo, end});
      rest.lo = end;
    }
  return all;
}

}  // namespace

FilePart::FilePart(const Patch& patch, Order file_order, Int rows, Int cols, Int most)
    : line_(file_order == Order::row ? cols : rows),
      held_(file_order == Order::row ? Portion{patch.rows, patch.cols} : Portion{patch.cols, patch.rows}),
      lines_(cut(held_.lines, std::max<Int>(1, most / std::max<Int>(1, held_.within.size())))),
      within_(cut(held_.within, most)) {}

FilePart::Portion FilePart::portion(Int number) const {
  const auto across = static_cast<Int>(within_.size());
  return {lines_[place(number / across)], within_[place(number % across)]};
}

IndexSet FilePart::places_in_file(const Portion& p) const {
  IndexSet places;
  for (Range lines : p.lines.pieces())
    for (Int line = lines.lo; line < lines.hi; ++line)
      for (Range at : p.within.pieces()) places.push_back({line * line_ + at.lo, line * line_ + at.hi});
  return places;
}

}  // namespace cairn
