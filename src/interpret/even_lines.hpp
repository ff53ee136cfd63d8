// Steps of an even schedule that stay within the lines of one axis, on many lines. Where they bring many messages,
// lines in which the same happens at other times are found, and one of each kind is clocked.
#pragma once
#include <deque>

#include "interpret/clock_state.hpp"
#include "interpret/even_steps.hpp"

namespace cairn {

/// What steps do in a line: the same in all lines.
struct LineProgram {
  /// From positions `from` on to as many from `to` on.
  struct Hop {
    std::size_t to, from, count;
    double port = 0, latency = 0, overhead = 0;
  };
  struct Step {
    std::vector<Hop> hops;           ///< of an Add: to is from
    std::size_t storage = 0;         ///< that is received, by number in `storages`
    std::vector<std::size_t> reads;  ///< likewise, those that were received
    bool shift = false, ahead = false;
    double work = 0;  ///< of those who take part, or who receive
  };
  int axis = 0;
  std::vector<Layout::Where> where;
  std::vector<Step> steps;
  std::vector<Slot> storages;  ///< first those that were received before
  std::size_t old = 0;         ///< number of these
  double messages = 0;         ///< that a rank receives, as a mean over the line
};

class EvenLines {
 public:
  EvenLines(const Grid& grid, Lanes& lanes, Arrivals& arrivals) : grid_(grid), lanes_(lanes), arrivals_(arrivals) {}

  /// Does it on all lines that take part.
  void run(const LineProgram& program);

 private:
  static constexpr std::size_t most_abreast = 8;
  // Times of a line, from when the core of its first cell is free, and what becomes of them.
  struct Kind {
    double start = 0;
    std::vector<double> before, after;
  };
  // Times of lines side by side: core, in, out and what arrives; by position, then line.
  struct Block {
    std::size_t abreast = 0, places = 0;
    std::vector<double> times;
    double* of(std::size_t lane) { return times.data() + lane * places; }
  };
  std::vector<std::size_t> first_cells(const LineProgram& program) const;
  void load(const LineProgram& program, const std::size_t* lines, std::size_t count);
  void store(const std::size_t* lines);
  template <class Visit>
  void for_each_place(const std::size_t* lines, Visit visit) const;
  void clock(const LineProgram& program, Block& block);
  void clock_kinds(const LineProgram& program);
  const Kind* known(std::size_t line, std::size_t lanes) const;
  Kind clock_one(const LineProgram& program, std::size_t line);

  const Grid& grid_;
  Lanes& lanes_;
  Arrivals& arrivals_;
  std::size_t extent_ = 1, stride_ = 1;
  std::vector<double*> lane_;  // all cells': core, in, out, storages
  Block block_, one_;
  std::vector<double> posts_;  // by position, then line, where cores do not wait
  std::deque<Kind> kinds_;
};

}  // namespace cairn
