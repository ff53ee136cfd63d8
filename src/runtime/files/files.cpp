#include "cairn/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "io/gzip.hpp"
#include "io/text.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/broadcast.hpp"
#include "runtime/files/matrix_market_file.hpp"
#include "runtime/files/npy_file.hpp"
#include "runtime/files/source.hpp"
#include "runtime/problem_with_part.hpp"
#include "schedule/text.hpp"

namespace cairn {

std::string label(const std::string& path, const std::string& argument) {
  return argument.empty() ? path : fmt::format("{} ({})", argument, path);
}

namespace {

/// The first `most` bytes of a file.
std::string start_of(const std::string& path, const std::string& name, Int most) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));
  std::string text(static_cast<std::size_t>(most), '\0');
  file.read(text.data(), most);
  if (file.bad()) throw FileError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Int size_of_file(const std::string& path, const std::string& name) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw FileError(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));
  if (S_ISDIR(status.st_mode)) throw FileError(fmt::format("{}: is a directory, expected a file", name));
  if (!S_ISREG(status.st_mode))
    throw FileError(fmt::format("{}: is no regular file, which ranks could read in parts", name));
  return static_cast<Int>(status.st_size);
}

std::string note_of(const io::MatrixMarketHeader& h, bool compressed) {
  return fmt::format("Matrix Market, {} {} {}{}", h.coordinate ? "coordinate" : "array",
                     io::field_words[static_cast<std::size_t>(h.field)],
                     io::symmetry_words[static_cast<std::size_t>(h.symmetry)], compressed ? ", gzip" : "");
}

void inspect_npy(FileInfo& info, FileInfo::Source& source, std::string_view start, const std::string& name) {
  const io::NpyHeader header = io::parse_npy_header(start, name);
  io::check_npy_size(header, info.bytes, name);
  info.format = FileFormat::npy;
  info.type = header.type;
  info.rows = header.rows;
  info.cols = header.cols;
  info.vector = header.one_dimensional;
  info.order = header.order;
  info.entries = header.rows * header.cols;
  info.note = fmt::format("npy, {} order", header.order == Order::row ? "C" : "Fortran");
  source.header = header;
}

void inspect_matrix_market(FileInfo& info, FileInfo::Source& source, std::string_view start, const std::string& name) {
  const io::MatrixMarketHeader header = io::parse_matrix_market_header(start, name);
  io::check_matrix_market_size(header, source.text_bytes);
  if (!io::product(header.rows, header.cols))
    throw FileError(
        fmt::format("{}: {} x {}, expected sizes whose product is below 2^63", name, header.rows, header.cols));
  info.format = FileFormat::matrix_market;
  info.symmetry = header.symmetry;
  info.type = header.field == io::MatrixMarketField::complex ? ScalarType::complex128 : ScalarType::float64;
  info.rows = header.rows;
  info.cols = header.cols;
  info.order = Order::col;
  info.entries = header.entries;
  info.note = note_of(header, info.compressed);
  source.header = header;
}

void inspect_blocks(FileInfo& info, FileInfo::Source& source, std::string_view start, const std::string& name) {
  const std::string bytes = start_of(info.path, name, io::block_file_head_bytes(start, info.bytes, name));
  io::BlockFileHead head = io::parse_block_file_head(bytes, info.bytes, name);
  info.format = FileFormat::block_sparse;
  info.type = head.type;
  info.symmetry = head.symmetry;
  info.rows = head.rows();
  info.cols = head.cols();
  info.order = Order::col;
  info.entries = head.words();
  info.note = fmt::format("block-sparse{}, {} of {} x {} blocks",
                          info.symmetry == Symmetry::general ? "" : std::string(" ") + name_of(info.symmetry),
                          head.blocks(), head.row_sizes.size(), head.col_sizes.size());
  source.header = std::move(head);
}

/// On one rank.
void inspect(FileInfo& info, FileInfo::Source& source, const std::string& name) {
  info.bytes = size_of_file(info.path, name);
  source.text_bytes = info.bytes;
  std::string start = start_of(info.path, name, io::npy_header_probe);
  if (start.empty()) throw FileError(name + ": the file is empty, expected a matrix");
  info.compressed = start.size() >= 2 && start[0] == '\x1f' && start[1] == '\x8b';
  if (!info.compressed && start[0] == '\x93') return inspect_npy(info, source, start, name);
  if (!info.compressed && io::is_block_file(start)) return inspect_blocks(info, source, start, name);
  if (info.compressed) {
    source.text = io::read_file(info.path, name);
    source.text_bytes = static_cast<Int>(source.text.size());
    const bool blocks = io::is_block_file(source.text);
    if (blocks || source.text.substr(0, 1) == "\x93")
      throw FileError(fmt::format("{}: a compressed {} file, which ranks cannot read in parts; decompress it first",
                                  name, blocks ? "block-sparse" : ".npy"));
  }
  const std::string_view text = info.compressed ? source.text : start;
  if (text.substr(0, 2) != "%%")
    throw FileError(fmt::format(
        "{}: begins with {}, expected a .npy file ('\\x93NUMPY'), a Matrix Market file ('%%MatrixMarket') or one of "
        "Cairn's block-sparse files ('\\x89CAIRN')",
        name, io::in_quotes(text.substr(0, 16))));
  // Comments before the sizes may be long.
  while (!info.compressed && static_cast<Int>(start.size()) < info.bytes && !io::has_matrix_market_header(start)) {
    const std::size_t before = start.size();
    start = start_of(info.path, name, 4 * static_cast<Int>(before));
    if (start.size() <= before) throw FileError(name + ": became shorter while it was read");
  }
  inspect_matrix_market(info, source, info.compressed ? std::string_view(source.text) : start, name);
}

