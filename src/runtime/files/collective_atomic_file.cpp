#include "runtime/files/collective_atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "runtime/broadcast.hpp"

namespace cairn {

namespace {

void reserve_bytes(const std::string& file, Int bytes) {
#ifdef __linux__
  const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) throw FileError(fmt::format("{}: cannot be opened: {}", file, std::strerror(errno)));
  const int error = bytes > 0 && ::fallocate(fd, 0, 0, bytes) != 0 ? errno : 0;
  ::close(fd);
  if (error != 0 && error != EOPNOTSUPP && error != ENOSYS && error != EINTR)
    throw FileError(fmt::format("cannot be written: no room for {} bytes: {}", bytes, std::strerror(error)));
#else
  static_cast<void>(file);
  static_cast<void>(bytes);
#endif
}

void require_size(const std::string& file, Int bytes) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) throw FileError(fmt::format("cannot be written: {}", std::strerror(errno)));
  if (status.st_size != bytes)
    throw FileError(fmt::format("cannot be written: {} bytes reached the disk, expected {}", status.st_size, bytes));
}

}  // namespace

template <class Work>
void CollectiveAtomicFile::on_rank_0(const Work& work) {
  together(comm_, [&] {
    if (comm_.rank() != 0) return;
    try {
      work();
    } catch (const FileError& error) {
      const std::string text = error.what();
      throw FileError(text.rfind(path_ + ":", 0) == 0 ? name_ + text.substr(path_.size()) : name_ + ": " + text);
    }
  });
}

CollectiveAtomicFile::CollectiveAtomicFile(const Comm& comm, const std::string& path, std::string name)
    : comm_(comm), path_(path), name_(std::move(name)) {
  on_rank_0([&] {
    file_.emplace(path);
    temporary_ = file_->temporary();
  });
  broadcast(comm, temporary_);
}

void CollectiveAtomicFile::reserve(Int bytes) {
  on_rank_0([&] { reserve_bytes(temporary_, bytes); });
}

MpiFile& CollectiveAtomicFile::open() { return opened_.emplace(comm_, temporary_, MpiFile::Mode::write, name_); }

void CollectiveAtomicFile::fill(const std::string& text) {
  on_rank_0([&] {
    std::ofstream stream(temporary_, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw FileError(fmt::format("cannot be written: {}", std::strerror(errno)));
  });
  complete(static_cast<Int>(text.size()));
}

void CollectiveAtomicFile::close() {
  if (!opened_) return;
  together(comm_, [&] { opened_->sync(); });
  together(comm_, [&] { opened_->close(); });
  opened_.reset();
}

void CollectiveAtomicFile::complete(Int bytes) {
  close();
  on_rank_0([&] {
    require_size(temporary_, bytes);
    file_->sync();
  });
}

void CollectiveAtomicFile::commit(Int bytes) {
  close();
  on_rank_0([&] {
    require_size(temporary_, bytes);
    file_->commit();
  });
}

}  // namespace cairn
