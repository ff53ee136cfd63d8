// A passage along the lines of one axis, in which the same happens in all of them. Where it brings many messages, lines
// in which that happens at other times only are found, and one of each kind is clocked.
#pragma once
#include "interpret/passage.hpp"

namespace cairn {

class EvenLines {
 public:
  EvenLines(const Grid& grid, PassageClock& clock) : grid_(grid), clock_(clock) {}

  /// On the lines that take part; places are coordinates of the axis.
  void run(const Passage& passage, int axis, const std::vector<Layout::Where>& where, const Tracks& tracks);

 private:
  std::vector<std::size_t> first_cells(const std::vector<Layout::Where>& where) const;
  void run_all(const Passage& passage, const Tracks& tracks, const std::vector<std::size_t>& lines);
  bool run_kinds(const Passage& passage, const Tracks& tracks, const std::vector<std::size_t>& lines);
  bool find_kinds(const Passage& passage, const Tracks& tracks, const std::vector<std::size_t>& lines);

  const Grid& grid_;
  PassageClock& clock_;
  std::size_t extent_ = 1, stride_ = 1;
  std::vector<std::size_t> kind_, like_;  // by line: its kind; by kind: a line of it, by number
  std::vector<double> times_;             // of a line of each kind: by track, place, kind
};

}  // namespace cairn
