#include "interpret/even_lines.hpp"

#include <cmath>

namespace cairn {

namespace {

constexpr double many = 8;  // messages a rank
constexpr std::size_t fewest_lines = 32;
constexpr std::size_t most_kinds = 64;
constexpr double rounding = 1e-12;  // of times that differ by a shift
constexpr std::size_t core = 0, in = 1, out = 2, arrivals = 3;

void wait(double* __restrict cores, const double* __restrict until, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) cores[i] = std::max(cores[i], until[i]);
}
void add(double* cores, double seconds, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) cores[i] += seconds;
}

}  // namespace

void EvenLines::run(const LineProgram& p) {
  extent_ = static_cast<std::size_t>(grid_.extent(p.axis));
  stride_ = static_cast<std::size_t>(grid_.stride(p.axis));
  kinds_.clear();
  lane_ = {lanes_.core.data(), lanes_.in.data(), lanes_.out.data()};
  for (Slot x : p.storages) lane_.push_back(arrivals_.make(static_cast<std::size_t>(x)));
  const std::vector<std::size_t> lines = first_cells(p);
  const bool heavy = p.messages >= many && lines.size() >= fewest_lines;
  for (std::size_t i = 0; i < lines.size(); i += most_abreast) {
    load(p, &lines[i], std::min(most_abreast, lines.size() - i));
    if (heavy)
      clock_kinds(p);
    else
      clock(p, block_);
    store(&lines[i]);
  }
}

std::vector<std::size_t> EvenLines::first_cells(const LineProgram& p) const {
  std::vector<std::size_t> lines;
  const auto cells = static_cast<std::size_t>(grid_.size()), slab = extent_ * stride_;
  for (std::size_t s = 0; s < cells; s += slab)
    for (std::size_t c = s; c < s + stride_; ++c)
      if (std::all_of(p.where.begin(), p.where.end(),
                      [&](const Layout::Where& w) { return grid_.index(static_cast<Int>(c), w.axis) == w.index; }))
        lines.push_back(c);
  return lines;
}

// What is past when the core is free tells nothing.
void EvenLines::load(const LineProgram& p, const std::size_t* lines, std::size_t count) {
  block_.abreast = count;
  block_.places = extent_ * count;
  block_.times.assign(lane_.size() * block_.places, 0);
  for (std::size_t l = 0; l < arrivals + p.old; ++l) {
    double* const to = block_.of(l);
    const double *const from = lane_[l], *const free = lane_[core];
    for_each_place(lines, [=](std::size_t place, std::size_t cell) { to[place] = std::max(from[cell], free[cell]); });
  }
}

void EvenLines::store(const std::size_t* lines) {
  for (std::size_t l = 0; l < lane_.size(); ++l) {
    double* const to = lane_[l];
    const double* const from = block_.of(l);
    for_each_place(lines, [=](std::size_t place, std::size_t cell) { to[cell] = from[place]; });
  }
}

// In the order in which cells lie in memory.
template <class Visit>
void EvenLines::for_each_place(const std::size_t* lines, Visit visit) const {
  const std::size_t w = block_.abreast, extent = extent_, stride = stride_;
  const bool adjacent = lines[w - 1] - lines[0] == w - 1;
  if (stride == 1) {
    for (std::size_t x = 0; x < w; ++x)
      for (std::size_t i = 0, first = lines[x]; i < extent; ++i) visit(i * w + x, first + i);
  } else if (adjacent) {
    for (std::size_t i = 0; i < extent; ++i)
      for (std::size_t x = 0, first = lines[0] + i * stride; x < w; ++x) visit(i * w + x, first + x);
  } else {
    for (std::size_t i = 0; i < extent; ++i)
      for (std::size_t x = 0; x < w; ++x) visit(i * w + x, lines[x] + i * stride);
  }
}

void EvenLines::clock(const LineProgram& p, Block& b) {
  const std::size_t w = b.abreast;
  for (const LineProgram::Step& s : p.steps) {
    const auto wait_on = [&](double* lane) {
      for (std::size_t x : s.reads)
        for (const LineProgram::Hop& h : s.hops) wait(lane + h.from * w, b.of(arrivals + x) + h.from * w, h.count * w);
    };
    if (!s.ahead) wait_on(b.of(core));
    for (const LineProgram::Hop& h : s.hops) {
      if (h.overhead > 0) add(b.of(core) + h.from * w, h.overhead, h.count * w);
      if (s.work + h.overhead > 0) add(b.of(core) + h.to * w, s.work + h.overhead, h.count * w);
    }
    if (!s.shift) continue;
    double* const arrive = b.of(arrivals + s.storage);
    const double* posts = b.of(core);
    if (s.ahead) {
      posts_.assign(posts, posts + b.places);
      wait_on(posts_.data());
      posts = posts_.data();
    }
    for (const LineProgram::Hop& h : s.hops)
      pass({b.of(core) + h.to * w, posts + h.from * w, b.of(out) + h.from * w, b.of(in) + h.to * w, arrive + h.to * w},
           h.count * w, h.port, h.latency);
  }
}

void EvenLines::clock_kinds(const LineProgram& p) {
  const std::size_t w = block_.abreast;
  std::vector<double> starts(block_.of(core), block_.of(core) + w);
  for (std::size_t x = 0; x < w; ++x) {
    const Kind* k = known(x, arrivals + p.old);
    Kind own;
    if (!k) {
      own = clock_one(p, x);
      k = kinds_.size() < most_kinds ? &kinds_.emplace_back(std::move(own)) : &own;
    }
    double* const to = block_.times.data() + x;
    for (std::size_t i = 0; i < k->after.size(); ++i) to[i * w] = k->after[i] + starts[x];
  }
}

const EvenLines::Kind* EvenLines::known(std::size_t line, std::size_t lanes) const {
  const std::size_t w = block_.abreast;
  const double* const at = block_.times.data() + line;
  for (const Kind& k : kinds_) {
    const double most = rounding * std::max(k.start, *at);
    const auto differs = [&](std::size_t i) { return !(std::abs(at[i * w] - *at - k.before[i]) <= most); };
    std::size_t i = 0;
    while (i < lanes * extent_ && !differs(i)) ++i;
    if (i == lanes * extent_) return &k;
  }
  return nullptr;
}

EvenLines::Kind EvenLines::clock_one(const LineProgram& p, std::size_t line) {
  Kind k;
  one_.abreast = 1;
  one_.places = extent_;
  one_.times.resize(lane_.size() * extent_);
  for (std::size_t i = 0; i < one_.times.size(); ++i) one_.times[i] = block_.times[i * block_.abreast + line];
  k.start = one_.times[0];
  const auto from_start = [&](std::size_t lanes) {
    std::vector<double> all(one_.times.begin(), one_.times.begin() + static_cast<std::ptrdiff_t>(lanes * extent_));
    for (double& time : all) time -= k.start;
    return all;
  };
  k.before = from_start(arrivals + p.old);
  clock(p, one_);
  k.after = from_start(lane_.size());
  return k;
}

}  // namespace cairn
