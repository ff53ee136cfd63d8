#include "interpret/check.hpp"

#include <fmt/format.h>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "interpret/element_states.hpp"
#include "schedule/kernels.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

namespace {

// Random arguments. A sum over a range of indices is a difference of a hash at its ends, so a box of products costs its
// corners.
Fingerprint hash(Int position, std::uint64_t salt) {
  return mixed_bits(static_cast<std::uint64_t>(position) * 0x9e3779b97f4a7c15U + salt);
}
Fingerprint weight(const IndexSet& inner) {
  Fingerprint sum = 0;
  for (Range r : inner.pieces()) sum += hash(r.hi, 3) - hash(r.lo, 3);
  return sum;
}
const Fingerprint beta = hash(1, 4) | 1U, solved = hash(2, 4) | 1U, alpha = hash(3, 4) | 1U;
/// What is in the other triangle, which no kernel reads.
const Fingerprint other = hash(4, 4) | 1U;
/// What is in a triangle's other half where only the triangle was brought.
const Fingerprint not_brought = hash(5, 4) | 1U;
/// What the caller's matrix holds at the start.
Fingerprint given(Slot x) { return hash(x, 5) | 1U; }

bool contains(const Region& all, const Region& part) {
  return part.words() == 0 || (all.rows.contains(part.rows) && all.cols.contains(part.cols));
}
bool same(const Region& a, const Region& b) {
  return (a.words() == 0 && b.words() == 0) || (a.rows == b.rows && a.cols == b.cols);
}

class Checker {
 public:
  explicit Checker(const Schedule& s)
      : s_(s), does_(effects(s)), aim_(std::visit(AimOf{s.callers()}, s.problem)), states_(s.slots.size()) {
    for (auto& of_slot : states_) of_slot.resize(static_cast<std::size_t>(s.ranks));
    for (Slot x : s.callers())
      for (Int r = 0; r < s.ranks && (s[x].role == SlotInfo::Role::operand || in_place(s.problem)); ++r)
        for (const Patch& p : s.layout(x).patches(r)) {
          states(x, r).set({p.rows, p.cols}, other);
          for (const CountedPart& part : counted_parts(s[x].shape, p.rows, p.cols))
            states(x, r).set({part.rows, part.cols}, given(x));
        }
  }

  void steps() {
    views();
    for (at_ = 0; at_ < does_.size(); ++at_) {
      require(s_[access(does_[at_]).writes].role != SlotInfo::Role::operand, "an input is written");
      std::visit(*this, does_[at_]);
    }
  }

  // All receivers get what the sources had before any of them has it.
  void operator()(const Move& m) {
    same_order(m.src, m.dst);
    std::vector<std::pair<Int, std::vector<States::Piece>>> all;
    on_all([&](Int r) {
      if (m.from == Move::From::terms) summed(m, r);
      if (m.takes_part(s_.grid, r)) all.emplace_back(r, m.from == Move::From::terms ? sum(m, r) : received(m, r));
    });
    const Uplo shape = m.adds_to(s_[m.dst].shape) ? s_[m.dst].shape : Uplo::full;
    for (const auto& [rank, pieces] : all)
      for (const States::Piece& p : pieces)
        for (const CountedPart& part : counted_parts(shape, p.part.rows, p.part.cols))
          write(m.dst, rank, {part.rows, part.cols}, m.update, p.value);
  }
  void operator()(const Redistribute& x) {
    require(s_[x.src].shape == s_[x.dst].shape, "source and destination are different triangles");
    const bool leaves_rest = stairs(s_, x).shape != Uplo::full && !s_[x.dst].callers();
    for (Int r = 0; r < s_.ranks; ++r) {
      Int words = 0;
      std::vector<States::Piece> all;
      const auto from = [&](Int peer, const Transfer& t) {
        words += t.words();
        for (const Transfer::Region& part : t.regions)
          for (States::Piece& p : read(x.src, peer, {part.rows, part.cols})) all.push_back(std::move(p));
      };
      from(r, kept(s_, x, r));
      for (const Transfer& t : incoming(s_, x, r)) from(t.peer, t);
      require(words == words_wanted(s_, x, r), "some elements come from nobody, or twice");
      if (leaves_rest && x.update == Update::overwrite)
        for (const Patch& p : s_.layout(x.dst).patches(r)) states(x.dst, r).set({p.rows, p.cols}, not_brought);
      for (const States::Piece& p : all) write(x.dst, r, p.part, x.update, x.scaled ? alpha * p.value : p.value);
    }
  }
  void operator()(const Compute& x) {
    on_all([&](Int r) {
      const Work w = work_at(s_, x, r);
      for (Slot operand : {x.A, x.B, x.C})
        if (operand >= 0) dense(operand, r);
      switch (x.kernel) {
        case Kernel::gemm: return multiply(x, w, Uplo::full, r);
        case Kernel::gemmt: return multiply(x, w, s_[x.C].shape, r);
        case Kernel::trsm: return substitute(x, w, r);
        case Kernel::potrf: return factor(x, w, r);
        case Kernel::scal: return scale(x, w, r);
      }
    });
  }

