#include "schedule/passes/one_sided.hpp"

#include <algorithm>

#include "schedule/runs.hpp"

namespace cairn {

namespace {

bool must_be_copied(const Schedule& s, const Parcel& p, Int rank, Transport transport) {
  if (p.shape != Uplo::full || transport != Transport::one_sided) return p.shape != Uplo::full;
  const Slot storage = s.storage(p.slot);
  return s[storage].callers() || !contiguous(s.layout(storage), rank, p.rows, p.cols);
}

bool same_block(const Parcel& a, const Parcel& b) { return a.slot == b.slot && a.rows == b.rows && a.cols == b.cols; }

}  // namespace

CopiedParcels copied_parcels(const Schedule& s, const Effect& e, Int rank, Transport transport) {
  CopiedParcels c{parcels(s, e, rank), {}, {}, 0};
  const bool adds = sums(e);
  for (std::size_t i = 0; i < c.all.sends.size(); ++i) {
    const Parcel& p = c.all.sends[i];
    c.sent.push_back(-1);
    if (!must_be_copied(s, p, rank, transport)) continue;
    if (adds) {  // one after another through the same place
      c.sent[i] = 0;
      c.words = std::max(c.words, p.words);
    } else if (i > 0 && c.sent[i - 1] >= 0 && same_block(p, c.all.sends[i - 1])) {
      c.sent[i] = c.sent[i - 1];
    } else if (transport != Transport::one_sided || !is_input(s, p.slot)) {
      c.sent[i] = c.words;
      c.words += p.words;
    }
  }
  c.received.assign(c.all.receives.size(), -1);
  for (std::size_t i = 0; i < c.all.receives.size() && !adds; ++i) {
    if (!must_be_copied(s, c.all.receives[i], rank, transport)) continue;
    c.received[i] = c.words;
    c.words += c.all.receives[i].words;
  }
  return c;
}

void place_window(const Schedule& s, const std::vector<Effect>& does, Int rank, Placement& p) {
  p.sums.assign(s.steps.size(), -1);
  for (std::size_t t = 0; t < does.size(); ++t) {
    const Parcels all = parcels(s, does[t], rank);
    if (sums(does[t])) {
      if (all.receives.empty()) continue;
      p.sums[t] = p.words;
      p.words += all.receives.front().words;
      continue;
    }
    for (const Parcel& send : all.sends) {
      const Slot storage = s.storage(send.slot);
      if (!is_input(s, storage) || p.input(storage, send.rows, send.cols) >= 0) continue;
      p.inputs.push_back({storage, send.rows, send.cols, p.words});
      p.words += send.words;
    }
  }
}

Int Placement::input(Slot storage, const IndexSet& rows, const IndexSet& cols) const {
  for (const Input& i : inputs)
    if (i.storage == storage && i.rows == rows && i.cols == cols) return i.offset;
  return -1;
}

}  // namespace cairn
