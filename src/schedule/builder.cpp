#include "schedule/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

std::string source_of(const Here& at) {
  std::string_view file = at.file_name();
  return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), at.line());
}

[[noreturn]] void refuse(const Here& at, std::string_view why) {
  throw ScheduleError(fmt::format("{}: {}", source_of(at), why));
}

// Whether the last cut gives each rank along the axis a piece of its own, whichever it begins with.
bool shared_along(const Dim& dim, const Grid& grid, int axis) {
  if (dim.cuts.empty()) return false;
  const Cut& last = dim.cuts.back();
  const bool deals = last.kind == Cut::Kind::even || last.kind == Cut::Kind::cyclic;
  return deals && last.parts == grid.extent(axis) && last.index.terms == Affine::along(axis).terms;
}

}  // namespace

// From the block on in which the range begins, which then is block 0, of class 0 where there are classes; a piece
// between given boundaries ends where the range does.
Dim Part::of(const Dim& dim) const {
  if (!within_) return exactly_.value_or(dim);
  Dim part{*within_, dim.cuts};
  if (part.cuts.empty() || *within_ == dim.extent) return part;
  Cut& cut = part.cuts.front();
  if (part.cuts.size() > 1 || (!cut.deals_blocks() && cut.kind != Cut::Kind::bounds))
    throw ScheduleError("a part within a range of a dimension that is not cut once, block-cyclically or at boundaries");
  if (cut.kind == Cut::Kind::bounds) {
    for (Int& bound : cut.bounds) bound = std::clamp(bound, within_->lo, within_->hi);
    return part;
  }
  const Int into = within_->lo - dim.extent.lo - cut.first;  // beyond the first block
  const Int block = into < 0 ? 0 : 1 + into / cut.block;
  cut.first = into < 0 ? -into : cut.block - into % cut.block;
  if (cut.kind == Cut::Kind::cyclic)
    cut.index = cut.index + Affine(-block);
  else
    cut.holders = cut.holders.from(block, 1 + ceil_div(std::max<Int>(0, within_->size() - cut.first), cut.block));
  return part;
}

Builder::Builder(std::string algorithm, Problem problem, Grid grid, Int ranks) {
  if (grid.size() > ranks)
    throw ArgumentError(fmt::format("{}: the grid needs {} ranks, expected at most {}", algorithm, grid.size(), ranks));
  s_.algorithm = std::move(algorithm);
  s_.problem = problem;
  s_.grid = std::move(grid);
  s_.ranks = ranks;
}

Layout Builder::layout(Range rows, std::vector<Cut> row_cuts, Range cols, std::vector<Cut> col_cuts,
                       Order order) const {
  Layout l;
  l.grid = s_.grid;
  l.rows = {rows, std::move(row_cuts)};
  l.cols = {cols, std::move(col_cuts)};
  l.order = order;
  return l;
}

Slot Builder::add(SlotInfo info) {
  s_.slots.push_back(std::move(info));
  written_.push_back(false);
  return static_cast<Slot>(s_.slots.size()) - 1;
}

void Builder::push(Step step, const Here& at) {
  if (!to_conjugate_.empty()) {
    const Effect e = effect(step);
    const Access a = access(e);
    if (!as_compute(e) && to_conjugate(a.reads[0])) to_conjugate_.insert(s_.storage(a.writes));
  }
  s_.steps.push_back({std::move(step), source_of(at)});
}

Slot Builder::input(const std::string& name, const Layout& held, const Layout& wanted, bool conjugate, Here at) {
  const bool in_place = held.same_ownership(wanted, s_.ranks);
  Layout here = in_place ? wanted : held;
  here.order = held.order;
  const Slot x = add({name, std::move(here), SlotInfo::Role::operand, -1});
  if (in_place) {
    if (conjugate) to_conjugate_.insert(x);
    return x;
  }
  const Slot mine = scratch(name + "'", wanted);
  push(Redistribute{x, mine, conjugate, first_write(mine)}, at);
  return mine;
}

