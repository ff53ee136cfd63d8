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

// Whatever the rank.
bool meet(const Layout& a, const Layout& b) {
  return !intersect(a.rows.extent, b.rows.extent).empty() && !intersect(a.cols.extent, b.cols.extent).empty();
}

// Views that meet, directly or by others that do, get one number.
void tell_apart(const Schedule& s, std::span<const Slot> views, std::vector<Slot>& with) {
  const auto number = [&](Slot x) -> Slot& { return with[static_cast<std::size_t>(x)]; };
  for (std::size_t i = 0; i < views.size(); ++i) {
    number(views[i]) = views[i];
    for (std::size_t j = 0; j < i; ++j) {
      const Slot mine = number(views[i]), theirs = number(views[j]);
      if (mine == theirs || !meet(s.layout(views[i]), s.layout(views[j]))) continue;
      for (Slot x : views.first(i + 1))
        if (number(x) == mine) number(x) = theirs;
    }
  }
}

}  // namespace

std::vector<Slot> arrive_together(const Schedule& s) {
  std::vector<Slot> with;
  for (Slot x = 0; x < static_cast<Slot>(s.slots.size()); ++x) with.push_back(s.storage(x));
  const std::vector<Slot> all = named(s);
  for (auto first = all.begin(), end = first; first != all.end(); first = end) {
    const Slot storage = s.storage(*first);
    end = std::find_if(first, all.end(), [&](Slot x) { return s.storage(x) != storage; });
    if (std::find(first, end, storage) == end) tell_apart(s, {first, end}, with);
  }
  return with;
}

}  // namespace cairn
