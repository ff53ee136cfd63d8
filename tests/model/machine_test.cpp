#include "model/machine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "refusal.hpp"

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
    EXPECT_STREQ(e.what(),
                 "machine: 'laptop' is unknown, expected one of generic, local, piz-daint, hopper, graphene, "
                 "graphene-infiniband, shaheen, exascale, or a JSON file");
  }
}

std::string refusal(const std::string& text) {
  return testing::refusal<FileError>([&] { parse_machine(text, "m.json"); });
}

std::string changed(const std::string& from, const std::string& to, const Machine& m = find_machine("generic")) {
  std::string text = print_machine(m);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Machine, AFileThatIsNoMachineIsRefusedInOneSentence) {
  const std::string object = "m.json: expected a JSON object with a machine's figures";
  for (const char* text : {"", "{", "[]", "3", "null", "{\"name\": \"x\""}) EXPECT_EQ(refusal(text), object) << text;
  EXPECT_EQ(refusal("{}"), "m.json: \"name\": expected a text");
  EXPECT_EQ(refusal(changed("\"generic\"", "7")), "m.json: \"name\": expected a text");
  EXPECT_EQ(refusal(changed("  \"step_seconds\": 5e-07,\n", "")),
            "m.json: \"step_seconds\": expected a number, 0 or above");
  EXPECT_EQ(refusal(changed("\"copy_seconds_per_byte\"", "\"copy_second_per_byte\"")),
            "m.json: \"copy_second_per_byte\" is unknown, expected one of name, source, levels, gemm, "
            "read_seconds_per_byte, copy_seconds_per_byte, shared, one_sided, collectives, step_seconds, precision");
  EXPECT_EQ(refusal(changed("\"latency_seconds\": 3e-07", "\"latency_seconds\": 3e-07, \"latency\": 3e-07")),
            "m.json: level 1: \"latency\" is unknown, expected one of name, ranks, latency_seconds, seconds_per_byte, "
            "overhead_seconds, gap_seconds, messages");
  EXPECT_EQ(refusal(changed("\"latency_seconds\": 3e-07", "\"latency_seconds\": -1")),
            "m.json: level 1: \"latency_seconds\": expected a number, 0 or above");
  EXPECT_EQ(refusal(changed("\"ranks\": 64", "\"ranks\": 6.4")),
            "m.json: level 1: \"ranks\": expected a number of ranks, 0 for unlimited");
  EXPECT_EQ(refusal(changed("\"ranks\": 64", "\"ranks\": 0")),
            "m.json: \"levels\": expected units of ascending numbers of ranks, the last with 0 for unlimited");
  EXPECT_EQ(refusal(changed("\"complex64\": 96000000000.0", "\"complex64\": 0")),
            "m.json: gemm: flops_per_second: \"complex64\": expected a number above 0");
  for (const char* extreme : {"1e308", "1e-320"})
    EXPECT_EQ(refusal(changed("\"latency_seconds\": 3e-07", std::string("\"latency_seconds\": ") + extreme)),
              "m.json: level 1: \"latency_seconds\": expected a number between 1e-30 and 1e30");
  EXPECT_EQ(refusal(changed("\"half_size\": 12.0", "\"half_size\": \"12\"")),
            "m.json: gemm: \"half_size\": expected a number, 0 or above");
  EXPECT_EQ(refusal(changed("\"half_size\": 12.0", "\"half_size\": 12.0, \"half_size\": 6")),
            "m.json: \"half_size\" appears twice");
}

// With every optional figure.
Machine calibrated() {
  Machine m = find_machine("generic");
  m.levels[0].overhead_seconds = 1.0 / 3e6;
  m.levels[1].gap_seconds = 0.1 + 0.2;  // no decimal number of few digits
  m.levels[1].messages = {{1, 1e-6}, {1024, 2e-6}, {1 << 20, 1e-3}};
  m.gemm.efficiency = {{10, 1000}, {10, 100}, {1, 10, 100}, {.1, .2, .3, .4, .5, .6, .7, .8, .9, .1, .2, 1}};
  m.gemm.kernels = "SkylakeX";
  m.gemm.kernel_rates = {{"Haswell", 5e10 / 3}, {"SkylakeX", 3e10}};
  m.copy_seconds_per_byte = 1e-10;
  m.read_seconds_per_byte = 5e-11;
  m.shared = {2e-11 / 3, 1e-7};
  m.one_sided = {m.levels[1]};
  m.collectives = {{"bcast=binomial", 4, 4096, 1e-5}, {"allgather=ring", 8, 8192, 2e-5}};
  return m;
}

