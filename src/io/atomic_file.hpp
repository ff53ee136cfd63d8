// A file that appears under its name only when complete.
#pragma once
#include <string>

namespace cairn::io {

/// Makes an empty temporary file beside `path`; once written, by whatever means and by however many
/// ranks, commit() gives it the name `path`, replacing a file of that name. Without commit() the
/// destructor removes it, and a file that was at `path` is unharmed. One rank owns the object.
class AtomicFile {
 public:
  /// Throws FileError if the directory is missing or cannot be written to, or if `path` is a
  /// directory, a device or a file without write permission. A symbolic link to a file is followed.
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Name of the temporary file: path.tmp.<process id>, with a number after it if that is taken.
  const std::string& temporary() const { return temporary_; }

  /// Waits until the bytes are on the disk. All writers must have closed the file. Throws FileError.
  void sync() const;
  /// The same, then renames. Where it throws, the temporary file is removed by the destructor.
  void commit();

 private:
  std::string path_, temporary_;
  bool committed_ = false;
};

/// Writes a file whole or not at all. Throws FileError.
void write_whole(const std::string& path, const std::string& text);

}  // namespace cairn::io
