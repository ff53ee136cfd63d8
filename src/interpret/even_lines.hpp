// The moves of an even schedule, as many at once as follow each other along the lines of one axis: in all lines the
// same happens. Where it brings many messages, lines in which it happens at other times only are found, and one of each
// kind is clocked.
#pragma once
#include "interpret/passage_of_many.hpp"

namespace cairn {

class EvenLines {
 public:
  /// Every cell is one rank.
  EvenLines(Clocked& clocked, Hops& hops, Lanes& lanes, Arrivals& arrivals)
      : c_(clocked), hops_(hops), lanes_(lanes), arrivals_(arrivals) {}

  /// Goes through moves from step `first` on, or only accounts for what ranks do in them beside waiting. Returns the
  /// step that follows.
  std::size_t run(std::size_t first, bool only_account);
  /// Adds to the lanes what was accounted for.
  void add_up();

 private:
  // Of ranks, by their coordinates of a few axes: those that tell which lines take part, and the lines' own, which is
  // the fastest.
  struct Account {
    std::vector<int> axes;
    std::vector<double> receiving, working;
  };

  void find_lines(int axis, const std::vector<Layout::Where>& where);
  void account(const Passage& passage, const EvenMove& like);
  template <class Visit>
  void for_each_place(std::size_t first, std::size_t end, Visit visit) const;
  void clock_block(const Passage& passage, const Tracks& tracks, std::size_t first, std::size_t end);
  bool find_kinds(const Passage& passage, const Tracks& tracks);
  void clock_kinds(const Passage& passage, const Tracks& tracks);
  Tracks abreast(const Passage& passage, std::size_t lines);

  Clocked& c_;
  Hops& hops_;
  Lanes& lanes_;
  Arrivals& arrivals_;
  std::vector<Account> accounts_;
  std::size_t extent_ = 1, stride_ = 1;
  std::vector<std::size_t> lines_;        // that take part: their first cells
  std::vector<double> starts_;            // by line: when the core of its first cell is free
  std::vector<std::size_t> kind_, like_;  // by line: its kind; by kind: a line of it
  std::vector<double> times_, posts_;     // times_: of lines abreast, by track, place, line
};

}  // namespace cairn
