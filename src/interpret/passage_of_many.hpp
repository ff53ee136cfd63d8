// Messages of very many ranks, with less care (docs/clock.md): they go in the order in which they were posted, and a
// rank sends the next one once the one before has arrived.
#pragma once
#include <vector>

#include "interpret/clock_state.hpp"
#include "interpret/even_moves.hpp"

namespace cairn {

/// A few steps, one after another.
struct Passage {
  /// From places that are next to each other to as many others: messages that are alike, or copies that move nowhere.
  struct Hop {
    std::size_t to, from, count;
    double port = 0, latency = 0, overhead = 0;
    double own = 0;         ///< of the core that receives, or copies, beside overheads
    std::size_t strip = 0;  ///< the first receiver of the strip of which it is a part
    bool in_turn = false;   ///< to another node: the sender's messages leave one after another (program/deferred.hpp)
  };
  struct Step {
    std::vector<Hop> hops;
    std::vector<std::size_t> reads;  ///< what is waited for where it is sent, by number in `values`
    std::size_t arrive = 0;          ///< likewise, what is received
    bool ahead = false;              ///< cores do not wait for what they pass on (schedule/ahead.hpp)
  };
  std::vector<Step> steps;
  std::vector<std::size_t> values;  ///< first those that were received before
  std::size_t old = 0;              ///< number of these

  /// Steps from `first` to `end`, which move between single ranks or copy, but for their hops.
  Passage(const Clocked& clocked, const Arrivals& arrivals, std::size_t first, std::size_t end);
};

/// Times that change: when cores, and ports in both directions, are free, and when each value of a passage arrives.
struct Tracks {
  static constexpr std::size_t core = 0, in = 1, out = 2, arrivals = 3;
  std::vector<double*> all;
  double* posts;  ///< scratch, of as many places

  double* operator[](std::size_t track) const { return all[track]; }
  std::size_t size() const { return all.size(); }
};

/// Of all cells.
Tracks tracks(const Passage& passage, Lanes& lanes, Arrivals& arrivals, std::vector<double>& posts);

/// At places of `width` cells each, which lie one after another.
void go_through(const Passage& passage, const Tracks& tracks, std::size_t width);

/// Adds the seconds for which places receive, and those for which they work beside waiting.
void account(const Passage& passage, double* receiving, double* working);

/// Finds them.
class Hops {
 public:
  explicit Hops(Clocked& clocked) : c_(clocked) {}

  /// By cell, of what is not empty; until the next ones are asked for.
  const std::vector<Passage::Hop>& of(const Move& move);
  /// The same of all lines, by coordinate.
  std::vector<Passage::Hop> of(const EvenMove& move) const;

 private:
  template <class WordsOf, class LevelOf>
  void add(std::vector<Passage::Hop>& hops, const Cells::Strip& strip, WordsOf words, LevelOf level,
           bool alike = false) const;

  Clocked& c_;
  std::vector<Passage::Hop> hops_;
  std::vector<double> words_;  // of a strip
};

}  // namespace cairn
