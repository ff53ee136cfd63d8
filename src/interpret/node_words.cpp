#include "interpret/node_words.hpp"

#include "base/arithmetic.hpp"
#include "interpret/sizes.hpp"
#include "schedule/moved_words.hpp"

namespace cairn {

namespace {

// Words of a slot are found once for each coordinate, not once a message. Every cell is one rank.
class NodeWordsOfAll {
 public:
  NodeWordsOfAll(const Schedule& wire, Int ranks_per_node)
      : s_(wire),
        unit_(ranks_per_node),
        cells_(wire.grid, each_coordinate(wire.grid)),
        sizes_(wire, cells_),
        words_(static_cast<std::size_t>(wire.ranks), 0) {}

  std::vector<Int> run() {
    for (const Effect& e : effects(s_)) std::visit(*this, e);
    return words_;
  }

  void operator()(const Move& m) {
    if (m.from == Move::From::one) return message(m);
    for_each_node(m.axis, m.from == Move::From::pieces ? m.src : m.dst,
                  [&](std::size_t rank, double line, double here, Int elsewhere) {
                    add(rank, m.from == Move::From::pieces ? line - here : sizes_.at(m.dst, rank) * real(elsewhere));
                  });
  }
  void operator()(const Redistribute& x) {
    for (Int r = 0; r < s_.ranks; ++r)
      for (const Transfer& t : incoming(s_, x, r))
        if (t.peer / unit_ != r / unit_) words_[static_cast<std::size_t>(r)] += words_of(s_, x, t);
  }
  void operator()(const Compute&) {}

 private:
  void message(const Move& m) {
    sizes_.for_each_arriving(m, [&](std::size_t to, std::size_t from, double words) {
      if (node(to) != node(from)) add(to, words);
    });
  }
  Int node(std::size_t rank) const { return static_cast<Int>(rank) / unit_; }
  void add(std::size_t rank, double words) { words_[rank] += static_cast<Int>(words); }

  // Calls visit(rank, words of the slot on its line, those of them on its node, ranks of the line on other nodes).
  template <class Visit>
  void for_each_node(int axis, Slot slot, Visit visit) {
    cells_.for_each_line(axis, [&](const std::vector<std::size_t>& line) {
      double all = 0;
      for (std::size_t rank : line) all += sizes_.at(slot, rank);
      for (std::size_t lo = 0, hi = 0; lo < line.size(); lo = hi) {  // ranks of a node follow one another
        double here = 0;
        for (; hi < line.size() && node(line[hi]) == node(line[lo]); ++hi) here += sizes_.at(slot, line[hi]);
        for (std::size_t i = lo; i < hi; ++i) visit(line[i], all, here, static_cast<Int>(line.size() - (hi - lo)));
      }
    });
  }

  const Schedule& s_;
  const Int unit_;
  Cells cells_;
  Sizes sizes_;
  std::vector<Int> words_;
};

}  // namespace

std::vector<Int> node_words_of_all(const Schedule& wire, Int ranks_per_node) {
  return NodeWordsOfAll(wire, ranks_per_node).run();
}

}  // namespace cairn
