#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cairn/error.hpp"

namespace cairn::io {

namespace {

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw FileError(fmt::format("{}: {}", path, what));
}

[[noreturn]] void fail_with_errno(const std::string& path, std::string_view what) {
  fail(path, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Where a rename to `path` should go: the file behind a symbolic link, not the link.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::canonical(path, error);
  if (error) fail(path, "cannot be written: a symbolic link to nowhere");
  return target.string();
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Forces a file or directory to the disk.
bool synchronise(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = ::fsync(fd) == 0;
  const int error = errno;
  ::close(fd);
  errno = error;
  return done;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(behind_links(path)) {
  if (path.empty()) throw FileError("the name of the file to write is empty, expected a path");
  struct stat old {};
  const bool replaces = ::stat(path_.c_str(), &old) == 0;
  if ((replaces && S_ISDIR(old.st_mode)) || path_.back() == '/')
    fail(path, "cannot be written: is a directory, expected a file");
  if (replaces && !S_ISREG(old.st_mode)) fail(path, "cannot be written: is a device, pipe or socket, expected a file");
  if (replaces && ::access(path_.c_str(), W_OK) != 0) fail_with_errno(path, "cannot be written");

  // Making the file is the only sure test of the directory: permissions say nothing about a mount
  // that is read only. A file of that name may be of a dead process, or live on another machine.
  const std::string name = fmt::format("{}.tmp.{}", path_, ::getpid());
  constexpr int most_attempts = 100;
  int fd = -1;
  for (int attempt = 0; fd < 0 && attempt < most_attempts; ++attempt) {
    temporary_ = attempt == 0 ? name : fmt::format("{}.{}", name, attempt);
    fd = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0)
    fail_with_errno(path, fmt::format("cannot be written: no file can be made in directory {}", directory_of(path_)));
  // The new file gets the permissions of the old one; a file system without any is no failure.
  if (replaces) static_cast<void>(::fchmod(fd, old.st_mode & 0777U));
  ::close(fd);
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::sync() const {
  if (!synchronise(temporary_, O_WRONLY))
    fail_with_errno(path_, fmt::format("cannot be written: {} is not on the disk", temporary_));
}

void AtomicFile::commit() {
  if (committed_) return;
  sync();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail_with_errno(path_, fmt::format("cannot be written: {} cannot be renamed", temporary_));
  committed_ = true;
  // The rename itself is on the disk only with its directory; some file systems cannot do that, and
  // the file is complete in any case.
  synchronise(directory_of(path_), O_RDONLY | O_DIRECTORY);
}

void write_whole(const std::string& path, const std::string& text) {
  AtomicFile whole(path);
  std::ofstream file(whole.temporary(), std::ios::binary);
  file << text;
  file.close();
  if (!file) fail_with_errno(path, "cannot be written");
  whole.commit();
}

}  // namespace cairn::io