Slot Builder::output(std::string name, const Layout& held, const Layout& made) {
  if (held.same_ownership(made, s_.ranks)) {
    Layout here = made;
    here.order = held.order;
    return add({std::move(name), std::move(here), SlotInfo::Role::result, -1});
  }
  const Slot caller = add({name, held, SlotInfo::Role::result, -1});
  const Slot mine = partial_sum(name + "'", made);
  hand_back_.push_back({mine, caller});
  return mine;
}

Slot Builder::scratch(std::string name, Layout layout, SlotInfo::Role role) {
  return add({std::move(name), std::move(layout), role, -1});
}

Slot Builder::elements_of(Slot x, Layout layout) {
  SlotInfo copy{s_[x].name, std::move(layout)};
  copy.shape = s_[x].shape, copy.sizes = s_[x].sizes;
  return add(std::move(copy));
}

Slot Builder::input(const std::string& name, const Layout& held, const Layout& wanted, Uplo triangle, Here at) {
  const auto first = s_.slots.size();
  const Slot x = input(name, held, wanted, false, at);
  for (std::size_t made = first; made < s_.slots.size(); ++made) s_.slots[made].shape = triangle;
  return x;
}

Slot Builder::in_place(const std::string& name, const Layout& held, const Layout& wanted, Uplo shape, Here at) {
  const bool here = held.same_ownership(wanted, s_.ranks);
  Layout own = here ? wanted : held;
  own.order = held.order;
  const Slot x = add({name, std::move(own), SlotInfo::Role::result, -1, shape});
  written_[static_cast<std::size_t>(x)] = true;
  if (here) return x;
  const Slot mine = partial_sum(name + "'", wanted, shape);
  push(Redistribute{x, mine, false, first_write(mine)}, at);
  hand_back_.push_back({mine, x});
  return mine;
}

Slot Builder::view(Slot x, Layout layout) {
  if (layout == s_.layout(x)) return x;
  const Slot v = views_.of(s_, x, std::move(layout));
  written_.resize(s_.slots.size(), written_[static_cast<std::size_t>(x)]);
  return v;
}

Slot Builder::round(Slot x, bool rows, Int t) {
  Layout l = layout(x);
  for (Cut& cut : (rows ? l.rows : l.cols).cuts)
    if (cut.kind == Cut::Kind::each) {
      cut = Cut::fixed(t, cut.parts);
      return view(x, std::move(l));
    }
  throw ScheduleError(fmt::format("{}: no sequential cut is left in its {}", s_[x].name, rows ? "rows" : "columns"));
}

Slot Builder::rows_round(Slot x, Int t) { return round(x, true, t); }
Slot Builder::cols_round(Slot x, Int t) { return round(x, false, t); }

Slot Builder::part(Slot x, const Part& rows, const Part& cols, const std::vector<Layout::Where>& at) {
  Layout l = layout(x);
  l.rows = rows.of(l.rows);
  l.cols = cols.of(l.cols);
  l.where.insert(l.where.end(), at.begin(), at.end());
  return view(x, std::move(l));
}

Slot Builder::copy(Slot x, const Part& rows, const Part& cols, Here at) {
  Layout l = layout(x);
  l.rows = rows.of(l.rows);
  l.cols = cols.of(l.cols);
  const Slot dense = elements_of(x, std::move(l));
  push(Add{x, dense, 0, Affine(), {0, s_.grid.extent(0)}, first_write(dense)}, at);
  return dense;
}

Slot Builder::all_gather(Slot x, int axis, How how, Here at) {
  Layout l = layout(x);
  if (shared_along(l.cols, s_.grid, axis))
    l.cols.cuts.pop_back();
  else if (shared_along(l.rows, s_.grid, axis))
    l.rows.cuts.pop_back();
  else
    refuse(at, fmt::format("all_gather of {}: its last cut is not along {}", s_[x].name, s_.grid.name(axis)));
  const Slot whole = elements_of(x, std::move(l));
  push(AllGather{x, whole, axis, how}, at);
  return whole;
}

