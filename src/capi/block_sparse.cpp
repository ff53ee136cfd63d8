// Block-sparse matrices of the C API: making them, their blocks, and what is said of the whole.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/block_arguments.hpp"
#include "cairn/block_files.hpp"
#include "capi/blocks.hpp"

using namespace cairn::capi;
using cairn::BlockSizes;
using cairn::made_together;

namespace {

cairn::Symmetry symmetry_of(cairn_symmetry symmetry) {
  return enumerator<cairn::Symmetry>(static_cast<int>(symmetry), static_cast<int>(cairn::Symmetry::hermitian),
                                     "symmetry");
}

// f of the matrix; 0, or nothing, if there is none.
template <class Result, class F>
Result asked(const cairn_block_sparse* matrix, F f) {
  return cairn::capi::asked(matrix, Result(), [&](const auto& x) { return with_matrix(&x, "matrix", f); });
}

}  // namespace

// What is wrong on one rank must not leave the others waiting: arguments are understood together.

cairn_status cairn_block_sparse_create(const cairn_comm* comm, cairn_type type, int64_t block_rows,
                                       const int32_t* row_sizes, int64_t block_cols, const int32_t* col_sizes,
                                       const cairn_block_distribution* where, cairn_block_sparse** matrix) {
  const auto make = []<class T>(T, const cairn::Comm& on, Shape x) {
    return cairn::BlockSparse<T>(on, std::move(x.rows), std::move(x.cols), std::move(x.where));
  };
  return give_made(
      matrix, comm, type, block_rows, row_sizes, block_cols, col_sizes, where, [](const Shape&) {}, make);
}

cairn_status cairn_block_sparse_create_symmetric(const cairn_comm* comm, cairn_type type, cairn_symmetry symmetry,
                                                 int64_t blocks, const int32_t* sizes,
                                                 const cairn_block_distribution* where, cairn_block_sparse** matrix) {
  struct Made {
    cairn::ScalarType type;
    cairn::Symmetry symmetry;
    BlockSizes sizes;
    cairn::BlockDistribution where;
  };
  return giving(matrix, [&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    Made made = made_together(on, [&] {
      need(matrix, "matrix");
      return Made{scalar_of(type), symmetry_of(symmetry), numbers(sizes, "sizes", blocks, "blocks"),
                  distribution(where, blocks, blocks, on.size())};
    });
    on.agree_same("type", std::string(name_of(made.type)));
    cairn::with_type(made.type, [&]<class T>(T) {
      give(matrix, cairn::BlockSparse<T>(on, made.sizes, made.sizes, std::move(made.where), made.symmetry));
    });
  });
}

cairn_symmetry cairn_block_sparse_symmetry(const cairn_block_sparse* matrix) {
  return asked<cairn_symmetry>(matrix, [](const auto& x, auto) { return static_cast<int>(x.symmetry()); });
}

cairn_status cairn_block_sparse_stored_as(const cairn_block_sparse* matrix, cairn_symmetry symmetry,
                                          cairn_block_sparse** stored) {
  return giving(stored, matrix, "matrix", [&](const auto& x, auto) {
    const cairn::Symmetry as = made_together(x.comm(), [&] {
      need(stored, "stored");
      return symmetry_of(symmetry);
    });
    give(stored, x.stored_as(as));
  });
}

cairn_status cairn_block_sparse_copy(const cairn_block_sparse* matrix, cairn_block_sparse** copy) {
  return giving(copy, matrix, "matrix", [&](const auto&, auto) {
    need(copy, "copy");
    *copy = new cairn_block_sparse(*matrix);
  });
}

cairn_status cairn_block_sparse_transposed(const cairn_block_sparse* matrix, cairn_op op,
                                           cairn_block_sparse** transposed) {
  return giving(transposed, matrix, "matrix", [&](const auto& x, auto) {
    const cairn::Op how = op_of(op, "op");
    need(transposed, "transposed");
    give(transposed, x.transposed(how));
  });
}

