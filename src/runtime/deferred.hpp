// Exchanges that wait for messages without keeping the core: they are posted once those are there, in the order of the
// program, but that panels of later rounds hold up nothing (schedule/ahead.hpp). So a tree goes on while its ranks
// multiply, as far as they look after it, and a rank sends one message of a tree after another, each at the full rate
// of its port.
#pragma once
#include <deque>
#include <vector>

#include "runtime/transport/two_sided.hpp"

namespace cairn {

class Deferred {
 public:
  Deferred(const Program& program, TwoSided& wire) : program_(program), wire_(wire) {}

  /// Start of a run; what one that failed has left is not posted any more.
  void begin() { waiting_.clear(); }
  /// Post the exchange of an operation: now, or once what it waits for is complete and those before it that hold it up
  /// are posted.
  void post(const Operation& exchange);
  /// Post what has become ready. Lets the library move data.
  void advance();
  /// Complete requests. Whatever is waited for, all that is deferred goes on: others may wait for it.
  void wait(const std::vector<Range>& requests);
  /// Wait as long as there is an exchange that has its data, so that only messages of others must go before it:
  /// somebody is about to wait for it, and a product would keep it back.
  void send_on();
  /// Post everything.
  void flush();
  bool empty() const { return waiting_.empty(); }

 private:
  bool has_its_data(const Operation& op) const;
  bool ready(const Operation& op) const;
  bool complete(Range requests) const;
  bool posted(Range requests) const;
  /// Until something happens for which `range` or an exchange that may be the next waits.
  void wait_any(Range range);

  const Program& program_;
  TwoSided& wire_;
  std::deque<const Operation*> waiting_;  ///< in program order
  std::vector<Range> watched_;
};

}  // namespace cairn
