// A passage along the lines of one axis, in which the same happens in all of them. Where it brings many messages, lines
// in which that happens at other times only are found, and one of each kind is clocked.
#pragma once
#include "interpret/passage.hpp"

namespace cairn {

class EvenLines {
 public:
  EvenLines(const Grid& grid, PassageClock& clock) : grid_(grid), clock_(clock) {}

  /// On the lines that take part; places are coordinates of the axis.
  void run(const Passage& passage, int axis, const std::vector<Layout::Where>& where, const Tracks& tracks,
           Lanes& lanes);

 private:
  void find_lines(const std::vector<Layout::Where>& where);
  template <class Visit>
  void for_each_place(std::size_t first, std::size_t end, Visit visit) const;
  bool find_kinds(const Passage& passage, const Tracks& tracks);
  void clock_kinds(const Passage& passage, const Tracks& tracks);
  void clock_block(const Passage& passage, const Tracks& tracks, std::size_t first, std::size_t end);
  void account(const Passage& passage, Lanes& lanes, int axis);

  const Grid& grid_;
  PassageClock& clock_;
  std::size_t extent_ = 1, stride_ = 1;
  std::vector<std::size_t> lines_;        // their first cells
  std::vector<double> starts_;            // by line: when the core of its first cell is free
  std::vector<std::size_t> kind_, like_;  // by line: its kind; by kind: a line of it
  std::vector<double> times_;             // of lines abreast: by track, place, line
};

}  // namespace cairn
