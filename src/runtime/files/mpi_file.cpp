#include "runtime/files/mpi_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cairn/error.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

MpiFile::MpiFile(const Comm& comm, const std::string& path, Mode mode, std::string label)
    : mode_(mode), label_(std::move(label)) {
  const int flags = mode == Mode::read ? MPI_MODE_RDONLY : MPI_MODE_WRONLY;
  together(comm, [&] { require(MPI_File_open(comm.raw(), path.c_str(), flags, MPI_INFO_NULL, &file_)); });
}

MpiFile::~MpiFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void MpiFile::fail(int code) const {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  const char* const what = mode_ == Mode::read ? "read" : "written";
  const bool full = kind == MPI_ERR_NO_SPACE || kind == MPI_ERR_QUOTA;
  throw FileError(
      fmt::format("{}: cannot be {}: {}", label_, what, full ? "no space left on the device" : mpi_error_text(code)));
}

void MpiFile::require_count(MPI_Status& status, MPI_Datatype element, Int expected) const {
  int count = 0;
  require(MPI_Get_count(&status, element, &count));
  if (count == expected) return;
  const char* const what = mode_ == Mode::read ? "truncated: read" : "cannot be written: the disk took";
  throw FileError(
      fmt::format("{}: {} {} of {} {}", label_, what, count, expected, element == MPI_BYTE ? "bytes" : "elements"));
}

MpiFile::View MpiFile::set_view(Int start, const IndexSet& places, MPI_Datatype element) {
  // One flat list of pieces: implementations flatten nested types anyway, and MPICH 4.0.2 gets some of them wrong.
  int bytes = 0;
  MPI_Type_size(element, &bytes);
  const std::span<const Range> runs = places.pieces();
  const Int first = runs.empty() ? 0 : runs.front().lo;
  MPI_Datatype pattern = element;
  View view;
  try {
    view.words = to_int(places.size(), "elements of a transfer");
    std::vector<int> lengths;
    std::vector<MPI_Aint> starts;
    for (Range r : runs) {
      lengths.push_back(static_cast<int>(r.size()));
      starts.push_back(static_cast<MPI_Aint>((r.lo - first) * bytes));
    }
    if (runs.size() > 1) {
      MPI_TRY(
          MPI_Type_create_hindexed(static_cast<int>(runs.size()), lengths.data(), starts.data(), element, &pattern));
      MPI_TRY(MPI_Type_commit(&pattern));
    }
  } catch (...) {
    view.words = 0, view.error = std::current_exception();
  }
  view.code = MPI_File_set_view(file_, start + first * bytes, element, pattern, "native", MPI_INFO_NULL);
  if (pattern != element) MPI_Type_free(&pattern);
  return view;
}

void MpiFile::read_all(Int start, const IndexSet& places, MPI_Datatype element, void* data, bool overlap) {
  const View view = set_view(start, places, element);
  MPI_Status status;
  const int code = (overlap ? MPI_File_read_at : MPI_File_read_at_all)(file_, 0, data, view.words, element, &status);
  if (view.error) std::rethrow_exception(view.error);
  require(view.code);
  require(code);
  require_count(status, element, view.words);
}

// In pieces that MPI can count.
template <class Transfer>
void MpiFile::in_pieces(Int bytes, const Transfer& transfer) {
  constexpr Int most = Int{1} << 30;
  for (Int at = 0; at < bytes; at += most) {
    const Int piece = std::min(most, bytes - at);
    MPI_Status status;
    require(transfer(at, static_cast<int>(piece), &status));
    require_count(status, MPI_BYTE, piece);
  }
}

void MpiFile::read(Int offset, char* data, Int bytes) {
  in_pieces(bytes, [&](Int at, int piece, MPI_Status* status) {
    return MPI_File_read_at(file_, offset + at, data + at, piece, MPI_BYTE, status);
  });
}

void MpiFile::write(Int offset, const char* data, Int bytes) {
  in_pieces(bytes, [&](Int at, int piece, MPI_Status* status) {
    return MPI_File_write_at(file_, offset + at, data + at, piece, MPI_BYTE, status);
  });
}

void MpiFile::write_places(Int start, const IndexSet& places, Int element_bytes, const char* data) {
  for (const Range r : places.pieces()) {
    write(start + r.lo * element_bytes, data, r.size() * element_bytes);
    data += r.size() * element_bytes;
  }
}

void MpiFile::sync() { require(MPI_File_sync(file_)); }

void MpiFile::close() {
  const int code = MPI_File_close(&file_);
  file_ = MPI_FILE_NULL;
  require(code);
}

}  // namespace cairn
