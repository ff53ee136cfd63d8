#include "model/machine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cairn/error.hpp"

namespace cairn {
namespace {

TEST(Machine, PrintsWhatItReads) {
  for (const std::string& name : machine_names()) {
    const Machine m = find_machine(name);
    EXPECT_EQ(m.name, name);
    EXPECT_EQ(parse_machine(print_machine(m), "text"), m);
  }
}

TEST(Machine, IsReadFromAFile) {
  const std::string path = ::testing::TempDir() + "cairn_machine_test.json";
  std::ofstream(path) << print_machine(find_machine("local"));
  EXPECT_EQ(find_machine(path), find_machine("local"));
  std::filesystem::remove(path);
  EXPECT_THROW(find_machine(path), FileError);
  EXPECT_THROW(find_machine(::testing::TempDir()), FileError);
}

TEST(Machine, UnknownNamesListTheKnownOnes) {
  try {
    find_machine("laptop");
    FAIL();
  } catch (const ArgumentError& e) {
    EXPECT_STREQ(e.what(), "machine: 'laptop' is unknown, expected one of generic, local, or a JSON file");
  }
}

std::string refusal(std::string text) {
  try {
    parse_machine(text, "m.json");
  } catch (const FileError& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = print_machine(find_machine("generic"));
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Machine, AFileThatIsNoMachineIsRefusedInOneSentence) {
  const std::string object = "m.json: expected a JSON object with a machine's figures";
  for (const char* text : {"", "{", "[]", "3", "null", "{\"name\": \"x\""}) EXPECT_EQ(refusal(text), object) << text;
  EXPECT_EQ(refusal("{}"), "m.json: \"name\": expected a text");
  EXPECT_EQ(refusal(changed("\"generic\"", "7")), "m.json: \"name\": expected a text");
  EXPECT_EQ(refusal(changed("\"step_seconds\"", "\"step\"")),
            "m.json: \"step_seconds\": expected a number, 0 or above");
  EXPECT_EQ(refusal(changed("\"latency_seconds\": 5e-07", "\"latency_seconds\": -1")),
            "m.json: level 1: \"latency_seconds\": expected a number, 0 or above");
  EXPECT_EQ(refusal(changed("\"ranks\": 64", "\"ranks\": 6.4")),
            "m.json: level 1: \"ranks\": expected a number of ranks, 0 for unlimited");
  EXPECT_EQ(refusal(changed("\"ranks\": 64", "\"ranks\": 0")),
            "m.json: \"levels\": expected units of ascending numbers of ranks, the last with 0 for unlimited");
  EXPECT_EQ(refusal(changed("\"complex64\": 96000000000.0", "\"complex64\": 0")),
            "m.json: gemm: flops_per_second: \"complex64\": expected a number above 0");
  EXPECT_EQ(refusal(changed("\"half_size\": 12.0", "\"half_size\": \"12\"")),
            "m.json: gemm: \"half_size\": expected a number, 0 or above");
}

TEST(Machine, SmallProductsRunSlower) {
  const Machine m = find_machine("generic");
  const double large = m.gemm_seconds(1024, 1024, 1024, ScalarType::float64);
  EXPECT_GT(m.gemm_seconds(1024, 1024, 8, ScalarType::float64) * 128, 2 * large);
  EXPECT_GT(m.gemm_seconds(1024, 1024, 1024, ScalarType::complex128), 3.9 * large);
  EXPECT_EQ(m.gemm_seconds(0, 5, 5, ScalarType::float64), 0);
}

TEST(Machine, RanksMeetInTheSmallestUnitThatHoldsThem) {
  const Machine m = find_machine("generic");
  EXPECT_EQ(m.level_of(1), 0U);
  EXPECT_EQ(m.level_of(64), 0U);
  EXPECT_EQ(m.level_of(65), 1U);
}

}  // namespace
}  // namespace cairn
