#include "interpret/arrive_together.hpp"

#include <algorithm>
#include <span>

#include "schedule/effect.hpp"

namespace cairn {

namespace {

// What steps name of the plan's own values, storage by storage. The caller's are there from the start.
std::vector<Slot> named(const Schedule& s) {
  std::vector<bool> seen(s.slots.size());
  std::vector<Slot> named;
  const auto note = [&](Slot x) {
    if (x < 0 || seen[static_cast<std::size_t>(x)] || s[s.storage(x)].callers()) return;
    seen[static_cast<std::size_t>(x)] = true;
    named.push_back(x);
  };
  for (const LabelledStep& step : s.steps) {
    const Access a = access(step.step);
    for (Slot x : a.reads) note(x);
    note(a.writes);
  }
  std::ranges::sort(named, {}, [&](Slot x) { return std::pair(s.storage(x), x); });
  return named;
}

// Views that no other reaches across, whatever the rank, are told apart by rows and by columns in turn. What can be
// told apart by neither (`tried`: by the other it cannot) gets one number.
void tell_apart(const Schedule& s, std::span<Slot> views, bool by_rows, bool tried, std::vector<Slot>& with) {
  const auto extent = [&](Slot x) { return by_rows ? s.layout(x).rows.extent : s.layout(x).cols.extent; };
  std::ranges::sort(views, {}, [&](Slot x) { return std::pair(extent(x).lo, x); });
  for (std::size_t first = 0, end = 0; first < views.size(); first = end) {
    for (Int reached = extent(views[end++]).hi; end < views.size() && extent(views[end]).lo < reached; ++end)
      reached = std::max(reached, extent(views[end]).hi);
    const std::span<Slot> part = views.subspan(first, end - first);
    const bool whole = part.size() == views.size();
    if (part.size() > 1 && !(whole && tried)) {
      tell_apart(s, part, !by_rows, whole, with);
    } else {
      const Slot number = *std::ranges::min_element(part);
      for (Slot x : part) with[static_cast<std::size_t>(x)] = number;
    }
  }
}

}  // namespace

std::vector<Slot> arrive_together(const Schedule& s) {
  std::vector<Slot> with;
  for (Slot x = 0; x < static_cast<Slot>(s.slots.size()); ++x) with.push_back(s.storage(x));
  std::vector<Slot> all = named(s);
  for (auto first = all.begin(), end = first; first != all.end(); first = end) {
    const Slot storage = s.storage(*first);
    end = std::find_if(first, all.end(), [&](Slot x) { return s.storage(x) != storage; });
    if (std::find(first, end, storage) == end) tell_apart(s, {first, end}, true, false, with);
  }
  return with;
}

}  // namespace cairn
