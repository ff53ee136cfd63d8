#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../io/temporary_directory.hpp"
#include "runtime/measure/kernels.hpp"
#include "runtime/subprocess.hpp"

namespace cairn {
namespace {

const MeasuredKernels two{"Haswell", {{"Haswell", 50e9}, {"SkylakeX", 90e9}}};
const KernelHost host{"a processor", "a library"};

TEST(MeasuredKernels, AreFasterWhereMoreThanATenthIsGained) {
  ASSERT_TRUE(two.faster_than("Haswell"));
  EXPECT_EQ(two.faster_than("HASWELL")->kernels, "SkylakeX");
  EXPECT_EQ(two.faster_than("SkylakeX"), nullptr);
  EXPECT_EQ(two.faster_than("Nehalem"), nullptr);  // not measured
  const MeasuredKernels close{"Haswell", {{"Haswell", 50e9}, {"SkylakeX", 54e9}}};
  EXPECT_EQ(close.faster_than("Haswell"), nullptr);
  EXPECT_DOUBLE_EQ(two.times("SkylakeX", "Haswell"), 1.8);
  EXPECT_EQ(two.times("SkylakeX", "Nehalem"), 0);
}

TEST(MeasuredKernels, OfTheSameInstructionsAreNotMeasuredTwice) {
  const std::vector<std::string> runnable{"SkylakeX", "Haswell"};
  EXPECT_EQ(worth_measuring(runnable, "Haswell"), std::vector<std::string>{"SkylakeX"});
  EXPECT_EQ(worth_measuring(runnable, "Zen"), std::vector<std::string>{"SkylakeX"});
  EXPECT_EQ(worth_measuring(runnable, "Cooperlake"), std::vector<std::string>{"Haswell"});
  EXPECT_EQ(worth_measuring(runnable, "unheard of"), runnable);
  EXPECT_TRUE(worth_measuring({}, "Haswell").empty());
  for (const std::string& kernels : kernels_this_processor_runs()) EXPECT_GT(flops_per_cycle(kernels), 0) << kernels;
  EXPECT_EQ(value_for("SkylakeX"), "SKYLAKEX");
}

TEST(MeasuredKernels, AreTheSameInALineOfText) {
  const KernelRate rate{"SkylakeX", 87.5e9};
  EXPECT_EQ(rate_in(as_line(rate)), rate);
  for (const char* line : {"", "SkylakeX", "SkylakeX fast", "SkylakeX 0", "SkylakeX -1", "SkylakeX 1 2", "3"})
    EXPECT_FALSE(rate_in(line)) << line;
}

class KernelCache : public ::testing::Test {
 protected:
  io::TemporaryDirectory directory_;
  std::string path_ = directory_.path() + "/not/there/yet/blas_kernels.json";

  void write(const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
    std::ofstream(path_) << text;
  }
};

TEST_F(KernelCache, RemembersEveryHostAndTheLatestOfEach) {
  EXPECT_FALSE(remembered(path_, host));
  ASSERT_TRUE(remember(path_, host, {"Haswell", {{"Haswell", 1e9}}}));
  const KernelHost other{"another processor", "a library"};
  ASSERT_TRUE(remember(path_, other, {"Zen", {{"Zen", 2e9}}}));
  ASSERT_TRUE(remember(path_, host, two));
  EXPECT_EQ(remembered(path_, host), two);
  EXPECT_EQ(remembered(path_, other)->by_itself, "Zen");
  EXPECT_FALSE(remembered(path_, {"a processor", "a newer library"}));
}

TEST_F(KernelCache, ThatMakesNoSenseIsAsIfThereWereNone) {
  const std::string entry = R"({"processor": "a processor", "blas": "a library", )";
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("{\"hosts\": 3}"),
        std::string("{\"hosts\": [3, null, {}]}"), "{\"hosts\": [" + entry + "\"by_itself\": \"Haswell\"}]}",
        "{\"hosts\": [" + entry + R"("by_itself": "Haswell", "rates": [7]}]})",
        "{\"hosts\": [" + entry +
            R"("by_itself": "Haswell", "rates": [{"kernels": "Haswell", "flops_per_second": -1}]}]})",
        "{\"hosts\": [" + entry +
            R"("by_itself": "Zen", "rates": [{"kernels": "Haswell", "flops_per_second": 1}]}]})"}) {
    write(text);
    EXPECT_FALSE(remembered(path_, host)) << text;
    EXPECT_TRUE(remember(path_, host, two)) << text;
    EXPECT_EQ(remembered(path_, host), two) << text;
  }
  EXPECT_FALSE(remembered(directory_.path(), host));
}

TEST_F(KernelCache, ThatCannotBeWrittenIsNoError) {
  EXPECT_FALSE(remember("", host, two));
  write("");
  EXPECT_FALSE(remember(path_ + "/below/a/file", host, two));
  EXPECT_FALSE(remember(directory_.path(), host, two));  // is a directory
}

TEST_F(KernelCache, LiesWhereTheEnvironmentSays) {
  const auto restored = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::pair(std::string(name), value ? std::optional<std::string>(value) : std::nullopt);
  };
  const auto before = {restored("XDG_CACHE_HOME"), restored("HOME")};
  setenv("HOME", "/home/somebody", 1);
  setenv("XDG_CACHE_HOME", "/some/cache", 1);
  EXPECT_EQ(kernel_cache(), "/some/cache/cairn/blas_kernels.json");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(kernel_cache(), "/home/somebody/.cache/cairn/blas_kernels.json");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(kernel_cache(), "/home/somebody/.cache/cairn/blas_kernels.json");
  unsetenv("HOME");
  EXPECT_EQ(kernel_cache(), "");
  for (const auto& [name, value] : before) value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
}

TEST(Subprocess, HasTheEnvironmentThatItIsGiven) {
  const std::vector<std::string> command{"/bin/sh", "-c", "printf '%s %s' \"$CAIRN_TEST\" \"${HOME+home}\""};
  setenv("CAIRN_TEST", "mine", 1);
  EXPECT_EQ(output_of(command, {{"HOME", std::nullopt}}, 60), "mine ");
  EXPECT_EQ(output_of(command, {{"HOME", "/"}, {"CAIRN_TEST", "its"}}, 60), "its home");
  unsetenv("CAIRN_TEST");
}

TEST(Subprocess, ThatFailsHasNoOutput) {
  EXPECT_FALSE(output_of({}, {}, 60));
  EXPECT_FALSE(output_of({"/no/such/program"}, {}, 60));
  EXPECT_FALSE(output_of({"/bin/sh", "-c", "echo something; exit 1"}, {}, 60));
  EXPECT_FALSE(output_of({"/bin/sh", "-c", "echo something; kill -ILL $$"}, {}, 60));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(output_of({"/bin/sh", "-c", "exec sleep 100"}, {}, 0.1));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
}

}  // namespace
}  // namespace cairn
