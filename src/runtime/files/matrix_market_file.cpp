#include "runtime/files/matrix_market_file.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "io/finite.hpp"
#include "local/sparse/elements.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/deliver_parcels.hpp"
#include "runtime/files/chunk.hpp"
#include "runtime/files/owners.hpp"
#include "runtime/files/text_slices.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

/// The file's entries, wherever they belong: each rank parses a slice of the text at a time. Keeps count of lines and
/// values before this rank's slice. Every member is collective, and errors are the same on all ranks.
class MatrixMarketEntries {
 public:
  MatrixMarketEntries(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                      const ReadOptions& options)
      : comm_(comm),
        header_(header),
        slices_(comm, file, header.data_offset, chunk_of(options.chunk_bytes)),
        nonfinite_(options.allow_nonfinite ? io::Nonfinite::allow : io::Nonfinite::reject),
        next_line_(header.data_line) {}

  Int passes() const { return slices_.passes(); }

  /// This rank's entries of a pass, with the mirror images of a triangle.
  std::vector<io::Entry> pass(Int number) {
    const std::string slice = slices_.slice(number);
    const Int first_line = take_turns(comm_, io::count_lines(slice), next_line_);
    std::vector<io::Entry> entries;
    std::vector<std::complex<double>> values;
    Int found = 0;
    together(comm_, [&] {
      found = header_.coordinate ? io::parse_coordinate_lines(slice, header_, first_line, entries, nonfinite_)
                                 : io::parse_array_values(slice, header_, first_line, values, nonfinite_);
    });
    const Int before = take_turns(comm_, found, found_);
    together(comm_, [&] {
      if (!header_.coordinate) entries = io::array_entries(header_, before, values);
      io::mirror(header_.symmetry, entries);
    });
    return entries;
  }

  /// After the last pass.
  void finish() {
    slices_.close();
    io::check_entry_count(header_, found_);
  }

 private:
  const Comm& comm_;
  const io::MatrixMarketHeader& header_;
  TextSlices slices_;
  io::Nonfinite nonfinite_;
  Int next_line_, found_ = 0;
};

/// The value of an entry as an element. Throws FileError if it is too large for the type, unless that is allowed.
template <class T>
T element(const io::Entry& e, const io::MatrixMarketHeader& header, bool allow_nonfinite) {
  const T value = element_of<T>(e.value);
  if (!allow_nonfinite && io::first_nonfinite(&value, scalar_type_of<T>, 1) >= 0)  // e.value is finite
    throw FileError(fmt::format("{}: the value in row {}, column {} is too large for {}", header.file_name, e.row + 1,
                                e.col + 1, name_of(scalar_type_of<T>)));
  return value;
}

/// Throws FileError if one of so many elements is not finite, where their entries were. Collective.
template <class T>
void require_finite_sums(const Comm& comm, const io::MatrixMarketHeader& header, const T* elements, Int count) {
  together(comm, [&] {
    if (io::first_nonfinite(elements, scalar_type_of<T>, count) >= 0)
      throw FileError(fmt::format("{}: an element is given several times, and the sum is too large for {}",
                                  header.file_name, name_of(scalar_type_of<T>)));
  });
}

/// An element on its way to the rank that keeps it.
template <class T>
struct Parcel {
  Int offset;  ///< in that rank's memory
  T value;
};

}  // namespace

template <class T>
void read_matrix_market(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                        const DistMatrix<T>& matrix, const ReadOptions& options) {
  std::optional<Owners> owners;
  together(comm, [&] { owners.emplace(matrix.layout(), comm.size()); });
  MatrixMarketEntries all(comm, file, header, options);
  for (Int pass = 0; pass < all.passes(); ++pass) {
    const std::vector<io::Entry> entries = all.pass(pass);
    const auto send = [&](const auto& visit) {
      for (const io::Entry& e : entries)
        owners->for_each_copy(e.row, e.col, [&](int rank, Int offset) {
          visit(rank, [&] { return Parcel<T>{offset, element<T>(e, header, options.allow_nonfinite)}; });
        });
    };
    for (const Parcel<T>& p : deliver<Parcel<T>>(comm, send)) matrix.data()[p.offset] += p.value;
  }
  all.finish();
  if (!options.allow_nonfinite) require_finite_sums(comm, header, matrix.data(), matrix.words());
}

template <class T>
Blocks<T> read_matrix_market_blocks(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                                    const Blocks<T>& none, const BlockDistribution& where, bool upper,
                                    const ReadOptions& options) {
  GatheredBlocks<T> blocks(none, where);
  MatrixMarketEntries all(comm, file, header, options);
  for (Int pass = 0; pass < all.passes(); ++pass) {
    const std::vector<io::Entry> entries = all.pass(pass);
    const auto send = [&](const auto& visit) {
      for (const io::Entry& e : entries)
        if ((header.coordinate || e.value != 0.0) && !(upper && blocks.below_diagonal(e.row, e.col)))
          visit(blocks.owner(e.row, e.col), [&] {
            return Element<T>{e.row, e.col, element<T>(e, header, options.allow_nonfinite)};
          });
    };
    const std::vector<Element<T>> mine = deliver<Element<T>>(comm, send);
    together(comm, [&] { blocks.add(mine); });
  }
  all.finish();
  Blocks<T> made;
  together(comm, [&] { made = blocks.take(); });
  if (!options.allow_nonfinite)
    require_finite_sums(comm, header, made.values.data(), static_cast<Int>(made.values.size()));
  return made;
}

#define CAIRN_INSTANTIATE(T)                                                                                \
  template void read_matrix_market<T>(const Comm&, const FileInfo&, const io::MatrixMarketHeader&,          \
                                      const DistMatrix<T>&, const ReadOptions&);                            \
  template Blocks<T> read_matrix_market_blocks(const Comm&, const FileInfo&, const io::MatrixMarketHeader&, \
                                               const Blocks<T>&, const BlockDistribution&, bool, const ReadOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
