#include "interpret/count_shared.hpp"

#include "schedule/shared/node_values.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

Count counted(const Sharing& sharing, const NodeValues& values, Int rank) {
  const Schedule& s = sharing.schedule();
  Count n = count(s, s, rank);
  n.wire_words = n.messages = n.node_words = 0;
  const auto arrives = [&](Int from, Int words) {
    n.wire_words += words;
    ++n.messages;
    if (!sharing.same_node(from, rank)) n.node_words += words;
  };
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    for (const Hop& hop : sharing.arriving(t, rank)) arrives(hop.from, hop.part.words());
    if (const Redistribute* x = as_redistribution(sharing.does(t)))
      for (const Transfer& from : incoming(s.layout(x->src), s.layout(x->dst), rank, s.ranks))
        arrives(from.peer, from.words());
  }
  n.peak_words = callers_words(s, rank) + values.share(rank);
  return n;
}

NodeValues values_of(const Sharing& sharing, int node) {
  return {sharing, node, std::vector<bool>(sharing.schedule().slots.size(), false)};
}

}  // namespace

Count count_shared(const Schedule& s, const std::vector<int>& node_of, Int rank) {
  const Sharing sharing(s, node_of);
  return counted(sharing, values_of(sharing, sharing.node(rank)), rank);
}

Totals count_all_shared(const Schedule& s, const std::vector<int>& node_of) {
  const Sharing sharing(s, node_of);
  Totals t;
  for (int node = 0; node < sharing.nodes(); ++node) {
    const NodeValues values = values_of(sharing, node);
    for (Int r : sharing.members(node)) t.add(counted(sharing, values, r), 1);
  }
  t.divide(s.ranks);
  return t;
}

}  // namespace cairn
