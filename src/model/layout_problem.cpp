// What is wrong with layouts that are filled in by hand.
#include <fmt/format.h>

#include <algorithm>

#include "cairn/layout.hpp"

namespace cairn {

namespace {

using Problem = std::optional<std::string>;

bool within(Int x, Int end) { return 0 <= x && x < end; }

bool ascend(const std::vector<Int>& bounds, Int end) {
  return !bounds.empty() && bounds.front() == 0 && bounds.back() == end && std::is_sorted(bounds.begin(), bounds.end());
}

// No end of a block overflows, whoever holds it.
Problem problem_with_dealing(const Cut& cut) {
  constexpr Int longest = Int{1} << 60U;
  const bool classes = cut.kind == Cut::Kind::classes;
  const Int round = classes ? cut.holders.size() : cut.parts,
            most = std::max<Int>(1, longest / std::max<Int>(1, round));
  if (round < 1) return "no classes of blocks, expected at least one";
  if (cut.block < 1 || cut.block > most) return fmt::format("blocks of {}, expected 1 to {}", cut.block, most);
  if (cut.first < 0 || cut.first > longest)
    return fmt::format("a first block of {}, expected 0 to {}", cut.first, longest);
  for (Int number = 0; classes && number < round; ++number)
    for (Int index : cut.holders.of(number))
      if (!within(index, cut.parts))
        return fmt::format("a class of blocks that {} holds, expected one of 0..{}", index, cut.parts - 1);
  return {};
}

// `size` is that of the piece that is cut, if it is known.
Problem problem_with_bounds(const Cut& cut, std::optional<Int> size) {
  const auto count = static_cast<Int>(cut.bounds.size());
  if (count - 1 != cut.parts)
    return fmt::format("{} boundaries, expected one more than the {} parts", count, cut.parts);
  if (ascend(cut.bounds, size.value_or(cut.bounds.back()))) return {};
  return fmt::format("expected ascending boundaries from 0{}", size ? fmt::format(" to {}", *size) : "");
}

// What only cuts of other kinds have would tell layouts apart that say the same.
Problem problem_with_rest(const Cut& cut) {
  const auto is = [&](auto... kinds) { return ((cut.kind == kinds) || ...); };
  using enum Cut::Kind;
  const bool deals = cut.deals_blocks(), groups = is(span, group);
  for (const auto& [there, what] : {std::pair(cut.block != 0 && !deals && !groups, "a block"),
                                    {cut.first != 0 && !deals, "a first block"},
                                    {!cut.bounds.empty() && !is(bounds), "boundaries"},
                                    {cut.holders.size() > 0 && !is(classes), "holders"},
                                    {cut.index != Affine() && is(each), "an index"},
                                    {cut.joined && !groups && !is(even), "joined pieces"}})
    if (there) return fmt::format("{}, expected none in a cut of this kind", what);
  return {};
}

Problem problem_with_cut(const Cut& cut, const Grid& grid, std::optional<Int> size) {
  if (cut.parts < 1) return fmt::format("{} parts, expected at least 1", cut.parts);
  for (const Affine::Term& t : cut.index.terms)
    if (!within(t.axis, grid.axes()))
      return fmt::format("axis {}, expected one of the grid's {}, from 0 on", t.axis, grid.axes());
  if (auto problem = problem_with_rest(cut)) return problem;
  switch (cut.kind) {
    case Cut::Kind::even:
    case Cut::Kind::each: return {};
    case Cut::Kind::cyclic:
    case Cut::Kind::classes: return problem_with_dealing(cut);
    case Cut::Kind::bounds: return problem_with_bounds(cut, size);
    case Cut::Kind::span:
    case Cut::Kind::group:
      if (cut.block < 1) return fmt::format("{} pieces together, expected at least 1", cut.block);
      return {};
  }
  return fmt::format("a cut of kind {}, expected one of Cut::Kind", static_cast<int>(cut.kind));
}

Problem problem_with_dim(std::string_view name, const Dim& dim, const Grid& grid) {
  if (dim.extent.lo != 0) return fmt::format("{} begin at {}, expected 0", name, dim.extent.lo);
  if (dim.extent.hi < 0) return fmt::format("{} end at {}, expected 0 or more", name, dim.extent.hi);
  std::optional<Int> size = dim.extent.hi;
  for (const Cut& cut : dim.cuts) {
    if (const auto problem = problem_with_cut(cut, grid, size)) return fmt::format("{}: {}", name, *problem);
    size.reset();
  }
  return {};
}

Problem problem_with_where(const Layout::Where& where, const Grid& grid) {
  if (!within(where.axis, grid.axes()))
    return fmt::format("where: axis {}, expected one of the grid's {}, from 0 on", where.axis, grid.axes());
  if (within(where.index, grid.extent(where.axis))) return {};
  return fmt::format("where: index {} on axis {}, expected one of 0..{}", where.index, grid.name(where.axis),
                     grid.extent(where.axis) - 1);
}

Problem problem_with_blocks(const Layout::Blocks& blocks, Int m, Int n, Int ranks) {
  for (const auto& [name, bounds, end] :
       {std::tuple("row_bounds", &blocks.row_bounds, m), {"col_bounds", &blocks.col_bounds, n}})
    if (!ascend(*bounds, end)) return fmt::format("{}: expected ascending boundaries from 0 to {}", name, end);
  const std::size_t count = (blocks.row_bounds.size() - 1) * (blocks.col_bounds.size() - 1);
  if (blocks.owner.size() != count)
    return fmt::format("owner: {} entries, expected one for each of {} blocks", blocks.owner.size(), count);
  for (Int rank : blocks.owner)
    if (!within(rank, ranks)) return fmt::format("owner: rank {}, expected one of 0..{}", rank, ranks - 1);
  return {};
}

}  // namespace

Problem Layout::problem() const {
  if (order != Order::col && order != Order::row)
    return fmt::format("order {}, expected Order::col or Order::row", static_cast<int>(order));
  if (auto problem = problem_with_dim("rows", rows, grid)) return problem;
  if (auto problem = problem_with_dim("columns", cols, grid)) return problem;
  if (Int words = 0; __builtin_mul_overflow(m(), n(), &words))
    return fmt::format("{} x {}, more words than a 64-bit integer counts", m(), n());
  for (const Where& w : where)
    if (auto problem = problem_with_where(w, grid)) return problem;
  return blocks ? problem_with_blocks(*blocks, m(), n(), grid.ranks()) : std::nullopt;
}

}  // namespace cairn
