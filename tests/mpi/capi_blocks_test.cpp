// The C API of block-sparse matrices: what its calls pass on, exactly, for every type; what is wrong on one rank is
// reported on all.
#include "capi_blocks.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "shared_directory.hpp"

namespace cairn {
namespace {

using namespace testing::capi;

template <class T>
class CApiBlocks : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CApiBlocks, Types);

TYPED_TEST(CApiBlocks, ProductsAreExact) {
  using T = TypeParam;
  const CommHandle comm = world();
  const Matrix a = filled<T>(comm, 1), b = filled<T>(comm, 2), c = filled<T>(comm, 3);
  EXPECT_EQ(cairn_block_sparse_type(c.get()), type_of<T>());
  EXPECT_EQ(cairn_block_sparse_block_rows(c.get()), blocks);
  const T alpha(2), beta(-1);
  cairn_block_product_report report;
  cairn_block_product_options options = {};
  options.transport = "one-sided";
  ASSERT_EQ(
      cairn_block_multiply(CAIRN_ADJOINT, CAIRN_NONE, &alpha, a.get(), b.get(), &beta, c.get(), &options, &report),
      CAIRN_OK)
      << cairn_error_message();
  EXPECT_GT(report.seconds, 0);
  int64_t stored = cairn_block_sparse_stored(c.get());
  MPI_Allreduce(MPI_IN_PLACE, &stored, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(stored, 9);  // but for the blocks of the size that is zero
  for (int64_t n = 0; n < cairn_block_sparse_stored(c.get()); ++n) {
    int32_t i = -1, j = -1;
    void *here = nullptr, *found = nullptr;
    ASSERT_EQ(cairn_block_sparse_get(c.get(), n, &i, &j, &here), CAIRN_OK) << cairn_error_message();
    EXPECT_DONE(cairn_block_sparse_find(c.get(), i, j, &found));
    EXPECT_EQ(here, found);
    const int32_t height = sizes[static_cast<std::size_t>(i)], width = sizes[static_cast<std::size_t>(j)];
    for (int32_t col = 0; col < width; ++col)
      for (int32_t row = 0; row < height; ++row) {
        T expected = -value<T>(i, j, row, col, 3);
        for (int32_t k = 0; k < blocks; ++k)
          for (int32_t l = 0; l < sizes[static_cast<std::size_t>(k)]; ++l)
            expected += T(2) * conjugated(value<T>(k, i, l, row, 1)) * value<T>(k, j, l, col, 2);
        EXPECT_EQ(static_cast<T*>(here)[row + col * height], expected) << i << ' ' << j;
      }
  }
}

TYPED_TEST(CApiBlocks, SumsAndFilesAreThoseOfTheMatrix) {
  using T = TypeParam;
  const CommHandle comm = world();
  const Matrix x = filled<T>(comm, 1);
  const testing::SharedDirectory directory;
  const std::string path = directory / "x.cbs", text = directory / "x.mtx";
  EXPECT_DONE(cairn_block_sparse_write(x.get(), path.c_str()));
  EXPECT_DONE(cairn_block_sparse_write_matrix_market(x.get(), text.c_str()));
  const std::vector<int32_t> zero(blocks, 0);
  const cairn_block_distribution first = {1, 1, zero.data(), zero.data(), 0};
  for (const std::string& file : {path, text}) {
    cairn_block_sparse *read = nullptr, *moved = nullptr, *copy = nullptr, *adjoint = nullptr;
    EXPECT_DONE(cairn_block_sparse_read(comm.get(), type_of<T>(), file.c_str(), nullptr, &read));
    EXPECT_DONE(cairn_block_sparse_redistributed(read, &first, &moved));
    EXPECT_EQ(cairn_block_sparse_here(moved, 0, 0), rank() == 0 ? 1 : 0);
    EXPECT_EQ(cairn_block_sparse_here(moved, -1, 0), 0);
    T dot, norm_squared, trace, expected(0);
    double norm = 0;
    EXPECT_DONE(cairn_block_sparse_dot(moved, x.get(), &dot));
    EXPECT_DONE(cairn_block_sparse_norm(x.get(), CAIRN_FROBENIUS, &norm));
    norm_squared = static_cast<T>(norm * norm);
    EXPECT_LT(std::abs(dot - norm_squared), 1e-5 * std::abs(dot));
    for (int32_t i = 0; i < blocks; ++i)
      for (int32_t r = 0; r < sizes[static_cast<std::size_t>(i)]; ++r) expected += value<T>(i, i, r, r, 1);
    EXPECT_DONE(cairn_block_sparse_trace(moved, &trace));
    EXPECT_EQ(trace, expected);
    const T one(1), minus(-1), half(0.5);
    EXPECT_DONE(cairn_block_sparse_copy(x.get(), &copy));
    EXPECT_DONE(cairn_block_sparse_transposed(copy, CAIRN_ADJOINT, &adjoint));
    EXPECT_DONE(cairn_block_sparse_trace(adjoint, &trace));
    EXPECT_EQ(trace, conjugated(expected));
    EXPECT_DONE(cairn_block_sparse_add(&minus, read, copy));
    EXPECT_DONE(cairn_block_sparse_filter(copy, 1e-30));
    int64_t left = -1;
    EXPECT_DONE(cairn_block_sparse_count(copy, &left, nullptr));
    EXPECT_EQ(left, 0);
    EXPECT_DONE(cairn_block_sparse_add_to_diagonal(copy, &one));
    EXPECT_DONE(cairn_block_sparse_scale(copy, &half));
    EXPECT_DONE(cairn_block_sparse_trace(copy, &trace));
    EXPECT_EQ(trace, T(3));
    for (cairn_block_sparse* m : {read, moved, copy, adjoint}) cairn_block_sparse_free(m);
  }
}

// S = 1 + 1/10 of its neighbours: what S⁻¹ and S^(-½) do, and the electrons of H = S with a shift.
TEST(CApiBlocks, FunctionsAreThoseOfTheLibrary) {
  const CommHandle comm = world();
  const std::vector<int32_t> ones(6, 1);
  cairn_block_sparse* s = nullptr;
  EXPECT_DONE(cairn_block_sparse_create(comm.get(), CAIRN_FLOAT64, 6, ones.data(), 6, ones.data(), nullptr, &s));
  const double diagonal = 1, beside = 0.1;
  for (int32_t i = 0; i < 6; ++i)
    for (int32_t j = 0; j < 6; ++j) {
      if (std::abs(i - j) > 1 || !cairn_block_sparse_here(s, i, j)) continue;
      EXPECT_DONE(cairn_block_sparse_put(s, i, j, i == j ? &diagonal : &beside));
    }
  cairn_function_options options;
  cairn_function_options_init(&options);
  options.eps = 0;
  int iterations = 0;
  options.watch = [](const cairn_iteration* i, void* count) {
    *static_cast<int*>(count) += i->number > 0 ? 1 : 0;
    return 0;
  };
  options.context = &iterations;
  cairn_block_sparse *inverse = nullptr, *root = nullptr, *sign = nullptr, *p = nullptr;
  EXPECT_DONE(cairn_inverse(s, &options, &inverse));
  EXPECT_GT(iterations, 2);
  options.watch = [](const cairn_iteration* i, void*) { return rank() == 1 && i->number == 2 ? 1 : 0; };
  expect_message(cairn_inverse(s, &options, &sign), CAIRN_RUNTIME_ERROR, "the iteration was ended by watch");
  options.watch = [](const cairn_iteration*, void*) -> int { throw 42; };
  expect_message(cairn_inverse(s, &options, &sign), CAIRN_OTHER_ERROR, "an unknown exception");
  options.watch = nullptr;
  EXPECT_DONE(cairn_inverse_sqrt(s, &options, &root));
  EXPECT_DONE(cairn_sign(s, &options, &sign));
  const double one = 1, minus = -1;
  EXPECT_DONE(cairn_block_multiply(CAIRN_NONE, CAIRN_NONE, &one, root, root, &minus, inverse, nullptr, nullptr));
  double off = 1, trace = 0;
  EXPECT_DONE(cairn_block_sparse_norm(inverse, CAIRN_MAX, &off));
  EXPECT_LT(off, 1e-13);
  EXPECT_DONE(cairn_block_sparse_trace(sign, &trace));
  EXPECT_NEAR(trace, 6, 1e-12);
  cairn_density found = {};
  options.method = "mcweeny";
  EXPECT_DONE(cairn_density_of_electrons(s, s, 12, &options, &p, &found));  // all energies are 1
  EXPECT_NEAR(found.band_energy, 12, 1e-12);
  cairn_block_sparse_free(p);
  cairn_density* nothing = nullptr;
  expect_message(cairn_density_below(s, s, 7.0, &options, &p, nothing), CAIRN_ARGUMENT_ERROR, "within the spectrum");
  for (cairn_block_sparse* m : {s, inverse, root, sign}) cairn_block_sparse_free(m);
}

TEST(CApiBlocks, WhatIsWrongOnOneRankIsReportedOnAll) {
  const CommHandle comm = world();
  const Matrix a = filled<double>(comm, 1), b = filled<double>(comm, 2), c = filled<double>(comm, 3),
               f = filled<float>(comm, 1);
  const bool here = rank() == ranks() - 1;
  const double one = 1;
  double norm = 0;
  const auto multiply = [&](const double* alpha, const cairn_block_sparse* x, cairn_op op) {
    return cairn_block_multiply(op, CAIRN_NONE, alpha, x, b.get(), &one, c.get(), nullptr, nullptr);
  };
  expect_message(multiply(here ? nullptr : &one, a.get(), CAIRN_NONE), CAIRN_ARGUMENT_ERROR, "alpha: NULL");
  expect_message(multiply(&one, here ? nullptr : a.get(), CAIRN_NONE), CAIRN_ARGUMENT_ERROR, "a: NULL");
  expect_message(multiply(&one, f.get(), CAIRN_NONE), CAIRN_ARGUMENT_ERROR,
                 "a: a matrix of another element type, expected float64");
  expect_message(multiply(&one, a.get(), here ? static_cast<cairn_op>(5) : CAIRN_NONE), CAIRN_ARGUMENT_ERROR,
                 "op_a: 5, expected 0..2");
  expect_message(cairn_block_multiply(CAIRN_NONE, CAIRN_NONE, &one, a.get(), b.get(), &one, nullptr, nullptr, nullptr),
                 CAIRN_ARGUMENT_ERROR, "c: NULL");
  cairn_block_product_options shared = {};
  shared.transport = "node-shared";
  expect_message(cairn_block_multiply(CAIRN_NONE, CAIRN_NONE, &one, a.get(), b.get(), &one, c.get(), &shared, nullptr),
                 CAIRN_ARGUMENT_ERROR, "transport: 'node-shared' is unknown, expected one of two-sided, one-sided");

  cairn_block_sparse* x = nullptr;
  const auto create = [&](cairn_type type, const int32_t* rows, const cairn_block_distribution* where) {
    return cairn_block_sparse_create(comm.get(), type, blocks, rows, blocks, sizes.data(), where, &x);
  };
  expect_message(create(here ? static_cast<cairn_type>(4) : CAIRN_FLOAT64, sizes.data(), nullptr), CAIRN_ARGUMENT_ERROR,
                 "type: 4, expected 0..3");
  expect_message(create(here ? CAIRN_FLOAT32 : CAIRN_FLOAT64, sizes.data(), nullptr), CAIRN_ARGUMENT_ERROR, "type");
  expect_message(create(CAIRN_FLOAT64, here ? nullptr : sizes.data(), nullptr), CAIRN_ARGUMENT_ERROR,
                 "row_sizes: NULL");
  const std::vector<int32_t> away(blocks, 1);
  const cairn_block_distribution where = {1, 1, away.data(), away.data(), 0};
  expect_message(create(CAIRN_FLOAT64, sizes.data(), &where), CAIRN_ARGUMENT_ERROR, "row");
  expect_message(cairn_block_sparse_read(comm.get(), CAIRN_FLOAT64, "nowhere.cbs", "6", &x), CAIRN_FILE_ERROR,
                 "nowhere.cbs");
  const testing::SharedDirectory directory;
  const std::string path = directory / "a.mtx", other = directory / "b.mtx";
  for (const std::string& to : {path, other}) EXPECT_DONE(cairn_block_sparse_write_matrix_market(a.get(), to.c_str()));
  const auto read = [&](const std::string& from, const char* given) {
    return cairn_block_sparse_read(comm.get(), CAIRN_FLOAT64, from.c_str(), given, &x);
  };
  expect_message(read(path, here ? nullptr : "6"), CAIRN_ARGUMENT_ERROR, "blocks: NULL here, \"6\" on rank 0");
  expect_message(read(path, here ? "3" : "6"), CAIRN_ARGUMENT_ERROR, "blocks: \"3\" here");
  expect_message(read(path, "no.sizes"), CAIRN_FILE_ERROR, "no.sizes");
  expect_message(read(here ? other : path, "6"), CAIRN_ARGUMENT_ERROR, "file to read");
  expect_message(cairn_block_sparse_norm(a.get(), here ? CAIRN_MAX : CAIRN_GERSHGORIN, &norm), CAIRN_ARGUMENT_ERROR,
                 "norm");
  expect_message(cairn_block_sparse_put(c.get(), 9, 0, &one), CAIRN_ARGUMENT_ERROR, "9");
  expect_message(cairn_block_sparse_get(c.get(), 99, nullptr, nullptr, nullptr), CAIRN_ARGUMENT_ERROR, "number: 99");
  cairn_function_options options;
  cairn_function_options_init(&options);
  options.method = here ? "lanczos" : nullptr;
  expect_message(cairn_density_of_electrons(a.get(), b.get(), 2, &options, &x, nullptr), CAIRN_ARGUMENT_ERROR,
                 "method: 'lanczos'");
  EXPECT_DONE(multiply(&one, a.get(), CAIRN_NONE));
}

TEST(CApiBlocks, RanksHandOverTheSameMatrix) {
  const CommHandle comm = world();
  const Matrix x = filled<double>(comm, 1), narrow = filled<float>(comm, 1);
  if (ranks() == 1) return;
  const cairn_block_sparse* const mine = rank() == ranks() - 1 ? narrow.get() : x.get();
  int64_t count = 0;
  double number = 0;
  const auto refused = [](cairn_status status) {
    expect_message(status, CAIRN_ARGUMENT_ERROR, "elements float32 here");
  };
  refused(cairn_block_sparse_count(mine, &count, nullptr));
  refused(cairn_block_sparse_words(mine, &count));
  refused(cairn_block_sparse_trace(mine, &number));
  refused(cairn_block_sparse_dot(mine, mine, &number));
  refused(cairn_block_sparse_norm(mine, CAIRN_FROBENIUS, &number));
  cairn_csr* rows = nullptr;
  refused(cairn_block_sparse_to_csr(mine, 0, 0, 0, &rows));
  cairn_block_sparse* moved = nullptr;
  refused(cairn_block_sparse_redistributed(mine, nullptr, &moved));
}

TEST(CApiBlocks, HalvesStandForWholeMatrices) {
  const CommHandle comm = world();
  cairn_block_sparse *half = nullptr, *all = nullptr, *square = nullptr;
  EXPECT_DONE(cairn_block_sparse_create_symmetric(comm.get(), CAIRN_COMPLEX128, CAIRN_HERMITIAN, blocks, sizes.data(),
                                                  nullptr, &half));
  const Matrix freed(half);
  EXPECT_EQ(cairn_block_sparse_symmetry(half), CAIRN_HERMITIAN);
  const std::vector<std::complex<double>> block(6, {0, 1});
  if (cairn_block_sparse_here(half, 0, 2)) {
    EXPECT_DONE(cairn_block_sparse_put(half, 0, 2, block.data()));
  }
  EXPECT_EQ(cairn_block_sparse_here(half, 2, 0), 0);
  expect_message(cairn_block_sparse_put(half, 2, 0, block.data()), CAIRN_ARGUMENT_ERROR, "expected (0, 2)");
  EXPECT_DONE(cairn_block_sparse_stored_as(half, CAIRN_GENERAL, &all));
  const Matrix freed_all(all);
  int64_t count = 0;
  double of_half = 0, of_all = 0;
  EXPECT_DONE(cairn_block_sparse_count(half, &count, &of_half));
  EXPECT_EQ(count, 1);
  EXPECT_DONE(cairn_block_sparse_count(all, &count, &of_all));
  EXPECT_EQ(count, 2);
  EXPECT_EQ(of_half, of_all);
  EXPECT_DONE(cairn_block_sparse_copy(half, &square));
  const Matrix freed_square(square);
  const std::complex<double> one(1), zero(0);
  EXPECT_DONE(cairn_block_multiply(CAIRN_NONE, CAIRN_NONE, &one, half, half, &zero, square, nullptr, nullptr));
  double norm = 0;
  EXPECT_DONE(cairn_block_sparse_norm(square, CAIRN_MAX, &norm));
  EXPECT_EQ(norm, 3);
  expect_message(cairn_block_sparse_stored_as(all, CAIRN_SYMMETRIC, &square), CAIRN_ARGUMENT_ERROR, "not symmetric");
  expect_message(cairn_block_sparse_stored_as(all, static_cast<cairn_symmetry>(4), &square), CAIRN_ARGUMENT_ERROR,
                 "symmetry: 4, expected 0..3");
}

}  // namespace
}  // namespace cairn
