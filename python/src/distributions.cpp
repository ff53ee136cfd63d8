// Which rank holds which blocks of a block-sparse matrix.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bind.hpp"
#include "cairn/blocks.hpp"

namespace cairn::python {

namespace {

void require_grid(Int pr, Int pc) {
  constexpr Int most = std::numeric_limits<BlockIndex>::max();
  if (pr < 1 || pc < 1 || pr > most || pc > most)
    throw ArgumentError(fmt::format("grid: {} x {} ranks, expected 1 to {} rows and columns", pr, pc, most));
}

// Rows and columns; absent columns ask for a grid of `pr` ranks that is as square as possible.
template <class Make>
auto on_grid(Int pr, std::optional<Int> pc, Make make) {
  require_grid(pr, pc.value_or(1));
  return pc ? make(pr, *pc) : make(pr);
}

BlockDistribution dealt(Int rows, Int cols, Int pr, std::optional<Int> pc) {
  constexpr Int most = std::numeric_limits<BlockIndex>::max();
  if (rows < 0 || cols < 0 || rows > most || cols > most)
    throw ArgumentError(fmt::format("blocks: {} x {}, expected 0 to {} rows and columns", rows, cols, most));
  return on_grid(pr, pc, [&](auto... ranks) { return BlockDistribution::dealt(rows, cols, ranks...); });
}

BlockDistribution by_region(const std::vector<std::array<double, 3>>& places, Int pr, std::optional<Int> pc) {
  return on_grid(pr, pc, [&](auto... ranks) { return BlockDistribution::by_region(places, ranks...); });
}

BlockDistribution as_given(Int pr, Int pc, const std::vector<BlockIndex>& row, const std::vector<BlockIndex>& col,
                           bool row_major) {
  require_grid(pr, pc);
  const auto check = [](const char* name, const std::vector<BlockIndex>& to, Int parts) {
    for (const BlockIndex i : to)
      if (i < 0 || i >= parts) throw ArgumentError(fmt::format("{}: {}, expected 0 to {}", name, i, parts - 1));
  };
  check("row", row, pr), check("col", col, pc);
  return {pr, pc, row, col, row_major};
}

Int owner(const BlockDistribution& d, Int i, Int j) {
  if (i < 0 || j < 0 || i >= static_cast<Int>(d.row.size()) || j >= static_cast<Int>(d.col.size()))
    throw ArgumentError(fmt::format("block: ({}, {}), expected one of {}x{}", i, j, d.row.size(), d.col.size()));
  return d.owner(static_cast<BlockIndex>(i), static_cast<BlockIndex>(j));
}

}  // namespace

void bind_distributions(nb::module_& m) {
  nb::class_<BlockDistribution> bound(
      m, "BlockDistribution",
      "Which rank holds which block of a block-sparse matrix: block (i, j) is on row `row[i]` and column `col[j]` of "
      "a\n"
      "grid of ranks. An immutable value, made by :func:`cairn.sparse.dealt`, :func:`cairn.sparse.by_region` and\n"
      ":func:`cairn.sparse.distribution`.");
  compare_by_value(bound);
  bound
      .def_prop_ro(
          "grid", [](const BlockDistribution& d) { return nb::make_tuple(d.pr, d.pc); },
          nb::sig("def grid(self) -> tuple[int, int]"), "(rows, columns) of ranks.")
      .def_ro("row", &BlockDistribution::row, "The grid's row of each block row.")
      .def_ro("col", &BlockDistribution::col, "The grid's column of each block column.")
      .def_ro("row_major", &BlockDistribution::row_major, "Whether ranks are numbered along the rows of the grid.")
      .def("owner", &owner, nb::arg("i"), nb::arg("j"),
           "Returns the rank of block (i, j). Raises ValueError for a block that does not exist.")
      .def("transposed", &BlockDistribution::transposed,
           "Returns the distribution of the transposed matrix, whose blocks are on the same ranks.")
      .def("__hash__",
           [](const BlockDistribution& d) { return nb::hash(nb::make_tuple(d.pr, d.pc, d.row.size(), d.col.size())); })
      .def("__repr__",
           [](const BlockDistribution& d) {
             return fmt::format("<BlockDistribution of {} x {} blocks on {} x {} ranks>", d.row.size(), d.col.size(),
                                d.pr, d.pc);
           })
      .def("__getstate__",
           [](const BlockDistribution& d) {
             return std::pair(std::vector<Int>{d.pr, d.pc, d.row_major ? 1 : 0}, std::pair(d.row, d.col));
           })
      .def("__setstate__", [](BlockDistribution& d,
                              const std::pair<std::vector<Int>, std::pair<BlockSizes, BlockSizes>>& s) {
        new (&d) BlockDistribution{s.first.at(0), s.first.at(1), s.second.first, s.second.second, s.first.at(2) != 0};
      });
  m.def("dealt", &dealt, nb::arg("rows"), nb::arg("cols"), nb::arg("pr"), nb::arg("pc").none());
  m.def("by_region", &by_region, nb::arg("places"), nb::arg("pr"), nb::arg("pc").none());
  m.def("distribution", &as_given, nb::arg("pr"), nb::arg("pc"), nb::arg("row"), nb::arg("col"), nb::arg("row_major"));
}

}  // namespace cairn::python
