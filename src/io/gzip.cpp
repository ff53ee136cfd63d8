#include "io/gzip.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "cairn/error.hpp"

namespace cairn::io {

namespace {

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw FileError(fmt::format("{}: {}", path, what));
}

/// A file open for reading; closed at the end unless taken.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
    const bool is_directory = ::fstat(fd_, &status_) == 0 && S_ISDIR(status_.st_mode);
    if (!is_directory) return;
    ::close(fd_);
    fail(path, "is a directory, expected a file");
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  void release() { fd_ = -1; }
  Int bytes() const { return S_ISREG(status_.st_mode) ? static_cast<Int>(status_.st_size) : 0; }

 private:
  int fd_;
  struct stat status_ {};
};

struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};
using Gzip = std::unique_ptr<gzFile_s, CloseGzip>;

[[noreturn]] void fail_reading(const std::string& path, gzFile file) {
  int code = Z_OK;
  const char* const message = gzerror(file, &code);
  if (code == Z_BUF_ERROR) fail(path, "the gzip file is truncated, expected more compressed bytes");
  if (code == Z_DATA_ERROR) fail(path, "the gzip file is damaged, expected valid compressed bytes");
  const std::string reason = code == Z_ERRNO ? std::strerror(errno) : message;
  fail(path, fmt::format("cannot be read: {}", reason));
}

}  // namespace

bool is_gzip(const std::string& path) {
  const OpenFile file(path);
  unsigned char start[2] = {};
  return ::read(file.get(), start, 2) == 2 && start[0] == 0x1f && start[1] == 0x8b;
}

std::string read_file(const std::string& path, Int most_bytes) {
  OpenFile opened(path);
  const Gzip file(gzdopen(opened.get(), "rb"));
  if (!file) fail(path, "cannot be read: no memory for a zlib buffer");
  const Int plain_bytes = opened.bytes();
  opened.release();  // the gzip file closes it
  gzbuffer(file.get(), 1U << 18);

  std::string text;
  // Room for a plain file at once and a byte to see its end; a compressed one doubles as it grows.
  Int room = std::min(plain_bytes, most_bytes) + 1;
  constexpr Int least = 1 << 16, most_a_read = 1 << 30;  // gzread counts with int
  for (Int size = 0;; room = std::max(size, least)) {
    room = std::min(room, most_a_read);
    text.resize(static_cast<std::size_t>(size + room));
    const int got = gzread(file.get(), text.data() + size, static_cast<unsigned>(room));
    if (got < 0) fail_reading(path, file.get());
    size += got;
    if (size > most_bytes) fail(path, fmt::format("holds more than the expected {} bytes", most_bytes));
    text.resize(static_cast<std::size_t>(size));
    if (got == room) continue;
    int code = Z_OK;
    gzerror(file.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) fail_reading(path, file.get());
    return text;
  }
}

}  // namespace cairn::io
