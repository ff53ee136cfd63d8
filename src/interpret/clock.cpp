#include "interpret/clock.hpp"

#include <cmath>

#include "interpret/classes.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

constexpr Int most_exact_ranks = 4096;
constexpr Int most_exact_peers = 128;  // beyond, a redistribution's messages are estimated

// A cell is a combination of one class of coordinates an axis, and stands for all its ranks.
class Clock {
 public:
  Clock(const Schedule& s, const Machine& machine, ScalarType type)
      : s_(s), machine_(machine), type_(type), bytes_(static_cast<double>(size_of(type))) {
    const bool alike = machine.level_of(s.grid.size()) == 0;
    axes_ = classes({&s});
    if (!alike && s.grid.size() <= most_exact_ranks)
      for (int a = 0; a < s.grid.axes(); ++a) each_coordinate(a);
    std::size_t cells = 1;
    stride_.resize(axes_.size());
    for (std::size_t a = axes_.size(); a-- > 0;) {
      stride_[a] = cells;
      cells *= axes_[a].representative.size();
    }
    for_each_class(s.grid, axes_, [&](Int rank, Int) { rank_.push_back(rank); });
    core_.assign(cells, 0);
    net_ = busy_ = computing_ = core_;
    ready_.assign(s.slots.size(), {});
  }

  Times run() {
    for (const LabelledStep& l : s_.steps) {
      for (double& t : core_) t += machine_.step_seconds;
      std::visit(*this, l.step);
    }
    Times t;
    for (std::size_t c = 0; c < core_.size(); ++c) {
      const double end = std::max(core_[c], net_[c]);
      if (c > 0 && end <= t.seconds) continue;
      const double steps = machine_.step_seconds * static_cast<double>(s_.steps.size());
      t = {end, busy_[c], computing_[c], steps, std::max(0.0, end - computing_[c] - steps), rank_[c]};
    }
    return t;
  }

  void operator()(const AllGather& x) {
    exchange(x.axis, x.src, x.dst, false, [&](std::size_t c) { return words(x.dst, c) - words(x.src, c); });
  }
  void operator()(const ReduceScatter& x) {
    const Int others = s_.grid.extent(x.axis) - 1;
    exchange(x.axis, x.src, x.dst, x.update != Update::overwrite,
             [&](std::size_t c) { return words(x.dst, c) * others; });
  }
  void operator()(const Bcast& x) { tree(x.axis, x.src, x.dst, false); }
  void operator()(const Reduce& x) { tree(x.axis, x.src, x.dst, x.update != Update::overwrite); }
  void operator()(const Shift& x) {
    const std::vector<double> core = core_, net = net_, sent = ready(x.src);
    for (std::size_t c = 0; c < core_.size(); ++c) {
      if (!takes_part(s_.grid, rank_[c], x.axis, x.origin, x.who)) continue;
      const Int by = wrap(x.by.at(s_.grid, rank_[c]), s_.grid.extent(x.axis));
      const std::size_t from = cell(c, x.axis, s_.grid.index(rank_[c], x.axis) + by);
      const double start = std::max({core[c], net[c], core[from], net[from], sent[from]});
      const double end = start + (by == 0 ? 0 : message(words(x.dst, c), s_.grid.stride(x.axis) * by));
      busy_[c] += end - start;
      ready(x.dst)[c] = std::max(ready(x.dst)[c], end);
      net_[c] = std::max(net_[c], end);
      net_[from] = std::max(net_[from], end);
    }
  }
  void operator()(const Add& x) {
    for (std::size_t c = 0; c < core_.size(); ++c) {
      if (!takes_part(s_.grid, rank_[c], x.axis, x.origin, x.who)) continue;
      const double before = x.update == Update::overwrite ? 0 : ready(x.dst)[c];
      ready(x.dst)[c] = core_[c] = std::max({core_[c], ready(x.src)[c], before});
    }
  }
  // Everybody with everybody: all wait for the busiest.
  void operator()(const Redistribute& x) {
    double start = 0;
    for (std::size_t c = 0; c < core_.size(); ++c) start = std::max({start, core_[c], net_[c], ready(x.src)[c]});
    double longest = 0;
    for (Int r = 0; r < s_.ranks; ++r) longest = std::max(longest, redistribution(x, r));
    for (std::size_t c = 0; c < core_.size(); ++c) {
      busy_[c] += longest;
      net_[c] = ready(x.dst)[c] = start + longest;
    }
  }
  void operator()(const Gemm& x) {
    const Layout &a = s_.layout(x.A), &c_layout = s_.layout(x.C);
    for (std::size_t c = 0; c < core_.size(); ++c) {
      const double before = x.update == Update::overwrite ? 0 : ready(x.C)[c];
      const double start = std::max({core_[c], ready(x.A)[c], ready(x.B)[c], before});
      const Int r = rank_[c];
      double seconds = 0;
      if (a.live(r))
        seconds = machine_.gemm_seconds(c_layout.rows.size(s_.grid, r), c_layout.cols.size(s_.grid, r),
                                        a.cols.size(s_.grid, r), type_);
      computing_[c] += seconds;
      ready(x.C)[c] = core_[c] = start + seconds;
    }
  }

