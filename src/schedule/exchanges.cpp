#include "schedule/exchanges.hpp"

namespace cairn {

namespace {

struct List {
  const Schedule& s;
  Int rank;
  Parcels all{};

  static void add(std::vector<Parcel>& list, Slot slot, Int peer, IndexSet rows, IndexSet cols) {
    if (!rows.empty() && !cols.empty()) list.push_back({slot, peer, std::move(rows), std::move(cols)});
  }
  void operator()(const Shift& x) {
    const Layout& dst = s.layout(x.dst);
    const auto sender = [&](Int r) { return s.grid.with(r, x.axis, s.grid.index(r, x.axis) + x.by.at(s.grid, r)); };
    const auto receives = [&](Int r) { return takes_part(s.grid, r, x.axis, x.origin, x.who); };
    if (receives(rank) && sender(rank) != rank)
      add(all.receives, x.dst, sender(rank), dst.rows_at(rank), dst.cols_at(rank));
    for (Int i = 0; i < s.grid.extent(x.axis); ++i) {
      const Int to = s.grid.with(rank, x.axis, i);
      if (to != rank && receives(to) && sender(to) == rank) add(all.sends, x.src, to, dst.rows_at(to), dst.cols_at(to));
    }
  }
  void operator()(const AllGather& x) {
    const Layout& src = s.layout(x.src);
    const Int mine = s.grid.index(rank, x.axis);
    const IndexSet rows = src.rows_at(rank), cols = src.cols_at(rank);
    for (Int t = 1; t < s.grid.extent(x.axis); ++t) {
      const Int from = s.grid.with(rank, x.axis, mine + t), to = s.grid.with(rank, x.axis, mine - t);
      add(all.receives, x.dst, from, src.rows_at(from), src.cols_at(from));
      add(all.sends, x.src, to, rows, cols);
    }
  }
  void operator()(const ReduceScatter& x) {
    const Layout& dst = s.layout(x.dst);
    const Int mine = s.grid.index(rank, x.axis);
    const IndexSet rows = dst.rows_at(rank), cols = dst.cols_at(rank);
    for (Int t = 1; t < s.grid.extent(x.axis); ++t) {
      const Int from = s.grid.with(rank, x.axis, mine + t), to = s.grid.with(rank, x.axis, mine - t);
      add(all.receives, x.dst, from, rows, cols);
      add(all.sends, x.src, to, dst.rows_at(to), dst.cols_at(to));
    }
  }
  template <class Other>
  void operator()(const Other&) {}
};

}  // namespace

Parcels parcels(const Schedule& s, const Step& step, Int rank) {
  List list{s, rank};
  if (rank < s.grid.size()) std::visit(list, step);
  return std::move(list.all);
}

}  // namespace cairn
