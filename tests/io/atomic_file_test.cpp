#include "io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "failure.hpp"
#include "temporary_directory.hpp"
#include "unprivileged.hpp"

namespace cairn::io {
namespace {

namespace fs = std::filesystem;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryDirectory directory;
  const std::string path = directory / "c.npy";
  AtomicFile file(path);
  EXPECT_EQ(file.temporary(), path + ".tmp." + std::to_string(::getpid()));
  write_bytes(file.temporary(), "new");
  EXPECT_FALSE(fs::exists(path));
  file.commit();
  EXPECT_EQ(bytes_of(path), "new");
  EXPECT_FALSE(fs::exists(file.temporary()));
  file.commit();  // again does nothing
}

TEST(AtomicFile, LeavesTheOldFileAndNothingElseUnlessCommitted) {
  const TemporaryDirectory directory;
  write_bytes(directory / "c", "old");
  {
    const AtomicFile file(directory / "c");
    write_bytes(file.temporary(), "half of the n");
  }
  EXPECT_EQ(bytes_of(directory / "c"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), {}), 1);
}

TEST(AtomicFile, ReplacesAFileAndKeepsItsPermissions) {
  const TemporaryDirectory directory;
  write_bytes(directory / "c", "old");
  const auto only_me = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(directory / "c", only_me);
  AtomicFile file(directory / "c");
  write_bytes(file.temporary(), "new");
  file.commit();
  EXPECT_EQ(bytes_of(directory / "c"), "new");
  EXPECT_EQ(fs::status(directory / "c").permissions(), only_me);
}

TEST(AtomicFile, TakesAnotherNameIfTheTemporaryOneIsTaken) {
  const TemporaryDirectory directory;
  const AtomicFile one(directory / "c"), two(directory / "c");
  EXPECT_EQ(two.temporary(), one.temporary() + ".1");
}

TEST(AtomicFile, WritesThroughASymbolicLink) {
  const TemporaryDirectory directory;
  write_bytes(directory / "target", "old");
  fs::create_symlink(directory / "target", directory / "link");
  AtomicFile file(directory / "link");
  write_bytes(file.temporary(), "new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(bytes_of(directory / "target"), "new");
}

TEST(AtomicFile, TakesANameWithoutADirectory) {
  const TemporaryDirectory directory;
  const fs::path before = fs::current_path();
  fs::current_path(directory.path());
  AtomicFile file("c");
  file.commit();
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(directory / "c"));
}

std::string failure(const std::string& path) {
  return failure_of([&] { const AtomicFile file(path); });
}

TEST(AtomicFile, SaysWhyAFileCannotBeWritten) {
  const TemporaryDirectory directory;
  const std::string lost = directory / "missing/c", dangling = directory / "dangling";
  EXPECT_EQ(failure(""), "the name of the file to write is empty, expected a path");
  EXPECT_EQ(failure(lost), lost + ": cannot be written: no file can be made in directory " + (directory / "missing") +
                               ": No such file or directory");
  EXPECT_EQ(failure(directory.path()), directory.path() + ": cannot be written: is a directory, expected a file");
  EXPECT_EQ(failure(directory / "new/"), (directory / "new/") + ": cannot be written: is a directory, expected a file");
  EXPECT_EQ(failure("/dev/null"), "/dev/null: cannot be written: is a device, pipe or socket, expected a file");
  fs::create_symlink("nowhere", dangling);
  EXPECT_EQ(failure(dangling), dangling + ": cannot be written: a symbolic link to nowhere");
}

TEST(AtomicFile, NeedsPermissionForTheDirectoryAndTheOldFile) {
  const TemporaryDirectory directory;
  const std::string path = directory / "c";
  write_bytes(path, "old");
  const Unprivileged nobody({directory.path(), path});
  fs::permissions(path, fs::perms::owner_read);
  EXPECT_EQ(failure(path), path + ": cannot be written: Permission denied");
  fs::permissions(directory.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string other = directory / "d";
  EXPECT_EQ(failure(other), other + ": cannot be written: no file can be made in directory " + directory.path() +
                                ": Permission denied");
  fs::permissions(directory.path(), fs::perms::owner_all);
}

TEST(AtomicFile, SaysThatItsTemporaryFileIsGone) {
  const TemporaryDirectory directory;
  AtomicFile file(directory / "c");
  fs::remove(file.temporary());
  EXPECT_EQ(failure_of([&] { file.commit(); }), (directory / "c") + ": cannot be written: " + file.temporary() +
                                                    " is not on the disk: No such file or directory");
}

TEST(AtomicFile, WhatIsCutShortLeavesNothingAndSaysWhy) {
  const TemporaryDirectory directory;
  const std::string path = directory / "c";
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = failure_of([&] { write_whole(path, std::string(100'000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(said, path + ": cannot be written: File too large");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), {}), 0);
}

}  // namespace
}  // namespace cairn::io
