#include "schedule/moved.hpp"

#include <list>

#include "schedule/overlaps.hpp"

namespace cairn {

namespace {

constexpr Int most_together = 128;  // ranks: pairs of them are looked at
constexpr std::size_t remembered = 16;

void receive(Moved& m, Int words) { m.received += words, m.receives += words > 0; }
void send(Moved& m, Int words) { m.sent += words, m.sends += words > 0; }

// An element comes from the receiver's own copy if it has one, else from the first copy: as transfer() has it.
std::vector<Moved> together(const Layout& src, const Layout& dst, Int ranks) {
  std::vector<Moved> all(static_cast<std::size_t>(ranks));
  const auto of = [&](Int rank) -> Moved& { return all[static_cast<std::size_t>(rank)]; };
  Overlaps overlaps(src, dst, ranks);
  const Int senders = std::min(ranks, src.grid.ranks()), receivers = std::min(ranks, dst.grid.ranks());
  std::vector<Int> original(static_cast<std::size_t>(ranks), -1);
  for (Int r = 0; r < senders; ++r)
    if (src.grid.has(r)) original[static_cast<std::size_t>(r)] = src.original(r);
  for (Int from = 0; from < senders; ++from)
    for (Int to = 0; to < receivers; ++to) {
      if (from == to) {
        of(to).kept += overlaps.words(from, to);
      } else if (original[static_cast<std::size_t>(from)] == from && original[static_cast<std::size_t>(to)] != from) {
        const Int words = overlaps.words(from, to);
        receive(of(to), words);
        send(of(from), words);
      }
    }
  return all;
}

struct Known {
  Layout src, dst;
  Int ranks;
  std::vector<Moved> all;
};

// Null where ranks are looked at alone.
const std::vector<Moved>* found_together(const Layout& src, const Layout& dst, Int ranks) {
  if (ranks > most_together || src.blocks || dst.blocks || src.overlapping()) return nullptr;
  thread_local std::list<Known> known;
  auto at = std::find_if(known.begin(), known.end(),
                         [&](const Known& k) { return k.ranks == ranks && k.src == src && k.dst == dst; });
  if (at == known.end()) {
    if (known.size() == remembered) known.pop_back();
    at = known.insert(known.begin(), {src, dst, ranks, together(src, dst, ranks)});
  }
  known.splice(known.begin(), known, at);
  return &at->all;
}

const Moved* found_together(const Layout& src, const Layout& dst, Int ranks, Int rank) {
  const std::vector<Moved>* all = found_together(src, dst, ranks);
  return all ? &(*all)[static_cast<std::size_t>(rank)] : nullptr;
}

}  // namespace

Moved moved(const Layout& src, const Layout& dst, Int ranks, Int rank) {
  if (const Moved* m = found_together(src, dst, ranks, rank)) return *m;
  Moved m;
  m.kept = transfer(src, dst, rank, rank).words();
  for (const Transfer& t : incoming(src, dst, rank, ranks)) receive(m, t.words());
  for (const Transfer& t : outgoing(src, dst, rank, ranks)) send(m, t.words());
  return m;
}

std::vector<Moved> all_moved(const Layout& src, const Layout& dst, Int ranks) {
  if (const std::vector<Moved>* all = found_together(src, dst, ranks)) return *all;
  std::vector<Moved> all;
  for (Int r = 0; r < ranks; ++r) all.push_back(moved(src, dst, ranks, r));
  return all;
}

Int words_received(const Layout& src, const Layout& dst, Int ranks, Int rank) {
  if (const Moved* m = found_together(src, dst, ranks, rank)) return m->received;
  return dst.words(rank) - transfer(src, dst, rank, rank).words();
}

Int words_sent(const Layout& src, const Layout& dst, Int ranks, Int rank) {
  if (const Moved* m = found_together(src, dst, ranks, rank)) return m->sent;
  Int words = 0;
  for (const Transfer& t : outgoing(src, dst, rank, ranks)) words += t.words();
  return words;
}

Int messages_received(const Layout& src, const Layout& dst, Int ranks, Int rank) {
  if (const Moved* m = found_together(src, dst, ranks, rank)) return m->receives;
  return static_cast<Int>(incoming(src, dst, rank, ranks).size());
}

Int words_of(const Schedule& s, const Redistribute& x, const Transfer& t) {
  Int sum = 0;
  for (const Transfer::Region& r : t.regions) sum += s.words(x.src, r.rows, r.cols);
  return sum;
}

namespace {

// Where words are not elements.
Moved found_alone(const Schedule& s, const Redistribute& x, Int rank) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  Moved m;
  m.kept = words_of(s, x, transfer(src, dst, rank, rank));
  for (const Transfer& t : incoming(src, dst, rank, s.ranks)) receive(m, words_of(s, x, t));
  for (const Transfer& t : outgoing(src, dst, rank, s.ranks)) send(m, words_of(s, x, t));
  return m;
}

}  // namespace

Int words_received(const Schedule& s, const Redistribute& x, Int rank) {
  if (s[x.src].sizes) return found_alone(s, x, rank).received;
  return words_received(s.layout(x.src), s.layout(x.dst), s.ranks, rank);
}

Int words_sent(const Schedule& s, const Redistribute& x, Int rank) {
  if (s[x.src].sizes) return found_alone(s, x, rank).sent;
  return words_sent(s.layout(x.src), s.layout(x.dst), s.ranks, rank);
}

Int messages_received(const Schedule& s, const Redistribute& x, Int rank) {
  if (s[x.src].sizes) return found_alone(s, x, rank).receives;
  return messages_received(s.layout(x.src), s.layout(x.dst), s.ranks, rank);
}

std::vector<Moved> all_moved(const Schedule& s, const Redistribute& x) {
  if (!s[x.src].sizes) return all_moved(s.layout(x.src), s.layout(x.dst), s.ranks);
  std::vector<Moved> all;
  for (Int r = 0; r < s.ranks; ++r) all.push_back(found_alone(s, x, r));
  return all;
}

}  // namespace cairn
