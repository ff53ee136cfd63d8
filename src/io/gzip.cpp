#include "io/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cairn/error.hpp"
#include "cairn/types.hpp"

namespace cairn::io {

namespace {

[[noreturn]] void fail(const std::string& name, std::string_view what) {
  throw FileError(fmt::format("{}: {}", name, what));
}

struct CloseGzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};
using Gzip = std::unique_ptr<gzFile_s, CloseGzip>;

[[noreturn]] void fail_reading(const std::string& name, gzFile file) {
  int code = Z_OK;
  const char* const message = gzerror(file, &code);
  if (code == Z_BUF_ERROR) fail(name, "the gzip file is truncated, expected more compressed bytes");
  if (code == Z_DATA_ERROR) fail(name, "the gzip file is damaged, expected valid compressed bytes");
  const std::string reason = code == Z_ERRNO ? std::strerror(errno) : message;
  fail(name, fmt::format("cannot be read: {}", reason));
}

}  // namespace

std::string read_file(const std::string& path, std::string name) {
  if (name.empty()) name = path;
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) fail(name, "is a directory, expected a file");
  errno = 0;
  const Gzip file(gzopen(path.c_str(), "rbe"));
  if (!file && errno != 0) fail(name, fmt::format("cannot be opened: {}", std::strerror(errno)));
  if (!file) fail(name, "cannot be read: no memory for a zlib buffer");
  const auto size_on_disk = static_cast<Int>(std::filesystem::file_size(path, unknown));
  const Int plain_bytes = unknown ? 0 : size_on_disk;
  gzbuffer(file.get(), 1U << 18);

  std::string text;
  // Room for a plain file at once and a byte to see its end; a compressed one doubles as it grows.
  Int room = plain_bytes + 1;
  constexpr Int least = 1 << 16, most_a_read = 1 << 30;  // gzread counts with int
  for (Int size = 0;; room = std::max(size, least)) {
    room = std::min(room, most_a_read);
    text.resize(static_cast<std::size_t>(size + room));
    const int got = gzread(file.get(), text.data() + size, static_cast<unsigned>(room));
    if (got < 0) fail_reading(name, file.get());
    size += got;
    text.resize(static_cast<std::size_t>(size));
    if (got == room) continue;
    int code = Z_OK;
    gzerror(file.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) fail_reading(name, file.get());
    return text;
  }
}

}  // namespace cairn::io
