// Triangles that messages bring are packed in the arena, behind all other values.
#include <gtest/gtest.h>

#include "program/program.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

// How many triangles a rank sends and receives. Their places end where the arena does.
Int packed(const Schedule& wire, Int rank) {
  const Program program = compile(wire, rank);
  Int end = program.placement.values, triangles = 0;
  for (const Operation& op : program.operations)
    if (const auto* x = std::get_if<Exchange>(&op.what))
      for (const std::vector<Message>* all : {&x->receives, &x->sends})
        for (const Message& m : *all) {
          EXPECT_EQ(m.place.copied, m.lines.shape != Uplo::full) << label(wire, op.step);
          if (!m.place.copied) continue;
          EXPECT_GE(m.place.at, program.placement.values) << label(wire, op.step);
          end = std::max(end, m.place.at + m.words);
          ++triangles;
        }
  EXPECT_EQ(end, program.placement.words) << wire.algorithm << ", rank " << rank;
  return triangles;
}

template <class Case>
void expect_packed(const std::vector<Case>& cases) {
  Int triangles = 0;
  for (const Case& c : cases) {
    const Schedule wire = expand_collectives(look_ahead(c.schedule(), 2));
    for (Int r = 0; r < wire.ranks; ++r) triangles += packed(wire, r);
  }
  EXPECT_GT(triangles, 0);
}

TEST(Packed, TrianglesAreBehindAllOtherValues) {
  expect_packed(testing::cholesky_cases());
  expect_packed(testing::fat_panel_cases());
  expect_packed(testing::triangle_block_cases());
  expect_packed(testing::solve_cases());
}

}  // namespace
}  // namespace cairn
