#include "runtime/files/block_file.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "io/finite.hpp"
#include "local/sparse/block_operations.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/files/collective_atomic_file.hpp"
#include "runtime/files/mpi_file.hpp"
#include "runtime/files/source.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/row_slices.hpp"

namespace cairn {

namespace {

template <class Numbers>
Int bytes_of(const Numbers& numbers) {
  return static_cast<Int>(numbers.size() * sizeof(numbers[0]));
}

/// Writes numbers at a place of the file and sums what is written.
template <class Numbers>
void write_numbers(MpiFile& file, Int at, const Numbers& numbers, std::uint64_t& checksum) {
  const char* const bytes = reinterpret_cast<const char*>(numbers.data());
  file.write(at, bytes, bytes_of(numbers));
  checksum += io::checksum(at, bytes, bytes_of(numbers));
}

template <class Numbers>
void read_numbers(MpiFile& file, Int at, Numbers& numbers, std::uint64_t& checksum) {
  char* const bytes = reinterpret_cast<char*>(numbers.data());
  file.read(at, bytes, bytes_of(numbers));
  checksum += io::checksum(at, bytes, bytes_of(numbers));
}

/// Zeros between index and values.
std::vector<char> gap_of(const io::BlockFileHead& head) {
  return std::vector<char>(place(head.values_offset() - head.index_offset() - 4 * head.blocks()));
}

template <class T>
io::BlockFileHead head_of(const Comm& comm, const Blocks<T>& mine, Symmetry symmetry) {
  RowTotals totals = totals_of_rows(comm, mine);
  return {scalar_type_of<T>,
          symmetry,
          *mine.row_sizes,
          *mine.col_sizes,
          std::move(totals.blocks_before),
          std::move(totals.words_before)};
}

/// A slice of the file as blocks, checked.
template <class From, class T>
Blocks<T> slice_of(MpiFile& file, const io::BlockFileHead& head, Range rows, const Blocks<T>& none,
                   const std::string& name, bool allow_nonfinite, std::uint64_t& checksum) {
  Blocks<T> x = none_like(none);
  if (rows.empty()) return x;
  const Int first = head.blocks_before[place(rows.lo)], before = head.words_before[place(rows.lo)];
  std::vector<BlockIndex> cols(place(head.blocks_before[place(rows.hi)] - first));
  read_numbers(file, head.index_offset() + first * Int{sizeof(BlockIndex)}, cols, checksum);
  for (Int row = rows.lo; row < rows.hi; ++row)
    io::check_block_row(head, row, cols.data() + head.blocks_before[place(row)] - first, name);
  BlockValues<From> values(place(head.words_before[place(rows.hi)] - before));
  read_numbers(file, head.values_offset() + before * Int{sizeof(From)}, values, checksum);
  Int at = 0;
  for (Int row = rows.lo; row < rows.hi; ++row)
    for (Int b = head.blocks_before[place(row)]; b < head.blocks_before[place(row) + 1]; ++b) {
      const auto i = static_cast<BlockIndex>(row);
      const BlockIndex j = cols[place(b - first)];
      const Int words = x.height(i) * Int{x.width(j)};
      if (!allow_nonfinite && io::first_nonfinite(values.data() + at, scalar_type_of<From>, words) >= 0)
        throw FileError(
            fmt::format("{}: found NaN or infinity in block ({}, {}), expected finite numbers", name, i, j));
      x.append(i, j, at), at += words;
    }
  if constexpr (std::is_same_v<From, T>) {
    x.values = std::move(values);
  } else {
    // Real numbers become complex and single precision double: require_readable_as has refused others.
    x.values.reserve(values.size());
    for (From v : values) x.values.push_back(element_of<T>(v));
  }
  return x;
}

}  // namespace

template <class T>
void write_block_file(const Comm& comm, const std::string& path, const std::string& name, const Blocks<T>& mine,
                      Symmetry symmetry, Int chunk_bytes) {
  io::BlockFileHead head = head_of(comm, mine, symmetry);
  const RowSlices slices({head.blocks_before, head.words_before}, sizeof(T), chunk_bytes, comm.size());
  const BlockDistribution owners = slices.owners(mine.col_sizes->size());
  CollectiveAtomicFile whole(comm, path, name);
  whole.reserve(head.file_bytes());
  MpiFile& file = whole.open();
  std::uint64_t checksum = 0;
  for (Int pass = 0; pass < slices.passes(); ++pass) {
    BlockPattern rows_now;
    together(comm, [&] { rows_now = within(mine, slices.rows(pass)); });
    const Blocks<T> slice = brought<T>(comm, {rows_now, mine.values.data()}, owners);
    const std::size_t first = place(slices.rows(pass, comm.rank()).lo);
    together(comm, [&] {
      write_numbers(file, head.index_offset() + head.blocks_before[first] * Int{sizeof(BlockIndex)}, slice.cols,
                    checksum);
      write_numbers(file, head.values_offset() + head.words_before[first] * Int{sizeof(T)}, slice.values, checksum);
    });
  }
  together(comm, [&] {
    if (comm.rank() == 0) write_numbers(file, head.index_offset() + 4 * head.blocks(), gap_of(head), checksum);
  });
  head.body_checksum = over_ranks(comm, MPI_SUM, checksum);
  together(comm, [&] {
    if (comm.rank() != 0) return;
    const std::string bytes = io::format_block_file_head(head);
    file.write(0, bytes.data(), static_cast<Int>(bytes.size()));
  });
  whole.commit(head.file_bytes());
}

template <class T>
Blocks<T> read_block_file(const Comm& comm, const FileInfo& info, const io::BlockFileHead& head, const Blocks<T>& none,
                          const BlockDistribution& where, const ReadOptions& options) {
  const std::string name = label(info.path, info.argument);
  const RowSlices slices({head.blocks_before, head.words_before}, size_of(head.type), options.chunk_bytes, comm.size());
  MpiFile file(comm, info.path, MpiFile::Mode::read, name);
  std::uint64_t checksum = 0;
  Blocks<T> mine = none_like(none);
  for (Int pass = 0; pass < slices.passes(); ++pass) {
    Blocks<T> slice = none_like(none);
    together(comm, [&] {
      const Range rows = slices.rows(pass, comm.rank());
      slice = with_type(head.type, [&]<class From>(From) {
        return slice_of<From>(file, head, rows, none, name, options.allow_nonfinite, checksum);
      });
    });
    const Blocks<T> arrived = brought<T>(comm, slice, where);
    together(comm, [&] { append_rows(mine, arrived); });
  }
  together(comm, [&] {
    std::vector<char> gap = gap_of(head);
    if (comm.rank() == 0) read_numbers(file, head.index_offset() + 4 * head.blocks(), gap, checksum);
  });
  file.close();
  if (over_ranks(comm, MPI_SUM, checksum) != head.body_checksum)
    throw FileError(name + ": damaged: blocks have another checksum than they had when written");
  return mine;
}

#define CAIRN_INSTANTIATE(T)                                                                                      \
  template void write_block_file(const Comm&, const std::string&, const std::string&, const Blocks<T>&, Symmetry, \
                                 Int);                                                                            \
  template Blocks<T> read_block_file(const Comm&, const FileInfo&, const io::BlockFileHead&, const Blocks<T>&,    \
                                     const BlockDistribution&, const ReadOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
