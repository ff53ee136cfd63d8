#include "schedule/step_transfers.hpp"

namespace cairn {

Stairs stairs(const Schedule& s, const Redistribute& x) {
  const Uplo shape = s[x.src].shape;
  const Layout& l = s.layout(x.src);
  const bool stays = shape == s[x.dst].shape && l.rows.extent == l.cols.extent && l.rows.extent.lo == 0;
  return stays && shape != Uplo::full ? Stairs{shape, l.n()} : Stairs{};
}

Transfer kept(const Schedule& s, const Redistribute& x, Int rank) {
  return transfer(s.layout(x.src), s.layout(x.dst), rank, rank, stairs(s, x));
}

std::vector<Transfer> outgoing(const Schedule& s, const Redistribute& x, Int rank) {
  return outgoing(s.layout(x.src), s.layout(x.dst), rank, s.ranks, stairs(s, x));
}

std::vector<Transfer> incoming(const Schedule& s, const Redistribute& x, Int rank) {
  return incoming(s.layout(x.src), s.layout(x.dst), rank, s.ranks, stairs(s, x));
}

Int words_wanted(const Schedule& s, const Redistribute& x, Int rank) {
  const Layout& dst = s.layout(x.dst);
  return transfer(dst, dst, rank, rank, stairs(s, x)).words();
}

}  // namespace cairn
