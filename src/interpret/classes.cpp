#include "interpret/classes.hpp"

#include <set>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// Collects, for every axis, the coordinates at which something may change.
class Boundaries {
 public:
  explicit Boundaries(const Grid& grid)
      : grid_(grid), at_(static_cast<std::size_t>(grid.axes())), all_(at_.size(), false) {}

  void all(int axis) { all_[static_cast<std::size_t>(axis)] = true; }
  void all(const Affine& a) {
    for (const Affine::Term& t : a.terms) all(t.axis);
  }
  void at(int axis, Int index) { at_[static_cast<std::size_t>(axis)].insert(wrap(index, grid_.extent(axis))); }

  void dim(const Dim& dim) {
    std::set<Int> sizes{dim.extent.size()};  // possible lengths of a piece so far
    bool known = true;
    for (const Cut& cut : dim.cuts) {
      known = known && !cut.joined;
      const std::optional<Int> same = known && sizes.size() == 1 ? same_length(cut, *sizes.begin()) : std::nullopt;
      if (same) {
        sizes = {*same};
        continue;
      }
      const bool even = cut.kind == Cut::Kind::even, each = cut.kind == Cut::Kind::each;
      if (even && known)
        even_cut(cut, sizes);
      else if (known && sizes.size() == 1 && cut.kind == Cut::Kind::cyclic && cut.first == cut.block)
        cyclic_cut(cut, *sizes.begin());
      else if (!each)
        all(cut.index);
      known = known && (even || each);
      std::set<Int> next;
      for (Int s : sizes) {
        next.insert(s / cut.parts);
        next.insert(ceil_div(s, cut.parts));
      }
      sizes.swap(next);
    }
  }
  void slot(const SlotInfo& slot) {
    if (!(slot.layout.grid == grid_) || slot.layout.blocks || slot.sizes) {
      for (int a = 0; a < grid_.axes(); ++a) all(a);
      return;
    }
    dim(slot.layout.rows);
    dim(slot.layout.cols);
    for (Layout::Where w : slot.layout.where) at(w.axis, w.index), at(w.axis, w.index + 1);
  }
  // How many elements of a rank's part count depends on where they are.
  void triangle(const Layout& result, Kernel kernel) {
    for (const Dim* dim : {&result.rows, &result.cols})
      for (const Cut& cut : dim->cuts)
        if (kernel == Kernel::gemmt) all(cut.index);
  }
  // Coordinates that a root, or a range counted from an origin, singles out.
  void range(int axis, const Affine& origin, const Who& who) {
    if (!origin.terms.empty() || who.run < who.every) {
      all(origin);
      return all(axis);
    }
    at(axis, origin.constant);
    at(axis, origin.constant + who.lo);
    at(axis, origin.constant + who.hi);
  }
  void effect(const Schedule& s, const Effect& e) {
    if (const Compute* x = as_compute(e)) triangle(s.layout(x->C), x->kernel);
    const Move* const m = as_move(e);
    if (!m) return;
    if (m->from == Move::From::root) range(m->axis, m->origin, {0, 1});
    if (m->everybody_takes_part(grid_) && m->from != Move::From::one) return;
    range(m->axis, m->origin, m->who);
    if (m->stays()) return;
    all(m->by);
    Who senders = m->who;
    senders.lo += m->by.constant, senders.hi += m->by.constant;
    range(m->axis, m->origin, senders);
  }

  std::vector<AxisClasses> classes() const {
    std::vector<AxisClasses> result(at_.size());
    for (int a = 0; a < grid_.axes(); ++a) {
      AxisClasses& c = result[static_cast<std::size_t>(a)];
      std::set<Int> starts = at_[static_cast<std::size_t>(a)];
      starts.insert(0);
      for (Int i = 0; all_[static_cast<std::size_t>(a)] && i < grid_.extent(a); ++i) starts.insert(i);
      c.representative.assign(starts.begin(), starts.end());
      for (std::size_t i = 0; i < c.representative.size(); ++i)
        c.multiplicity.push_back((i + 1 < c.representative.size() ? c.representative[i + 1] : grid_.extent(a)) -
                                 c.representative[i]);
    }
    return result;
  }