TEST(Machine, TheEnvironmentNamesTheOneThatIsNotNamed) {
  ASSERT_EQ(unsetenv("CAIRN_MACHINE"), 0);
  EXPECT_EQ(find_machine("").name, "generic");
  EXPECT_TRUE(machine_is_open(""));
  EXPECT_FALSE(machine_is_open("generic"));
  ASSERT_EQ(setenv("CAIRN_MACHINE", "hopper", 1), 0);
  EXPECT_FALSE(machine_is_open(""));
  EXPECT_EQ(find_machine("").name, "hopper");
  EXPECT_EQ(find_machine("shaheen").name, "shaheen");
  for (const auto& [named, said] :
       {std::pair{"laptop", "CAIRN_MACHINE: 'laptop' is unknown, expected one of generic"},
        {"no.json", "CAIRN_MACHINE: no.json: expected a readable JSON file with a machine's figures"}}) {
    ASSERT_EQ(setenv("CAIRN_MACHINE", named, 1), 0);
    try {
      find_machine("");
      FAIL() << named << " was found";
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find(said), 0U) << e.what();
    }
  }
  ASSERT_EQ(unsetenv("CAIRN_MACHINE"), 0);
}

TEST(Machine, TablesArePrintedAndReadExactly) {
  EXPECT_EQ(parse_machine(print_machine(calibrated()), "text"), calibrated());
}

TEST(Machine, FilesWithoutTheOptionalFiguresAreRead) {
  const char* old = R"({"name": "x", "source": "y",
    "levels": [{"name": "network", "ranks": 0, "latency_seconds": 1e-6, "seconds_per_byte": 1e-9}],
    "gemm": {"flops_per_second": {"float32": 2e9, "float64": 1e9, "complex64": 2e9, "complex128": 1e9}, "half_size": 3},
    "step_seconds": 0, "precision": 0.1})";
  const Machine m = parse_machine(old, "old");
  EXPECT_EQ(m.levels[0].gap_seconds, 0);
  EXPECT_DOUBLE_EQ(m.levels[0].message_seconds(1000), 2e-6);
  EXPECT_EQ(m.copy_seconds_per_byte, 0);
  EXPECT_TRUE(m.gemm.efficiency.empty());
  EXPECT_TRUE(m.gemm.kernels.empty());
  EXPECT_TRUE(m.gemm.kernel_rates.empty());
}

