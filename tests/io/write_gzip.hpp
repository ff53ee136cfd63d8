// Compressed files for tests.
#pragma once
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace cairn::io {

inline void write_gzip(const std::string& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  ASSERT_EQ(gzclose(file), Z_OK);
}

}  // namespace cairn::io
