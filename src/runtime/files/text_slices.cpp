#include "runtime/files/text_slices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "io/gzip.hpp"
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
  if (!file.compressed) {
    file_.emplace(comm, file.path, MpiFile::Mode::read, name_);
    return;
  }
  together(comm, [&] {
    if (comm.rank() != 0) return;
    text_ = file.source->text;
    if (text_.empty()) text_ = again_ = io::read_file(file.path, name_);  // on another rank 0 it is there
  });
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
  const std::string_view body = text_.substr(std::min(text_.size(), place(start_)));
  std::vector<Range> slices;
  std::vector<Int> sizes;
  for (Int rank = 0; comm_.rank() == 0 && rank < ranks; ++rank) {
    slices.push_back(io::line_slice(body, passes_ * ranks, pass * ranks + rank));
    sizes.push_back(slices.back().size());
  }
  Int bytes = 0;
  MPI_TRY(MPI_Scatter(sizes.data(), 1, MPI_INT64_T, &bytes, 1, MPI_INT64_T, 0, comm_.raw()));
  std::string mine;
  together(comm_, [&] {
    if (bytes > std::numeric_limits<int>::max())
      throw FileError(fmt::format("{}: a line of about {} bytes, expected one entry a line", name_, bytes));
    mine.resize(place(bytes));
  });
  if (comm_.rank() != 0) {
    MPI_TRY(MPI_Recv(mine.data(), static_cast<int>(bytes), MPI_CHAR, 0, slice_tag, comm_.raw(), MPI_STATUS_IGNORE));
    return mine;
  }
  for (int rank = 1; rank < comm_.size(); ++rank) {
    const Range s = slices[place(rank)];
    MPI_TRY(MPI_Send(body.data() + s.lo, static_cast<int>(s.size()), MPI_CHAR, rank, slice_tag, comm_.raw()));
  }
  body.copy(mine.data(), mine.size(), place(slices[0].lo));
  return mine;
}

void TextSlices::close() {
  if (file_) file_->close();
}

}  // namespace cairn
