// Layouts: which rank holds which rows and columns.
#include "bind.hpp"
#include "cairn/layout.hpp"
#include "schedule/text.hpp"

namespace cairn::python {

namespace {

nb::list pieces(const IndexSet& set) {
  nb::list all;
  for (Range r : set.pieces()) all.append(nb::make_tuple(r.lo, r.hi));
  return all;
}

void require_rank(Int rank) {
  if (rank < 0) throw ArgumentError("rank: " + std::to_string(rank) + ", expected 0 or more");
}

void require_sizes(Int m, Int n, Int ranks) {
  if (m < 0 || n < 0)
    throw ArgumentError("shape: (" + std::to_string(m) + ", " + std::to_string(n) + "), expected 0 or more");
  if (ranks < 1) throw ArgumentError("ranks: " + std::to_string(ranks) + ", expected at least 1");
}

// Rows and columns cut evenly over a grid of pr × pc ranks, which is numbered along its rows.
Layout on_grid(Int m, Int n, Int pr, Int pc, Order order) {
  require_sizes(m, n, std::min(pr, pc));
  Layout l = Layout::on_one_rank(m, n, order);
  l.grid = Grid({{"i", pr}, {"j", pc}});
  l.rows.cuts = {Cut::even(l.grid, 0)};
  l.cols.cuts = {Cut::even(l.grid, 1)};
  return l;
}

// The whole matrix on every rank.
Layout replicated(Int m, Int n, Int ranks, Order order) {
  Layout l = Layout::on_one_rank(m, n, order);
  l.grid = Grid({{"r", ranks}});
  return l;
}

Layout with_order(Layout l, Order order) {
  l.order = order;
  return l;
}

Layout with_order_named(const Layout& l, const std::string& order) {
  if (order != "C" && order != "F") throw ArgumentError("order: '" + order + "', expected one of 'C', 'F'");
  return with_order(l, order == "C" ? Order::row : Order::col);
}

std::string text(const Layout& l) {
  return print(SlotInfo{"A", l}, Grid()).substr(1) + (l.order == Order::col ? " col" : " row");
}

// Nothing is left out: the head of a schedule of no steps.
std::string exact_text(const Layout& l) {
  Schedule s;
  s.algorithm = "layouts", s.problem = Copy{}, s.ranks = l.grid.ranks();
  s.slots = {{"layout", l, SlotInfo::Role::operand}};
  return print(s, {.sources = false});
}

Layout from_text(const std::string& text) {
  const Schedule s = parse_schedule(text);
  if (s.slots.size() != 1) throw ArgumentError("text: expected that of one layout");
  return s.slots.front().layout;
}

nb::list patches(const Layout& l, Int rank) {
  require_rank(rank);
  nb::list all;
  if (l.live(rank))
    for (const Patch& p : l.patches(rank)) all.append(nb::make_tuple(pieces(p.rows), pieces(p.cols)));
  return all;
}

nb::tuple shape_at(const Layout& l, Int rank) {
  require_rank(rank);
  if (l.blocks) throw ArgumentError("layout: of arbitrary blocks, expected one whose parts have rows and columns");
  const bool holds = l.live(rank);
  return nb::make_tuple(holds ? l.rows.size(l.grid, rank) : 0, holds ? l.cols.size(l.grid, rank) : 0);
}

// make(m, n, ranks, order), of sizes that may be.
auto checking_sizes(Layout (*make)(Int, Int, Int, Order)) {
  return [make](Int m, Int n, Int ranks, Order order) {
    require_sizes(m, n, ranks);
    return make(m, n, ranks, order);
  };
}

void bind_makers(nb::class_<Layout>& c) {
  c.def_static(
       "on_one_rank",
       [](Int m, Int n, Order order) {
         require_sizes(m, n, 1);
         return Layout::on_one_rank(m, n, order);
       },
       nb::arg("m"), nb::arg("n"), nb::arg("order"))
      .def_static("row_blocks", checking_sizes(&Layout::row_blocks), nb::arg("m"), nb::arg("n"), nb::arg("ranks"),
                  nb::arg("order"))
      .def_static("col_blocks", checking_sizes(&Layout::col_blocks), nb::arg("m"), nb::arg("n"), nb::arg("ranks"),
                  nb::arg("order"))
      .def_static("replicated_on", checking_sizes(&replicated), nb::arg("m"), nb::arg("n"), nb::arg("ranks"),
                  nb::arg("order"))
      .def_static("on_grid", &on_grid, nb::arg("m"), nb::arg("n"), nb::arg("pr"), nb::arg("pc"), nb::arg("order"))
      .def_static(
          "block_cyclic",
          [](Int m, Int n, Int mb, Int nb_, Int pr, Int pc, Int rsrc, Int csrc, bool row_major, Order order) {
            require_sizes(m, n, std::min(pr, pc));
            if (rsrc < 0 || rsrc >= pr || csrc < 0 || csrc >= pc)
              throw ArgumentError("first: expected a coordinate of the grid");
            return with_order(Layout::block_cyclic(m, n, {mb, nb_, pr, pc, rsrc, csrc, row_major}), order);
          },
          nb::arg("m"), nb::arg("n"), nb::arg("mb"), nb::arg("nb"), nb::arg("pr"), nb::arg("pc"), nb::arg("rsrc"),
          nb::arg("csrc"), nb::arg("row_major"), nb::arg("order"))
      .def_static(
          "arbitrary",
          [](Int m, Int n, Int ranks, std::vector<Int> rows, std::vector<Int> cols, std::vector<Int> owner,
             bool by_columns, Order order) {
            require_sizes(m, n, ranks);
            return Layout::arbitrary(m, n, ranks, {std::move(rows), std::move(cols), std::move(owner), by_columns},
                                     order);
          },
          nb::arg("m"), nb::arg("n"), nb::arg("ranks"), nb::arg("row_bounds"), nb::arg("col_bounds"), nb::arg("owner"),
          nb::arg("by_columns"), nb::arg("order"));
}

}  // namespace

void bind_layouts(nb::module_& m) {
  nb::enum_<Order>(m, "Order").value("col", Order::col).value("row", Order::row);
  nb::class_<Layout> layout(m, "Layout",
                            "Which rows and columns of an m x n matrix every rank holds, and the order in which it\n"
                            "stores them. An immutable value; made by the functions of cairn.layout, or a plan's own.");
  bind_makers(layout), compare_by_value(layout);
  layout
      .def_prop_ro(
          "shape", [](const Layout& l) { return nb::make_tuple(l.m(), l.n()); },
          nb::sig("def shape(self) -> tuple[int, int]"), "(rows, columns) of the whole matrix.")
      .def_prop_ro(
          "ranks", [](const Layout& l) { return l.grid.ranks(); }, "Number of ranks over which the matrix is spread.")
      .def_prop_ro(
          "order", [](const Layout& l) { return l.order == Order::col ? "F" : "C"; },
          nb::sig("def order(self) -> typing.Literal['C', 'F']"), "'C' or 'F': how a rank stores its part.")
      .def_prop_ro(
          "has_blocks", [](const Layout& l) { return l.blocks != nullptr; },
          "Whether ranks hold arbitrary blocks, one after another in memory.")
      .def_prop_ro("overlapping", &Layout::overlapping, "Whether ranks share some of their elements and not others.")
      .def(
          "words",
          [](const Layout& l, Int rank) {
            require_rank(rank);
            return l.live(rank) ? l.words(rank) : 0;
          },
          nb::arg("rank"), "Returns the number of elements that `rank` holds.")
      .def("patches", &patches, nb::arg("rank"),
           nb::sig("def patches(self, rank: int) -> list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]"),
           "Returns what `rank` holds, as dense arrays one after another: the intervals [lo, hi) of its rows, and of "
           "its columns.")
      .def("shape_at", &shape_at, nb::arg("rank"), nb::sig("def shape_at(self, rank: int) -> tuple[int, int]"),
           "Returns (rows, columns) of what `rank` holds. Raises ValueError for a layout of arbitrary blocks.")
      .def("original", &Layout::original, nb::arg("rank"),
           "Returns the first rank that holds the same elements as `rank`.")
      .def("transposed", &Layout::transposed, "Returns the layout of the transposed matrix in the same memory.")
      .def("with_order", &with_order_named, nb::arg("order"),
           nb::sig("def with_order(self, order: typing.Literal['C', 'F']) -> Layout"),
           "Returns a layout of the same rows and columns, stored in another order.")
      .def("same_ownership", &Layout::same_ownership, nb::arg("other"), nb::arg("ranks"),
           "Returns whether every one of `ranks` ranks holds the same elements in both layouts.")
      .def("__hash__", [](const Layout& l) { return std::hash<std::string>{}(text_of(l)); })  // the same on all ranks
      .def("text", &exact_text,
           "Returns the whole layout as text, the head of a schedule (docs/how_to_read_a_schedule.md).")
      .def_static("from_text", &from_text, nb::arg("text"),
                  "Returns the layout that text() wrote. Raises ValueError for other texts.")
      .def("__getstate__", &exact_text)
      .def("__setstate__", [](Layout& l, const std::string& text) { new (&l) Layout(from_text(text)); })
      .def("__str__", &text)
      .def("__repr__", [](const Layout& l) { return "Layout(" + text(l) + ")"; });
}

}  // namespace cairn::python