  // What every element of the result that counts has become.
  void results() {
    const Slot result = s_.callers().back();
    const Layout& l = s_.layout(result);
    const Layout all = Layout::on_one_rank(l.m(), l.n());
    Int words = transfer(l, all, 0, 0).words();
    for (const Transfer& t : incoming(l, all, 0, s_.ranks)) words += t.words();
    require(words == l.m() * l.n(), "the outputs do not hold every element of C once");
    for (Int r = 0; r < s_.ranks; ++r)
      for (const Patch& p : l.patches(r))
        for (const CountedPart& part : counted_parts(s_[result].shape, p.rows, p.cols))
          require(become(result, r, {part.rows, part.cols}, aim_.result),
                  in_place(s_.problem) ? "some elements of the result were never finished"
                                       : "the multiplications do not cover the cuboid once");
    for (Int r = 0; r < s_.ranks; ++r)
      for (const Patch& p : l.patches(r))
        for (const States::Piece& piece : states(result, r).at({p.rows, p.cols}))
          require(piece.value != not_brought, "elements that were never brought are handed back");
  }

 private:
  void require(bool holds, std::string_view what) const {
    if (holds) return;
    throw ScheduleError(fmt::format("{}: {}", at_ < s_.steps.size() ? label(s_, at_) : s_.algorithm, what));
  }
  Region region(Slot x, Int rank) const { return cairn::region(s_.layout(x), rank); }
  States& states(Slot x, Int rank) {
    return states_[static_cast<std::size_t>(s_.storage(x))][static_cast<std::size_t>(rank)];
  }
  template <class F>
  void on_all(F f) const {
    for (Int r = 0; r < s_.grid.size(); ++r) f(r);
  }

  void views() const {
    for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x)
      if (const Slot base = s_[x].view_of; base >= 0) {
        require(s_[x].shape == s_[base].shape, fmt::format("view {} is another triangle than {}", x, base));
        on_all([&](Int r) {
          require(contains(region(base, r), region(x, r)), fmt::format("view {} reaches beyond {}", x, base));
        });
      }
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

