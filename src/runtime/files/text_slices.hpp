// The lines of a text file, dealt to the ranks slice by slice.
#pragma once
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "runtime/files/mpi_file.hpp"

namespace cairn {

/// The body of a text file, from byte `start` on, in passes × ranks slices of about `slice_bytes` bytes, in the order
/// of the file. A rank reads its slice through MPI-IO, or rank 0 hands the slices out if the file was compressed.
class TextSlices {
 public:
  TextSlices(const Comm& comm, const FileInfo& file, Int start, Int slice_bytes);

  Int passes() const { return passes_; }
  /// Collective: this rank's lines of a pass, whole lines.
  std::string slice(Int pass);
  /// Collective; once after the last pass.
  void close();

 private:
  std::string read(Range bytes);
  std::string receive(Int pass);
  /// The end of the line that byte `at − 1` belongs to, or the end of the file; `line` gets the bytes from `at` on.
  void read_to_line_end(Int at, std::string& line);

  const Comm& comm_;
  const FileInfo& info_;
  std::string name_;
  Int start_, end_, passes_;
  std::optional<MpiFile> file_;
  std::string again_;
  std::string_view text_{};  // of a compressed file, on rank 0
};

}  // namespace cairn
