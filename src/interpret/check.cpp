#include "interpret/check.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "cairn/error.hpp"
#include "schedule/effect.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

// A fingerprint of which products are computed: the sum, modulo 2^64, of f(i)·g(j)·h(k) over all products (i, j, k)
// with random f, g, h. The sum over a range is a difference of a hash at its ends, so a box of products costs its
// corners; products left out or computed twice change the sum but for a chance of 2^-64 or so.
std::uint64_t hash(Int position, std::uint64_t salt) {  // SplitMix64 [Steele, Lea, Flood 2014]
  std::uint64_t x = static_cast<std::uint64_t>(position) * 0x9e3779b97f4a7c15U + salt;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}
std::uint64_t weight(const IndexSet& set, std::uint64_t salt) {
  std::uint64_t sum = 0;
  for (Range r : set.pieces()) sum += hash(r.hi, salt) - hash(r.lo, salt);
  return sum;
}
std::uint64_t weight(const IndexSet& rows, const IndexSet& cols, const IndexSet& inner) {
  return weight(rows, 1) * weight(cols, 2) * weight(inner, 3);
}

bool contains(const Region& all, const Region& part) {
  return part.words() == 0 || (all.rows.contains(part.rows) && all.cols.contains(part.cols));
}
bool same(const Region& a, const Region& b) {
  return (a.words() == 0 && b.words() == 0) || (a.rows == b.rows && a.cols == b.cols);
}

class Checker {
 public:
  explicit Checker(const Schedule& s) : s_(s), does_(effects(s)), written_(s.slots.size()) {
    for (std::size_t x = 0; x < s.slots.size(); ++x)
      written_[x].assign(static_cast<std::size_t>(s.ranks),
                         s.slots[x].kind == SlotInfo::Kind::input && s.slots[x].view_of < 0);
  }

  void run() {
    views();
    for (at_ = 0; at_ < does_.size(); ++at_) {
      require(s_[access(does_[at_]).writes].kind != SlotInfo::Kind::input, "an input is written");
      std::visit(*this, does_[at_]);
    }
    const IndexSet m(Range{0, s_.m}), n(Range{0, s_.n}), k(Range{0, s_.k});
    require(products_ == weight(m, n, k), "the multiplications do not cover the cuboid once");
    outputs();
  }

 private:
  void require(bool holds, std::string_view what) const {
    if (holds) return;
    throw ScheduleError(fmt::format("{}: {}", at_ < s_.steps.size() ? label(s_, at_) : s_.algorithm, what));
  }
  Region region(Slot x, Int rank) const { return cairn::region(s_.layout(x), rank); }
  Int ranks() const { return s_.grid.size(); }
  template <class F>
  void on_all(F f) const {
    for (Int r = 0; r < ranks(); ++r) f(r);
  }

