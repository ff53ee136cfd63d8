#include "local/sparse/large_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

namespace cairn {
namespace {

TEST(LargePages, KeepWhatAVectorHoldsWhereItGrows) {
  BlockValues<int> x;
  for (std::size_t size = 1; size < 5'000'000; size = 3 * size + 1) {
    const std::size_t before = x.size();
    resize(x, size);
    ASSERT_EQ(x.size(), size);
    std::iota(x.begin() + static_cast<std::ptrdiff_t>(before), x.end(), static_cast<int>(before));
    for (std::size_t i = 0; i < size; i += 997) ASSERT_EQ(x[i], static_cast<int>(i));
  }
}

TEST(LargePages, AreLeftAsTheyAreWhereAVectorGrowsInThem) {
  BlockValues<double> x(1000, 7.0);
  x.clear();
  resize(x, 1000);
  EXPECT_EQ(std::count(x.begin(), x.end(), 7.0), 1000);
}

TEST(LargePages, DoubleTheRoomOfAVectorThatGrowsBitByBit) {
  BlockValues<int> x;
  int moved = 0;
  for (std::size_t size = 1; size <= 1 << 20; ++size) {
    const int* const was = x.data();
    resize(x, size);
    moved += x.data() != was;
  }
  EXPECT_LE(moved, 21);
}

// What Linux notes of the mapping that an address belongs to.
std::string flags_of(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (std::istringstream range(line); range >> std::hex >> begin >> dash >> end && dash == '-')
      here = begin <= at && at < end;
    if (here && line.starts_with("VmFlags:")) return line + " ";
  }
  return {};
}

TEST(LargePages, AreAskedForWhereTheSystemHasThem) {
  BlockValues<double> x;
  reserve(x, 4 << 20);
  const std::string flags = flags_of(x.data() + (2 << 20));
  if (std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled") && !flags.empty()) {
    EXPECT_NE(flags.find(" hg "), std::string::npos) << flags;
  }
}

}  // namespace
}  // namespace cairn
