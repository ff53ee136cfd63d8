#include "interpret/separable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/arithmetic.hpp"
#include "interpret/sizes.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

using Numbers = std::vector<Int>;  // by coordinate of an axis
constexpr Int most_placements = 4096;

// One number for each coordinate of every axis; at a rank, their product.
struct Product {
  std::vector<Numbers> axes;

  explicit Product(const Grid& grid) {
    for (int a = 0; a < grid.axes(); ++a) axes.emplace_back(static_cast<std::size_t>(grid.extent(a)), 1);
  }
  Numbers& at(int axis) { return axes[static_cast<std::size_t>(axis)]; }
  // False if a number does not fit.
  bool times(Int factor) {
    bool fits = true;
    for (Int& x : axes[0]) fits = !__builtin_mul_overflow(x, factor, &x) && fits;
    return fits;
  }
  // The largest absolute value, over all ranks.
  double most() const {
    double product = 1;
    for (const Numbers& axis : axes) {
      double largest = 0;
      for (Int x : axis) largest = std::max(largest, std::abs(real(x)));
      product *= largest;
    }
    return product;
  }
  Product signs() const {
    Product s = *this;
    for (Numbers& axis : s.axes)
      for (Int& x : axis) x = x > 0 ? 1 : 0;
    return s;
  }
};

// A sum of products. Those that differ along one axis only are added up.
class Sum {
 public:
  explicit Sum(const Grid& grid) : known_(static_cast<std::size_t>(grid.axes())) {}

  void add(const Product& p, int along) {
    most_ += p.most();
    std::vector<std::size_t> key{static_cast<std::size_t>(along)};
    for (std::size_t a = 0; a < p.axes.size(); ++a)
      if (a != static_cast<std::size_t>(along)) key.push_back(number(a, p.axes[a]));
    auto [at, fresh] = terms_.try_emplace(std::move(key), p);
    if (fresh) return;
    Numbers& sum = at->second.at(along);
    const Numbers& more = p.axes[static_cast<std::size_t>(along)];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
  }

  // Whether 64 bits hold every sum, and every part of it.
  bool fits() const { return most_ < real(std::numeric_limits<Int>::max()); }

  // Calls visit(sum) for every rank of the grid.
  template <class Visit>
  void for_each(const Grid& grid, Visit visit) const {
    const auto run = static_cast<std::size_t>(grid.extent(grid.axes() - 1));
    Numbers now(run);
    for (Int first = 0; first < grid.size(); first += static_cast<Int>(run)) {
      std::fill(now.begin(), now.end(), 0);
      for (const auto& [key, p] : terms_) {
        Int factor = 1;
        for (int a = 0; a + 1 < grid.axes(); ++a)
          factor *= p.axes[static_cast<std::size_t>(a)][static_cast<std::size_t>(grid.index(first, a))];
        if (factor == 0) continue;
        for (std::size_t i = 0; i < run; ++i) now[i] += factor * p.axes.back()[i];
      }
      std::for_each(now.begin(), now.end(), visit);
    }
  }

 private:
  std::size_t number(std::size_t axis, const Numbers& x) {
    return known_[axis].try_emplace(x, known_[axis].size()).first->second;
  }
  std::vector<std::map<Numbers, std::size_t>> known_;
  std::map<std::vector<std::size_t>, Product> terms_;
  double most_ = 0;  // sum of the largest values of all that was added
};

class Counter {
 public:
  explicit Counter(const Schedule& s)
      : s_(s),
        cells_(s.grid, each_coordinate(s.grid)),
        sizes_(s, cells_),
        words(s.grid),
        messages(s.grid),
        flops(s.grid) {}

  // Whether every step was separable.
  bool run() {
    for (const Effect& e : effects(s_))
      if (!std::visit(*this, e)) return false;
    return true;
  }

  // Makes the words that every rank receives those that it touches. False where it owns others.
  bool add_own_words() {
    for (Slot x : s_.callers()) {
      const std::optional<Product> own = words_of(x);
      if (!own) return false;
      words.add(*own, 0);
    }
    return true;
  }

  bool operator()(const Move& m) {
    switch (m.from) {
      case Move::From::root: return some(m, {0, 1}, true, 1);
      case Move::From::pieces: return pieces(m);
      case Move::From::terms: return some(m, m.who, false, s_.grid.extent(m.axis) - 1);
      case Move::From::one: break;
    }
    if (!m.by.terms.empty()) return false;
    return wrap(m.by.constant, s_.grid.extent(m.axis)) == 0 || some(m, m.who, false, 1);
  }
  bool operator()(const Redistribute&) { return false; }
  bool operator()(const Compute& x) {
    if (x.kernel != Kernel::gemm || x.op_a != Op::none) return false;
    std::optional<Product> p = words_of(x.C);
    const Sizes::Words& a = sizes_.words(x.A);
    if (!p || !multiply(*p, *a.cols)) return false;
    for (const Sizes::Factor* f : a.others)
      if (!multiply(*p, *f)) return false;
    if (!p->times(2)) return false;
    flops.add(*p, 0);
    return flops.fits();
  }

