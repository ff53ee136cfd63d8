#include "interpret/clock_shared.hpp"

#include <algorithm>

#include "interpret/redistribution.hpp"
#include "schedule/shared/node_values.hpp"

namespace cairn {

namespace {

// As SharedCompiler lowers the schedule: before its part of a step a rank says how far it is, waits for what it
// received, and for those whose memory it is going to touch.
class SharedClock {
 public:
  SharedClock(const Schedule& s, const std::vector<int>& node_of, const Machine& machine, ScalarType type)
      : s_(s),
        machine_(machine),
        shared_(machine.shared.value_or(Machine::Shared{})),
        type_(type),
        bytes_(static_cast<double>(size_of(type))),
        sharing_(s, node_of) {
    for (int node = 0; node < sharing_.nodes(); ++node)
      values_.emplace_back(sharing_, node, std::vector<bool>(s.slots.size(), false));
    ranks_.resize(static_cast<std::size_t>(s.ranks));
    for (Rank& r : ranks_) r.reached.assign(2 * s.steps.size() + 2, 0);
  }

  Times run() {
    for (step_ = 0; step_ < s_.steps.size(); ++step_) {
      for (Rank& r : ranks_) announce(r);
      const Effect& step = sharing_.does(step_);
      if (const Redistribute* x = as_redistribution(step)) redistribute(*x);
      for (Int rank = 0; rank < s_.grid.size(); ++rank) {
        if (handing_axis(step) >= 0) hand(rank, step);
        if (summing_axis(step) >= 0) add_for_others(rank, step);
        if (const Move* m = as_move(step); m && m->stays()) add(rank, *m);
        if (const Compute* x = as_compute(step)) multiply(rank, *x);
      }
      travel(step);
      for (Int rank = 0; rank < s_.grid.size() && summing_axis(step) >= 0; ++rank) add_own(rank, step);
    }
    for (Rank& r : ranks_) announce(r);
    return last();
  }

 private:
  struct Arrival {
    double at;
    std::size_t until;  // first step that needs it
  };
  struct Rank {
    double core = 0, in = 0, out = 0;  // the core's and the ports' time
    double computing = 0, working = 0, receiving = 0;
    std::vector<double> reached;  // by phase, when
    std::vector<Arrival> arrivals;
    bool waits = false;  // for others, in this step

    void work(double seconds) { core += seconds, working += seconds; }
  };

