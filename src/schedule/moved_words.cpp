#include "schedule/moved_words.hpp"

#include <list>
#include <map>

#include "schedule/overlaps.hpp"

namespace cairn {

namespace {

constexpr Int most_together = 128;  // ranks: pairs of them are looked at
constexpr std::size_t remembered = 16;

void receive(Moved& m, Int words) { m.received += words, m.receives += words > 0; }
void send(Moved& m, Int words) { m.sent += words, m.sends += words > 0; }

// An element comes from the receiver's own copy if it has one, else from the first copy: as transfer() has it.
std::vector<Moved> found_together(const Layout& src, const Layout& dst, Int ranks, Stairs stairs) {
  std::vector<Moved> all(static_cast<std::size_t>(ranks));
  const auto of = [&](Int rank) -> Moved& { return all[static_cast<std::size_t>(rank)]; };
  Overlaps overlaps(src, dst, ranks, stairs);
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

template <class WordsOf>
Moved found_alone(const Layout& src, const Layout& dst, Int ranks, Int rank, Stairs stairs, WordsOf words) {
  Moved m;
  m.kept = words(transfer(src, dst, rank, rank, stairs));
  for (const Transfer& t : incoming(src, dst, rank, ranks, stairs)) receive(m, words(t));
  for (const Transfer& t : outgoing(src, dst, rank, ranks, stairs)) send(m, words(t));
  return m;
}

struct Known {
  Layout src, dst;
  Int ranks;
  Stairs stairs;
  std::map<Int, Moved> of_rank{};
};

const Moved& found(Known& k, Int rank) {
  const auto [at, fresh] = k.of_rank.try_emplace(rank);
  if (fresh)
    at->second = found_alone(k.src, k.dst, k.ranks, rank, k.stairs, [](const Transfer& t) { return t.words(); });
  return at->second;
}

Known& known(const Layout& src, const Layout& dst, Int ranks, Stairs stairs) {
  thread_local std::list<Known> known;
  auto at = std::find_if(known.begin(), known.end(), [&](const Known& k) {
    return k.ranks == ranks && k.stairs == stairs && k.src == src && k.dst == dst;
  });
  if (at == known.end()) {
    if (known.size() == remembered) known.pop_back();
    at = known.insert(known.begin(), {src, dst, ranks, stairs});
    if (ranks <= most_together && !src.blocks && !dst.blocks && !src.overlapping())
      for (Int rank = 0; const Moved& m : found_together(src, dst, ranks, stairs)) at->of_rank.emplace(rank++, m);
  }
  known.splice(known.begin(), known, at);
  return *at;
}

}  // namespace

Moved moved(const Layout& src, const Layout& dst, Int ranks, Int rank, Stairs stairs) {
  return found(known(src, dst, ranks, stairs), rank);
}

Int words_of(const Schedule& s, const Redistribute& x, const Transfer& t) {
  Int sum = 0;
  for (const Transfer::Region& r : t.regions) sum += s.words(x.src, r.rows, r.cols);
  return sum;
}

Moved moved(const Schedule& s, const Redistribute& x, Int rank) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  if (!s[x.src].sizes) return moved(src, dst, s.ranks, rank, stairs(s, x));
  return found_alone(src, dst, s.ranks, rank, stairs(s, x), [&](const Transfer& t) { return words_of(s, x, t); });
}

std::vector<Moved> all_moved(const Schedule& s, const Redistribute& x) {
  Known* const k = s[x.src].sizes ? nullptr : &known(s.layout(x.src), s.layout(x.dst), s.ranks, stairs(s, x));
  std::vector<Moved> all;
  for (Int r = 0; r < s.ranks; ++r) all.push_back(k ? found(*k, r) : moved(s, x, r));
  return all;
}

}  // namespace cairn