 private:
  void even_cut(const Cut& cut, const std::set<Int>& sizes) {
    if (cut.index.terms.empty()) return;
    const Affine::Term t = cut.index.terms.front();
    if (cut.index.terms.size() > 1 || t.factor != 1 || cut.parts != grid_.extent(t.axis)) return all(cut.index);
    at(t.axis, -cut.index.constant);
    for (Int s : sizes) at(t.axis, s % cut.parts - cut.index.constant);
  }

  // Some pieces have one block more than others, and one may end with a shorter one.
  void cyclic_cut(const Cut& cut, Int size) {
    if (cut.index.terms.size() != 1) return all(cut.index);
    const Affine::Term t = cut.index.terms.front();
    if (t.factor != 1 || cut.parts != grid_.extent(t.axis)) return all(cut.index);
    const Int blocks = size / cut.block;
    for (Int index : {Int{0}, blocks % cut.parts, blocks % cut.parts + 1}) at(t.axis, index - cut.index.constant);
  }

  const Grid& grid_;
  std::vector<std::set<Int>> at_;
  std::vector<bool> all_;
};

}  // namespace

std::optional<Int> same_length(const Cut& cut, Int length) {
  if (length % cut.parts != 0) return std::nullopt;
  const Int even = length / cut.parts;
  switch (cut.kind) {
    case Cut::Kind::even:
    case Cut::Kind::each: return even;
    case Cut::Kind::group: return cut.parts % cut.block == 0 ? std::optional(even * cut.block) : std::nullopt;
    case Cut::Kind::cyclic:
      return cut.first == cut.block && even % cut.block == 0 ? std::optional(std::min(even, cut.block)) : std::nullopt;
    default: return std::nullopt;
  }
}

std::vector<AxisClasses> classes(const std::vector<const Schedule*>& schedules) {
  Boundaries boundaries(schedules.front()->grid);
  for (const Schedule* s : schedules) {
    for (const SlotInfo& slot : s->slots) boundaries.slot(slot);
    for (const Effect& e : effects(*s)) boundaries.effect(*s, e);
  }
  return boundaries.classes();
}

std::vector<AxisClasses> size_classes(const Schedule& s) {
  Boundaries boundaries(s.grid);
  for (const SlotInfo& slot : s.slots)
    if (slot.view_of < 0) boundaries.slot(slot);
  for (const Effect& e : effects(s))
    if (sums(e)) boundaries.slot(s[as_move(e)->dst]);
  return boundaries.classes();
}

std::vector<AxisClasses> each_coordinate(const Grid& grid) {
  std::vector<AxisClasses> axes(static_cast<std::size_t>(grid.axes()));
  for (int a = 0; a < grid.axes(); ++a) {
    AxisClasses& c = axes[static_cast<std::size_t>(a)];
    for (Int i = 0; i < grid.extent(a); ++i) c.representative.push_back(i);
    c.multiplicity.assign(c.representative.size(), 1);
  }
  return axes;
}

Int combinations(const std::vector<AxisClasses>& axes) {
  Int product = 1;
  for (const AxisClasses& a : axes) product *= static_cast<Int>(a.representative.size());
  return product;
}

void for_each_class(const Grid& grid, const std::vector<AxisClasses>& axes,
                    const std::function<void(Int, Int)>& visit) {
  std::vector<std::size_t> at(axes.size(), 0);
  const Int total = combinations(axes);
  for (Int n = 0; n < total; ++n) {
    Int rank = 0, count = 1;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      rank += axes[a].representative[at[a]] * grid.stride(static_cast<int>(a));
      count *= axes[a].multiplicity[at[a]];
    }
    visit(rank, count);
    for (std::size_t a = axes.size(); a-- > 0;) {
      if (++at[a] < axes[a].representative.size()) break;
      at[a] = 0;
    }
  }
}

}  // namespace cairn
