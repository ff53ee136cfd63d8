#include "io/gzip.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "failure.hpp"
#include "temporary_directory.hpp"
#include "unprivileged.hpp"
#include "write_gzip.hpp"

namespace cairn::io {
namespace {

/// Text of `size` bytes that does not compress to nothing.
std::string sample(std::size_t size) {
  std::string text;
  for (unsigned i = 1; text.size() < size; ++i) text += std::to_string(i * 2654435761U) + '\n';
  text.resize(size);
  return text;
}

TEST(Gzip, ReadsPlainAndCompressedFilesOfAnySize) {
  const TemporaryDirectory directory;
  for (std::size_t size : {0U, 1U, 2U, 65535U, 65536U, 65537U, 3000000U}) {
    const std::string text = sample(size);
    write_bytes(directory / "plain", text);
    write_gzip(directory / "packed", text);
    EXPECT_EQ(read_file(directory / "plain"), text);
    EXPECT_EQ(read_file(directory / "packed"), text);
  }
}

TEST(Gzip, ReadsFilesMadeOfSeveralParts) {
  const TemporaryDirectory directory;
  write_gzip(directory / "a", "one ");
  write_gzip(directory / "b", "two");
  write_bytes(directory / "both", bytes_of(directory / "a") + bytes_of(directory / "b"));
  EXPECT_EQ(read_file(directory / "both"), "one two");
}

TEST(Gzip, SaysWhyAFileCannotBeOpened) {
  const TemporaryDirectory directory;
  const std::string missing = directory / "missing", secret = directory / "secret";
  EXPECT_EQ(failure_of([&] { read_file(missing); }), missing + ": cannot be opened: No such file or directory");
  EXPECT_EQ(failure_of([&] { read_file(directory.path()); }), directory.path() + ": is a directory, expected a file");
  write_bytes(secret, "text");
  const Unprivileged nobody({directory.path(), secret});
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  EXPECT_EQ(failure_of([&] { read_file(secret); }), secret + ": cannot be opened: Permission denied");
}

TEST(Gzip, SaysThatAFileIsTruncated) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.gz";
  write_gzip(path, sample(100000));
  const std::string whole = bytes_of(path);
  for (std::size_t size : {3U, 10U, 1000U, static_cast<unsigned>(whole.size() - 1)}) {
    write_bytes(path, whole.substr(0, size));
    EXPECT_EQ(failure_of([&] { read_file(path); }),
              path + ": the gzip file is truncated, expected more compressed bytes");
  }
}

TEST(Gzip, SaysThatAFileIsDamaged) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.gz";
  write_gzip(path, sample(100000));
  std::string bytes = bytes_of(path);
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  write_bytes(path, bytes);
  EXPECT_EQ(failure_of([&] { read_file(path); }), path + ": the gzip file is damaged, expected valid compressed bytes");
}

}  // namespace
}  // namespace cairn::io