  void views() const {
    for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x)
      if (const Slot base = s_[x].view_of; base >= 0)
        on_all([&](Int r) {
          require(contains(region(base, r), region(x, r)), fmt::format("view {} reaches beyond {}", x, base));
        });
  }
  // What a kernel is given: shifts and sums cut a view into the blocks that it has in memory, kernels do not.
  void dense(Slot x, Int rank) const {
    const auto consecutive = [](const IndexSet& in, const IndexSet& set) {
      Int next = set.empty() ? 0 : in.local(set.pieces().front().lo);
      for (Range p : set.pieces()) {
        if (in.local(p.lo) != next || in.local(p.hi - 1) != next + p.size() - 1) return false;
        next += p.size();
      }
      return true;
    };
    const Region whole = region(s_.storage(x), rank), part = region(x, rank);
    require(part.words() == 0 || (consecutive(whole.rows, part.rows) && consecutive(whole.cols, part.cols)),
            fmt::format("view {} is not a block of its storage", x));
  }

  // Whether the rank has x: written itself, as part of its storage, or piece by piece through other views of it.
  bool known(Slot x, Int rank) const {
    for (Slot part = x; part >= 0; part = s_[part].view_of)
      if (written_[static_cast<std::size_t>(part)][static_cast<std::size_t>(rank)]) return true;
    const Region all = region(x, rank);
    if (all.words() == 0) return true;
    std::vector<Region> pieces;
    std::vector<Range> rows = all.rows.pieces(), cols = all.cols.pieces();  // cut wherever a piece begins or ends
    for (Slot v = 0; v < static_cast<Slot>(s_.slots.size()); ++v) {
      if (s_[v].view_of < 0 || !written_[static_cast<std::size_t>(v)][static_cast<std::size_t>(rank)] ||
          s_.storage(v) != s_.storage(x))
        continue;
      pieces.push_back(region(v, rank));
      cut_at(rows, pieces.back().rows);
      cut_at(cols, pieces.back().cols);
    }
    return std::all_of(rows.begin(), rows.end(), [&](Range row) {
      return std::all_of(cols.begin(), cols.end(), [&](Range col) {
        return std::any_of(pieces.begin(), pieces.end(),
                           [&](const Region& p) { return p.rows.local(row.lo) >= 0 && p.cols.local(col.lo) >= 0; });
      });
    });
  }
  static void cut_at(std::vector<Range>& ranges, const IndexSet& set) {
    for (Range p : set.pieces())
      for (Int at : {p.lo, p.hi})
        for (std::size_t i = 0, count = ranges.size(); i < count; ++i)
          if (ranges[i].lo < at && at < ranges[i].hi) {
            ranges.push_back({at, ranges[i].hi});
            ranges[i].hi = at;
          }
  }
  void reads(Slot x, Int rank) const {
    if (!known(x, rank)) require(false, fmt::format("{} is read before it is written", s_[x].name));
  }

  void writes(Slot x, Int rank) { written_[static_cast<std::size_t>(x)][static_cast<std::size_t>(rank)] = true; }

  // Messages carry elements in storage order, so both ends must store alike; only Redistribute reorders.
  void same_order(Slot a, Slot b) const {
    require(s_.layout(a).order == s_.layout(b).order, "source and destination are stored in different orders");
  }

  // What every receiver gets, before any of them has it.
  void received(const Move& m, Int rank) const {
    const Region mine = region(m.dst, rank);
    Int words = 0;
    for_each_source(s_.grid, m, rank, [&](Int from) {
      reads(m.src, from);
      const Region theirs = region(m.src, from);
      words += theirs.words();
      if (m.from == Move::From::pieces)
        require(contains(mine, theirs), "a gathered piece lies outside the whole");
      else
        require(contains(theirs, mine), "the source does not hold what it gives");
      if (m.from == Move::From::terms) require(same(theirs, region(m.src, rank)), "the partial sums differ in shape");
    });
    require(m.from != Move::From::pieces || words == mine.words(), "the pieces do not make up the whole");
  }
  // All of a sum is wanted, each element once.
  void summed(const Move& m, Int rank) const {
    Int words = 0;
    for (Int i = 0; i < s_.grid.extent(m.axis); ++i)
      if (const Int to = s_.grid.with(rank, m.axis, i); m.takes_part(s_.grid, to)) words += region(m.dst, to).words();
    require(words == region(m.src, rank).words(), "the reduced pieces do not make up the sum");
    if (m.everybody_takes_part(s_.grid)) dense(m.dst, rank);
  }

 public:
  void operator()(const Move& m) {
    same_order(m.src, m.dst);
    on_all([&](Int r) {
      received(m, r);
      if (m.from == Move::From::terms) summed(m, r);
    });
    on_all([&](Int r) {
      if (m.takes_part(s_.grid, r)) writes(m.dst, r);
    });
  }
  void operator()(const Redistribute& x) {
    const Layout &src = s_.layout(x.src), &dst = s_.layout(x.dst);
    for (Int r = 0; r < s_.ranks; ++r) {
      reads(x.src, r);
      Int words = transfer(src, dst, r, r).words();
      for (const Transfer& t : incoming(src, dst, r, s_.ranks)) words += t.words();
      require(words == dst.words(r), "some elements come from nobody, or twice");
    }
    for (Int r = 0; r < s_.ranks; ++r) writes(x.dst, r);
  }
  void operator()(const Gemm& x) {
    on_all([&](Int r) {
      for (Slot operand : {x.A, x.B}) reads(operand, r);
      for (Slot operand : {x.A, x.B, x.C}) dense(operand, r);
      const Region a = region(x.A, r), b = region(x.B, r), c = region(x.C, r);
      require(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols, "the operands do not conform");
      products_ += weight(c.rows, c.cols, a.cols);
    });
    on_all([&](Int r) { writes(x.C, r); });
  }

 private:
  void outputs() const {
    for (const SlotInfo& slot : s_.slots) {
      if (slot.kind != SlotInfo::Kind::output || slot.view_of >= 0) continue;
      const Layout all = Layout::on_one_rank(slot.layout.m(), slot.layout.n());
      Int words = transfer(slot.layout, all, 0, 0).words();
      for (const Transfer& t : incoming(slot.layout, all, 0, s_.ranks)) words += t.words();
      require(words == slot.layout.m() * slot.layout.n(), "the outputs do not hold every element of C once");
    }
  }

  const Schedule& s_;
  const std::vector<Effect> does_;
  std::vector<std::vector<bool>> written_;  // by slot, then rank
  std::size_t at_ = ~std::size_t{0};
  std::uint64_t products_ = 0;
};

}  // namespace

void check(const Schedule& schedule) { Checker(schedule).run(); }

}  // namespace cairn
