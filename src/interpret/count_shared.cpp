#include "interpret/count_shared.hpp"

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
  const NodeValues values(sharing, sharing.node(rank), std::vector<bool>(s.slots.size(), false));
  n.peak_words = callers_words(s, rank) + values.share(rank);
  return n;
}

Totals count_all_shared(const Schedule& s, const std::vector<int>& node_of) {
  Totals t;
  for (Int r = 0; r < s.ranks; ++r) t.add(count_shared(s, node_of, r), 1);
  t.divide(s.ranks);
  return t;
}

}  // namespace cairn
