// When ranks post the messages of panels that travel beside products. Nobody stops for them: a rank goes on, and posts
// them once what they wait for is there, as often as it looks (program/deferred.hpp).
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "interpret/clock_state.hpp"
#include "interpret/seconds.hpp"

namespace cairn {

class AheadPosts {
 public:
  explicit AheadPosts(Clocked& clocked);

  bool any() const { return !post_.empty(); }
  bool ahead(std::size_t step) const { return c_.early[step] > 0; }

  /// To be called for every such step. `arrives` finds what was received of a value, by cell, or null.
  using Arrives = std::function<const double*(Slot)>;
  void begin(std::size_t step, ComputeTimes& products, const Arrives& arrives);

  /// By cell, when it posts its message of this step.
  double* post() { return post_.data(); }
  const double* post() const { return post_.data(); }
  /// `post` is when what the message waits for is there, the core at most there: it is posted then, or when the rank
  /// looks next. A product waits until what has its data, those of `data` or its own, is posted: somebody is about to
  /// wait for it.
  void settle(std::size_t cell, double core, bool sends, const double* data) {
    const double start = std::max(start_[cell], core);
    if (post_[cell] <= start) return;
    if (sends && (!data || data[cell] <= start))
      start_[cell] = post_[cell];
    else
      post_when_it_looks(cell, start);
  }
  /// When the product number `step` starts at the earliest; null if nothing was to be posted before it.
  const double* start(std::size_t step) const { return step == product_ ? start_.data() : nullptr; }

 private:
  // How often a rank looks after messages during a product: every so many columns, or rows, if there are so many.
  struct Looks {
    double every, least;
    bool by_rows;
  };
  Looks looks_during(const Compute& product) const;
  void post_when_it_looks(std::size_t cell, double start);

  Clocked& c_;
  std::vector<std::size_t> next_;                              // by step: the next product
  double passed_ = 0;                                          // products before its own
  std::size_t product_;                                        // the one that was last the next
  std::vector<double> post_, start_, product_seconds_, poll_;  // by cell
};

}  // namespace cairn
