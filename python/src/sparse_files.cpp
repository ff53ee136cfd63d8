// Block-sparse matrices from and to files.
#include "cairn/block_files.hpp"
#include "files.hpp"
#include "sparse.hpp"

namespace cairn::python {

namespace {

Sparse read(int handle, const File& file, ScalarType type, BlockSizes rows, BlockSizes cols,
            const std::optional<BlockDistribution>& where, bool allow_nonfinite, bool keep_symmetry) {
  const Comm comm = comm_of(handle);
  BlockDistribution over = where ? *where : dealt(comm, rows, cols);
  return with_type(type, [&]<class T>(T) {
    return Sparse{read_block_sparse<T>(comm, file.info, std::move(rows), std::move(cols), std::move(over),
                                       {.allow_nonfinite = allow_nonfinite, .keep_symmetry = keep_symmetry})};
  });
}

// Of a file without blocks of its own, those beside it.
std::pair<BlockSizes, BlockSizes> shape(int handle, const File& file) {
  BlockShape found = block_shape(comm_of(handle), file.info);
  return {std::move(found.rows), std::move(found.cols)};
}

}  // namespace

void bind_sparse_files(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  m.def(
      "block_sizes", [](const FileName& text, Int total) { return parse_block_sizes(text.bytes, total); },
      nb::arg("text"), nb::arg("total"), released);
  m.def("block_shape", &shape, nb::arg("comm"), nb::arg("file"), released);
  m.def("read_blocks", &read, nb::arg("comm"), nb::arg("file"), nb::arg("type"), nb::arg("row_sizes"),
        nb::arg("col_sizes"), nb::arg("where").none(), nb::arg("allow_nonfinite"), nb::arg("keep_symmetry"), released);
  m.def("write_blocks",
        on_matrix<const FileName&>([](const auto& x, const FileName& path) { write_block_sparse(x, path.bytes); }),
        nb::arg("x"), nb::arg("path"), released);
  m.def("write_matrix_market",
        on_matrix<const FileName&, Symmetry>([](const auto& x, const FileName& path, Symmetry symmetry) {
          write_matrix_market(x, path.bytes, {.symmetry = symmetry});
        }),
        nb::arg("x"), nb::arg("path"), nb::arg("symmetry"), released);
}

}  // namespace cairn::python