  bool become(Slot x, Int rank, const Region& part, Fingerprint expected) {
    Int words = 0;
    for (const States::Piece& p : states(x, rank).at(part)) {
      words += p.part.words();
      if (p.value != expected && counted(s_[x].shape, p.part.rows, p.part.cols) > 0) return false;
    }
    return words == part.words();
  }
  std::vector<States::Piece> read(Slot x, Int rank, const Region& part) {
    std::vector<States::Piece> pieces = states(x, rank).at(part);
    Int words = 0;
    for (const States::Piece& p : pieces) words += p.part.words();
    if (words != part.words()) require(false, fmt::format("{} is read before it is written", s_[x].name));
    return pieces;
  }
  // The one state of all elements of a triangle. In squares on the diagonal there may be anything beside it.
  Fingerprint triangle(Slot x, Int rank) {
    const Region all = region(x, rank);
    Fingerprint one = 0;
    for (const CountedPart& part : counted_parts(s_[x].shape, all.rows, all.cols)) {
      for (const States::Piece& p : read(x, rank, {part.rows, part.cols})) {
        if (counted(s_[x].shape, p.part.rows, p.part.cols) == 0) continue;
        require(one == 0 || one == p.value, fmt::format("some elements of {} lack what others have", s_[x].name));
        one = p.value;
      }
    }
    require(one != not_brought, fmt::format("{} is read before it is brought", s_[x].name));
    return one;
  }
  // The one state of all elements.
  Fingerprint whole(Slot x, Int rank, const Region& part) {
    const std::vector<States::Piece> pieces = read(x, rank, part);
    for (const States::Piece& p : pieces)
      if (p.value != pieces.front().value)
        require(false, fmt::format("some elements of {} lack what others have", s_[x].name));
    if (pieces.empty()) return 0;
    if (pieces.front().value == not_brought) require(false, fmt::format("{} is read before it is brought", s_[x].name));
    return pieces.front().value;
  }
  // Beta times what a caller's matrix held at the start is what was never written.
  void write(Slot x, Int rank, const Region& part, Update update, Fingerprint value) {
    if (update == Update::overwrite) return states(x, rank).set(part, value);
    const bool scaled = update == Update::beta;
    const std::vector<States::Piece> before = scaled ? states(x, rank).at(part) : read(x, rank, part);
    if (scaled) states(x, rank).set(part, value + beta * given(s_.storage(x)));
    for (const States::Piece& p : before) states(x, rank).set(p.part, value + (scaled ? beta * p.value : p.value));
  }

  // Messages carry elements in storage order, so both ends must store alike; only Redistribute reorders.
  void same_order(Slot a, Slot b) const {
    require(s_.layout(a).order == s_.layout(b).order, "source and destination are stored in different orders");
  }
  std::vector<States::Piece> received(const Move& m, Int rank) {
    const Region mine = region(m.dst, rank);
    std::vector<States::Piece> all;
    Int words = 0;
    for_each_source(s_.grid, m, rank, [&](Int from) {
      const Region theirs = region(m.src, from), part = travelling(s_, m, from, rank);
      if (m.from == Move::From::pieces)
        require(contains(mine, theirs), "a gathered piece lies outside the whole");
      else
        require(contains(theirs, mine), "the source does not hold what it gives");
      words += part.words();
      for (States::Piece& p : read(m.src, from, part)) all.push_back(std::move(p));
    });
    require(words == mine.words(), "the pieces do not make up the whole");
    return all;
  }
  std::vector<States::Piece> sum(const Move& m, Int rank) {
    std::vector<States::Piece> all{{region(m.dst, rank), 0}};
    for_each_source(s_.grid, m, rank, [&](Int from) {
      require(contains(region(m.src, from), region(m.dst, rank)), "a reduced piece lies outside the sum");
      std::vector<States::Piece> next;
      for (const States::Piece& p : all)
        for (const States::Piece& term : read(m.src, from, p.part)) next.push_back({term.part, p.value + term.value});
      all = std::move(next);
    });
    return all;
  }
  // All of a sum is wanted, each element once.
  void summed(const Move& m, Int rank) const {
    Int words = 0;
    for (Int i = 0; i < s_.grid.extent(m.axis); ++i) {
      const Int peer = s_.grid.with(rank, m.axis, i);
      require(same(region(m.src, peer), region(m.src, rank)), "the partial sums differ in shape");
      if (m.takes_part(s_.grid, peer)) words += region(m.dst, peer).words();
    }
    require(words == region(m.src, rank).words(), "the reduced pieces do not make up the sum");
    if (m.everybody_takes_part(s_.grid)) dense(m.dst, rank);
  }

