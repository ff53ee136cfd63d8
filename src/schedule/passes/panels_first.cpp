#include "schedule/passes/panels_first.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <optional>

#include "schedule/builder.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

Range hull(Range a, Range b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
bool is_part(Range part, Range of) { return !part.empty() && !(part == of) && (part.lo == of.lo || part.hi == of.hi); }

// A product that adds to a part of a matrix.
bool updates(const Effect& e) {
  const Compute* x = as_compute(e);
  return x && x->A >= 0 && x->B >= 0 && x->update == Update::accumulate;
}

// What an update is split into: of the columns, or else of the rows, of what it writes.
struct Split {
  bool cols;
  Range panel, rest;
};

// In a list, as every update but the last few puts a step into the middle of those that follow.
class PanelsFirst {
 public:
  PanelsFirst(Schedule s, bool amid) : s_(std::move(s)), amid_(amid) {
    for (LabelledStep& step : s_.steps) steps_.emplace_back(std::move(step));
  }

  Schedule run() {
    for (At t = steps_.begin(); t != steps_.end(); ++t) {
      if (t->is_rest || !updates(t->does)) continue;
      const std::optional<Split> split = split_of(t);
      if (!split) continue;
      const Compute all = *as_compute(t->does);
      const auto source = t->step.source;
      *t = Doing({part(all, split->cols, split->panel), source});
      const Doing rest({part(all, split->cols, split->rest), source}, true);
      const At put = steps_.insert(std::next(last_before(rest.does, t)), rest);
      if (amid_) pass_on_amid(put, split->cols);
    }
    s_.steps.clear();
    for (Doing& x : steps_) s_.steps.push_back(std::move(x.step));
    return std::move(s_);
  }

 private:
  struct Doing {
    explicit Doing(LabelledStep s, bool rest = false) : step(std::move(s)), does(effect(step.step)), is_rest(rest) {}
    LabelledStep step;
    Effect does;
    bool is_rest;  // of what was split
  };
  using At = std::list<Doing>::iterator;

  const Layout& layout(Slot x) const { return s_.layout(x); }
  bool meet(Slot a, Slot b) const { return a >= 0 && b >= 0 && !apart(s_, a, b); }
  bool independent(const Effect& first, const Effect& then) const {
    return cairn::independent(access(first), access(then), [&](Slot a, Slot b) { return !apart(s_, a, b); });
  }

  static bool overwritten(SlotInfo::Role role) {
    return role == SlotInfo::Role::result || role == SlotInfo::Role::partial_sum;
  }
  // Behind the last step that the rest need not come before, and that touches the matrix or sums for it: the next panel
  // is then on its way. What ranks do with it when it has arrived comes later.
  At last_before(const Effect& rest, At update) {
    At last = update;
    for (At at = std::next(update); at != steps_.end() && independent(rest, at->does); ++at) {
      const Access x = access(at->does);
      for (Slot touched : {x.reads[0], x.reads[1], x.reads[2], x.writes})
        if (touched >= 0 && overwritten(s_[s_.storage(touched)].role)) last = at;
    }
    return last;
  }

  // What passes on the panel that travels during the rest goes amid the rest, near its end: the panel has arrived by
  // then, and what passes it on is hidden, too.
  void pass_on_amid(At rest, bool cols) {
    At behind = std::next(rest);
    while (behind != steps_.end() && passes_on(s_, access(behind->does)) && independent(rest->does, behind->does))
      ++behind;
    const Slot C = access(rest->does).writes;
    const Dim& whole = cols ? layout(C).cols : layout(C).rows;
    if (whole.cuts.empty()) return;  // one rank's, and maybe part of one block
    const Range before{whole.extent.lo, near_its_end(whole, s_[s_.storage(C)].shape)},
        after{before.hi, whole.extent.hi};
    if (behind == std::next(rest) || before.empty() || after.empty()) return;
    const auto source = rest->step.source;
    const Compute all = *as_compute(rest->does);
    *rest = Doing({part(all, cols, before), source}, true);
    steps_.insert(behind, Doing({part(all, cols, after), source}, true));
  }
  // Where about three quarters of the elements come before, and all ranks have as much of them.
  static Int near_its_end(const Dim& whole, Uplo shape) {
    const double share = shape == Uplo::full ? 0.75 : 0.5;
    const Int round = whole.cuts[0].parts * std::max<Int>(1, whole.cuts[0].block);
    const auto rounds = std::lround(share * static_cast<double>(whole.extent.size()) / static_cast<double>(round));
    return std::min(whole.extent.hi, whole.extent.lo + rounds * round);
  }

  // The steps that come next touch a part of the rows or of the columns, before one touches all that is left.
  std::optional<Split> split_of(At t) {
    const Slot C = access(t->does).writes;
    const Range rows = layout(C).rows.extent, cols = layout(C).cols.extent;
    Range of_rows, of_cols;
    bool found = false;
    for (At u = std::next(t); u != steps_.end(); ++u) {
      const Access x = access(u->does);
      for (Slot touched : {x.reads[0], x.reads[1], x.reads[2], x.writes}) {
        if (!meet(touched, C)) continue;
        const Range r = intersect(layout(touched).rows.extent, rows), c = intersect(layout(touched).cols.extent, cols);
        const Range next_rows = found ? hull(of_rows, r) : r, next_cols = found ? hull(of_cols, c) : c;
        if (!is_part(next_rows, rows) && !is_part(next_cols, cols)) return split(C, found, of_rows, of_cols);
        of_rows = next_rows, of_cols = next_cols, found = true;
      }
    }
    return std::nullopt;
  }
  std::optional<Split> split(Slot C, bool found, Range of_rows, Range of_cols) const {
    const Dim &rows = layout(C).rows, &cols = layout(C).cols;
    if (!found) return std::nullopt;
    const bool by_cols = is_part(of_cols, cols.extent);
    const Dim& whole = by_cols ? cols : rows;
    const Range panel = by_cols ? of_cols : of_rows;
    if (!divisible(whole)) return std::nullopt;
    const Range rest =
        panel.lo == whole.extent.lo ? Range{panel.hi, whole.extent.hi} : Range{whole.extent.lo, panel.lo};
    return Split{by_cols, panel, rest};
  }
  static bool divisible(const Dim& dim) {
    return dim.cuts.empty() ||
           (dim.cuts.size() == 1 && (dim.cuts[0].deals_blocks() || dim.cuts[0].kind == Cut::Kind::bounds));
  }

  Slot view(Slot x, bool cols, Range range) {
    SlotInfo part = s_[x];
    Dim& dim = cols ? part.layout.cols : part.layout.rows;
    dim = Part::within(range).of(dim);
    part.view_of = x;
    s_.slots.push_back(std::move(part));
    return static_cast<Slot>(s_.slots.size()) - 1;
  }
  Compute part(Compute x, bool cols, Range range) {
    x.C = view(x.C, cols, range);
    Slot& operand = cols ? x.B : x.A;
    operand = view(operand, (cols ? x.op_b : x.op_a) == Op::none ? cols : !cols, range);
    return x;
  }

  Schedule s_;
  std::list<Doing> steps_;
  bool amid_;
};

}  // namespace

bool apart(const Schedule& s, Slot a, Slot b) {
  if (s.storage(a) != s.storage(b)) return true;
  const Layout &x = s.layout(a), &y = s.layout(b);
  if (intersect(x.rows.extent, y.rows.extent).empty() || intersect(x.cols.extent, y.cols.extent).empty()) return true;
  return std::any_of(x.where.begin(), x.where.end(), [&](Layout::Where w) {
    return std::any_of(y.where.begin(), y.where.end(),
                       [w](Layout::Where v) { return v.axis == w.axis && v.index != w.index; });
  });
}

bool passes_on(const Schedule& s, const Access& x) {
  return x.communicates && in_place(s.problem) && s[s.storage(x.reads[0])].role == SlotInfo::Role::panel;
}

Schedule panels_first(Schedule schedule, bool pass_on_amid) {
  return in_place(schedule.problem) ? PanelsFirst(std::move(schedule), pass_on_amid).run() : schedule;
}

}  // namespace cairn
