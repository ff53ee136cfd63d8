#include "api/block_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

std::optional<std::string> problem_with(const char* name, const BlockSizes& sizes,
                                        const std::vector<BlockIndex>& owners, Int parts) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0) return fmt::format("{}: block {} has size {}, expected 0 or more", name, i, sizes[i]);
  if (owners.size() != sizes.size())
    return fmt::format("where: {} {} of blocks, expected {}", owners.size(), name, sizes.size());
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0 || owners[i] >= parts)
      return fmt::format("where: {} {} of blocks is dealt to {}, expected one of 0..{}", name, i, owners[i], parts - 1);
  return {};
}

std::optional<std::string> problem_with(const Comm& comm, const BlockSizes& rows, const BlockSizes& cols,
                                        const BlockDistribution& where, Symmetry symmetry) {
  if (symmetry != Symmetry::general && rows != cols)
    return fmt::format("cols: {} blocks, expected the {} blocks of the rows, of the same sizes, in a matrix that is {}",
                       cols.size(), rows.size(), name_of(symmetry));
  if (where.pr < 1 || where.pc < 1 || where.pr > comm.size() || where.pc > comm.size() / where.pr)
    return fmt::format("where: a grid of {}x{}, expected one of 1 to {} ranks", where.pr, where.pc, comm.size());
  if (auto problem = problem_with("rows", rows, where.row, where.pr)) return problem;
  return problem_with("cols", cols, where.col, where.pc);
}

/// All arguments as numbers: first those that say how many others there are.
struct Numbers {
  static constexpr std::size_t counts = 7;

  Numbers(const BlockSizes& rows, const BlockSizes& cols, const BlockDistribution& where, Symmetry symmetry,
          ScalarType type)
      : all{static_cast<Int>(symmetry),
            static_cast<Int>(rows.size()),
            static_cast<Int>(cols.size()),
            where.pr,
            where.pc,
            where.row_major ? 1 : 0,
            static_cast<Int>(type)} {
    for (const auto* some : {&rows, &cols, &where.row, &where.col}) all.insert(all.end(), some->begin(), some->end());
  }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Int)}; }

  std::vector<Int> all;
};

/// What rank 0 has, where all ranks have as many numbers, on every rank. Collective.
std::vector<Int> of_rank_0(const Comm& comm, std::vector<Int> numbers) {
  if (comm.rank() != 0) std::fill(numbers.begin(), numbers.end(), std::numeric_limits<Int>::min());
  over_ranks(comm, MPI_MAX, numbers);
  return numbers;
}

std::string differs(const std::string& what, const std::string& here, const std::string& zero) {
  return fmt::format("{}: {} here, {} on rank 0; expected the same on all ranks", what, here, zero);
}

/// Of the first numbers, those that say how many others there are.
std::optional<std::string> first_difference(const std::vector<Int>& here, const std::vector<Int>& zero) {
  const auto symmetry = [](Int number) { return std::string(name_of(static_cast<Symmetry>(number))); };
  const auto type = [](Int number) { return std::string(name_of(static_cast<ScalarType>(number))); };
  const auto blocks = [](Int number) { return fmt::format("{} blocks", number); };
  const auto numbered = [](Int by_rows) {
    return std::string(by_rows == 1 ? "ranks numbered along rows" : "ranks numbered along columns");
  };
  const auto grid = [](const std::vector<Int>& x) { return fmt::format("a grid of {}x{} ranks", x[3], x[4]); };
  if (here[0] != zero[0]) return differs("symmetry", symmetry(here[0]), symmetry(zero[0]));
  if (here[1] != zero[1]) return differs("rows", blocks(here[1]), blocks(zero[1]));
  if (here[2] != zero[2]) return differs("cols", blocks(here[2]), blocks(zero[2]));
  if (here[3] != zero[3] || here[4] != zero[4]) return differs("where", grid(here), grid(zero));
  if (here[5] != zero[5]) return differs("where", numbered(here[5]), numbered(zero[5]));
  if (here[6] != zero[6]) return differs("elements", type(here[6]), type(zero[6]));
  return {};
}

/// Of the others, where there are as many.
std::optional<std::string> later_difference(const std::vector<Int>& here, const std::vector<Int>& zero) {
  const Int rows = here[1], cols = here[2];
  const auto first = std::mismatch(here.begin(), here.end(), zero.begin());
  const auto mine = first.first, its = first.second;  // lambdas cannot have [mine, its] with clang and OpenMP
  if (mine == here.end()) return {};
  const Int number = mine - here.begin() - static_cast<Int>(Numbers::counts);
  const auto sized = [&](const char* what, Int i) {
    return differs(what, fmt::format("block {} has size {}", i, *mine), fmt::format("size {}", *its));
  };
  const auto dealt = [&](const char* what, Int i) {
    const auto on = [&](Int to) { return fmt::format("on {} {} of the grid", what, to); };
    return differs("where", fmt::format("block {} {} {}", what, i, on(*mine)), on(*its));
  };
  if (number < rows) return sized("rows", number);
  if (number < rows + cols) return sized("cols", number - rows);
  if (number < 2 * rows + cols) return dealt("row", number - rows - cols);
  return dealt("column", number - 2 * rows - cols);
}

}  // namespace

void agree_on_blocks(const Comm& comm, const BlockSizes& rows, const BlockSizes& cols, const BlockDistribution& where,
                     Symmetry symmetry, ScalarType type) {
  const std::optional<std::string> problem = problem_with(comm, rows, cols, where, symmetry);
  const Numbers mine(rows, cols, where, symmetry, type);
  if (same_on_all(comm, !problem, mine.bytes())) [[likely]]
    return;
  comm.agree(problem);
  comm.agree(first_difference(mine.all, of_rank_0(comm, {mine.all.begin(), mine.all.begin() + Numbers::counts})));
  comm.agree(later_difference(mine.all, of_rank_0(comm, mine.all)));
  throw RuntimeError("block-sparse matrix: its arguments differ between ranks");  // equal, with different hashes
}

std::string meant(const BlockSizes& rows, const BlockSizes& cols, const BlockDistribution& where, Symmetry symmetry) {
  std::size_t hash = where.row_major ? 1 : 0;
  for (const auto* all : {&rows, &cols, &where.row, &where.col}) {
    constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // so that the order counts
    const auto* bytes = reinterpret_cast<const char*>(all->data());
    hash = hash * odd + std::hash<std::string_view>{}({bytes, all->size() * sizeof(BlockIndex)});
  }
  return fmt::format("one that is {} in {}x{} blocks on a grid of {}x{} with sizes and places of number {:x}",
                     name_of(symmetry), rows.size(), cols.size(), where.pr, where.pc, hash);
}

std::optional<std::string> unless_within(const char* what, const std::optional<BlockRange>& range,
                                         const BlockSizes& sizes) {
  const auto all = static_cast<BlockIndex>(sizes.size());
  if (!range || (0 <= range->from && range->from <= range->to && range->to <= all)) return {};
  return fmt::format("{}: blocks {} to {}, expected a range of 0 to {}", what, range->from, range->to, all);
}

}  // namespace cairn