cairn_status cairn_block_sparse_redistributed(const cairn_block_sparse* matrix, const cairn_block_distribution* where,
                                              cairn_block_sparse** moved) {
  return giving(moved, matrix, "matrix", [&](const auto& x, auto) {
    cairn::BlockDistribution to = made_together(x.comm(), [&] {
      need(moved, "moved");
      return distribution(where, block_rows_of(x), block_cols_of(x), x.comm().size());
    });
    give(moved, x.redistributed(std::move(to)));
  });
}

cairn_status cairn_block_sparse_cropped(const cairn_block_sparse* matrix, const cairn_block_range* rows,
                                        const cairn_block_range* cols, cairn_block_sparse** cropped) {
  return giving(cropped, matrix, "matrix", [&](const auto& x, auto) {
    need(cropped, "cropped");
    give(cropped, x.cropped(range_of(rows).value_or(cairn::all_blocks(x.rows())),
                            range_of(cols).value_or(cairn::all_blocks(x.cols()))));
  });
}

void cairn_block_sparse_free(cairn_block_sparse* matrix) { delete matrix; }

cairn_status cairn_block_sparse_read(const cairn_comm* comm, cairn_type type, const char* path, const char* blocks,
                                     cairn_block_sparse** matrix) {
  return cairn_block_sparse_read_where(comm, type, path, blocks, nullptr, matrix);
}

cairn_status cairn_block_sparse_read_where(const cairn_comm* comm, cairn_type type, const char* path,
                                           const char* blocks, const cairn_block_distribution* where,
                                           cairn_block_sparse** matrix) {
  return giving(matrix, [&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    const cairn::ScalarType scalar = made_together(on, [&] {
      need(matrix, "matrix"), need(path, "path");
      return scalar_of(type);
    });
    on.agree_same("type", std::string(name_of(scalar)));
    on.agree_same("blocks", blocks ? '"' + std::string(blocks) + '"' : "NULL");
    const cairn::FileInfo file = cairn::inspect_file(on, path);
    const cairn::BlockShape shape =
        blocks ? made_together(on,
                               [&] {
                                 return cairn::BlockShape{cairn::parse_block_sizes(blocks, file.rows),
                                                          cairn::parse_block_sizes(blocks, file.cols)};
                               })
               : cairn::block_shape(on, file);
    cairn::BlockDistribution to = made_together(on, [&] {
      return distribution(where, static_cast<int64_t>(shape.rows.size()), static_cast<int64_t>(shape.cols.size()),
                          on.size());
    });
    cairn::with_type(scalar, [&]<class T>(T) {
      give(matrix, cairn::read_block_sparse<T>(on, file, shape.rows, shape.cols, std::move(to)));
    });
  });
}

cairn_status cairn_block_sparse_write(const cairn_block_sparse* matrix, const char* path) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) {
    cairn::write_block_sparse(x, made_together(x.comm(), [&] { return std::string(need(path, "path")); }));
  });
}

cairn_status cairn_block_sparse_write_matrix_market(const cairn_block_sparse* matrix, const char* path) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) {
    cairn::write_matrix_market(x, made_together(x.comm(), [&] { return std::string(need(path, "path")); }));
  });
}

int cairn_block_sparse_here(const cairn_block_sparse* matrix, int32_t i, int32_t j) {
  return asked<int>(matrix, [&](const auto& x, auto) {
    const bool inside = i >= 0 && j >= 0 && i < block_rows_of(x) && j < block_cols_of(x);
    return inside && x.here(i, j) ? 1 : 0;
  });
}

cairn_status cairn_block_sparse_put(cairn_block_sparse* matrix, int32_t i, int32_t j, const void* block) {
  return on_matrix(matrix, "matrix",
                   [&]<class T>(auto& x, T) { x.put(i, j, static_cast<const T*>(need(block, "block"))); });
}

