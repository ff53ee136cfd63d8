#include "interpret/even_steps.hpp"

#include <numeric>

#include "schedule/ahead.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

class Evenly {
 public:
  Evenly(const Schedule& s, const Machine& machine, ScalarType type, Sizes& sizes)
      : s_(s), machine_(machine), type_(type), sizes_(sizes) {
    for (int a = 0; a < s.grid.axes(); ++a) alike_.push_back(lines_alike(a));
  }

  // Nothing if the step is not even.
  std::optional<EvenStep> operator()(const Move& m) const {
    if (m.from != Move::From::one || !m.by.terms.empty()) return std::nullopt;
    const Int q = s_.grid.extent(m.axis);
    EvenStep e = some(m.axis, m.origin.constant, m.who);
    e.by = wrap(m.by.constant, q);
    e.kind = e.by == 0 ? EvenStep::Kind::add : EvenStep::Kind::shift;
    e.reads[0] = s_.storage(m.src);
    if (m.update != Update::overwrite) e.reads[1] = s_.storage(m.dst);
    return moving(e, m.origin, m.dst);
  }
  std::optional<EvenStep> operator()(const Compute& x) const {
    if (x.kernel != Kernel::gemm || x.op_a != Op::none) return std::nullopt;
    const Sizes::Words &a = sizes_.words(x.A), &c = sizes_.words(x.C);
    const auto m = everywhere(*c.rows), n = everywhere(*c.cols), k = everywhere(*a.cols);
    if (!m || !n || !k || !a.others.empty()) return std::nullopt;
    EvenStep e;
    e.reads = {s_.storage(x.A), s_.storage(x.B), s_.storage(x.C)};
    e.writes = e.reads[2];
    const double cold = (callers(x.A) ? *m * *k : 0) + (callers(x.B) ? *k * *n : 0);
    e.seconds = machine_.gemm_seconds(static_cast<Int>(*m), static_cast<Int>(*n), static_cast<Int>(*k), type_) +
                cold * static_cast<double>(size_of(type_)) * machine_.read_seconds_per_byte;
    return e;
  }
  std::optional<EvenStep> operator()(const Redistribute&) const { return std::nullopt; }

 private:
  static std::optional<double> everywhere(const Sizes::Factor& f) {
    return f.axis == Sizes::Factor::everywhere ? std::optional(f.values[0]) : std::nullopt;
  }
  bool callers(Slot x) const { return s_[s_.storage(x)].role == SlotInfo::Role::operand; }

  // Whether a line's messages cross the same levels wherever the line is.
  bool lines_alike(int axis) const {
    const Int stride = s_.grid.stride(axis), line = stride * s_.grid.extent(axis);
    return std::all_of(machine_.levels.begin(), machine_.levels.end(), [&](const Machine::Level& l) {
      if (l.ranks == 0 || stride % l.ranks == 0) return true;
      return l.ranks % stride == 0 && (line % l.ranks == 0 || l.ranks % line == 0);
    });
  }
  EvenStep some(int axis, Int origin, const Who& who) const {
    EvenStep e;
    e.axis = axis;
    e.origin = wrap(origin, s_.grid.extent(axis));
    e.who = who;
    return e;
  }
  std::optional<EvenStep> moving(EvenStep e, const Affine& origin, Slot dst) const {
    const Sizes::Words& w = sizes_.words(dst);
    const auto rows = everywhere(*w.rows), cols = everywhere(*w.cols);
    if (w.found || !origin.terms.empty() || !rows || !cols || !alike_[static_cast<std::size_t>(e.axis)])
      return std::nullopt;
    e.words = *rows * *cols;
    e.writes = s_.storage(dst);
    for (const Layout::Where& at : s_.layout(dst).where) {
      if (at.axis != e.axis) {
        e.where.push_back(at);
        continue;
      }
      const Int v = wrap(at.index - e.origin, s_.grid.extent(e.axis));
      e.who = e.who.has(v) ? Who{v, v + 1} : Who{};
    }
    return e;
  }

  const Schedule& s_;
  const Machine& machine_;
  ScalarType type_;
  Sizes& sizes_;
  std::vector<bool> alike_;
};

}  // namespace

std::optional<std::vector<EvenStep>> even_steps(const Schedule& s, const Machine& machine, ScalarType type,
                                                Sizes& sizes) {
  const Evenly evenly(s, machine, type, sizes);
  std::vector<EvenStep> steps;
  steps.reserve(s.steps.size());
  const std::vector<int> early = ahead(s);
  for (const Effect& does : effects(s)) {
    std::optional<EvenStep> e = std::visit(evenly, does);
    if (!e) return std::nullopt;
    e->ahead = e->kind == EvenStep::Kind::shift && early[steps.size()] > 0;
    steps.push_back(std::move(*e));
  }
  return steps;
}

Int grain(const Grid& grid, int axis, const Machine& machine) {
  const Int stride = grid.stride(axis), line = stride * grid.extent(axis);
  Int g = 1;
  for (const Machine::Level& l : machine.levels)
    if (l.ranks > stride && l.ranks % line != 0) g = std::lcm(g, l.ranks / stride);
  return g;
}

}  // namespace cairn