TEST(Machine, TablesThatAreNoneAreRefusedInOneSentence) {
  const auto changed = [](const std::string& from, const std::string& to) {
    return cairn::changed(from, to, calibrated());
  };
  EXPECT_EQ(refusal(changed("\"bytes\": 1024.0", "\"bytes\": 0.5")),
            "m.json: level 2: message 2: \"bytes\": expected more than in the message before");
  EXPECT_EQ(refusal(changed("\"gap_seconds\": 2e-07", "\"gap_seconds\": null")),
            "m.json: level 1: \"gap_seconds\": expected a number, 0 or above");
  EXPECT_EQ(refusal(changed("        0.1,\n", "        1.1,\n")),
            "m.json: gemm: efficiency: \"values\": expected 12 numbers above 0, up to 1: one for each m, n and k");
  EXPECT_EQ(refusal(changed("        0.1,\n", "")),
            "m.json: gemm: efficiency: \"values\": expected 12 numbers above 0, up to 1: one for each m, n and k");
  EXPECT_EQ(refusal(changed("        0.1,\n", "        1e-310,\n")),
            "m.json: gemm: efficiency: \"values\": expected a list, each entry of which is a number between 1e-30 and "
            "1e30");
  EXPECT_EQ(refusal(changed("        10.0,\n        1000.0", "        1000.0,\n        10.0")),
            "m.json: gemm: efficiency: \"m\": expected a list of ascending numbers above 0");
  EXPECT_EQ(refusal(changed("        10.0,\n        1000.0", "        1e-320,\n        1000.0")),
            "m.json: gemm: efficiency: \"m\": expected a list, each entry of which is a number between 1e-30 and 1e30");
  EXPECT_EQ(refusal(changed("\"ranks\": 4,", "\"ranks\": 0,")),
            "m.json: collective 1: \"ranks\": expected a number of ranks");
  EXPECT_EQ(
      refusal(changed("\"kernels\": \"SkylakeX\",\n    \"kernel_rates\"", "\"kernels\": 7,\n    \"kernel_rates\"")),
      "m.json: gemm: \"kernels\": expected a text");
  EXPECT_EQ(refusal(changed("\"flops_per_second\": 30000000000.0", "\"flops_per_second\": 0")),
            "m.json: gemm: kernel rate 2: \"flops_per_second\": expected a number above 0");
  EXPECT_EQ(refusal(changed("\"ranks\": 64", "\"ranks\": 18446744073709551615")),
            "m.json: level 1: \"ranks\": expected a number of ranks, 0 for unlimited");
}

TEST(Machine, MessagesTakeWhatTheTableSaysAndLinesInLogarithmsBetween) {
  const Machine::Level l = calibrated().levels[1];
  Machine::Level free = l;
  free.gap_seconds = 0, free.latency_seconds = 0.5e-6;
  EXPECT_DOUBLE_EQ(free.message_seconds(1024), 2e-6);
  EXPECT_DOUBLE_EQ(free.message_seconds(32), std::sqrt(1e-6 * 2e-6));
  EXPECT_DOUBLE_EQ(free.message_seconds(0.5), 1e-6);
  EXPECT_DOUBLE_EQ(free.message_seconds(1 << 20), 1e-3);
  EXPECT_NEAR(free.message_seconds(2 << 20), 2e-3, 1e-12);
  EXPECT_DOUBLE_EQ(l.port_seconds(1), l.gap_seconds);  // at least the gap
}

TEST(Machine, ProductsRunAtTheEfficiencyOfTheirShape) {
  const Machine m = calibrated();
  const double peak = m.peak_seconds(1, ScalarType::float64);
  const auto share = [&](Int x, Int y, Int z) {
    return peak * static_cast<double>(x * y * z) / m.gemm_seconds(x, y, z, ScalarType::float64);
  };
  EXPECT_DOUBLE_EQ(share(10, 10, 1), 0.1);
  EXPECT_DOUBLE_EQ(share(10, 100, 10), 0.5);
  EXPECT_DOUBLE_EQ(share(1000, 100, 100), 1);
  EXPECT_DOUBLE_EQ(share(100, 10, 1), (0.1 + 0.7) / 2);  // halfway in logarithms
  EXPECT_DOUBLE_EQ(share(5000, 4000, 3000), 1);
  EXPECT_DOUBLE_EQ(share(1, 1, 1), 0.1);
}

TEST(Machine, ProfilesOfThePapersMachinesSayWhereTheirFiguresComeFrom) {
  for (const char* name : {"piz-daint", "hopper", "graphene", "graphene-infiniband", "shaheen", "exascale"}) {
    const Machine m = find_machine(name);
    EXPECT_NE(m.source.find("§"), m.source.npos) << name;
    EXPECT_GT(m.levels.back().message_seconds(8), m.levels.back().latency_seconds) << name;
  }
  EXPECT_NEAR(find_machine("piz-daint").gemm.flops_per_second[1] * 36 * 1813, 2.19e15, 0.01e15);
  EXPECT_NEAR(find_machine("hopper").gemm.flops_per_second[1] * 4, 24 * 8.4e9, 1);
  EXPECT_EQ(find_machine("hopper").ranks_per_node(), 4);
  EXPECT_EQ(find_machine("exascale").ranks_per_node(), 0);
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
