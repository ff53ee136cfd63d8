#include "algorithms/triangle_blocks.hpp"

#include <algorithm>
#include <array>

namespace cairn {

namespace {

// Differences of two elements are, modulo q²+q+1, all numbers but 0, each once.
const std::vector<std::vector<Int>>& difference_sets() {
  static const std::vector<std::vector<Int>> all{
      {0, 1},
      {0, 1, 3},
      {0, 1, 3, 9},
      {0, 1, 4, 14, 16},
      {0, 1, 3, 8, 12, 18},
      {0, 1, 3, 13, 32, 36, 43, 52},
      {0, 1, 3, 7, 15, 31, 36, 54, 63},
      {0, 1, 3, 9, 27, 49, 56, 61, 77, 81},
      {0, 1, 3, 12, 20, 34, 38, 81, 88, 94, 104, 109},
      {0, 1, 3, 16, 23, 28, 42, 76, 82, 86, 119, 137, 154, 175},
      {0, 1, 3, 7, 15, 31, 63, 90, 116, 127, 136, 181, 194, 204, 233, 238, 255}};
  return all;
}

Int lines_of(const std::vector<Int>& differences) {
  const Int q = static_cast<Int>(differences.size()) - 1;
  return q * q + q + 1;
}

// Line x has the points x + d; so point c is on the lines c - d.
TriangleBlocks projective(const std::vector<Int>& differences) {
  const Int lines = lines_of(differences);
  TriangleBlocks blocks{lines, {}};
  for (Int point = 0; point < lines; ++point) {
    blocks.holders.emplace_back();
    for (Int d : differences) blocks.holders.back().push_back((point - d + lines) % lines);
  }
  return blocks;
}

// Without the last line and its points.
TriangleBlocks affine(const TriangleBlocks& plane) {
  TriangleBlocks blocks{plane.ranks - 1, {}};
  for (const std::vector<Int>& lines : plane.holders)
    if (std::find(lines.begin(), lines.end(), blocks.ranks) == lines.end()) blocks.holders.push_back(lines);
  return blocks;
}

// Points are pairs of numbers modulo 5, lines the translates of two: any two points are on one line, S(2, 4, 25).
TriangleBlocks fifty() {
  constexpr Int q = 5;
  constexpr std::array<std::array<std::array<Int, 2>, 4>, 2> lines{
      {{{{0, 0}, {0, 1}, {1, 0}, {2, 2}}}, {{{0, 0}, {0, 2}, {2, 0}, {4, 4}}}}};
  TriangleBlocks blocks{50, std::vector<std::vector<Int>>(q * q)};
  for (Int rank = 0; rank < blocks.ranks; ++rank)
    for (auto [x, y] : lines[static_cast<std::size_t>(rank / (q * q))])
      blocks.holders[static_cast<std::size_t>((x + rank / q) % q * q + (y + rank) % q)].push_back(rank);
  return blocks;
}

}  // namespace

std::vector<Int> TriangleBlocks::meeting(Int one, Int other) const {
  const auto of = [this](Int c) -> const std::vector<Int>& { return holders[static_cast<std::size_t>(c)]; };
  std::vector<Int> both;
  for (Int rank : of(one))
    if (std::find(of(other).begin(), of(other).end(), rank) != of(other).end()) both.push_back(rank);
  return both;
}

double TriangleBlocks::holders_of_a_class() const {
  double all = 0;
  for (const std::vector<Int>& of : holders) all += static_cast<double>(of.size());
  return all / static_cast<double>(holders.size());
}

Int TriangleBlocks::turn(Int one, Int other, Int round) const {
  const std::vector<Int> both = meeting(one, other);
  return both[static_cast<std::size_t>(round) % both.size()];
}

std::vector<std::vector<Int>> TriangleBlocks::served_by(Int rank, Int with, Int round) const {
  std::vector<std::vector<Int>> all(holders.size());
  for (Int c = 0; c < classes(); ++c)
    if (turn(c, with, round) == rank) all[static_cast<std::size_t>(c)] = holders[static_cast<std::size_t>(c)];
  return all;
}

std::vector<std::vector<Int>> TriangleBlocks::sharing(Int with) const {
  std::vector<std::vector<Int>> all;
  for (Int c = 0; c < classes(); ++c) {
    all.push_back(meeting(c, with));
    if (all.back().size() == 1) all.back().clear();
  }
  return all;
}

TriangleBlocks triangle_blocks(Int ranks) {
  if (ranks == 4) return {4, {{0, 1}, {2, 0}, {3, 0}, {1, 2, 3}, {2, 3, 1}}};
  if (ranks == 50) return fifty();
  for (const std::vector<Int>& differences : difference_sets()) {
    const Int lines = lines_of(differences);
    if (lines == ranks) return projective(differences);
    if (lines == ranks + 1 && ranks > 2) return affine(projective(differences));
  }
  return {};
}

Int most_in_triangle_blocks(Int ranks) {
  Int most = std::min(ranks, lines_of(difference_sets().back()));
  while (most > 0 && triangle_blocks(most).ranks == 0) --most;
  return most;
}

}  // namespace cairn
