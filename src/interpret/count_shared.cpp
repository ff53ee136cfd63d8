#include "interpret/count_shared.hpp"

#include "interpret/count.hpp"
#include "schedule/shared/node_values.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

Count count_shared(const Schedule& s, const std::vector<int>& node_of, Int rank) {
  Count n = count(s, s, rank);
  n.wire_words = n.messages = n.node_words = 0;
  const Sharing sharing(s, node_of);
  const auto arrives = [&](Int from, Int words) {
    n.wire_words += words;
    ++n.messages;
    if (!sharing.same_node(from, rank)) n.node_words += words;
  };
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    for (const Hop& hop : sharing.arriving(t, rank)) arrives(hop.from, hop.part.words());
    if (const auto* x = std::get_if<Redistribute>(&s.steps[t].step))
      for (const Transfer& from : incoming(s.layout(x->src), s.layout(x->dst), rank, s.ranks))
        arrives(from.peer, from.words());
  }
  n.peak_words = 0;
  for (const SlotInfo& slot : s.slots)
    if (slot.kind != SlotInfo::Kind::scratch && slot.view_of < 0) n.peak_words += slot.layout.words(rank);
  n.peak_words += NodeValues(sharing, sharing.node(rank), std::vector<bool>(s.slots.size(), false)).share(rank);
  return n;
}

}  // namespace cairn
