#include "algorithms/assignment.hpp"

#define LEMON_ONLY_TEMPLATES  // nothing of its library is needed
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// A rank for each part, -1 where any will do. Ranks give one unit of flow, parts take one; it may come from nowhere,
// and go nowhere.
std::vector<Int> cheapest_flow(const std::vector<Int>& homes, Int ranks, const std::function<Int(Int, Int)>& saved) {
  using Graph = lemon::SmartDigraph;
  const Int parts = static_cast<Int>(homes.size());
  Graph g;
  std::vector<Graph::Node> rank, part;
  for (Int r = 0; r < ranks; ++r) rank.push_back(g.addNode());
  for (Int p = 0; p < parts; ++p) part.push_back(g.addNode());
  const Graph::Node source = g.addNode(), sink = g.addNode();
  Graph::NodeMap<Int> supply(g, 1);
  Graph::ArcMap<Int> cost(g, 0);
  for (Int p = 0; p < parts; ++p) {
    supply[part[place(p)]] = -1;
    g.addArc(source, part[place(p)]);
    for (Int r = 0; r < ranks; ++r)
      if (const Int words = saved(r, p); words > 0)
        cost[g.addArc(rank[place(r)], part[place(p)])] = -(words * (parts + 1) + (homes[place(p)] == r));
  }
  for (Graph::Node r : rank) g.addArc(r, sink);
  g.addArc(source, sink);
  supply[source] = parts, supply[sink] = -ranks;
  lemon::NetworkSimplex<Graph, Int, Int> flow(g);
  flow.supplyMap(supply).costMap(cost).run();
  std::vector<Int> of(homes.size(), -1);
  for (Graph::ArcIt arc(g); arc != lemon::INVALID; ++arc)
    if (flow.flow(arc) > 0 && g.source(arc) != source && g.target(arc) != sink)
      of[place(g.id(g.target(arc)) - ranks)] = g.id(g.source(arc));
  return of;
}

// Parts that any rank may hold stay where they are if they can.
void fill(std::vector<Int>& of, const std::vector<Int>& homes, Int ranks) {
  std::vector<bool> taken(place(ranks), false);
  const auto take = [&](Int& part, Int rank) { part = rank, taken[place(rank)] = true; };
  for (Int& rank : of)
    if (rank >= 0) take(rank, rank);
  for (std::size_t p = 0; p < of.size(); ++p)
    if (of[p] < 0 && !taken[place(homes[p])]) take(of[p], homes[p]);
  for (Int& rank : of)
    if (rank < 0) take(rank, std::find(taken.begin(), taken.end(), false) - taken.begin());
}

}  // namespace

std::vector<Int> assign(const std::vector<Int>& homes, Int ranks, const std::function<Int(Int, Int)>& saved) {
  std::vector<Int> of = cheapest_flow(homes, ranks, saved);
  fill(of, homes, ranks);
  return of;
}

}  // namespace cairn
