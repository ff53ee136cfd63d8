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

void EvenLines::run(const Passage& p, int axis, const std::vector<Layout::Where>& where, const Tracks& t,
                    Lanes& lanes) {
  extent_ = static_cast<std::size_t>(grid_.extent(axis));
  stride_ = static_cast<std::size_t>(grid_.stride(axis));
  find_lines(where);
  account(p, lanes, axis);
  const bool heavy = lines_.size() >= fewest_lines && messages(p, extent_) >= many;
  if (heavy && find_kinds(p, t)) return clock_kinds(p, t);
  for (std::size_t first = 0; first < lines_.size(); first += most_abreast)
    clock_block(p, t, first, std::min(first + most_abreast, lines_.size()));
}

void EvenLines::find_lines(const std::vector<Layout::Where>& where) {
  lines_.clear();
  const auto cells = static_cast<std::size_t>(grid_.size()), slab = extent_ * stride_;
  for (std::size_t s = 0; s < cells; s += slab)
    for (std::size_t c = s; c < s + stride_; ++c)
      if (std::all_of(where.begin(), where.end(),
                      [&](const Layout::Where& w) { return grid_.index(static_cast<Int>(c), w.axis) == w.index; }))
        lines_.push_back(c);
}

// Calls visit(place, line, cell), in the order in which cells lie in memory.
template <class Visit>
void EvenLines::for_each_place(std::size_t first, std::size_t end, Visit visit) const {
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

// What is past when the core is free tells nothing.
void EvenLines::clock_block(const Passage& p, const Tracks& t, std::size_t first, std::size_t end) {
  const std::size_t w = end - first, places = extent_ * w;
  times_.resize(t.size() * places);
  Tracks block;
  for (std::size_t l = 0; l < t.size(); ++l) {
    double* const to = block.all.emplace_back(times_.data() + l * places);
    const double *const from = t[l], *const core = t[Tracks::core];
    if (l < Tracks::arrivals + p.old)
      for_each_place(first, end, [=](std::size_t i, std::size_t x, std::size_t cell) {
        to[i * w + x - first] = std::max(from[cell], core[cell]);
      });
    else
      std::fill_n(to, places, 0.0);
  }
  clock_.run(p, block, w);
  for (std::size_t l = 0; l < t.size(); ++l) {
    const double* const from = block[l];
    double* const to = t[l];
    for_each_place(first, end,
                   [=](std::size_t i, std::size_t x, std::size_t cell) { to[cell] = from[i * w + x - first]; });
  }
}

// All that happens in one line of a kind happens in the others, as much later as they begin.
void EvenLines::clock_kinds(const Passage& p, const Tracks& t) {
  const std::size_t kinds = like_.size(), places = extent_ * kinds;
  times_.assign(t.size() * places, 0);
  Tracks of_kinds;
  for (std::size_t l = 0; l < t.size(); ++l) {
    double* const to = of_kinds.all.emplace_back(times_.data() + l * places);
    for (std::size_t i = 0; l < Tracks::arrivals + p.old && i < extent_; ++i)
      for (std::size_t k = 0; k < kinds; ++k) {
        const std::size_t c = lines_[like_[k]] + i * stride_;
        to[i * kinds + k] = std::max(t[l][c], t[Tracks::core][c]);
      }
  }
  clock_.run(p, of_kinds, kinds);
  std::vector<double> later(lines_.size());
  for (std::size_t x = 0; x < lines_.size(); ++x) later[x] = starts_[x] - starts_[like_[kind_[x]]];
  for (std::size_t l = 0; l < t.size(); ++l)
    for_each_place(0, lines_.size(), [&, from = of_kinds[l], to = t[l]](std::size_t i, std::size_t x, std::size_t cell) {
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

// Where all lines take part, once for all.
void EvenLines::account(const Passage& p, Lanes& lanes, int axis) {
  if (lines_.size() * extent_ == static_cast<std::size_t>(grid_.size())) {
    Lanes::Accounts& all = lanes.by_axis[static_cast<std::size_t>(axis)];
    return PassageClock::account(p, all.receiving.data(), all.working.data());
  }
  Lanes::Accounts line(extent_);
  PassageClock::account(p, line.receiving.data(), line.working.data());
  if (!lines_.empty())
    for_each_place(0, lines_.size(), [&](std::size_t i, std::size_t, std::size_t cell) {
      lanes.accounts.receiving[cell] += line.receiving[i];
      lanes.accounts.working[cell] += line.working[i];
    });
}

}  // namespace cairn