  Rank& at(Int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  const NodeValues& node(Int rank) const { return values_[static_cast<std::size_t>(sharing_.node(rank))]; }
  double copy_seconds(Int words) const { return static_cast<double>(words) * bytes_ * machine_.copy_seconds_per_byte; }

  void announce(Rank& r) {
    r.reached[2 * step_] = r.core;
    std::erase_if(r.arrivals, [&](const Arrival& a) {
      if (a.until > step_) return false;
      r.core = std::max(r.core, a.at);
      return true;
    });
    r.reached[2 * step_ + 1] = r.core;
    r.waits = false;
  }
  void await(Int rank, Int peer, Phase phase) {
    if (peer == rank || phase <= 0) return;
    Rank& r = at(rank);
    if (!r.waits) r.work(shared_.wait_seconds);
    r.waits = true;
    r.core = std::max(r.core, at(peer).reached[static_cast<std::size_t>(phase)]);
  }
  void vacated(Int rank, Phase phase) {
    for (Int r : sharing_.members(sharing_.node(rank))) await(rank, r, phase);
  }
  void writes(Int rank, Slot x) {
    const NodeValues& values = node(rank);
    vacated(rank, values.place(values.array(s_.storage(x), rank)).vacated);
  }
  // Waits for what the tiles hold; returns what reading them from the caller's or from others' memory adds.
  double reads(Int rank, const std::vector<Tile>& tiles) {
    double seconds = 0;
    for (const Tile& t : tiles) {
      const Place& p = node(rank).place(t.place);
      await(rank, p.rank, node(rank).ready(p, step_));
      const double bytes = static_cast<double>(t.part.words()) * bytes_;
      if (!p.in_heap) seconds += bytes * machine_.read_seconds_per_byte;
      if (p.rank != rank) seconds += bytes * shared_.read_seconds_per_byte;
    }
    return seconds;
  }

  void hand(Int rank, const Effect& step) {
    const Access a = access(step);
    const NodeValues& values = node(rank);
    Rank& r = at(rank);
    const auto copy = [&](const Region& part) {
      r.work(reads(rank, values.part(a.reads[0], rank, part)) + copy_seconds(part.words()));
    };
    const double before = r.core;
    if (sharing_.handed(a.writes)) {
      for (std::size_t p : values.pieces(step_)) {
        const Place& piece = values.place(p);
        if (piece.rank != rank) continue;
        vacated(rank, piece.vacated);
        if (piece.kind == Place::Kind::copied) copy({piece.rows, piece.cols});
      }
    } else {
      writes(rank, a.writes);
      for (const Source& from : sharing_.sources(step, rank))
        if (from.rank == rank) copy(from.part);
    }
    if (r.core > before) r.work(machine_.step_seconds);
  }

  void add(Int rank, const Move& x) {
    if (!x.takes_part(s_.grid, rank)) return;
    const Layout& l = s_.layout(x.dst);
    writes(rank, x.dst);
    const double far = reads(rank, node(rank).part(x.src, rank, {l.rows_at(rank), l.cols_at(rank)}));
    at(rank).work(machine_.step_seconds + far + copy_seconds(l.words(rank)));
  }

  // The node's other partial sums of a part, onto this rank's.
  void add_peers(Int rank, const Effect& step, const Region& part) {
    const Slot src = access(step).reads[0];
    const int axis = summing_axis(step);
    for (Int i = 1; i < s_.grid.extent(axis); ++i) {
      const Int peer = s_.grid.with(rank, axis, s_.grid.index(rank, axis) + i);
      if (!sharing_.same_node(peer, rank)) continue;
      const double far = reads(rank, {{node(rank).array(s_.storage(src), peer), part}});
      at(rank).work(far + copy_seconds(part.words()));
    }
  }
  void add_for_others(Int rank, const Effect& step) {
    if (!sharing_.sums_in_node(step_)) return;
    for (const Hop& hop : sharing_.leaving(step_, rank)) add_peers(rank, step, hop.part);
  }
  // What came from other nodes has arrived.
  void add_own(Int rank, const Effect& step) {
    Rank& r = at(rank);
    for (const Source& owner : sharing_.owners(step, rank)) {
      if (owner.rank != rank) continue;
      writes(rank, access(step).writes);
      r.work(machine_.step_seconds + copy_seconds(owner.part.words()));
      for (const Arrival& a : r.arrivals) r.core = std::max(r.core, a.until == step_ ? a.at : 0);
      for (const Hop& hop : sharing_.arriving(step_, rank)) r.work(copy_seconds(hop.part.words()));
      if (sharing_.sums_in_node(step_)) add_peers(rank, step, owner.part);
    }
  }

  // Messages between ranks: all are posted, then each keeps both its ends' ports.
  void travel(const Effect& step) {
    if (handing_axis(step) < 0 && summing_axis(step) < 0) return;
    const bool sums = summing_axis(step) >= 0;
    const std::size_t until = sums ? step_ : sharing_.next_use(access(step).writes, step_);
    std::vector<Hop> hops;
    for (Int rank = 0; rank < s_.grid.size(); ++rank) {
      const std::vector<Hop> mine = sharing_.arriving(step_, rank);
      hops.insert(hops.end(), mine.begin(), mine.end());
    }
    for (const Hop& hop : hops)
      for (Int end : {hop.from, hop.to}) at(end).work(level(hop).overhead_seconds);
    for (const Hop& hop : hops) {
      Rank &from = at(hop.from), &to = at(hop.to);
      const double port = level(hop).port_seconds(static_cast<double>(hop.part.words()) * bytes_);
      const double start = std::max({from.core, to.core, from.out, to.in});
      from.out = to.in = start + port;
      const double arrival = start + port + level(hop).latency_seconds;
      to.receiving += arrival - start;
      to.arrivals.push_back({arrival, until});
      from.arrivals.push_back({from.out, std::max(until, step_ + 1)});
    }
  }
  const Machine::Level& level(const Hop& hop) const { return machine_.between(hop.from, hop.to); }

  void redistribute(const Redistribute& x) {
    const double longest = redistribution_seconds(s_.layout(x.src), s_.layout(x.dst), s_.ranks, machine_, type_);
    double start = 0;
    for (const Rank& r : ranks_) start = std::max({start, r.core, r.in, r.out});
    for (Rank& r : ranks_) {
      r.receiving += longest;
      r.core = r.in = r.out = start + longest;
      r.work(machine_.step_seconds);
    }
  }

  // Sizes of the pieces into which memory divides one dimension of an operand: tiles that follow each other in memory
  // as they do in the matrix are one.
  std::vector<Int> pieces(Int rank, const std::vector<Tile>& tiles, bool of_rows) const {
    std::vector<Int> sizes;
    const auto along = [&](const Tile& t) -> const IndexSet& { return of_rows ? t.part.rows : t.part.cols; };
    const auto across = [&](const Tile& t) -> const IndexSet& { return of_rows ? t.part.cols : t.part.rows; };
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const Int size = along(tiles[i]).size();
      if (i == 0) {
        sizes.push_back(size);
        continue;
      }
      if (along(tiles[i]) == along(tiles[i - 1]) || !(across(tiles[i]) == across(tiles[0]))) continue;
      const Place &a = node(rank).place(tiles[i - 1].place), &b = node(rank).place(tiles[i].place);
      const bool follows = a.in_heap && b.in_heap && a.order == b.order && a.offset + a.words == b.offset &&
                           (a.order == Order::row) == of_rows;
      if (follows)
        sizes.back() += size;
      else
        sizes.push_back(size);
    }
    return sizes;
  }

