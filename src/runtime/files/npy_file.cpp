#include "runtime/files/npy_file.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "io/finite.hpp"
#include "local/kernels/update_matched.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/files/chunk.hpp"
#include "runtime/files/collective_atomic_file.hpp"
#include "runtime/files/file_part.hpp"
#include "runtime/files/mpi_file.hpp"
#include "runtime/files/source.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/problem_with_part.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

/// A patch of this rank: its memory, whose rows are the lines of the file, and its elements in the file.
template <class T>
struct Part {
  Strided<T> memory;
  FilePart file;
};

/// The patches of this rank in portions of at most `most` elements.
template <class T>
std::vector<Part<T>> parts_of(const DistMatrix<T>& matrix, Order file_order, Int most) {
  const Layout& layout = matrix.layout();
  std::vector<Part<T>> parts;
  T* data = matrix.data();
  for (const Patch& p : layout.patches(matrix.rank())) {
    const Int dense = layout.order == Order::col ? p.rows.size() : p.cols.size();
    const Int ld = layout.blocks ? dense : matrix.ld();
    const bool by_lines = file_order == layout.order;
    parts.push_back(
        {{data, by_lines ? ld : 1, by_lines ? 1 : ld}, FilePart(p, file_order, layout.m(), layout.n(), most)});
    data += p.words();
  }
  return parts;
}

/// to = from for the elements of a portion that is a part of both.
template <class T>
void copy_portion(const FilePart::Portion& portion, const FilePart::Portion& in_to, Strided<T> to,
                  const FilePart::Portion& in_from, Strided<const T> from) {
  update_matched(matches(in_to.lines, in_from.lines, portion.lines),
                 matches(in_to.within, in_from.within, portion.within), to, from, T(1), T(0), false);
}

/// Moves all patches in portions through `buffer`. Collective: every rank calls `move` as often as the one that has
/// most to move, then with nothing (null, an empty portion), and errors are agreed on every time. If `move` is
/// collective, it may throw only after that.
template <class T, class Element, class Move>
void for_each_portion(const Comm& comm, const std::vector<Part<T>>& parts, std::vector<Element>& buffer,
                      const Move& move) {
  const Int patches = over_ranks(comm, MPI_MAX, static_cast<Int>(parts.size()));
  for (Int i = 0; i < patches; ++i) {
    const Part<T>* const part = i < static_cast<Int>(parts.size()) ? &parts[place(i)] : nullptr;
    const Int portions = part != nullptr ? part->file.portions() : 0;
    together(comm, [&] {
      if (portions > 0) buffer.resize(place(part->file.portion(0).words()));
    });
    const Int rounds = over_ranks(comm, MPI_MAX, portions);
    for (Int r = 0; r < rounds; ++r) {
      const bool mine = r < portions;
      FilePart::Portion portion;
      IndexSet places;
      together(comm, [&] {
        if (mine) portion = part->file.portion(r), places = part->file.places_in_file(portion);
      });
      together(comm, [&] { move(mine ? part : nullptr, portion, places); });
    }
  }
}

/// Which of the places is number `index`.
Int place_number(const IndexSet& places, Int index) {
  auto run = places.pieces().begin();
  for (; index >= run->size(); ++run) index -= run->size();
  return run->lo + index;
}

/// Reads a file of elements From. Returns the number of the first element that is not finite, over all ranks.
template <class From, class T>
Int read_as(const Comm& comm, MpiFile& file, const io::NpyHeader& header, const DistMatrix<T>& matrix,
            Int chunk_bytes) {
  Int bad = std::numeric_limits<Int>::max();
  std::vector<Part<T>> parts;
  constexpr Int word = sizeof(From) + (std::is_same_v<From, T> ? 0 : sizeof(T));
  together(comm, [&] { parts = parts_of(matrix, header.order, words_of_chunk(chunk_bytes, word)); });
  std::vector<From> buffer;
  std::vector<T> widened;
  const auto move = [&](const Part<T>* part, const FilePart::Portion& portion, const IndexSet& places) {
    file.read_all(header.data_offset, places, mpi_type(header.type), buffer.data());
    if (part == nullptr) return;
    if (const Int at = io::first_nonfinite(buffer.data(), header.type, portion.words()); at >= 0)
      bad = std::min(bad, place_number(places, at));
    const T* elements = nullptr;
    if constexpr (std::is_same_v<From, T>) {
      elements = buffer.data();
    } else {
      widened.assign(buffer.begin(), buffer.begin() + portion.words());
      elements = widened.data();
    }
    copy_portion<T>(portion, part->file.held(), part->memory, portion, {elements, portion.within.size(), 1});
  };
  for_each_portion(comm, parts, buffer, move);
  return over_ranks(comm, MPI_MIN, bad);
}

