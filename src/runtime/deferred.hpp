// Exchanges that wait for messages without keeping the core: they are posted once those are there. So a tree goes on
// while its ranks multiply, as far as they look after it, and a rank sends one message of a tree after another, each at
// the full rate of its port.
#pragma once
#include <vector>

#include "runtime/transport/two_sided.hpp"

namespace cairn {

class Deferred {
 public:
  explicit Deferred(TwoSided& wire) : wire_(wire) {}

  /// Post the exchange of an operation: now, or once what the operation waits for is complete.
  void post(const Operation& exchange);
  /// Post what has become ready. Lets the library move data.
  void advance();
  /// Complete requests. Whatever is waited for, all that is deferred goes on: others may wait for it.
  void wait(const std::vector<Range>& requests);
  /// Post everything.
  void flush();
  bool empty() const { return waiting_.empty(); }

 private:
  bool ready(const Operation& op) const;
  bool complete(Range requests) const;
  bool posted(Range requests) const;
  void post_now(const Operation& op);
  /// Until something happens for which `range` or a deferred exchange waits.
  void wait_any(Range range);

  TwoSided& wire_;
  std::vector<const Operation*> waiting_;  ///< in program order
  std::vector<Range> watched_;
};

}  // namespace cairn