cairn_status cairn_block_sparse_add_block(cairn_block_sparse* matrix, int32_t i, int32_t j, const void* block) {
  return on_matrix(matrix, "matrix",
                   [&]<class T>(auto& x, T) { x.add(i, j, static_cast<const T*>(need(block, "block"))); });
}

cairn_status cairn_block_sparse_reserve(cairn_block_sparse* matrix, int64_t count, const int32_t* i, const int32_t* j) {
  return on_matrix(matrix, "matrix", [&](auto& x, auto) {
    constexpr int64_t most = std::numeric_limits<int64_t>::max() / static_cast<int64_t>(sizeof(int32_t));
    const auto rows = numbers(i, "i", count, "count", most), cols = numbers(j, "j", count, "count", most);
    std::vector<std::pair<cairn::BlockIndex, cairn::BlockIndex>> blocks;
    for (std::size_t k = 0; k < rows.size(); ++k) blocks.emplace_back(rows[k], cols[k]);
    x.reserve(blocks);
  });
}

cairn_status cairn_block_sparse_clear(cairn_block_sparse* matrix) {
  return on_matrix(matrix, "matrix", [](auto& x, auto) { x.clear(); });
}

cairn_status cairn_block_sparse_find(cairn_block_sparse* matrix, int32_t i, int32_t j, void** block) {
  return guarded([&] {
    need(block, "block");
    with_matrix(matrix, "matrix", [&](auto& x, auto) { *block = x.find(i, j).data; });
  });
}

int64_t cairn_block_sparse_stored(const cairn_block_sparse* matrix) {
  return asked<int64_t>(matrix, [&](const auto& x, auto) { return x.local().blocks(); });
}

cairn_status cairn_block_sparse_get(cairn_block_sparse* matrix, int64_t number, int32_t* i, int32_t* j, void** block) {
  return on_matrix(matrix, "matrix", [&](auto& x, auto) {
    const auto& local = x.local();
    if (number < 0 || number >= local.blocks())
      throw cairn::ArgumentError(
          fmt::format("number: {}, expected 0 to before {}, the blocks that this rank stores", number, local.blocks()));
    const auto after = std::upper_bound(local.first.begin(), local.first.end(), number);
    const int32_t row = local.rows[static_cast<std::size_t>(after - local.first.begin() - 1)],
                  col = local.cols[static_cast<std::size_t>(number)];
    if (i) *i = row;
    if (j) *j = col;
    if (block) *block = x.find(row, col).data;
  });
}

cairn_type cairn_block_sparse_type(const cairn_block_sparse* matrix) {
  return matrix ? static_cast<cairn_type>(matrix->any.index()) : CAIRN_FLOAT64;
}
int64_t cairn_block_sparse_block_rows(const cairn_block_sparse* matrix) {
  return asked<int64_t>(matrix, [](const auto& x, auto) { return block_rows_of(x); });
}
int64_t cairn_block_sparse_block_cols(const cairn_block_sparse* matrix) {
  return asked<int64_t>(matrix, [](const auto& x, auto) { return block_cols_of(x); });
}
int64_t cairn_block_sparse_m(const cairn_block_sparse* matrix) {
  return asked<int64_t>(matrix, [](const auto& x, auto) { return x.m(); });
}
int64_t cairn_block_sparse_n(const cairn_block_sparse* matrix) {
  return asked<int64_t>(matrix, [](const auto& x, auto) { return x.n(); });
}
const int32_t* cairn_block_sparse_row_sizes(const cairn_block_sparse* matrix) {
  return asked<const int32_t*>(matrix, [](const auto& x, auto) { return x.rows().data(); });
}
const int32_t* cairn_block_sparse_col_sizes(const cairn_block_sparse* matrix) {
  return asked<const int32_t*>(matrix, [](const auto& x, auto) { return x.cols().data(); });
}
