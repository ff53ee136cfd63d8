#include "runtime/files/matrix_market_entries.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "runtime/files/agreed_errors.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

MatrixMarketEntries::MatrixMarketEntries(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                                         const ReadOptions& options)
    : comm_(comm),
      header_(header),
      slices_(comm, file, header.data_offset, std::max<Int>(1, options.chunk_bytes)),
      nonfinite_(options.allow_nonfinite ? io::Nonfinite::allow : io::Nonfinite::reject),
      next_line_(header.data_line) {}

std::vector<io::Entry> MatrixMarketEntries::pass(Int number) {
  const std::string slice = slices_.slice(number);
  const Int first_line = take_turns(io::count_lines(slice), next_line_);
  std::vector<io::Entry> entries;
  std::vector<std::complex<double>> values;
  Int found = 0;
  together(comm_, [&] {
    found = header_.coordinate ? io::parse_coordinate_lines(slice, header_, first_line, entries, nonfinite_)
                               : io::parse_array_values(slice, header_, first_line, values, nonfinite_);
  });
  const Int before = take_turns(found, found_);
  together(comm_, [&] {
    if (!header_.coordinate) entries = io::array_entries(header_, before, values);
    io::mirror(header_.symmetry, entries);
  });
  return entries;
}

void MatrixMarketEntries::finish() {
  slices_.close();
  io::check_entry_count(header_, found_);
}

// `total` plus what the lower ranks have; adds what all have to `total`.
Int MatrixMarketEntries::take_turns(Int mine, Int& total) const {
  Int before = 0, sum = 0;
  MPI_TRY(MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm_.raw()));
  MPI_TRY(MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm_.raw()));
  if (comm_.rank() == 0) before = 0;  // MPI_Exscan leaves it undefined there
  before += total;
  total += sum;
  return before;
}

template <class T>
T element(const io::Entry& e, const io::MatrixMarketHeader& header, bool allow_nonfinite) {
  T value;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    value = static_cast<T>(e.value.real());
  else
    value = static_cast<T>(e.value);
  if (!allow_nonfinite && !std::isfinite(std::abs(value)) && std::isfinite(std::abs(e.value)))
    throw FileError(fmt::format("{}: the value in row {}, column {} is too large for {}", header.file_name, e.row + 1,
                                e.col + 1, name_of(scalar_type_of<T>)));
  return value;
}

#define CAIRN_INSTANTIATE(T) template T element<T>(const io::Entry&, const io::MatrixMarketHeader&, bool);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
