// Ranks as cells of flat arrays, and the messages of a step as strips of neighbouring cells, so that a step costs short
// loops over arrays.
#pragma once
#include <algorithm>
#include <vector>

#include "base/arithmetic.hpp"
#include "interpret/classes.hpp"
#include "model/machine.hpp"
#include "schedule/effect.hpp"

namespace cairn {

/// A cell is a combination of one class of coordinates an axis, and stands for all its ranks; the last axis is fastest.
class Cells {
 public:
  Cells(const Grid& grid, std::vector<AxisClasses> axes);

  std::size_t size() const { return rank_.size(); }
  Int rank(std::size_t cell) const { return rank_[cell]; }
  /// Number of ranks that the cell stands for.
  Int weight(std::size_t cell) const { return weight_[cell]; }
  /// Whether every cell is one rank.
  bool exact() const { return exact_; }
  const Grid& grid() const { return grid_; }
  std::size_t extent(int axis) const { return axes_[static_cast<std::size_t>(axis)].representative.size(); }
  std::size_t stride(int axis) const { return stride_[static_cast<std::size_t>(axis)]; }
  std::size_t index(std::size_t cell, int axis) const { return cell / stride(axis) % extent(axis); }
  Int coordinate(int axis, std::size_t index) const {
    return axes_[static_cast<std::size_t>(axis)].representative[index];
  }
  /// Cells along the last axis, which lie one after another. Strips stay within them.
  std::size_t run() const { return run_; }
  /// The cell that holds `coordinate` of `axis`, otherwise as `cell`.
  std::size_t with(std::size_t cell, int axis, Int coordinate) const;

  /// Calls visit(receiver, sender, count) for strips of cells: receiver + x gets its data from sender + x, x < count.
  template <class Visit>
  void for_each_message(const Move& m, Visit visit) const;
  /// Calls visit(cells of a line) for every line of cells along an axis; `line` is reused.
  template <class Visit>
  void for_each_line(int axis, Visit visit) const {
    std::vector<std::size_t> line(extent(axis));
    for (std::size_t c = 0; c < size(); ++c) {
      if (index(c, axis) != 0) continue;
      for (std::size_t i = 0; i < line.size(); ++i) line[i] = c + i * stride(axis);
      visit(line);
    }
  }

  struct Strip {
    std::size_t to, from, count;
  };
  /// Of a line of q cells, such that neither receivers nor senders wrap around.
  static std::vector<Strip> strips_of(Int q, Int by, Int origin, const Who& who);

 private:
  bool constant_in_runs(const Affine& a) const { return a.factor(grid_.axes() - 1) == 0; }
  // Whether on a line, each cell of which is one rank, few take part, and get their data from as far away.
  bool few_on_lines(const Move& m) const {
    constexpr Int few = 4;  // of as many on the line
    return exact_ && m.by.factor(m.axis) == 0 && m.origin.factor(m.axis) == 0 &&
           few * ceil_div(m.who.hi - m.who.lo, m.who.every) * m.who.run <= grid_.extent(m.axis);
  }
  // for_each_message() for these, which are found and not looked for among all.
  template <class Visit>
  void for_each_of_few(const Move& m, Visit visit) const;

  Grid grid_;
  std::vector<AxisClasses> axes_;
  std::vector<std::size_t> stride_;
  std::vector<Int> rank_, weight_;
  std::size_t run_ = 1;
  bool exact_ = true;
};

/// For the clock. Direct exchanges among whole lines treat all members of a class alike, as long as all links are;
/// where anything tells ranks apart, each is a cell.
Cells cells_of(const Schedule& schedule, const Machine& machine);

template <class Visit>
void Cells::for_each_of_few(const Move& m, Visit visit) const {
  const Int q = grid_.extent(m.axis);
  const std::size_t apart = stride(m.axis), lines = apart * static_cast<std::size_t>(q);
  std::vector<std::size_t> few;
  for (std::size_t first = 0; first < size(); first += lines)
    for (std::size_t line = first; line < first + apart; ++line) {
      const Int origin = m.origin.at(grid_, rank_[line]), by = m.by.at(grid_, rank_[line]);
      few.clear();
      for_each_interval(m.who, [&](Int lo, Int hi) {
        for (; lo < hi; ++lo) few.push_back(static_cast<std::size_t>(wrap(lo + origin, q)));
      });
      std::ranges::sort(few);
      for (std::size_t i : few)
        visit(line + i * apart, line + static_cast<std::size_t>(wrap(static_cast<Int>(i) + by, q)) * apart,
              std::size_t{1});
    }
}

template <class Visit>
void Cells::for_each_message(const Move& m, Visit visit) const {
  const Int q = grid_.extent(m.axis);
  if (!exact_ || !constant_in_runs(m.by) || !constant_in_runs(m.origin)) {
    if (few_on_lines(m)) return for_each_of_few(m, visit);
    for (std::size_t c = 0; c < size(); ++c)
      if (takes_part(grid_, rank_[c], m.axis, m.origin, m.who))
        visit(c, with(c, m.axis, grid_.index(rank_[c], m.axis) + m.by.at(grid_, rank_[c])), std::size_t{1});
    return;
  }
  const bool along_run = m.axis == grid_.axes() - 1;
  const bool same = m.by.terms.empty() && m.origin.terms.empty();  // in all runs
  std::vector<Strip> strips;
  for (std::size_t c = 0; c < size(); c += run_) {
    if (!along_run) {
      const auto i = static_cast<Int>(index(c, m.axis));
      const Int d = same ? m.by.constant : m.by.at(grid_, rank_[c]),
                o = same ? m.origin.constant : m.origin.at(grid_, rank_[c]);
      if (m.who.has(wrap(i - o, q))) visit(c, c + static_cast<std::size_t>(wrap(i + d, q) - i) * stride(m.axis), run_);
      continue;
    }
    if (!same || c == 0)
      strips = strips_of(q, wrap(m.by.at(grid_, rank_[c]), q), wrap(m.origin.at(grid_, rank_[c]), q), m.who);
    for (const Strip& s : strips) visit(c + s.to, c + s.from, s.count);
  }
}

}  // namespace cairn
