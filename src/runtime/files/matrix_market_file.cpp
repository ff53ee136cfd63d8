#include "runtime/files/matrix_market_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "runtime/files/agreed_errors.hpp"
#include "runtime/files/owners.hpp"
#include "runtime/files/source.hpp"
#include "runtime/files/text_slices.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

/// An element on its way to the rank that keeps it.
template <class T>
struct Parcel {
  Int offset;  ///< in that rank's memory
  T value;
};

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

/// What this rank sends, rank after rank; within a rank in the order of `entries`.
template <class T>
struct Outbox {
  std::vector<Parcel<T>> parcels;
  std::vector<int> counts, starts;

  Outbox(const std::vector<io::Entry>& entries, const Owners& owners, int ranks, const io::MatrixMarketHeader& header,
         bool allow_nonfinite)
      : counts(static_cast<std::size_t>(ranks)), starts(counts.size()) {
    const auto for_each = [&](const auto& visit) {
      for (const io::Entry& e : entries)
        owners.for_each_copy(e.row, e.col,
                             [&](int rank, Int offset) { visit(e, static_cast<std::size_t>(rank), offset); });
    };
    for_each([&](const io::Entry&, std::size_t rank, Int) { ++counts[rank]; });
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
    std::vector<int> at = starts;
    parcels.resize(static_cast<std::size_t>(starts.back() + counts.back()));
    for_each([&](const io::Entry& e, std::size_t rank, Int offset) {
      parcels[static_cast<std::size_t>(at[rank]++)] = {offset, element<T>(e, header, allow_nonfinite)};
    });
  }
};

/// Collective: delivers all parcels; returns this rank's, in the order of the sending ranks.
template <class T>
std::vector<Parcel<T>> deliver(const Comm& comm, const Outbox<T>& out) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> counts(ranks), starts(ranks);
  MPI_TRY(MPI_Alltoall(out.counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, comm.raw()));
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  std::vector<Parcel<T>> in(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_TRY(MPI_Type_contiguous(static_cast<int>(sizeof(Parcel<T>)), MPI_BYTE, &type));
  MPI_TRY(MPI_Type_commit(&type));
  MPI_TRY(MPI_Alltoallv(out.parcels.data(), out.counts.data(), out.starts.data(), type, in.data(), counts.data(),
                        starts.data(), type, comm.raw()));
  MPI_TRY(MPI_Type_free(&type));
  return in;
}

/// Parses the slices of a file, pass by pass, keeping count of lines and values before this rank's slice.
class Parser {
 public:
  Parser(const Comm& comm, const io::MatrixMarketHeader& header, bool allow_nonfinite)
      : comm_(comm),
        header_(header),
        nonfinite_(allow_nonfinite ? io::Nonfinite::allow : io::Nonfinite::reject),
        next_line_(header.data_line) {}

  /// Collective.
  std::vector<io::Entry> parse(const std::string& slice) {
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

  /// After the last slice.
  void finish() const { io::check_entry_count(header_, found_); }

 private:
  /// Collective: `total` plus what the lower ranks have; adds what all have to `total`.
  Int take_turns(Int mine, Int& total) const {
    Int before = 0, sum = 0;
    MPI_TRY(MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm_.raw()));
    MPI_TRY(MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm_.raw()));
    if (comm_.rank() == 0) before = 0;  // MPI_Exscan leaves it undefined there
    before += total;
    total += sum;
    return before;
  }

  const Comm& comm_;
  const io::MatrixMarketHeader& header_;
  io::Nonfinite nonfinite_;
  Int next_line_, found_ = 0;
};

}  // namespace

template <class T>
void read_matrix_market(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                        const DistMatrix<T>& matrix, const ReadOptions& options) {
  const Owners owners(matrix.layout(), comm.size());
  TextSlices slices(comm, file, header.data_offset, std::max<Int>(1, options.chunk_bytes));
  Parser parser(comm, header, options.allow_nonfinite);
  for (Int pass = 0; pass < slices.passes(); ++pass) {
    const std::vector<io::Entry> entries = parser.parse(slices.slice(pass));
    std::optional<Outbox<T>> out;
    together(comm, [&] { out.emplace(entries, owners, comm.size(), header, options.allow_nonfinite); });
    for (const Parcel<T>& p : deliver(comm, *out)) matrix.data()[p.offset] += p.value;
  }
  slices.close();
  parser.finish();
}

#define CAIRN_INSTANTIATE(T)                                                                       \
  template void read_matrix_market<T>(const Comm&, const FileInfo&, const io::MatrixMarketHeader&, \
                                      const DistMatrix<T>&, const ReadOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
