#include "interpret/even_lines.hpp"

#include <cmath>

namespace cairn {

namespace {

constexpr double many = 8;  // messages a rank
constexpr std::size_t fewest_lines = 32, most_kinds = 64;
constexpr std::size_t most_abreast = 16;  // so that what many steps need stays in the cache
constexpr double rounding = 1e-12;        // of times that differ by a shift

// That a rank receives, as a mean over the line.
double messages(const Passage& p, std::size_t extent) {
  double all = 0;
  for (const Passage::Step& s : p.steps)
    for (const Passage::Hop& h : s.hops)
      if (h.to != h.from) all += static_cast<double>(h.count);
  return all / static_cast<double>(extent);
}
bool is_time(std::size_t track) { return track != Tracks::receiving && track != Tracks::working; }

}  // namespace

void EvenLines::run(const Passage& p, int axis, const std::vector<Layout::Where>& where, const Tracks& t) {
  extent_ = static_cast<std::size_t>(grid_.extent(axis));
  stride_ = static_cast<std::size_t>(grid_.stride(axis));
  const std::vector<std::size_t> lines = first_cells(where);
  const bool heavy = lines.size() >= fewest_lines && messages(p, extent_) >= many;
  if (!heavy || !run_kinds(p, t, lines)) run_all(p, t, lines);
}

std::vector<std::size_t> EvenLines::first_cells(const std::vector<Layout::Where>& where) const {
  std::vector<std::size_t> lines;
  const auto cells = static_cast<std::size_t>(grid_.size()), slab = extent_ * stride_;
  for (std::size_t s = 0; s < cells; s += slab)
    for (std::size_t c = s; c < s + stride_; ++c)
      if (std::all_of(where.begin(), where.end(),
                      [&](const Layout::Where& w) { return grid_.index(static_cast<Int>(c), w.axis) == w.index; }))
        lines.push_back(c);
  return lines;
}

// Lines next to each other abreast.
void EvenLines::run_all(const Passage& p, const Tracks& t, const std::vector<std::size_t>& lines) {
  const std::size_t most = p.steps.size() == 1 ? stride_ : std::min(stride_, most_abreast);
  for (std::size_t i = 0, j; i < lines.size(); i = j) {
    for (j = i + 1; j < lines.size() && j - i < most && lines[j] - lines[i] == j - i;) ++j;
    clock_.run(p, t, {lines[i], stride_, j - i});
  }
}

// Of two lines of one kind, all that happens in the one happens in the other, as much later as it begins.
bool EvenLines::run_kinds(const Passage& p, const Tracks& t, const std::vector<std::size_t>& lines) {
  if (!find_kinds(p, t, lines)) return false;
  const std::size_t kinds = like_.size(), places = extent_ * kinds;
  times_.assign(t.size() * places, 0);
  Tracks of_kinds;
  for (std::size_t l = 0; l < t.size(); ++l) {
    double* const to = of_kinds.all.emplace_back(times_.data() + l * places);
    if (!is_time(l) || l >= Tracks::arrivals + p.old) continue;
    for (std::size_t i = 0; i < extent_; ++i)
      for (std::size_t k = 0; k < kinds; ++k) {
        const std::size_t c = lines[like_[k]] + i * stride_;
        to[i * kinds + k] = std::max(t[l][c], t[Tracks::core][c]);
      }
  }
  std::vector<double> starts;
  for (std::size_t first : lines) starts.push_back(t[Tracks::core][first]);
  clock_.run(p, of_kinds, {0, kinds, kinds});
  for (std::size_t l = 0; l < t.size(); ++l)
    for (std::size_t i = 0; i < extent_; ++i)
      for (std::size_t x = 0; x < lines.size(); ++x) {
        double& time = t[l][lines[x] + i * stride_];
        const double then = of_kinds[l][i * kinds + kind_[x]];
        time = is_time(l) ? then - starts[like_[kind_[x]]] + starts[x] : time + then;
      }
  return true;
}

// Place by place: lines that differ from the line of their kind become new kinds. False if there are too many. What is
// past when the core is free tells nothing.
bool EvenLines::find_kinds(const Passage& p, const Tracks& t, const std::vector<std::size_t>& lines) {
  kind_.assign(lines.size(), 0);
  like_.assign(1, 0);
  std::vector<std::size_t> parted_from{0};  // by kind
  const double* const core = t[Tracks::core];
  for (std::size_t l = 0; l < Tracks::arrivals + p.old; ++l) {
    for (std::size_t i = 0; is_time(l) && i < extent_; ++i) {
      const auto time = [&](std::size_t x) {
        const std::size_t c = lines[x] + i * stride_;
        return std::max(t[l][c], core[c]) - core[lines[x]];
      };
      const std::size_t fresh = like_.size();
      for (std::size_t x = 0; x < lines.size(); ++x) {
        const double most = rounding * core[lines[x]], mine = time(x);
        const auto same = [&](std::size_t k) { return std::abs(mine - time(like_[k])) <= most; };
        if (same(kind_[x])) continue;
        std::size_t k = fresh;
        while (k < like_.size() && !(parted_from[k] == kind_[x] && same(k))) ++k;
        if (k == most_kinds) return false;
        if (k == like_.size()) like_.push_back(x), parted_from.push_back(kind_[x]);
        kind_[x] = k;
      }
    }
  }
  return true;
}

}  // namespace cairn