  void multiply(const Compute& x, const Work& w, Uplo shape, Int rank) {
    require(w.A.cols == w.B.rows && w.A.rows == w.C.rows && w.B.cols == w.C.cols, "the operands do not conform");
    if (w.C.words() == 0) return;
    const Fingerprint inner = weight(w.A.cols);
    for (const CountedPart& part : counted_parts(shape, w.C.rows, w.C.cols)) {
      const Fingerprint a = whole(x.A, rank, region_under(x.op_a, {part.rows, w.A.cols})),
                        b = whole(x.B, rank, region_under(x.op_b, {w.B.rows, part.cols}));
      write(x.C, rank, {part.rows, part.cols}, x.update, scaled(x.factor, inner * a * b));
    }
  }
  static Fingerprint scaled(Factor factor, Fingerprint value) {
    switch (factor) {
      case Factor::alpha: return alpha * value;
      case Factor::one: return value;
      case Factor::minus_one: return 0 - value;
      case Factor::zero: break;
    }
    return 0;
  }
  void scale(const Compute& x, const Work& w, Int rank) {
    if (x.factor == Factor::zero) return states(x.C, rank).set(w.C, 0);
    for (const States::Piece& p : read(x.C, rank, w.C)) states(x.C, rank).set(p.part, scaled(x.factor, p.value));
  }
  // Elements that lack nothing but what the triangle is to do: all that comes before it was subtracted once from what
  // the caller's matrix held.
  void finish(Slot x, Int rank, const Region& part, Fingerprint state, const IndexSet& before, Fingerprint multiplied) {
    require(state == aim_.start - weight(before) * multiplied,
            fmt::format("{} is not ready: what comes before it was not subtracted once", s_[x].name));
    for (const States::Piece& p : read(x, rank, part))
      if (counted(s_[x].shape, p.part.rows, p.part.cols) > 0) states(x, rank).set(p.part, solved);
  }
  void substitute(const Compute& x, const Work& w, Int rank) {
    if (w.C.words() == 0) return;
    const IndexSet& order = x.side == Side::left ? w.C.rows : w.C.cols;
    const Uplo shape = s_[x.A].shape;
    require(shape == aim_.shape && same(w.A, {order, order}), "the triangle does not conform");
    require(order.pieces().size() == 1, "the triangle is not one block");
    const Extents size = result_of(s_.problem);
    const bool down = (shape == Uplo::lower) == (x.op_a == Op::none), forwards = down == (x.side == Side::left);
    const Range block = order.pieces().front();
    const Range before = forwards ? Range{0, block.lo} : Range{block.hi, x.side == Side::left ? size.m : size.n};
    require(x.diag == aim_.diag, "the problem's diagonal is another one");
    require(triangle(x.A, rank) == aim_.triangle, fmt::format("{} is not what is to be solved with", s_[x.A].name));
    finish(x.C, rank, w.C, whole(x.C, rank, w.C), before, solved * aim_.triangle);
  }
  void factor(const Compute& x, const Work& w, Int rank) {
    if (w.C.words() == 0) return;
    require(s_[x.C].shape == aim_.shape && w.C.rows == w.C.cols && w.C.rows.pieces().size() == 1,
            "what is factored is no block on the diagonal");
    finish(x.C, rank, w.C, triangle(x.C, rank), Range{0, w.C.rows.pieces().front().lo}, solved * solved);
  }

  // What becomes of every element of the result that counts, what finishing starts from, and by which triangle: only a
  // matrix that is overwritten is ever finished.
  struct Aim {
    Fingerprint result, start = 0, triangle = 0;
    Uplo shape = Uplo::full;
    Diag diag = Diag::stored;
  };
  struct AimOf {
    const std::vector<Slot> callers;
    Fingerprint matrix(std::size_t i) const { return i < callers.size() ? given(callers[i]) : 0; }
    Fingerprint result() const { return matrix(callers.size() - 1); }
    Aim operator()(const Multiply& x) const {
      return {beta * matrix(2) + alpha * weight(Range{0, x.k}) * matrix(0) * matrix(1)};
    }
    Aim operator()(const Copy&) const { return {beta * matrix(1) + alpha * matrix(0)}; }
    Aim operator()(const Factorise& x) const { return {solved, result(), solved, x.triangle}; }
    Aim operator()(const Solve& x) const { return {solved, alpha * result(), matrix(0), x.triangle, x.diag}; }
  };

  const Schedule& s_;
  const std::vector<Effect> does_;
  const Aim aim_;
  std::vector<std::vector<States>> states_;  // by storage slot, then rank
  std::size_t at_ = ~std::size_t{0};
};

}  // namespace

void check_steps(const Schedule& schedule) { Checker(schedule).steps(); }

void check(const Schedule& schedule) {
  Checker checker(schedule);
  checker.steps();
  checker.results();
}

}  // namespace cairn