 private:
  void each_coordinate(int axis) {
    AxisClasses& c = axes_[static_cast<std::size_t>(axis)];
    c = {};
    for (Int i = 0; i < s_.grid.extent(axis); ++i) c.representative.push_back(i);
    c.multiplicity.assign(c.representative.size(), 1);
  }
  std::vector<double>& ready(Slot x) {
    std::vector<double>& times = ready_[static_cast<std::size_t>(s_.storage(x))];
    if (times.empty()) times.assign(core_.size(), 0);
    return times;
  }
  Int words(Slot x, std::size_t c) const { return s_.layout(x).words(rank_[c]); }
  // The cell that holds coordinate `index` of `axis`, otherwise as cell c.
  std::size_t cell(std::size_t c, int axis, Int index) const {
    const auto a = static_cast<std::size_t>(axis);
    const auto& first = axes_[a].representative;
    index = wrap(index, s_.grid.extent(axis));
    const auto now = c / stride_[a] % first.size();
    const auto then = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), index) - first.begin()) - 1;
    return c + then * stride_[a] - now * stride_[a];
  }
  double message(Int words, Int distance) const {
    if (words == 0) return 0;
    const Machine::Level& l = machine_.levels[machine_.level_of(distance + 1)];
    return l.latency_seconds + static_cast<double>(words) * bytes_ * l.seconds_per_byte;
  }
  // Seconds in which a rank gets `words` from the others along an axis, at the levels where they are.
  double from_all(Int rank, int axis, Int words) const {
    const Int q = s_.grid.extent(axis), stride = s_.grid.stride(axis);
    if (q == 1 || words == 0) return 0;
    const Int base = rank - s_.grid.index(rank, axis) * stride;
    const double each = static_cast<double>(words) / static_cast<double>(q - 1) * bytes_;
    double seconds = 0;
    Int nearer = 1;  // the rank itself and those of inner levels
    for (const Machine::Level& l : machine_.levels) {
      Int here = q;
      if (l.ranks > 0) {
        const Int lo = rank / l.ranks * l.ranks - base, hi = lo + l.ranks - 1;  // of the unit, from base
        here = std::min(q - 1, hi / stride) - std::max<Int>(0, (lo + stride - 1) / stride) + 1;
      }
      seconds += static_cast<double>(here - nearer) * (l.latency_seconds + each * l.seconds_per_byte);
      nearer = here;
    }
    return seconds;
  }
  // Calls f(cells of a group) for every group of cells along an axis.
  template <class F>
  void groups(int axis, F f) {
    const auto a = static_cast<std::size_t>(axis);
    std::vector<std::size_t> group(axes_[a].representative.size());
    for (std::size_t c = 0; c < core_.size(); ++c) {
      if (c / stride_[a] % group.size() != 0) continue;
      for (std::size_t i = 0; i < group.size(); ++i) group[i] = c + i * stride_[a];
      f(group);
    }
  }
  double start(const std::vector<std::size_t>& group, Slot src, Slot dst, bool adds) {
    double t = 0;
    for (std::size_t c : group) t = std::max({t, core_[c], net_[c], ready(src)[c], adds ? ready(dst)[c] : 0});
    return t;
  }
  void finish(std::size_t c, Slot dst, double start, double seconds) {
    busy_[c] += seconds;
    net_[c] = ready(dst)[c] = start + seconds;
  }
  template <class Words>
  void exchange(int axis, Slot src, Slot dst, bool adds, Words received) {
    groups(axis, [&](const std::vector<std::size_t>& group) {
      const double t = start(group, src, dst, adds);
      for (std::size_t c : group) finish(c, dst, t, from_all(rank_[c], axis, received(c)));
    });
  }
  // log2 q messages one after another.
  void tree(int axis, Slot src, Slot dst, bool adds) {
    const Int q = s_.grid.extent(axis);
    const double rounds = std::ceil(std::log2(static_cast<double>(q)));
    groups(axis, [&](const std::vector<std::size_t>& group) {
      const double t = start(group, src, dst, adds);
      for (std::size_t c : group) finish(c, dst, t, rounds * message(words(dst, c), s_.grid.stride(axis) * (q - 1)));
    });
  }
  double redistribution(const Redistribute& x, Int rank) const {
    const Layout &src = s_.layout(x.src), &dst = s_.layout(x.dst);
    const Int words = dst.words(rank) - transfer(src, dst, rank, rank).words();
    if (words == 0) return 0;
    Int messages = std::min(s_.ranks - 1, words);
    if (s_.ranks <= most_exact_peers) messages = static_cast<Int>(incoming(src, dst, rank, s_.ranks).size());
    const Machine::Level& l = machine_.levels[machine_.level_of(s_.ranks)];
    return static_cast<double>(messages) * l.latency_seconds + static_cast<double>(words) * bytes_ * l.seconds_per_byte;
  }

  const Schedule& s_;
  const Machine& machine_;
  ScalarType type_;
  double bytes_;
  std::vector<AxisClasses> axes_;
  std::vector<std::size_t> stride_;  // of an axis, in cells
  std::vector<Int> rank_;            // by cell: the rank that represents it
  std::vector<double> core_, net_;   // when the lanes become free
  std::vector<double> busy_, computing_;
  std::vector<std::vector<double>> ready_;  // by storage slot, then cell
};

}  // namespace

Times clock(const Schedule& wire, const Machine& machine, ScalarType type) { return Clock(wire, machine, type).run(); }

}  // namespace cairn
