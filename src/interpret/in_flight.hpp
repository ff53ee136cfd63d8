// Which values are on their way while others are sent after them.
#pragma once
#include <map>
#include <vector>

#include "interpret/clocked_schedule.hpp"

namespace cairn {

class InFlight {
 public:
  explicit InFlight(const Clocked& clocked);

  /// The last step that reads a value (Clocked::value); 0 if none does.
  std::size_t last_read(std::size_t value) const;
  /// Whether nobody asks any more, after this step that reads it, when a value arrives.
  bool is_done_with(Slot x, std::size_t step) const {
    return last_read(c_.value(x)) == step && c_.value(x) != c_.value(access(c_.does[step]).writes);
  }
  /// To be called for steps that communicate, in their order. Values that earlier ones write and that are read next
  /// before what this one writes: they are waited for while this one's data travel, too.
  std::vector<std::size_t> overtaken(std::size_t step);
  /// The steps of the direct gathers that are waited for together with the one that is step number `step`, if it is the
  /// first of them; else none.
  std::vector<std::size_t> gathers(std::size_t step) const;

 private:
  std::size_t next_read(std::size_t value, std::size_t step) const;

  const Clocked& c_;
  std::vector<std::vector<std::size_t>> reads_;  // by value: steps
  struct Posted {
    std::size_t value, next, last;  ///< steps that read it
  };
  std::vector<Posted> posted_;
  std::map<std::size_t, std::vector<std::size_t>> gathers_;  // by the step that reads them first
};

}  // namespace cairn