/// Everything but the text of a compressed file, from rank 0 to the others.
void share(const Comm& comm, FileInfo& info, FileInfo::Source& source) {
  const auto share_each = [&](auto&... numbers) { (broadcast(comm, &numbers, sizeof numbers), ...); };
  share_each(info.format, info.type, info.symmetry, info.order, info.compressed, info.rows, info.cols, info.vector,
             info.bytes, info.entries, source.text_bytes);
  broadcast(comm, info.note);
  const bool here = comm.rank() == 0;
  if (info.format == FileFormat::npy) {
    share_each(here ? std::get<io::NpyHeader>(source.header) : source.header.emplace<io::NpyHeader>());
  } else if (info.format == FileFormat::block_sparse) {
    auto& head = here ? std::get<io::BlockFileHead>(source.header) : source.header.emplace<io::BlockFileHead>();
    share_each(head.type, head.symmetry, head.body_checksum);
    broadcast(comm, head.row_sizes), broadcast(comm, head.col_sizes);
    broadcast(comm, head.blocks_before), broadcast(comm, head.words_before);
  } else {
    auto& header =
        here ? std::get<io::MatrixMarketHeader>(source.header) : source.header.emplace<io::MatrixMarketHeader>();
    header.file_name = label(info.path, info.argument);
    header.rows = info.rows, header.cols = info.cols, header.entries = info.entries;
    share_each(header.coordinate, header.field, header.symmetry, header.data_offset, header.data_line);
  }
}

}  // namespace

FileInfo inspect_file(const Comm& comm, const std::string& path, const std::string& argument) {
  FileInfo info;
  info.path = path;
  info.argument = argument;
  auto source = std::make_shared<FileInfo::Source>();
  comm.agree_same("file to read", label(path, argument));
  together(comm, [&] {
    if (comm.rank() == 0) inspect(info, *source, label(path, argument));
  });
  share(comm, info, *source);
  info.source = std::move(source);
  return info;
}

namespace {

// A file of few entries may be of a matrix that no memory holds, but for its blocks.
void require_countable(const FileInfo& file, ScalarType type) {
  if (const auto words = io::product(file.rows, file.cols); !words || !io::product(*words, size_of(type)))
    throw FileError(fmt::format("{}: {} x {}, expected sizes whose product in bytes is below 2^63 for a dense matrix",
                                label(file.path, file.argument), file.rows, file.cols));
}

}  // namespace

void require_readable_as(const FileInfo& file, ScalarType wanted) {
  const bool rounds = is_single(wanted) && !is_single(file.type) && file.format != FileFormat::matrix_market;
  if (rounds || (is_complex(file.type) && !is_complex(wanted)))
    throw ArgumentError(
        fmt::format("{}: {} numbers cannot be read as {} without loss, expected {}", label(file.path, file.argument),
                    name_of(file.type), name_of(wanted),
                    is_complex(file.type) && !is_complex(wanted) ? "a complex type" : "a type of double precision"));
}

template <class T>
DistMatrix<T> read_matrix(const Comm& comm, const FileInfo& file, const Layout& layout, const ReadOptions& options) {
  std::optional<DistMatrix<T>> matrix;
  const std::string name = label(file.path, file.argument);
  comm.agree_same("file to read",
                  fmt::format("{} as {} {}, allow_nonfinite {}, chunk_bytes {}", name, name_of(scalar_type_of<T>),
                              text_of(layout), options.allow_nonfinite, options.chunk_bytes));
  together(comm, [&] {
    if (!file.source) throw ArgumentError(name + ": expected a FileInfo made by inspect_file");
    if (file.format == FileFormat::block_sparse)
      throw FileError(name + ": a block-sparse file, expected a dense matrix (.npy) or a Matrix Market file");
    if (layout.m() != file.rows || layout.n() != file.cols)
      throw ArgumentError(fmt::format("{}: the file holds {} x {}, expected {} x {} as the layout says", name,
                                      file.rows, file.cols, layout.m(), layout.n()));
    if (const auto problem = problem_with_ranks(name, layout, comm.size())) throw ArgumentError(*problem);
    require_readable_as(file, scalar_type_of<T>);
    require_countable(file, scalar_type_of<T>);
    try {
      matrix = DistMatrix<T>::own(layout, comm.rank());
    } catch (const std::bad_alloc&) {
      throw MemoryError(fmt::format("{}: no memory for {} bytes on a rank", name,
                                    layout.words(comm.rank()) * static_cast<Int>(sizeof(T))));
    }
  });
  if (const auto* const npy = std::get_if<io::NpyHeader>(&file.source->header))
    read_npy(comm, file, *npy, *matrix, options);
  else
    read_matrix_market(comm, file, std::get<io::MatrixMarketHeader>(file.source->header), *matrix, options);
  return *matrix;
}

#define CAIRN_INSTANTIATE(T) \
  template DistMatrix<T> read_matrix(const Comm&, const FileInfo&, const Layout&, const ReadOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
