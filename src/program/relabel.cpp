#include "program/relabel.hpp"

namespace cairn {

void relabel(Program& program, const Labels& labels) {
  if (labels.empty()) return;
  const auto name = [&](int& peer) { peer = static_cast<int>(labels.rank(peer)); };
  const auto name_all = [&](auto& messages) {
    for (auto& m : messages) name(m.peer);
  };
  for (Operation& op : program.operations) {
    if (auto* x = std::get_if<Exchange>(&op.what)) name_all(x->receives), name_all(x->sends);
    if (auto* x = std::get_if<Reshuffle>(&op.what)) name_all(x->receives), name_all(x->sends);
    if (auto* x = std::get_if<SumExchange>(&op.what)) {
      name_all(x->sends);
      for (int& peer : x->peers) name(peer);
    }
  }
}

}  // namespace cairn
