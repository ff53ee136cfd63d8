// What a product of block-sparse matrices will do: by which schedule, with panels of which sizes, in how much memory.
#pragma once
#include <string>

#include "api/product_setting.hpp"
#include "cairn/block_plan.hpp"
#include "model/machine.hpp"
#include "model/transport.hpp"
#include "planner/product_panels.hpp"

namespace cairn {

/// On every rank, as all have found the same.
[[noreturn]] void refuse_memory(Int limit, Int needed);

template <class T>
class ProductPlanner {
 public:
  explicit ProductPlanner(const ProductSetting<T>& setting) : x_(setting) {}

  /// Sizes of panels: from the patterns alone, collective; or as they are.
  void see();
  void know(SizedPanels::Sizes A, SizedPanels::Sizes B);
  /// How panels of A and B travel: as options say, unless this library's windows are not to be trusted. Collective.
  Transport transport() const;
  SizedPanels sizes(const PanelSchedule& schedule) const { return {schedule, panels_.A, panels_.B, panels_.sums}; }
  SizedPanels sizes_at_most(const PanelSchedule& schedule) const {
    return {schedule, panels_.A, panels_.B, panels_.sums.at_most()};
  }

  /// The best of all for panels of these sizes. Collective.
  std::shared_ptr<const PanelSchedule> best() { return made(spellings().front()); }
  /// The best that fits the memory; MemoryError on every rank if there is none. Collective.
  std::shared_ptr<const PanelSchedule> fitting();
  /// What fitting() has left of the memory, and what parts of sums of several threads would hold, in words; 0 where
  /// memory is not limited.
  Int spare() const { return spare_; }
  Int parts() const { return parts_; }
  /// Words of C, with what it has already.
  Int room_of_c() const;

  /// The plan of all this. Collective.
  BlockPlan plan();

 private:
  std::vector<double> upper_shares() const;
  std::vector<std::string> spellings();
  std::vector<PanelCandidate> best_by_clock(std::vector<PanelCandidate> candidates);
  Int fastest(const std::vector<PanelCandidate>& all, const std::vector<Int>& compared, const Machine& machine,
              double seconds_per_flop) const;
  std::pair<Int, Int> memory_needed(const PanelSchedule& schedule) const;
  std::shared_ptr<const PanelSchedule> made(const std::string& spelling) const;
  BlockProblem problem() const;  // without panels
  std::vector<Int> brought() const;

  const ProductSetting<T>& x_;
  ProductPanels panels_;
  Int spare_ = 0, parts_ = 0;
  bool by_clock_ = false;  // candidates were compared
};

}  // namespace cairn
