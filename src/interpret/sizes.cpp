#include "interpret/sizes.hpp"

#include <algorithm>

namespace cairn {

namespace {

std::size_t hash_of(const Dim& dim) {
  std::size_t h = 0;
  const auto mix = [&](Int x) { h = h * 0x9e3779b97f4a7c15U + static_cast<std::size_t>(x) + (h >> 29U); };
  mix(dim.extent.lo);
  mix(dim.extent.hi);
  for (const Cut& c : dim.cuts) {
    mix(static_cast<Int>(c.kind));
    mix(c.parts);
    mix(c.index.constant);
    for (const Affine::Term& t : c.index.terms) mix(t.axis + 16 * t.factor);
  }
  return h;
}

// Axes on which the length of a piece depends. A cut that comes out even makes all pieces alike.
std::vector<int> axes_of(const Dim& dim) {
  std::vector<int> axes;
  Int size = dim.extent.size();  // -1: not the same everywhere
  for (const Cut& cut : dim.cuts) {
    if (cut.joined) size = -1;
    const bool all_alike =
        size >= 0 && cut.kind == Cut::Kind::span && &cut == &dim.cuts.back() && size % cut.parts == 0;
    if (all_alike) continue;
    size = size < 0 ? -1 : same_length(cut, size).value_or(-1);
    if (size >= 0) continue;
    for (const Affine::Term& t : cut.index.terms)
      if (std::find(axes.begin(), axes.end(), t.axis) == axes.end()) axes.push_back(t.axis);
  }
  return axes;
}

// The axis that cuts a dimension; -1 if there is none, or several.
int one_axis(const Dim& dim) {
  int axis = -1;
  for (const Cut& cut : dim.cuts)
    for (const Affine::Term& t : cut.index.terms) {
      if (axis >= 0 && t.axis != axis) return -1;
      axis = t.axis;
    }
  return axis;
}

}  // namespace

Sizes::Sizes(const Schedule& schedule, const Cells& cells)
    : s_(schedule), cells_(cells), words_(schedule.slots.size()) {}

const Sizes::Factor* Sizes::length(const Dim& dim) {
  const std::size_t hash = hash_of(dim);
  for (auto [at, end] = lengths_.equal_range(hash); at != end; ++at)
    if (*at->second.first == dim) return at->second.second;
  const std::vector<int> axes = axes_of(dim);
  Factor f;
  const auto size = [&](Int rank) { return static_cast<double>(dim.size(s_.grid, rank)); };
  if (axes.empty()) {
    f.values = {size(0)};
  } else if (axes.size() == 1) {
    f.axis = axes[0];
    f.values.reserve(cells_.extent(f.axis));
    for (std::size_t i = 0; i < cells_.extent(f.axis); ++i)
      f.values.push_back(size(s_.grid.with(0, f.axis, cells_.coordinate(f.axis, i))));
  } else {
    f.axis = Factor::each_cell;
    f.values.assign(cells_.size(), Factor::unknown);
    f.dim = &dim;
  }
  factors_.push_back(std::move(f));
  lengths_.emplace(hash, std::pair{&dim, &factors_.back()});
  return &factors_.back();
}

const Sizes::Factor* Sizes::condition(const Layout::Where& w) {
  for (const auto& [known, factor] : conditions_)
    if (known == w) return factor;
  Factor f;
  f.axis = w.axis;
  for (std::size_t i = 0; i < cells_.extent(w.axis); ++i)
    f.values.push_back(cells_.coordinate(w.axis, i) == w.index ? 1 : 0);
  factors_.push_back(std::move(f));
  conditions_.emplace_back(w, &factors_.back());
  return &factors_.back();
}

const Sizes::Factor* Sizes::by_cell(Slot x) {
  Factor f;
  f.axis = Factor::each_cell;
  for (std::size_t c = 0; c < cells_.size(); ++c) f.values.push_back(static_cast<double>(s_.words(x, cells_.rank(c))));
  factors_.push_back(std::move(f));
  return &factors_.back();
}

const Sizes::Factor* Sizes::constant(Int value) {
  return &factors_.emplace_back(Factor{Factor::everywhere, {static_cast<double>(value)}});
}

const Sizes::Words& Sizes::words(Slot x) {
  Words& w = words_[static_cast<std::size_t>(x)];
  if (w.rows) return w;
  const Layout& l = s_.layout(x);
  const bool by_layout = !l.blocks && l.grid == s_.grid;
  if (!by_layout || s_[x].sizes) w.found = by_cell(x);
  if (!by_layout) {
    w.rows = w.cols = constant(1);
    return w;
  }
  w.cols = length(l.cols);
  for (const Layout::Where& where : l.where) w.others.push_back(condition(where));
  w.rows = length(l.rows);
  return w;
}

const Sizes::Words& Sizes::travelling(const Move& m) {
  if (travelling_shape(s_, m) == Uplo::full) return words(m.dst);
  const auto [at, fresh] = triangles_.try_emplace(m.dst);
  if (!fresh) return at->second;
  Words& w = at->second = words(m.dst);
  Factor& there = factors_.emplace_back(*w.rows);
  for (std::size_t i = 0; i < there.values.size(); ++i) {
    const double rows = there.axis == Factor::each_cell ? at_cell(there, i) : there.values[i];
    there.values[i] = static_cast<double>(travelling_words(s_, m, static_cast<Int>(rows)));
  }
  w.rows = &there, w.cols = constant(1);
  return w;
}

// Of pieces of panels, many have a length at a few cells only.
double Sizes::at_cell(const Factor& f, std::size_t cell) const {
  double& value = f.values[cell];
  if (value == Factor::unknown) value = static_cast<double>(f.dim->size(s_.grid, cells_.rank(cell)));
  return value;
}

double Sizes::at(const Factor& f, std::size_t cell) const {
  if (f.axis == Factor::everywhere) return f.values[0];
  return f.axis == Factor::each_cell ? at_cell(f, cell) : f.values[cells_.index(cell, f.axis)];
}

double Sizes::at(const Words& w, std::size_t cell) const {
  if (w.found) return at(*w.found, cell);
  double words = at(*w.rows, cell) * at(*w.cols, cell);
  for (const Factor* f : w.others) words *= at(*f, cell);
  return words;
}

Sizes::Part Sizes::where(const Words& w, std::size_t strip, std::size_t count) const {
  Part part{0, count};
  for (const Factor* f : w.others) {
    const double* const holds = &f->values[cells_.index(strip, f->axis)];
    if (uniform(*f) && *holds == 0) return {};
    if (uniform(*f)) continue;
    for (; part.count > 0 && holds[part.first] == 0; --part.count) ++part.first;
    while (part.count > 0 && holds[part.first + part.count - 1] == 0) --part.count;
  }
  return part;
}

WorkSizes Sizes::work(const Compute& x, std::size_t cell) {
  if (words(x.C).found || (x.A >= 0 && words(x.A).found)) return sizes_at(s_, x, cells_.rank(cell));
  const auto size = [&](Slot slot, const Factor* Words::*dim) {
    const Words& w = words(slot);
    const auto is_there = [&](const Factor* f) { return at(*f, cell) != 0; };
    return std::all_of(w.others.begin(), w.others.end(), is_there) ? static_cast<Int>(at(*(w.*dim), cell)) : 0;
  };
  return sizes_by(
      s_, x, [&](Slot slot) { return size(slot, &Words::rows); }, [&](Slot slot) { return size(slot, &Words::cols); },
      [&](Slot slot) { return counted_at(slot, cell); });
}

Int Sizes::counted_at(Slot x, std::size_t cell) {
  const Layout& l = s_.layout(x);
  if (x != triangle_) {
    triangle_ = x;
    for (auto [dim, known] : {std::pair{&l.rows, &rows_}, {&l.cols, &cols_}}) {
      *known = {dim, one_axis(*dim), {}};
      if (known->axis >= 0) known->known.resize(cells_.extent(known->axis));
    }
  }
  const auto indices = [&](Indices& of, IndexSet& found) -> const IndexSet& {
    if (of.axis < 0) return found = of.dim->at(s_.grid, cells_.rank(cell));
    std::optional<IndexSet>& known = of.known[cells_.index(cell, of.axis)];
    return known ? *known : known.emplace(of.dim->at(s_.grid, cells_.rank(cell)));
  };
  IndexSet rows, cols;
  return counted(s_[x].shape, indices(rows_, rows), indices(cols_, cols));
}

bool Sizes::uniform(const Words& w) const {
  return !w.found && uniform(*w.rows) && uniform(*w.cols) &&
         std::all_of(w.others.begin(), w.others.end(), [this](const Factor* f) { return uniform(*f); });
}

void Sizes::multiply(const Factor& f, std::size_t first, std::size_t count, double* out) const {
  if (f.axis == Factor::each_cell) {
    for (std::size_t i = 0; i < count; ++i) out[i] *= at_cell(f, first + i);
  } else if (!uniform(f)) {
    const double* values = f.values.data() + cells_.index(first, f.axis);
    for (std::size_t i = 0; i < count; ++i) out[i] *= values[i];
  } else if (const double value = at(f, first); value != 1) {
    for (std::size_t i = 0; i < count; ++i) out[i] *= value;
  }
}

void Sizes::fill(const Words& w, std::size_t first, std::size_t count, double* out) const {
  std::fill_n(out, count, 1.0);
  if (w.found) return multiply(*w.found, first, count, out);
  multiply(*w.rows, first, count, out);
  multiply(*w.cols, first, count, out);
  for (const Factor* f : w.others) multiply(*f, first, count, out);
}

}  // namespace cairn
