// What a page of a plan looks like on a terminal.
#pragma once
#include <gtest/gtest.h>

#include <string>

namespace cairn::testing {

/// Lines are narrow, and have no blanks at their ends; reasons may be longer.
inline void expect_narrow_lines(const std::string& page) {
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = page.find('\n', at);
    ASSERT_NE(end, page.npos);
    const std::string line = page.substr(at, end - at);
    EXPECT_FALSE(line.ends_with(' ')) << line;
    EXPECT_TRUE(line.size() <= 110 || line.starts_with("  because")) << line;
    at = end + 1;
  }
}

}  // namespace cairn::testing
