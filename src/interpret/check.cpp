#include "interpret/check.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "cairn/error.hpp"
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

struct Region {
  IndexSet rows, cols;
  Int words() const { return rows.size() * cols.size(); }
  bool contains(const Region& r) const { return r.words() == 0 || (rows.contains(r.rows) && cols.contains(r.cols)); }
  bool operator==(const Region& r) const {
    return (words() == 0 && r.words() == 0) || (rows == r.rows && cols == r.cols);
  }
};

class Checker {
 public:
  explicit Checker(const Schedule& s) : s_(s), written_(s.slots.size(), false) {
    for (std::size_t x = 0; x < s.slots.size(); ++x)
      written_[x] = s.slots[x].kind == SlotInfo::Kind::input && s.slots[x].view_of < 0;
  }

  void run() {
    views();
    for (at_ = 0; at_ < s_.steps.size(); ++at_) {
      order(access(s_.steps[at_].step));
      std::visit([this](const auto& x) { step(x); }, s_.steps[at_].step);
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
  Region region(Slot x, Int rank) const { return {s_.layout(x).rows_at(rank), s_.layout(x).cols_at(rank)}; }
  Int ranks() const { return s_.grid.size(); }
  template <class F>
  void on_all(F f) const {
    for (Int r = 0; r < ranks(); ++r) f(r);
  }

  void views() const {
    for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x)
      if (const Slot base = s_[x].view_of; base >= 0)
        on_all([&](Int r) {
          const Region whole = region(base, r), part = region(x, r);
          const auto consecutive = [](const IndexSet& in, const IndexSet& set) {
            Int next = set.empty() ? 0 : in.local(set.pieces().front().lo);
            for (Range p : set.pieces()) {
              if (in.local(p.lo) != next || in.local(p.hi - 1) != next + p.size() - 1) return false;
              next += p.size();
            }
            return true;
          };
          require(whole.contains(part) &&
                      (part.words() == 0 || (consecutive(whole.rows, part.rows) && consecutive(whole.cols, part.cols))),
                  fmt::format("view {} of {} is not a block of its storage", x, base));
        });
  }
  // Written itself or as part of its storage, or piece by piece through views that make it up on every rank.
  bool known(Slot x) const {
    for (Slot part = x; part >= 0; part = s_[part].view_of)
      if (written_[static_cast<std::size_t>(part)]) return true;
    std::vector<Slot> pieces;
    for (Slot v = x + 1; v < static_cast<Slot>(s_.slots.size()); ++v)
      if (written_[static_cast<std::size_t>(v)] && s_[v].view_of >= 0 && outermost(v, x)) pieces.push_back(v);
    for (Int r = 0; r < s_.ranks; ++r) {
      Int words = 0;
      for (Slot v : pieces) words += s_.layout(v).words(r);
      if (words != s_.layout(x).words(r)) return false;
    }
    return !pieces.empty();
  }
  // Whether v lies in x through views none of which is written.
  bool outermost(Slot v, Slot x) const {
    for (v = s_[v].view_of; v >= 0 && v != x; v = s_[v].view_of)
      if (written_[static_cast<std::size_t>(v)]) return false;
    return v == x;
  }
  void order(const Access& a) {
    for (Slot r : a.reads)
      if (r >= 0 && r != a.writes) require(known(r), fmt::format("{} is read before it is written", s_[r].name));
    require(s_[a.writes].kind != SlotInfo::Kind::input, "an input is written");
    written_[static_cast<std::size_t>(a.writes)] = true;
  }

  // Messages carry elements in storage order, so both ends must store alike; only Redistribute reorders.
  void same_order(Slot a, Slot b) const {
    require(s_.layout(a).order == s_.layout(b).order, "source and destination are stored in different orders");
  }

  void step(const Bcast& x) const {
    same_order(x.src, x.dst);
    on_all([&](Int r) {
      const Int root = s_.grid.with(r, x.axis, x.root.at(s_.grid, r));
      require(region(x.src, root).contains(region(x.dst, r)), "the root does not hold what is broadcast");
    });
  }
  void step(const AllGather& x) const {
    same_order(x.src, x.dst);
    on_all([&](Int r) {
      Int words = 0;
      for (Int i = 0; i < s_.grid.extent(x.axis); ++i) {
        const Region part = region(x.src, s_.grid.with(r, x.axis, i));
        require(region(x.dst, r).contains(part), "a gathered piece lies outside the whole");
        words += part.words();
      }
      require(words == region(x.dst, r).words(), "the pieces do not make up the whole");
    });
  }
  void step(const Reduce& x) const {
    same_order(x.src, x.dst);
    on_all([&](Int r) {
      const Int root = s_.grid.with(r, x.axis, x.root.at(s_.grid, r));
      require(region(x.src, r) == region(x.src, root), "the partial sums differ in shape");
      require(region(x.src, root) == region(x.dst, root), "the root's result differs in shape");
    });
  }
  void step(const ReduceScatter& x) const {
    same_order(x.src, x.dst);
    on_all([&](Int r) {
      Int words = 0;
      for (Int i = 0; i < s_.grid.extent(x.axis); ++i) {
        const Int peer = s_.grid.with(r, x.axis, i);
        require(region(x.src, r) == region(x.src, peer), "the partial sums differ in shape");
        require(region(x.src, r).contains(region(x.dst, peer)), "a reduced piece lies outside the sum");
        words += region(x.dst, peer).words();
      }
      require(words == region(x.src, r).words(), "the reduced pieces do not make up the sum");
    });
  }
  void step(const Shift& x) const {
    same_order(x.src, x.dst);
    on_all([&](Int r) {
      if (!takes_part(s_.grid, r, x.axis, x.origin, x.who)) return;
      const Int from = s_.grid.with(r, x.axis, s_.grid.index(r, x.axis) + x.by.at(s_.grid, r));
      require(region(x.src, from).contains(region(x.dst, r)), "the sender does not hold what is shifted");
    });
  }
  void step(const Add& x) const {
    same_order(x.src, x.dst);
    on_all([&](Int r) {
      if (takes_part(s_.grid, r, x.axis, x.origin, x.who))
        require(region(x.src, r).contains(region(x.dst, r)), "the source does not hold what is added");
    });
  }
  void step(const Redistribute& x) const {
    const Layout &src = s_.layout(x.src), &dst = s_.layout(x.dst);
    for (Int r = 0; r < s_.ranks; ++r) {
      Int words = transfer(src, dst, r, r).words();
      for (const Transfer& t : incoming(src, dst, r, s_.ranks)) words += t.words();
      require(words == dst.words(r), "some elements come from nobody, or twice");
    }
  }
  void step(const Gemm& x) {
    on_all([&](Int r) {
      const Region a = region(x.A, r), b = region(x.B, r), c = region(x.C, r);
      require(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols, "the operands do not conform");
      products_ += weight(c.rows, c.cols, a.cols);
    });
  }
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
  std::vector<bool> written_;
  std::size_t at_ = ~std::size_t{0};
  std::uint64_t products_ = 0;
};

}  // namespace

void check(const Schedule& schedule) { Checker(schedule).run(); }

}  // namespace cairn
