// One planner choosing among all algorithms.
#pragma once
#include "planner/candidate.hpp"
#include "planner/draft.hpp"

namespace cairn {

class Chooser {
 public:
  explicit Chooser(const Drafts& drafts);

  /// The plan that the options ask for: a spelling as it is, the best of a bare name, or the best of all.
  Draft run() const;

 private:
  // The best of one algorithm, as far as it is known.
  struct Entrant {
    std::string_view name;
    Draft draft;                         // null: it cannot win, or nothing fits
    std::optional<Candidate> candidate;  // of the draft, or else the one that the closed forms like best
    Outline outline{};                   // of that candidate
    std::string spelling{};
    Family family{};           // without its variants
    std::optional<Int> needs;  // if nothing fits: words of memory without which nothing does
  };

  Draft as_asked() const;
  Entrant cosma() const;
  Entrant with_halvings(Entrant searched) const;
  Entrant best_of(Family family, const Draft& rival) const;
  void clock_first(const Draft& rival, Entrant& e) const;
  bool prices_layouts() const;
  void price_layouts(Family& family) const;
  Draft made(const Family& family, const Candidate& candidate) const;
  struct Least {
    Int words;
    Candidate candidate;
    Family family{};
  };
  Least least(const Family& family) const;
  bool by_estimate(const Draft& rival) const;
  void sort(Family& family, const Draft& rival) const;
  bool fits(const Outline& outline) const;
  bool behind(const Family& family, const Candidate& candidate, const Draft& rival) const;
  bool can_win(const Family& family, const Candidate& candidate, const Draft& rival) const;
  Draft best(const std::vector<Draft>& drafts) const;
  Draft winner(const std::vector<Entrant>& entrants) const;
  Draft rather_in_place(const Draft& fastest, const std::vector<Entrant>& entrants) const;
  Count loser_count(const Draft& draft) const;
  RunnerUp runner_up(const Entrant& entrant, const Plan::Data& winner) const;
  [[noreturn]] void refuse_memory(Int needed, std::string_view what) const;
  [[noreturn]] void refuse(const std::vector<Entrant>& entrants) const;

  const Drafts& drafts_;
  const GemmProblem& problem_;
  const Options& options_;
  Sought sought_;
  bool prunes_;       // by closed forms, which know messages: they tell nothing of ranks that share memory
  bool by_words_;     // words decide; only between equals the clock
  double tolerance_;  // a share by which predictions may differ and are taken for equal; 0: the clock alone decides
};

}  // namespace cairn
