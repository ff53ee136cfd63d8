#include "interpret/even_lines.hpp"

#include <cmath>

namespace cairn {

namespace {

constexpr double many = 8;  // messages a rank
constexpr std::size_t fewest_lines = 32;
constexpr std::size_t worth_it = 16;     // lines for each kind
constexpr std::size_t most_abreast = 8;  // so that what many steps need stays in the cache
constexpr double rounding = 1e-12;       // of times that differ by a shift

// That a rank receives, as a mean over the line.
double messages(const Passage& p, std::size_t extent) {
  double all = 0;
  for (const Passage::Step& s : p.steps)
    for (const Passage::Hop& h : s.hops)
      if (h.to != h.from) all += static_cast<double>(h.count);
  return all / static_cast<double>(extent);
}

}  // namespace

std::size_t EvenLines::run(std::size_t first, bool only_account) {
  std::vector<EvenMove> moves;
  std::size_t end = first;
  for (; end < c_.does.size() && as_move(c_.does[end]); ++end) {
    EvenMove e = *even_move(c_, *as_move(c_.does[end]));
    if (end > first && (e.axis != moves[0].axis || e.where != moves[0].where)) break;
    moves.push_back(std::move(e));
  }
  Passage p(c_, arrivals_, first, end);
  for (std::size_t t = 0; t < moves.size(); ++t) p.steps[t].hops = hops_.of(moves[t]);
  account(p, moves[0]);
  if (only_account) return end;
  find_lines(moves[0].axis, moves[0].where);
  const Tracks t = tracks(p, lanes_, arrivals_, posts_);
  const bool heavy = lines_.size() >= fewest_lines && messages(p, extent_) >= many;
  if (heavy && find_kinds(p, t)) {
    clock_kinds(p, t);
    return end;
  }
  for (std::size_t x = 0; x < lines_.size(); x += most_abreast)
    clock_block(p, t, x, std::min(x + most_abreast, lines_.size()));
  return end;
}

void EvenLines::find_lines(int axis, const std::vector<Layout::Where>& where) {
  extent_ = static_cast<std::size_t>(c_.s.grid.extent(axis));
  stride_ = static_cast<std::size_t>(c_.s.grid.stride(axis));
  lines_.clear();
  const auto cells = static_cast<std::size_t>(c_.s.grid.size()), slab = extent_ * stride_;
  for (std::size_t s = 0; s < cells; s += slab)
    for (std::size_t c = s; c < s + stride_; ++c)
      if (std::all_of(where.begin(), where.end(),
                      [&](const Layout::Where& w) { return c_.s.grid.index(static_cast<Int>(c), w.axis) == w.index; }))
        lines_.push_back(c);
}

void EvenLines::account(const Passage& p, const EvenMove& like) {
  std::vector<int> axes;
  Int at = 0, entries = 1;
  for (const Layout::Where& w : like.where) axes.push_back(w.axis), at = at * c_.s.grid.extent(w.axis) + w.index;
  axes.push_back(like.axis);
  for (int a : axes) entries *= c_.s.grid.extent(a);
  auto of = std::find_if(accounts_.begin(), accounts_.end(), [&](const Account& a) { return a.axes == axes; });
  if (of == accounts_.end()) {
    const std::vector<double> none(static_cast<std::size_t>(entries), 0);
    of = accounts_.insert(of, {axes, none, none});
  }
  const Int first = at * c_.s.grid.extent(like.axis);
  cairn::account(p, of->receiving.data() + first, of->working.data() + first);
}

void EvenLines::add_up() {
  for (const Account& a : accounts_)
    for (Int rank = 0; rank < c_.s.grid.size(); ++rank) {
      Int at = 0;
      for (int axis : a.axes) at = at * c_.s.grid.extent(axis) + c_.s.grid.index(rank, axis);
      lanes_.receiving[static_cast<std::size_t>(rank)] += a.receiving[static_cast<std::size_t>(at)];
      lanes_.working[static_cast<std::size_t>(rank)] += a.working[static_cast<std::size_t>(at)];
    }
}

// Calls visit(place, line, cell), in the order in which cells lie in memory.
template <class Visit>
void EvenLines::for_each_place(std::size_t first, std::size_t end, Visit visit) const {
  if (first == end) return;
  const std::size_t extent = extent_, stride = stride_, *const lines = lines_.data();
  if (stride == 1) {
    for (std::size_t x = first; x < end; ++x)
      for (std::size_t i = 0, cell = lines[x]; i < extent; ++i) visit(i, x, cell + i);
  } else if (lines[end - 1] - lines[first] == end - 1 - first) {
    for (std::size_t i = 0; i < extent; ++i)
      for (std::size_t x = first, cell = lines[first] + i * stride - first; x < end; ++x) visit(i, x, cell + x);
  } else {
    for (std::size_t i = 0; i < extent; ++i)
      for (std::size_t x = first; x < end; ++x) visit(i, x, lines[x] + i * stride);
  }
}

// Room for the times of so many lines; what is received from now on has not arrived.
Tracks EvenLines::abreast(const Passage& p, std::size_t lines) {
  const std::size_t places = extent_ * lines, size = Tracks::arrivals + p.values.size();
  times_.resize((size + 1) * places);
  Tracks t{{}, times_.data() + size * places};
  for (std::size_t l = 0; l < size; ++l) t.all.push_back(times_.data() + l * places);
  std::fill(times_.begin() + static_cast<std::ptrdiff_t>((Tracks::arrivals + p.old) * places), times_.end(), 0.0);
  return t;
}

// What is past when the core is free tells nothing.
void EvenLines::clock_block(const Passage& p, const Tracks& t, std::size_t first, std::size_t end) {
  const std::size_t w = end - first;
  const Tracks block = abreast(p, w);
  for (std::size_t l = 0; l < Tracks::arrivals + p.old; ++l)
    for_each_place(
        first, end,
        [=, to = block[l], from = t[l], core = t[Tracks::core]](std::size_t i, std::size_t x, std::size_t cell) {
          to[i * w + x - first] = std::max(from[cell], core[cell]);
        });
  go_through(p, block, w);
  for (std::size_t l = 0; l < t.size(); ++l)
    for_each_place(first, end, [=, to = t[l], from = block[l]](std::size_t i, std::size_t x, std::size_t cell) {
      to[cell] = from[i * w + x - first];
    });
}

// All that happens in one line of a kind happens in the others, as much later as they begin.
void EvenLines::clock_kinds(const Passage& p, const Tracks& t) {
  const std::size_t kinds = like_.size();
  const Tracks one_each = abreast(p, kinds);
  for (std::size_t l = 0; l < Tracks::arrivals + p.old; ++l)
    for (std::size_t i = 0; i < extent_; ++i)
      for (std::size_t k = 0; k < kinds; ++k) {
        const std::size_t c = lines_[like_[k]] + i * stride_;
        one_each[l][i * kinds + k] = std::max(t[l][c], t[Tracks::core][c]);
      }
  go_through(p, one_each, kinds);
  std::vector<double> later(lines_.size());
  for (std::size_t x = 0; x < lines_.size(); ++x) later[x] = starts_[x] - starts_[like_[kind_[x]]];
  for (std::size_t l = 0; l < t.size(); ++l)
    for_each_place(0, lines_.size(),
                   [&, to = t[l], from = one_each[l]](std::size_t i, std::size_t x, std::size_t cell) {
                     to[cell] = from[i * kinds + kind_[x]] + later[x];
                   });
}

// Place by place: lines that differ from the line of their kind become new kinds. False if there are too many.
bool EvenLines::find_kinds(const Passage& p, const Tracks& t) {
  starts_.clear();
  for (std::size_t first : lines_) starts_.push_back(t[Tracks::core][first]);
  kind_.assign(lines_.size(), 0);
  like_.assign(1, 0);
  std::vector<std::size_t> parted_from{0};  // by kind
  for (std::size_t l = 0; l < Tracks::arrivals + p.old; ++l)
    for (std::size_t i = 0; i < extent_; ++i) {
      const auto time = [&](std::size_t x) {
        const std::size_t c = lines_[x] + i * stride_;
        return std::max(t[l][c], t[Tracks::core][c]) - starts_[x];
      };
      const std::size_t fresh = like_.size();
      for (std::size_t x = 0; x < lines_.size(); ++x) {
        const double most = rounding * starts_[x], mine = time(x);
        const auto same = [&](std::size_t k) { return std::abs(mine - time(like_[k])) <= most; };
        if (same(kind_[x])) continue;
        std::size_t k = fresh;
        while (k < like_.size() && !(parted_from[k] == kind_[x] && same(k))) ++k;
        if (k * worth_it >= lines_.size()) return false;
        if (k == like_.size()) like_.push_back(x), parted_from.push_back(kind_[x]);
        kind_[x] = k;
      }
    }
  return true;
}

}  // namespace cairn
