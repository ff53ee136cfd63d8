#include "runtime/files/text_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "io/matrix_market.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/files/source.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {
// No sane line is longer; without a limit, a binary file would be read whole by a rank in search of a line's end.
constexpr Int longest_line = 1 << 20;
constexpr int slice_tag = 71;
}  // namespace

TextSlices::TextSlices(const Comm& comm, const FileInfo& file, Int start, Int slice_bytes)
    : comm_(comm), info_(file), name_(label(file.path, file.argument)), start_(start), end_(file.source->text_bytes) {
  const Int bytes = std::max<Int>(0, end_ - start_), a_pass = slice_bytes * comm.size();
  passes_ = std::max<Int>(1, ceil_div(bytes, a_pass));
  if (!file.compressed) file_.emplace(comm, file.path, MpiFile::Mode::read, name_);
}

std::string TextSlices::slice(Int pass) {
  if (info_.compressed) return receive(pass);
  const Int ranks = comm_.size();
  std::string text;
  together(comm_, [&] { text = read(piece({start_, end_}, passes_ * ranks, pass * ranks + comm_.rank())); });
  return text;
}

/// The lines that begin in `bytes`.
std::string TextSlices::read(Range bytes) {
  // One byte more in front tells whether a line begins at bytes.lo.
  const Int lo = bytes.lo > start_ ? bytes.lo - 1 : bytes.lo;
  if (bytes.empty()) return {};
  std::string text(static_cast<std::size_t>(bytes.hi - lo), '\0');
  file_->read(lo, text.data(), bytes.hi - lo);
  if (lo < bytes.lo) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};  // one line covers all of it and begins before
    text.erase(0, end + 1);
    if (text.empty()) return {};
  }
  if (text.back() != '\n') read_to_line_end(bytes.hi, text);
  return text;
}

void TextSlices::read_to_line_end(Int at, std::string& line) {
  for (Int step = 256, read = 0; at < end_; at += step, read += step, step = std::min<Int>(2 * step, 1 << 16)) {
    if (read > longest_line)
      throw FileError(fmt::format("{}: a line of more than {} bytes, expected one entry a line", name_, longest_line));
    std::string more(static_cast<std::size_t>(std::min(step, end_ - at)), '\0');
    file_->read(at, more.data(), static_cast<Int>(more.size()));
    const std::size_t end = more.find('\n');
    line.append(more, 0, end == more.npos ? end : end + 1);
    if (end != more.npos) return;
  }
}

std::string TextSlices::receive(Int pass) {
  const Int ranks = comm_.size();
  const std::string_view body = std::string_view(info_.source->text)
                                    .substr(std::min(info_.source->text.size(), static_cast<std::size_t>(start_)));
  std::vector<Range> slices;
  std::vector<Int> sizes;
  for (Int rank = 0; comm_.rank() == 0 && rank < ranks; ++rank) {
    slices.push_back(io::line_slice(body, passes_ * ranks, pass * ranks + rank));
    sizes.push_back(slices.back().size());
  }
  Int mine = 0;
  MPI_TRY(MPI_Scatter(sizes.data(), 1, MPI_INT64_T, &mine, 1, MPI_INT64_T, 0, comm_.raw()));
  if (comm_.rank() != 0) {
    std::string text(static_cast<std::size_t>(mine), '\0');
    MPI_TRY(
        MPI_Recv(text.data(), to_int(mine, "bytes of text"), MPI_CHAR, 0, slice_tag, comm_.raw(), MPI_STATUS_IGNORE));
    return text;
  }
  for (int rank = 1; rank < comm_.size(); ++rank) {
    const Range s = slices[static_cast<std::size_t>(rank)];
    MPI_TRY(MPI_Send(body.data() + s.lo, to_int(s.size(), "bytes of text"), MPI_CHAR, rank, slice_tag, comm_.raw()));
  }
  return std::string(body.substr(static_cast<std::size_t>(slices[0].lo), static_cast<std::size_t>(slices[0].size())));
}

void TextSlices::close() {
  if (file_) file_->close();
}

}  // namespace cairn
