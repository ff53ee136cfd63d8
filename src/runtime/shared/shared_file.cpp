#include "runtime/shared/shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace cairn {

SharedFile SharedFile::make(Int bytes) {
#ifdef __linux__
  SharedFile file(memfd_create("cairn", MFD_CLOEXEC));
  if (file.is_open() && ftruncate(file.descriptor_, static_cast<off_t>(bytes)) == 0) return file;
#else
  (void)bytes;
#endif
  return {};
}

SharedFile SharedFile::find(const Name& wanted) {
  if (wanted.descriptor < 0) return {};
  const std::string path = fmt::format("/proc/{}/fd/{}", wanted.process, wanted.descriptor);
  SharedFile file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return {};
  const Name found = file.name();
  return found.device == wanted.device && found.inode == wanted.inode ? std::move(file) : SharedFile();
}

SharedFile::SharedFile(SharedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SharedFile::~SharedFile() {
  if (is_open()) close(descriptor_);
}

SharedFile::Name SharedFile::name() const {
  struct stat status {};
  if (!is_open() || fstat(descriptor_, &status) != 0) return {};
  return {getpid(), descriptor_, static_cast<Int>(status.st_dev), static_cast<Int>(status.st_ino)};
}

bool SharedFile::reserve(Int start, Int bytes) const {
  // The system gives back what it had set aside when a signal interrupts it: smaller pieces fit between signals.
  constexpr Int largest = Int{16} << 20, smallest = Int{64} << 10;
  Int piece = largest;
  for (Int done = 0; done < bytes;) {
    const Int now = std::min(piece, bytes - done);
    const int code = posix_fallocate(descriptor_, static_cast<off_t>(start + done), static_cast<off_t>(now));
    if (code == 0)
      done += now;
    else if (code == EINTR)
      piece = std::max(piece / 2, smallest);
    else
      return false;
  }
  return true;
}

std::shared_ptr<std::byte> SharedFile::map(Int bytes) const {
  const auto size = static_cast<std::size_t>(bytes);
  void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (at == MAP_FAILED) return nullptr;
  return {static_cast<std::byte*>(at), [size](std::byte* p) { munmap(p, size); }};
}

}  // namespace cairn
