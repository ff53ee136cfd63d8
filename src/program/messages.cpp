#include "program/messages.hpp"

#include <algorithm>
#include <map>

namespace cairn {

void number(Program& program, Exchange& x) {
  x.first_request = program.requests;
  program.requests += x.receives.size() + x.sends.size();
  program.sends.resize(program.requests - x.sends.size(), false);
  program.sends.resize(program.requests, true);
}

void number(Program& program, SumExchange& x) {
  x.first_send = program.sum_sends;
  program.sum_sends += x.sends.size();
}

void hold_back(Program& program, const std::vector<std::size_t>& leaves_with) {
  std::map<std::size_t, std::vector<Range>> waits;  // by the step of a product: of its first operation
  std::map<Int, const Exchange*> posted;            // by the first request
  for (const Operation& op : program.operations) {
    if (computes(op)) waits.try_emplace(op.step, op.wait);
    if (const auto* x = std::get_if<Exchange>(&op.what)) posted[static_cast<Int>(x->first_request)] = x;
  }
  for (Operation& op : program.operations) {
    auto* const x = std::get_if<Exchange>(&op.what);
    const auto product = x ? waits.find(leaves_with[op.step]) : waits.end();
    if (product == waits.end()) continue;
    const auto wait_for = [](std::vector<Range>& all, Range r) {
      if (!r.empty() && std::ranges::find(all, r) == all.end()) all.push_back(r);
    };
    for (Range r : product->second) {
      const auto earlier = posted.find(r.lo);
      if (earlier == posted.end() || r.hi > static_cast<Int>(x->first_request)) continue;
      const auto received = static_cast<Int>(earlier->second->receives.size());
      if (r.size() != received) continue;
      wait_for(op.wait, r);
      wait_for(x->turn, {r.hi, r.hi + static_cast<Int>(earlier->second->sends.size())});
    }
  }
}

void count_arrivals(Program& program, const std::function<bool(int)>& elsewhere) {
  const auto arrives = [&](int peer, Int words) {
    program.words_received += words;
    ++program.messages_received;
    if (elsewhere(peer)) program.words_from_other_nodes += words;
  };
  for (const Operation& op : program.operations) {
    if (const auto* x = std::get_if<Exchange>(&op.what))
      for (const Message& m : x->receives) arrives(m.peer, m.words);
    if (const auto* x = std::get_if<SumExchange>(&op.what))
      for (int peer : x->peers) arrives(peer, x->piece);
    if (const auto* x = std::get_if<Reshuffle>(&op.what))
      for (const Reshuffle::Parcel& p : x->receives) arrives(p.peer, p.words);
  }
}

}  // namespace cairn