Slot Builder::bcast(Slot x, const Part& rows, const Part& cols, int axis, Affine root, Here at) {
  Layout l = layout(x);
  l.rows = rows.of(l.rows);
  l.cols = cols.of(l.cols);
  std::erase_if(l.where, [axis](Layout::Where w) { return w.axis == axis; });
  if (s_.grid.extent(axis) == 1) return view(x, std::move(l));
  const Slot everywhere = elements_of(x, std::move(l));
  push(Bcast{x, everywhere, axis, std::move(root)}, at);
  return everywhere;
}

void Builder::bcast(Slot x, Slot dst, int axis, Affine root, Here at) {
  first_write(dst);
  push(Bcast{x, dst, axis, std::move(root)}, at);
}

Slot Builder::bcast(Slot x, int axis, Affine root, Here at) { return bcast(x, all, all, axis, std::move(root), at); }

Slot Builder::shift(Slot x, int axis, Affine by, Here at) {
  Layout l = layout(x);
  for (Dim* dim : {&l.rows, &l.cols})
    for (Cut& cut : dim->cuts) cut.index = cut.index.moved(axis, by);
  const Slot next = elements_of(x, std::move(l));
  push(Shift{x, next, axis, std::move(by), Affine(), {0, s_.grid.extent(axis)}}, at);
  return next;
}

void Builder::shift(Slot x, Slot dst, int axis, Affine by, Range who, Here at) {
  push(Shift{x, dst, axis, std::move(by), Affine(), {who.lo, who.hi}}, at);
}

void Builder::take(Slot x, Slot dst, int axis, Int from, Int first, Int ranks, Here at) {
  push(Shift{x, dst, axis, Affine(from) + -1 * Affine::along(axis), Affine(first), {0, ranks}}, at);
}

Update Builder::first_write(Slot dst) {
  const auto index = static_cast<std::size_t>(dst);
  bool before = false;
  for (Slot x = dst; x >= 0; x = s_[x].view_of) before = before || written_[static_cast<std::size_t>(x)];
  written_[index] = true;
  if (before) return Update::accumulate;
  return s_[dst].role == SlotInfo::Role::result ? Update::beta : Update::overwrite;
}

void Builder::reduce(Slot x, Slot dst, int axis, Affine root, Here at) {
  if (!(layout(x).rows == layout(dst).rows && layout(x).cols == layout(dst).cols))
    refuse(at, fmt::format("reduce of {} into {}: their cuts differ", s_[x].name, s_[dst].name));
  push(Reduce{x, dst, axis, std::move(root), first_write(dst)}, at);
}

void Builder::reduce_scatter(Slot x, Slot dst, int axis, How how, Here at) {
  Layout l = layout(dst);
  for (Dim* dim : {&l.cols, &l.rows})
    if (shared_along(*dim, s_.grid, axis)) {
      dim->cuts.pop_back();
      break;
    }
  if (!(l.rows == layout(x).rows && l.cols == layout(x).cols))
    refuse(at, fmt::format("reduce_scatter of {} into {}: expected one more cut along {}", s_[x].name, s_[dst].name,
                           s_.grid.name(axis)));
  if (s_[dst].shape != Uplo::full)
    refuse(at, fmt::format("reduce_scatter of {} into {}: a triangle", s_[x].name, s_[dst].name));
  push(ReduceScatter{x, dst, axis, first_write(dst), how}, at);
}

Slot Builder::fetch(Slot x, Layout layout, Here at) {
  const Slot dst = elements_of(x, std::move(layout));
  push(Redistribute{x, dst, false, first_write(dst)}, at);
  return dst;
}

void Builder::redistribute(Slot x, Slot dst, bool conjugate, Here at) {
  const Layout &a = layout(x), &b = layout(dst);
  if (!(a.rows.extent == b.rows.extent && a.cols.extent == b.cols.extent))
    refuse(at, fmt::format("redistribute of {} to {}: their sizes differ", s_[x].name, s_[dst].name));
  push(Redistribute{x, dst, conjugate, first_write(dst), true}, at);
}

