#include "algorithms/relabelling.hpp"

#define LEMON_ONLY_TEMPLATES  // nothing of its library is needed
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include "schedule/overlaps.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

// Words that `rank` holds of what `holder` is to hold.
class Common {
 public:
  Common(const Layout& a, const Layout& b, Int ranks) : a_(a), b_(b) {
    if (!a.blocks && !b.blocks) overlaps_.emplace(a, b, std::max({ranks, a.grid.ranks(), b.grid.ranks()}));
  }
  Int operator()(Int rank, Int holder) {
    return overlaps_ ? overlaps_->words(rank, holder) : in_common(a_.patches(rank), b_.patches(holder));
  }

 private:
  const Layout &a_, &b_;
  std::optional<Overlaps> overlaps_;
};

// A rank for each part, -1 where any will do. Ranks give one unit of flow, parts take one; it may come from nowhere,
// and go nowhere.
std::vector<Int> assignment(Common& common, const std::vector<Int>& holders, Int ranks) {
  using Graph = lemon::SmartDigraph;
  const Int parts = static_cast<Int>(holders.size());
  Graph g;
  std::vector<Graph::Node> rank, part;
  for (Int r = 0; r < ranks; ++r) rank.push_back(g.addNode());
  for (Int p = 0; p < parts; ++p) part.push_back(g.addNode());
  const Graph::Node source = g.addNode(), sink = g.addNode();
  Graph::NodeMap<Int> supply(g, 1);
  Graph::ArcMap<Int> cost(g, 0);
  for (Int p = 0; p < parts; ++p) {
    supply[part[static_cast<std::size_t>(p)]] = -1;
    g.addArc(source, part[static_cast<std::size_t>(p)]);
    for (Int r = 0; r < ranks; ++r)
      if (const Int words = common(r, holders[static_cast<std::size_t>(p)]); words > 0) {
        const Graph::Arc arc = g.addArc(rank[static_cast<std::size_t>(r)], part[static_cast<std::size_t>(p)]);
        cost[arc] = -(words * (parts + 1) + (holders[static_cast<std::size_t>(p)] == r));
      }
  }
  for (Graph::Node r : rank) g.addArc(r, sink);
  g.addArc(source, sink);
  supply[source] = parts, supply[sink] = -ranks;
  lemon::NetworkSimplex<Graph, Int, Int> flow(g);
  flow.supplyMap(supply).costMap(cost).run();
  std::vector<Int> of(holders.size(), -1);
  for (Graph::ArcIt arc(g); arc != lemon::INVALID; ++arc)
    if (flow.flow(arc) > 0 && g.source(arc) != source && g.target(arc) != sink)
      of[static_cast<std::size_t>(g.id(g.target(arc)) - ranks)] = g.id(g.source(arc));
  return of;
}

// Parts that any rank may hold stay where they are if they can.
void fill(std::vector<Int>& of, const std::vector<Int>& holders, Int ranks) {
  std::vector<bool> taken(static_cast<std::size_t>(ranks), false);
  const auto take = [&](Int& part, Int rank) { part = rank, taken[static_cast<std::size_t>(rank)] = true; };
  for (Int& rank : of)
    if (rank >= 0) take(rank, rank);
  for (std::size_t p = 0; p < of.size(); ++p)
    if (of[p] < 0 && !taken[static_cast<std::size_t>(holders[p])]) take(of[p], holders[p]);
  for (Int& rank : of)
    if (rank < 0) take(rank, std::find(taken.begin(), taken.end(), false) - taken.begin());
}

}  // namespace

Layout least_moved(Op op, const Layout& a, const Layout& b, Int ranks) {
  const Layout seen = op == Op::none ? a : a.transposed();
  std::vector<Int> holders = b.grid.placement();
  for (Int p = 0; !b.grid.placed() && p < b.grid.size(); ++p) holders.push_back(p);
  Common common(seen, b, ranks);
  std::vector<Int> of = assignment(common, holders, ranks);
  fill(of, holders, ranks);
  if (of == holders) return b;
  Layout l = b;
  if (!b.blocks) {
    l.grid = b.grid.placed(std::move(of));
    return l;
  }
  auto blocks = std::make_shared<Layout::Blocks>(*b.blocks);
  for (Int& owner : blocks->owner) owner = of[static_cast<std::size_t>(owner)];
  l.blocks = std::move(blocks);
  l.grid = Grid({{"p", ranks}});
  return l;
}

}  // namespace cairn
