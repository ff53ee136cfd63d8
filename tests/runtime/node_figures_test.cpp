#include "runtime/measure/node_figures.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "../io/temporary_directory.hpp"

namespace cairn {
namespace {

const NodeFigures figures{{{8, 1e-6}, {8192, 1.0 / 3e5}}, 1e-10, 1.0 / 3e10, 7e-11, 2e-7};
const NodeHost host{"a processor", "an MPI", 4};

TEST(NodeFigures, AreKeptToTheLastBitAndForTheirHostAlone) {
  const io::TemporaryDirectory directory;
  const std::string path = directory / "cairn/nodes.json";
  EXPECT_FALSE(remembered(path, host));
  ASSERT_TRUE(remember(path, host, figures));
  EXPECT_EQ(remembered(path, host), figures);
  for (const NodeHost& other :
       {NodeHost{"another", host.mpi, 4}, {host.processor, "another", 4}, {host.processor, host.mpi, 2}})
    EXPECT_FALSE(remembered(path, other));
  NodeFigures alone = figures;
  alone.wait = alone.read_others = 0;
  ASSERT_TRUE(remember(path, {host.processor, host.mpi, 2}, alone));
  EXPECT_EQ(remembered(path, host), figures);
  EXPECT_EQ(remembered(path, {host.processor, host.mpi, 2}), alone);
}

TEST(NodeFigures, ThatMakeNoSenseAreNotThere) {
  const io::TemporaryDirectory directory;
  const std::string path = directory / "nodes.json";
  const auto expect_none = [&](const NodeFigures& f) {
    ASSERT_TRUE(remember(path, host, f));
    EXPECT_FALSE(remembered(path, host));
  };
  NodeFigures f = figures;
  f.copy = 0;
  expect_none(f);
  f = figures;
  f.messages.clear();
  expect_none(f);
  f = figures;
  std::swap(f.messages[0], f.messages[1]);
  expect_none(f);
  std::ofstream(path) << "{";
  EXPECT_FALSE(remembered(path, host));
  EXPECT_FALSE(remember("/proc/no/such/place/nodes.json", host, figures));
}

TEST(NodeFigures, TakeThePlaceOfWhatABuiltInMachineSaysOfANode) {
  const Machine generic = find_machine("generic"), here = on_node(generic, figures);
  EXPECT_EQ(here.name, "generic");
  EXPECT_NE(here.source, generic.source);
  ASSERT_EQ(here.levels.size(), 1U);
  EXPECT_EQ(here.between(0, 1).message_seconds(8192), 1.0 / 3e5);
  EXPECT_EQ(here.copy_seconds_per_byte, 1e-10);
  EXPECT_DOUBLE_EQ(here.shared.value().read_seconds_per_byte, 7e-11 - 1.0 / 3e10);
  EXPECT_EQ(here.shared->wait_seconds, 2e-7);
  EXPECT_EQ(here.gemm, generic.gemm);
  EXPECT_EQ(here.ranks_per_node(), 0);
}

}  // namespace
}  // namespace cairn