Slot Builder::room_for(Slot x, Dim rows, Dim cols, std::vector<Layout::Where> at, SlotInfo::Role role) {
  Layout l = layout(x);
  l.rows = std::move(rows), l.cols = std::move(cols), l.where = std::move(at);
  const Slot room = elements_of(x, std::move(l));
  s_.slots.back().role = role;
  return room;
}

void Builder::put(Slot x, Slot dst, Here at) {
  if (!(layout(x).rows == layout(dst).rows && layout(x).cols == layout(dst).cols))
    refuse(at, fmt::format("put of {} into {}: their cuts differ", s_[x].name, s_[dst].name));
  first_write(dst);
  push(Add{x, dst, 0, Affine(), {0, s_.grid.extent(0)}, Update::overwrite}, at);
}

void Builder::gemm(Slot A, Slot B, Slot C, Here at) {
  const Layout &a = layout(A), &b = layout(B), &c = layout(C);
  if (!(a.rows == c.rows && a.cols == b.rows && b.cols == c.cols))
    refuse(at, fmt::format("gemm of {}, {} into {}: their cuts do not conform", s_[A].name, s_[B].name, s_[C].name));
  Compute x{Kernel::gemm, A, B, C, first_write(C)};
  x.conjugate_a = to_conjugate(A), x.conjugate_b = to_conjugate(B);
  push(x, at);
}

void Builder::update(Factor factor, Slot A, Op op_a, Slot B, Op op_b, Slot C, Here at) {
  const auto seen = [&](Slot x, Op op) { return op == Op::none ? layout(x) : layout(x).transposed(); };
  const Layout a = seen(A, op_a), b = seen(B, op_b), &c = layout(C);
  if (!(a.rows == c.rows && a.cols == b.rows && b.cols == c.cols))
    refuse(at, fmt::format("update of {} by {}, {}: their cuts do not conform", s_[C].name, s_[A].name, s_[B].name));
  const Kernel kernel = s_[C].shape == Uplo::full ? Kernel::gemm : Kernel::gemmt;
  push(Compute{kernel, A, B, C, first_write(C), factor, op_a, op_b}, at);
}

void Builder::trsm(Side side, Slot A, Op op_a, Diag diag, Slot C, Here at) {
  const Dim &order = layout(A).rows, &solved = side == Side::left ? layout(C).rows : layout(C).cols;
  if (s_[A].shape == Uplo::full || !(order == layout(A).cols) || !(order == solved))
    refuse(at, fmt::format("trsm of {} by {}: expected a triangle as large as it", s_[C].name, s_[A].name));
  first_write(C);
  push(Compute{Kernel::trsm, A, -1, C, Update::overwrite, Factor::one, op_a, Op::none, side, diag}, at);
}

void Builder::scale(Factor factor, Slot C, Here at) {
  first_write(C);
  push(Compute{Kernel::scal, -1, -1, C, Update::overwrite, factor}, at);
}

void Builder::potrf(Slot C, Here at) {
  if (s_[C].shape == Uplo::full || !(layout(C).rows == layout(C).cols))
    refuse(at, fmt::format("potrf of {}: expected a triangle", s_[C].name));
  first_write(C);
  push(Compute{Kernel::potrf, -1, -1, C, Update::overwrite, Factor::one}, at);
}

Schedule Builder::done(Here at) {
  for (auto [mine, caller] : hand_back_)
    push(Redistribute{mine, caller, false, cairn::in_place(s_.problem) ? Update::overwrite : first_write(caller)}, at);
  for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x) {
    if (s_[x].role != SlotInfo::Role::result || s_[x].view_of >= 0) continue;
    bool written = false;
    for (Slot v = x; v < static_cast<Slot>(s_.slots.size()); ++v)
      written = written || (s_.storage(v) == x && written_[static_cast<std::size_t>(v)]);
    if (!written) refuse(at, fmt::format("output {} is never written", s_[x].name));
  }
  return std::move(s_);
}

}  // namespace cairn