 private:
  bool pieces(const Move& m) {
    std::optional<Product> src = words_of(m.src), dst = words_of(m.dst);
    if (!src || !dst) return false;
    words.add(*dst, m.axis);
    Product less = *src, senders = src->signs();
    for (Int& w : less.at(m.axis)) w = -w;
    words.add(less, m.axis);
    Int count = 0;
    for (Int sends : senders.at(m.axis)) count += sends;
    for (Int& n : senders.at(m.axis)) n = count - n;
    messages.add(senders, m.axis);
    return true;
  }
  static bool multiply(Product& p, const Sizes::Factor& f) {
    if (f.axis == Sizes::Factor::each_cell) return false;
    if (f.axis == Sizes::Factor::everywhere) return p.times(static_cast<Int>(f.values[0]));
    Numbers& axis = p.at(f.axis);
    bool fits = true;
    for (std::size_t i = 0; i < axis.size(); ++i)
      fits = !__builtin_mul_overflow(axis[i], static_cast<Int>(f.values[i]), &axis[i]) && fits;
    return fits;
  }
  std::optional<Product> words_of(Slot x) { return product(sizes_.words(x)); }
  std::optional<Product> product(const Sizes::Words& w) {
    Product p(s_.grid);
    bool separable = !w.found && multiply(p, *w.rows) && multiply(p, *w.cols);
    for (const Sizes::Factor* f : w.others) separable = separable && multiply(p, *f);
    if (!separable) return std::nullopt;
    return p;
  }
  // Those positions that `who` names, or all others, receive `times` messages.
  bool some(const Move& m, const Who& who, bool others, Int times) {
    std::optional<Product> p = product(sizes_.travelling(m));
    if (!p || !m.origin.terms.empty()) return false;
    Numbers& along = p->at(m.axis);
    for (Int i = 0; i < static_cast<Int>(along.size()); ++i)
      if (who.has(wrap(i - m.origin.constant, static_cast<Int>(along.size()))) == others)
        along[static_cast<std::size_t>(i)] = 0;
    Product n = p->signs();
    if (!p->times(times) || !n.times(times)) return false;
    words.add(*p, m.axis);
    messages.add(n, m.axis);
    return true;
  }

  const Schedule& s_;
  Cells cells_;
  Sizes sizes_;

 public:
  Sum words, messages, flops;
};

// What a rank holds depends on the sizes of its slots and not on roots. False if there are too many such sizes.
bool add_peaks(Totals& totals, const Schedule& wire) {
  const std::vector<AxisClasses> classes = size_classes(wire);
  if (combinations(classes) > most_placements) return false;
  const Uses uses(wire);
  for_each_class(wire.grid, classes, [&](Int rank, Int ranks) {
    totals.add({.peak_words = peak_words(wire, uses, rank, Transport::two_sided)}, ranks, 0);
  });
  return true;
}

}  // namespace

std::optional<Totals> count_separably(const Schedule& collective, const Schedule& wire) {
  if (wire.grid.axes() == 0) return std::nullopt;
  Counter asked(collective), sent(wire);
  Totals totals;
  if (!asked.run() || !sent.run() || !add_peaks(totals, wire)) return std::nullopt;
  const auto add = [&](const Sum& sum, Int Count::*figure, double Totals::*total) {
    totals.min.*figure = std::numeric_limits<Int>::max();
    sum.for_each(wire.grid, [&](Int x) {
      totals.min.*figure = std::min(totals.min.*figure, x);
      totals.max.*figure = std::max(totals.max.*figure, x);
      totals.*total += static_cast<double>(x);
    });
  };
  add(asked.words, &Count::received, &Totals::mean_received);
  add(asked.flops, &Count::flops, &Totals::total_flops);
  add(sent.words, &Count::wire_words, &Totals::mean_wire_words);
  add(sent.messages, &Count::messages, &Totals::mean_messages);
  if (!asked.add_own_words()) return std::nullopt;
  asked.words.for_each(wire.grid, [&](Int x) { totals.most_touched = std::max(totals.most_touched, x); });
  totals.divide(wire.ranks);
  return totals;
}

}  // namespace cairn
