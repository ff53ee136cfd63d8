#include "program/messages.hpp"

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
