#include "schedule/effect.hpp"

#include <fmt/format.h>

#include <limits>

#include "cairn/error.hpp"

namespace cairn {

namespace {

constexpr Who everybody{0, std::numeric_limits<Int>::max()};
constexpr Who the_root{0, 1};

struct EffectOf {
  Effect operator()(const Bcast& x) const {
    return Move{x.src, x.dst, x.axis, x.root, everybody, Move::From::root, {}, Update::overwrite, Collective::bcast,
                x.how};
  }
  Effect operator()(const AllGather& x) const {
    return Move{x.src, x.dst, x.axis, {}, everybody, Move::From::pieces, {}, Update::overwrite, Collective::allgather,
                x.how};
  }
  Effect operator()(const Reduce& x) const {
    return Move{x.src, x.dst, x.axis, x.root, the_root, Move::From::terms, {}, x.update, Collective::reduce, x.how};
  }
  Effect operator()(const ReduceScatter& x) const {
    return Move{x.src, x.dst, x.axis, {}, everybody, Move::From::terms, {}, x.update, Collective::reduce_scatter,
                x.how};
  }
  Effect operator()(const Shift& x) const { return Move{x.src, x.dst, x.axis, x.origin, x.who, Move::From::one, x.by}; }
  Effect operator()(const Add& x) const {
    return Move{x.src, x.dst, x.axis, x.origin, x.who, Move::From::one, {}, x.update};
  }
  Effect operator()(const Redistribute& x) const { return x; }
  Effect operator()(const Compute& x) const { return x; }
};

struct AccessOf {
  static Access of(Slot src, Slot dst, Update update, bool communicates) {
    return {{src, update == Update::overwrite ? -1 : dst, -1}, dst, update, communicates};
  }
  Access operator()(const Move& m) const { return of(m.src, m.dst, m.update, !m.stays()); }
  Access operator()(const Redistribute& x) const { return of(x.src, x.dst, x.update, true); }
  Access operator()(const Compute& x) const {
    const bool reads_result = x.update != Update::overwrite || works_in_place(x);
    return {{x.A, x.B, reads_result ? x.C : -1}, x.C, x.update};
  }
};

template <class X>
concept Collectively = requires(X x) {
  x.how;
};

}  // namespace

Effect effect(const Step& step) { return std::visit(EffectOf{}, step); }

std::vector<Effect> effects(const Schedule& s) {
  std::vector<Effect> all;
  all.reserve(s.steps.size());
  for (const LabelledStep& l : s.steps) all.push_back(effect(l.step));
  return all;
}

Int computations(const Schedule& s) {
  return std::count_if(s.steps.begin(), s.steps.end(),
                       [](const LabelledStep& l) { return std::holds_alternative<Compute>(l.step); });
}

bool redistributes(const Schedule& s) {
  return std::any_of(s.steps.begin(), s.steps.end(),
                     [](const LabelledStep& l) { return std::holds_alternative<Redistribute>(l.step); });
}

namespace {

// Whether a rank has all of it or nothing.
bool is_one_piece(const Dim& dim) {
  if (dim.cuts.empty()) return true;
  const Cut& cut = dim.cuts.front();
  return dim.cuts.size() == 1 && cut.deals_blocks() && dim.extent.size() <= cut.first;
}

}  // namespace

Uplo travelling_shape(const Schedule& s, const Move& m) {
  const SlotInfo& dst = s[m.dst];
  if (dst.shape == Uplo::full || dst.shape != s[m.src].shape || dst.sizes || !m.has_one_source()) return Uplo::full;
  const Layout& l = dst.layout;
  return !l.blocks && l.rows == l.cols && is_one_piece(l.rows) ? dst.shape : Uplo::full;
}

Int travelling_words(const Schedule& s, const Move& m, Int words) {
  if (words == 0 || travelling_shape(s, m) == Uplo::full) return words;
  const Int order = s.layout(m.dst).rows.extent.size();
  return order * (order + 1) / 2;
}

void require_direct(const Grid& grid, const Move& m, std::string_view reached) {
  if (m.from == Move::From::one || (m.from != Move::From::root && m.everybody_takes_part(grid))) return;
  throw RuntimeError(fmt::format("a {} reached {}: expand_collectives comes first",
                                 m.from == Move::From::root ? "Bcast" : "Reduce", reached));
}

Access access(const Effect& effect) { return std::visit(AccessOf{}, effect); }
Access access(const Step& step) { return access(effect(step)); }

void carry_out(Step& step, How how) {
  std::visit(
      [&](auto& x) {
        if constexpr (Collectively<decltype(x)>) x.how = how;
      },
      step);
}

}  // namespace cairn
