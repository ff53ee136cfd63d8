#include "runtime/files/file_part.hpp"

#include <algorithm>

namespace cairn {

FilePart::Axis::Axis(const IndexSet& held) : size(held.size()) {
  Int local = 0;
  for (Range r : held.pieces()) {
    pieces.push_back({r.lo, local, r.size(), 0});
    local += r.size();
  }
  // A layout that wraps around stores its indices in another order than the file, whose views must ascend.
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.global < b.global; });
  Int before = 0;
  for (Piece& p : pieces) {
    p.before = before;
    before += p.length;
  }
}

std::vector<FilePart::Axis::Piece> FilePart::Axis::within(Range range) const {
  std::vector<Piece> found;
  const auto ends_before = [](const Piece& p, Int position) { return p.before + p.length <= position; };
  for (auto p = std::lower_bound(pieces.begin(), pieces.end(), range.lo, ends_before); p != pieces.end(); ++p) {
    const Range both = intersect(range, {p->before, p->before + p->length});
    if (both.empty()) break;
    const Int skipped = both.lo - p->before;
    found.push_back({p->global + skipped, p->local + skipped, both.size(), both.lo - range.lo});
  }
  return found;
}

Int FilePart::Axis::global(Int position) const { return within({position, position + 1}).front().global; }

FilePart::FilePart(const Patch& patch, Order file_order, Int rows, Int cols, Order order, Int ld)
    : line_(file_order == Order::row ? cols : rows),
      ld_(ld),
      same_order_(file_order == order),
      outer_(file_order == Order::row ? patch.rows : patch.cols),
      inner_(file_order == Order::row ? patch.cols : patch.rows) {}

std::vector<FilePart::Portion> FilePart::portions(Int most) const {
  std::vector<Portion> all;
  if (outer_.size == 0 || inner_.size == 0) return all;
  const Int width = std::min(inner_.size, most), height = std::max<Int>(1, most / inner_.size);
  for (Int line = 0; line < outer_.size; line += height)
    for (Int at = 0; at < inner_.size; at += width)
      all.push_back({{line, std::min(line + height, outer_.size)}, {at, std::min(at + width, inner_.size)}});
  return all;
}

std::vector<Run> FilePart::runs_in_file(const Portion& p) const {
  std::vector<Run> runs;
  const auto inner = inner_.within(p.within);
  for (const Axis::Piece& piece : outer_.within(p.lines))
    for (Int line = piece.global; line < piece.global + piece.length; ++line)
      for (const Axis::Piece& at : inner) {
        const Int start = line * line_ + at.global;
        if (!runs.empty() && runs.back().start + runs.back().length == start)
          runs.back().length += at.length;
        else
          runs.push_back({start, at.length});
      }
  return runs;
}

std::vector<FilePart::Block> FilePart::blocks(const Portion& p) const {
  std::vector<Block> all;
  const Int step = same_order_ ? 1 : ld_, line_step = same_order_ ? ld_ : 1;
  const auto inner = inner_.within(p.within);
  for (const Axis::Piece& line : outer_.within(p.lines))
    for (const Axis::Piece& at : inner)
      all.push_back({line.before * p.within.size() + at.before, p.within.size(),
                     at.local * step + line.local * line_step, step, line_step, at.length, line.length});
  return all;
}

Int FilePart::number(const Portion& p, Int index) const {
  const Int line = outer_.global(p.lines.lo + index / p.within.size());
  return line * line_ + inner_.global(p.within.lo + index % p.within.size());
}

}  // namespace cairn
