#include "runtime/files/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "io/finite.hpp"
#include "local/kernels/update_matched.hpp"
#include "model/whole_layout.hpp"
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

/// Some portions of this rank's patches, by numbers of patch and portion.
using Portions = std::vector<std::pair<std::size_t, Int>>;

/// All of them, as many at a time as have, with what is known of their lines, at most the memory of `most` elements:
/// patches may be as small as blocks.
template <class T>
std::vector<Portions> loads_of(const std::vector<Part<T>>& parts, Int most) {
  constexpr Int of_line = 16;  // elements that take as much memory
  std::vector<Portions> loads;
  Int words = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (Int p = 0; p < parts[i].file.portions(); ++p) {
      const FilePart::Portion portion = parts[i].file.portion(p);
      const Int more = portion.words() + of_line * portion.lines.size();
      if (loads.empty() || words + more > most) loads.emplace_back(), words = 0;
      loads.back().emplace_back(i, p), words += more;
    }
  return loads;
}

/// What is read or written at once: its places in the file, ascending, and pieces of patches among these.
template <class T>
struct Load {
  struct Piece {
    const Part<T>* part;
    FilePart::Portion elements;
    Int at;  ///< where its first element is among all; its lines follow one another there
  };
  std::vector<Piece> pieces;
  IndexSet places;

  Load() = default;
  Load(const std::vector<Part<T>>& parts, const Portions& portions) {
    std::vector<Range> runs;
    for (const auto& [i, number] : portions) {
      const FilePart::Portion portion = parts[i].file.portion(number);
      const IndexSet there = parts[i].file.places_in_file(portion);
      runs.insert(runs.end(), there.pieces().begin(), there.pieces().end());
      if (portions.size() == 1) pieces.push_back({&parts[i], portion, 0});
    }
    std::ranges::sort(runs);
    for (Range run : runs) places.push_back(run);
    if (portions.size() == 1) return;
    Int words = 0;
    for (Range run : places.pieces()) before_.push_back(words), words += run.size();
    for (const auto& [i, number] : portions) add_by_lines(parts[i], parts[i].file.portion(number));
  }

 private:
  // Those of other patches are between them.
  void add_by_lines(const Part<T>& part, const FilePart::Portion& portion) {
    for (Range lines : portion.lines.pieces())
      for (Int line = lines.lo; line < lines.hi; ++line)
        for (Range within : portion.within.pieces()) {
          const FilePart::Portion piece{Range{line, line + 1}, within};
          pieces.push_back({&part, piece, number_of(part.file.places_in_file(piece).pieces().front().lo)});
        }
  }
  Int number_of(Int at) const {
    const auto run = std::ranges::upper_bound(places.pieces(), at, {}, &Range::lo) - 1;
    return before_[place(run - places.pieces().begin())] + at - run->lo;
  }

  std::vector<Int> before_;  // elements before each run of places
};

/// Moves all patches in loads through `buffer`. Collective: every rank calls `move` as often as the one that has most
/// to move, then with nothing, and errors are agreed on every time. If `move` is collective, it may throw only after
/// that.
template <class T, class Element, class Move>
void for_each_load(const Comm& comm, const std::vector<Part<T>>& parts, Int most, std::vector<Element>& buffer,
                   const Move& move) {
  std::vector<Portions> loads;
  together(comm, [&] { loads = loads_of(parts, most); });
  const Int rounds = over_ranks(comm, MPI_MAX, static_cast<Int>(loads.size()));
  for (Int r = 0; r < rounds; ++r) {
    Load<T> load;
    together(comm, [&] {
      if (r >= static_cast<Int>(loads.size())) return;
      load = Load<T>(parts, loads[place(r)]);
      buffer.resize(std::max(buffer.size(), place(load.places.size())));
    });
    together(comm, [&] { move(load); });
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
  const Int most = words_of_chunk(chunk_bytes, word);
  together(comm, [&] { parts = parts_of(matrix, header.order, most); });
  const bool overlap = matrix.layout().overlapping() || unless_whole("", matrix.layout());
  std::vector<From> buffer;
  std::vector<T> widened;
  const auto move = [&](const Load<T>& load) {
    file.read_all(header.data_offset, load.places, mpi_type(header.type), buffer.data(), overlap);
    const Int words = load.places.size();
    if (const Int at = io::first_nonfinite(buffer.data(), header.type, words); at >= 0)
      bad = std::min(bad, place_number(load.places, at));
    const T* elements = nullptr;
    if constexpr (std::is_same_v<From, T>) {
      elements = buffer.data();
    } else {
      widened.assign(buffer.begin(), buffer.begin() + words);
      elements = widened.data();
    }
    for (const auto& [part, piece, at] : load.pieces)
      copy_portion<T>(piece, part->file.held(), part->memory, piece, {elements + at, piece.within.size(), 1});
  };
  for_each_load(comm, parts, most, buffer, move);
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
  const Int most = words_of_chunk(options.chunk_bytes, sizeof(T));
  together(comm, [&] {
    if (const auto problem = problem_with_single_part(name, matrix, comm.rank())) throw ArgumentError(*problem);
    // Of several copies the one on the lowest rank is written.
    if (layout.live(matrix.rank()) && layout.original(matrix.rank()) == matrix.rank())
      parts = parts_of(matrix, options.order, most);
  });
  MpiFile& file = whole.open();
  together(comm, [&] {
    if (comm.rank() == 0) file.write(0, header.data(), static_cast<Int>(header.size()));
  });
  std::vector<T> buffer;
  const auto move = [&](const Load<T>& load) {
    for (const auto& [part, piece, at] : load.pieces)
      copy_portion<T>(piece, piece, {buffer.data() + at, piece.within.size(), 1}, part->file.held(),
                      {part->memory.data, part->memory.rs, part->memory.cs});
    file.write_places(static_cast<Int>(header.size()), load.places, sizeof(T),
                      reinterpret_cast<const char*>(buffer.data()));
  };
  for_each_load(comm, parts, most, buffer, move);
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
