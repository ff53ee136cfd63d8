#include "scalapack/settings.hpp"

#include <gtest/gtest.h>

namespace cairn::scalapack {

TEST(ScalapackSettings, NothingSetMeansWhatIsWorthIt) {
  const Settings s = parse_settings(nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(s.use, Settings::Use::worth);
  EXPECT_FALSE(s.verbose);
  EXPECT_FALSE(s.summary);
  EXPECT_EQ(s.memory, "");
  EXPECT_EQ(s.problems, "");
}

TEST(ScalapackSettings, AreWhatTheVariablesSay) {
  const Settings s = parse_settings("always", "1", "1", "2GiB");
  EXPECT_EQ(s.use, Settings::Use::always);
  EXPECT_TRUE(s.verbose);
  EXPECT_TRUE(s.summary);
  EXPECT_EQ(s.memory, "2GiB");
  EXPECT_EQ(s.problems, "");
  EXPECT_EQ(parse_settings("off", "0", "0", "").use, Settings::Use::never);
}

TEST(ScalapackSettings, WhatIsNotUnderstoodIsNamedAndIgnored) {
  const Settings s = parse_settings("perhaps", "yes", "2", "lots");
  EXPECT_EQ(s.use, Settings::Use::worth);
  EXPECT_FALSE(s.verbose);
  EXPECT_FALSE(s.summary);
  EXPECT_EQ(s.memory, "");
  EXPECT_EQ(s.problems,
            "cairn: CAIRN_SCALAPACK='perhaps' is ignored, expected off, auto or always\n"
            "cairn: CAIRN_VERBOSE='yes' is ignored, expected 1 or 0\n"
            "cairn: CAIRN_SUMMARY='2' is ignored, expected 1 or 0\n"
            "cairn: CAIRN_MEMORY 'lots': expected a size such as 2GiB, 500MB, 4096 (bytes) or 100000words; it is "
            "ignored\n");
}

}  // namespace cairn::scalapack
