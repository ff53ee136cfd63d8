// One simulated rank: its program, how far it is, and what it has posted.
#pragma once
#include <coroutine>
#include <deque>
#include <functional>
#include <optional>

#include "interpret/replay/task.hpp"
#include "program/program.hpp"

namespace cairn {

struct SimulatedRank {
  enum class Request : std::uint8_t { none, posted, complete };

  Int number = 0;
  const Program* program = nullptr;
  std::size_t at = 0;                       ///< operation
  std::vector<Request> requests;            ///< those of SumExchanges and Reshuffles after the program's
  std::deque<const Operation*> deferred;    ///< as runtime/deferred.hpp
  std::coroutine_handle<> waits = nullptr;  ///< goes on once `until` holds
  std::function<bool()> until;
  Int last_from = -1;  ///< who sent what last completed a request
  Int phase = 0;       ///< of Meet: that it has reached
  struct Meeting {
    std::coroutine_handle<> waits;
    Int phase;
  };
  std::vector<Meeting> awaited;  ///< who waits for it, and for what
  double computing = 0, working = 0, receiving = 0, end = 0;
  std::optional<Task> task;

  std::size_t step() const { return program->operations[at].step; }
  bool complete(Range r) const {
    for (Int i = r.lo; i < r.hi; ++i)
      if (requests[static_cast<std::size_t>(i)] != Request::complete) return false;
    return true;
  }
  bool complete(const std::vector<Range>& all) const {
    for (Range r : all)
      if (!complete(r)) return false;
    return true;
  }
  /// Whether all that an exchange waits for, but for sends, is complete.
  bool has_its_data(const Operation& exchange) const {
    for (Range range : exchange.wait)
      for (auto r = static_cast<std::size_t>(range.lo); r < static_cast<std::size_t>(range.hi); ++r)
        if (requests[r] != Request::complete && !program->sends[r]) return false;
    return true;
  }
  /// Requests beyond the program's own, none of them posted.
  std::size_t more_requests(std::size_t count) {
    requests.resize(program->requests);
    requests.resize(program->requests + count, Request::none);
    return program->requests;
  }
};

}  // namespace cairn