/// Real numbers become complex and single precision double, never the other way.
template <class From, class T>
constexpr bool widens = std::is_same_v<From, T> || std::is_same_v<T, std::complex<double>> ||
                        (std::is_same_v<From, float> && !std::is_same_v<T, float>);

}  // namespace

template <class T>
void read_npy(const Comm& comm, const FileInfo& info, const io::NpyHeader& header, const DistMatrix<T>& matrix,
              const ReadOptions& options) {
  const std::string name = label(info.path, info.argument);
  MpiFile file(comm, info.path, MpiFile::Mode::read, name);
  const Int bad = with_type(header.type, [&]<class From>(From) -> Int {
    if constexpr (widens<From, T>) return read_as<From>(comm, file, header, matrix, options.chunk_bytes);
    throw RuntimeError("read_npy: a narrowing conversion");  // read_matrix has refused it before
  });
  file.close();
  if (options.allow_nonfinite || bad == std::numeric_limits<Int>::max()) return;
  const bool by_rows = header.order == Order::row;
  throw FileError(
      fmt::format("{}: found NaN or infinity in row {}, column {} (counted from 0), expected finite numbers", name,
                  by_rows ? bad / header.cols : bad % header.rows, by_rows ? bad % header.cols : bad / header.rows));
}

namespace {

/// Writes header and elements; errors call the file `name`. Collective.
template <class T>
void write_elements(const Comm& comm, CollectiveAtomicFile& whole, const std::string& name, const std::string& header,
                    const DistMatrix<T>& matrix, const WriteOptions& options) {
  const Layout& layout = matrix.layout();
  std::vector<Part<T>> parts;
  together(comm, [&] {
    if (const auto problem = problem_with_single_part(name, matrix, comm.rank())) throw ArgumentError(*problem);
    // Of several copies the one on the lowest rank is written.
    if (layout.live(matrix.rank()) && layout.original(matrix.rank()) == matrix.rank())
      parts = parts_of(matrix, options.order, words_of_chunk(options.chunk_bytes, sizeof(T)));
  });
  MpiFile& file = whole.open();
  together(comm, [&] {
    if (comm.rank() == 0) file.write(0, header.data(), static_cast<Int>(header.size()));
  });
  std::vector<T> buffer;
  const auto move = [&](const Part<T>* part, const FilePart::Portion& portion, const IndexSet& places) {
    if (part != nullptr)
      copy_portion<T>(portion, portion, {buffer.data(), portion.within.size(), 1}, part->file.held(),
                      {part->memory.data, part->memory.rs, part->memory.cs});
    file.write_places(static_cast<Int>(header.size()), places, sizeof(T), reinterpret_cast<const char*>(buffer.data()));
  };
  for_each_portion(comm, parts, buffer, move);
}

}  // namespace

Int npy_bytes(ScalarType type, Int m, Int n, bool vector) {
  return static_cast<Int>(io::format_npy_header(type, Order::row, m, n, vector).size()) + m * n * size_of(type);
}

void require_writable(const Comm& comm, const std::string& path, Int bytes, const std::string& argument) {
  comm.agree_same("file to write", label(path, argument));
  CollectiveAtomicFile file(comm, path, label(path, argument));
  file.reserve(bytes);
}

template <class T>
void write_npy(const Comm& comm, const std::string& path, const DistMatrix<T>& matrix, const WriteOptions& options) {
  const std::string name = label(path, options.argument);
  const Layout& layout = matrix.layout();
  std::optional<std::string> problem = problem_with_ranks(name, layout, comm.size());
  if (!problem && options.vector && layout.n() != 1)
    problem = fmt::format("{}: {} columns, expected one of a vector", name, layout.n());
  comm.agree(
      problem, "file to write",
      fmt::format("{} of {} {}, order {}, vector {}, chunk_bytes {}", name, name_of(scalar_type_of<T>), text_of(layout),
                  options.order == Order::row ? "row" : "col", options.vector, options.chunk_bytes));
  const std::string header =
      io::format_npy_header(scalar_type_of<T>, options.order, layout.m(), layout.n(), options.vector);
  const Int bytes = static_cast<Int>(header.size()) + layout.m() * layout.n() * static_cast<Int>(sizeof(T));
  CollectiveAtomicFile file(comm, path, name);
  file.reserve(bytes);
  write_elements(comm, file, name, header, matrix, options);
  file.commit(bytes);
}

#define CAIRN_INSTANTIATE(T)                                                                          \
  template void read_npy<T>(const Comm&, const FileInfo&, const io::NpyHeader&, const DistMatrix<T>&, \
                            const ReadOptions&);                                                      \
  template void write_npy(const Comm&, const std::string&, const DistMatrix<T>&, const WriteOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
