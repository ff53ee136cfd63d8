#include "interpret/port_shares.hpp"

namespace cairn {

PortShares::PortShares(const Schedule& schedule, const Cells& cells, Sizes& sizes)
    : s_(schedule), cells_(cells), sizes_(sizes) {}

// A batch: Shifts one after another out of one storage, along one axis from one origin.
std::size_t PortShares::end_of_batch(std::size_t first) const {
  const Shift& a = std::get<Shift>(s_.steps[first].step);
  std::size_t end = first;
  if (!cells_.exact() || !a.origin.terms.empty()) return first + 1;
  for (; end < s_.steps.size(); ++end) {
    const Shift* b = std::get_if<Shift>(&s_.steps[end].step);
    if (!b || b->axis != a.axis || b->origin != a.origin || !b->by.terms.empty() ||
        s_.storage(b->src) != s_.storage(a.src))
      break;
  }
  return std::max(end, first + 1);
}

const float* PortShares::of(std::size_t step) {
  if (step < first_ || step >= end_) {
    first_ = step;
    end_ = end_of_batch(step);
    now_ = nullptr;
    if (end_ - first_ > 1) {
      std::vector<Int> key;
      bool alike = true;  // every message is the whole value
      for (std::size_t t = first_; t < end_; ++t) {
        const Shift& x = std::get<Shift>(s_.steps[t].step);
        alike = alike && x.src == x.dst;
        key.insert(key.end(), {x.by.constant, x.who.lo, x.who.hi, x.who.every, x.who.run});
      }
      key.push_back(s_.grid.extent(std::get<Shift>(s_.steps[first_].step).axis));
      if (alike) {
        auto [at, fresh] = known_.try_emplace(std::move(key));
        if (fresh) at->second = table(first_, end_);
        now_ = &at->second;
      } else {
        other_ = table(first_, end_);
        now_ = &other_;
      }
    }
  }
  if (!now_ || now_->empty()) return nullptr;
  return (*now_)[step - first_].data();
}

// What a rank sends between two receptions it sends at once.
PortShares::Table PortShares::table(std::size_t first, std::size_t end) const {
  const Shift& any = std::get<Shift>(s_.steps[first].step);
  const Int q = s_.grid.extent(any.axis);
  struct Message {
    std::size_t shift;
    Int to;
    double words;
  };
  std::vector<std::vector<Message>> sending(static_cast<std::size_t>(q));
  Table shares(end - first, std::vector<float>(static_cast<std::size_t>(q), 1));
  bool shared = false;
  const auto close = [&](std::vector<Message>& batch) {
    if (batch.size() > 1) {
      double all = 0;
      for (const Message& m : batch) {
        all += std::min(m.words, batch[0].words);
        shares[m.shift][static_cast<std::size_t>(m.to)] = 0;
      }
      const double share = batch[0].words > 0 ? all / batch[0].words : 1;
      shares[batch[0].shift][static_cast<std::size_t>(batch[0].to)] = static_cast<float>(share);
      shared = true;
    }
    batch.clear();
  };
  for (std::size_t t = first; t < end; ++t) {
    const Shift& x = std::get<Shift>(s_.steps[t].step);
    const auto each = [&](auto visit) {
      for_each_interval(x.who, [&](Int lo, Int hi) {
        for (Int v = lo; v < hi; ++v) visit(v, static_cast<std::size_t>(wrap(v + x.by.constant, q)));
      });
    };
    each([&](Int v, std::size_t from) {
      const double words = x.src == x.dst ? 1 : sizes_.at(x.dst, cells_.with(0, x.axis, v + x.origin.constant));
      sending[from].push_back({t - first, v, words});
    });
    each([&](Int v, std::size_t) { close(sending[static_cast<std::size_t>(v)]); });
  }
  for (std::vector<Message>& batch : sending) close(batch);
  if (!shared) shares.clear();
  return shares;
}

}  // namespace cairn