  void multiply(Int rank, const Compute& x) {
    const Layout &c = s_.layout(x.C), &a = s_.layout(x.A);
    if (c.words(rank) == 0) return;
    Rank& r = at(rank);
    const std::vector<Tile> A = node(rank).value(x.A, rank), B = node(rank).value(x.B, rank);
    const double far = reads(rank, A) + reads(rank, B);
    writes(rank, x.C);
    if (a.cols_at(rank).size() > 0) {
      const std::vector<Int> M = pieces(rank, A, true), N = pieces(rank, B, false);
      const std::vector<Int> of_a = pieces(rank, A, false), of_b = pieces(rank, B, true);
      double seconds = far;
      for (Int m : M)
        for (Int n : N)
          for (Int k : of_a.size() >= of_b.size() ? of_a : of_b) seconds += machine_.gemm_seconds(m, n, k, type_);
      r.core += seconds;
      r.computing += seconds;
    }
    r.work(machine_.step_seconds);
  }

  Times last() const {
    Times t;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const Rank& r = ranks_[i];
      const double end = std::max({r.core, r.in, r.out});
      if (i > 0 && end <= t.seconds) continue;
      t = {end, r.receiving, r.computing, r.working, std::max(0.0, end - r.computing - r.working), static_cast<Int>(i)};
    }
    return t;
  }

  const Schedule& s_;
  const Machine& machine_;
  Machine::Shared shared_;
  ScalarType type_;
  double bytes_;
  Sharing sharing_;
  std::vector<NodeValues> values_;  // by node
  std::vector<Rank> ranks_;
  std::size_t step_ = 0;
};

}  // namespace

Times clock_shared(const Schedule& collective, const std::vector<int>& node_of, const Machine& machine,
                   ScalarType type) {
  return SharedClock(collective, node_of, machine, type).run();
}

}  // namespace cairn
