// The C API of block-sparse matrices: what is asked of one, and how it comes from and goes to dense ones, rows and
// files.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "capi_blocks.hpp"
#include "shared_directory.hpp"

namespace cairn {
namespace {

using namespace testing::capi;

constexpr int64_t order = 6;  // the sum of the sizes

struct Place {
  int32_t block, within;
};
constexpr std::array<Place, 6> places{{{0, 0}, {0, 1}, {2, 0}, {2, 1}, {2, 2}, {3, 0}}};

// The element in that row and column of what filled() makes.
template <class T>
T element_at(int64_t row, int64_t col, int seed) {
  const Place r = places[static_cast<std::size_t>(row)], c = places[static_cast<std::size_t>(col)];
  return value<T>(r.block, c.block, r.within, c.within, seed);
}

struct FreeLayout {
  void operator()(cairn_layout* x) const { cairn_layout_free(x); }
};
using LayoutHandle = std::unique_ptr<cairn_layout, FreeLayout>;

LayoutHandle cyclic(int64_t m, int64_t n) {
  cairn_layout* made = nullptr;
  EXPECT_DONE(cairn_layout_block_cyclic(m, n, 2, 1, 2, 2, 0, 1, 0, &made));
  return LayoutHandle(made);
}

// The distance of two matrices of one type, which takes the first.
template <class T>
double difference(const cairn_block_sparse* x, cairn_block_sparse* y) {
  const T minus(-1);
  double most = -1;
  EXPECT_DONE(cairn_block_sparse_add(&minus, x, y));
  EXPECT_DONE(cairn_block_sparse_norm(y, CAIRN_MAX, &most));
  return most;
}

template <class T>
class CApiBlockConversions : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CApiBlockConversions, Types);

TYPED_TEST(CApiBlockConversions, DenseMatricesInAnyLayout) {
  using T = TypeParam;
  const CommHandle comm = world();
  const Matrix x = filled<T>(comm, 1);
  const LayoutHandle layout = cyclic(order, order);
  const int64_t words = cairn_layout_words(layout.get(), rank());
  std::vector<T> data(static_cast<std::size_t>(words) + 1, T(99));
  const cairn_matrix dense = {layout.get(), data.data(), words, 0};
  EXPECT_DONE(cairn_block_sparse_to_dense(x.get(), &dense));
  const int64_t rows = cairn_layout_local_rows(layout.get(), rank());
  for (int64_t e = 0; e < words; ++e)
    EXPECT_EQ(data[static_cast<std::size_t>(e)],
              element_at<T>(cairn_layout_global_row(layout.get(), rank(), e % rows),
                            cairn_layout_global_col(layout.get(), rank(), e / rows), 1));
  EXPECT_EQ(data.back(), T(99));
  const auto back = [&](double eps) {
    cairn_block_sparse* y = nullptr;
    EXPECT_DONE(cairn_block_sparse_from_dense(comm.get(), type_of<T>(), &dense, blocks, sizes.data(), blocks,
                                              sizes.data(), nullptr, eps, &y));
    return Matrix(y);
  };
  EXPECT_EQ(difference<T>(x.get(), back(0).get()), 0);
  int64_t left = -1;
  EXPECT_DONE(cairn_block_sparse_count(back(1e9).get(), &left, nullptr));
  EXPECT_EQ(left, 0);
}

TYPED_TEST(CApiBlockConversions, RowsOfSingleElements) {
  using T = TypeParam;
  const CommHandle comm = world();
  const Matrix x = filled<T>(comm, 2);
  const int64_t from = std::min<int64_t>(2 * rank(), order), rows = std::min<int64_t>(2, order - from);
  cairn_csr* mine = nullptr;
  ASSERT_EQ(cairn_block_sparse_to_csr(x.get(), from, rows, 1, &mine), CAIRN_OK) << cairn_error_message();
  EXPECT_EQ(mine->first_row, from);
  EXPECT_EQ(mine->rows, rows);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t e = mine->first[i];
    for (int64_t j = 0; j < order; ++j)
      if (const T wanted = element_at<T>(from + i, j, 2); wanted != T(0)) {
        ASSERT_LT(e, mine->first[i + 1]);
        EXPECT_EQ(mine->cols[e], j);
        EXPECT_EQ(static_cast<const T*>(mine->values)[e++], wanted);
      }
    EXPECT_EQ(e, mine->first[i + 1]);
  }
  cairn_block_sparse* y = nullptr;
  EXPECT_DONE(cairn_block_sparse_from_csr(comm.get(), type_of<T>(), mine, blocks, sizes.data(), blocks, sizes.data(),
                                          nullptr, &y));
  cairn_csr_free(mine);
  EXPECT_EQ(difference<T>(x.get(), Matrix(y).get()), 0);
  EXPECT_DONE(cairn_block_sparse_to_csr(x.get(), 0, rank() == 0 ? order : 0, 0, &mine));
  EXPECT_EQ(mine->first[mine->rows], rank() == 0 ? order * order - 4 : 0);  // those of blocks that are stored
  cairn_csr_free(mine);
  cairn_csr_free(nullptr);
}

TEST(CApiBlocksOfARank, AreReservedClearedAndCropped) {
  const CommHandle comm = world();
  const Matrix x = filled<double>(comm, 1);
  const cairn_block_range upper = {0, 1}, right = {2, 4};
  cairn_block_sparse *part = nullptr, *all = nullptr;
  EXPECT_DONE(cairn_block_sparse_cropped(x.get(), &upper, &right, &part));
  EXPECT_DONE(cairn_block_sparse_cropped(x.get(), nullptr, nullptr, &all));
  EXPECT_EQ(difference<double>(x.get(), Matrix(all).get()), 0);
  int64_t count = -1, words = -1;
  EXPECT_DONE(cairn_block_sparse_count(part, &count, nullptr));
  EXPECT_DONE(cairn_block_sparse_words(part, &words));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(words, 6);
  EXPECT_DONE(cairn_block_sparse_clear(part));
  EXPECT_EQ(cairn_block_sparse_stored(part), 0);
  std::vector<int32_t> i, j;
  for (int32_t k = 0; k < blocks; ++k)
    if (cairn_block_sparse_here(part, k, k)) i.push_back(k), j.push_back(k);
  EXPECT_DONE(cairn_block_sparse_reserve(part, static_cast<int64_t>(i.size()), i.data(), j.data()));
  EXPECT_DONE(cairn_block_sparse_words(part, &words));
  EXPECT_EQ(words, 4 + 9 + 1);
  const int32_t outside = 4;
  expect_message(cairn_block_sparse_reserve(part, 1, &outside, &outside), CAIRN_ARGUMENT_ERROR,
                 "block: (4, 4), expected one of 4x4");
  expect_message(cairn_block_sparse_reserve(part, 1, &outside, nullptr), CAIRN_ARGUMENT_ERROR, "j: NULL");
  expect_message(cairn_block_sparse_reserve(part, -1, &outside, &outside), CAIRN_ARGUMENT_ERROR,
                 "count: -1, expected 0 to");
  const int64_t stored = cairn_block_sparse_stored(part);
  for (int32_t k = 1; k < blocks; ++k) {
    if (!cairn_block_sparse_here(part, 0, k)) continue;
    const int32_t fine_and_not[] = {0, 4}, beside[] = {k, 4};
    expect_message(cairn_block_sparse_reserve(part, 2, fine_and_not, beside), CAIRN_ARGUMENT_ERROR, "block: (4, 4)");
  }
  EXPECT_EQ(cairn_block_sparse_stored(part), stored);
  expect_message(cairn_block_sparse_clear(nullptr), CAIRN_ARGUMENT_ERROR, "matrix: NULL");
  expect_message(cairn_block_sparse_cropped(x.get(), &upper, &right, nullptr), CAIRN_ARGUMENT_ERROR, "cropped: NULL");
  expect_message(cairn_block_sparse_filter(part, -1), CAIRN_ARGUMENT_ERROR, "eps: -1, expected 0 or more");
  cairn_block_sparse_free(part);
}

TEST(CApiBlocksOfARank, SizesBoundsAndPlacesAreThoseOfTheMatrix) {
  const CommHandle comm = world();
  const std::vector<int32_t> wide{1, 2};
  cairn_block_sparse* made = nullptr;
  EXPECT_DONE(
      cairn_block_sparse_create(comm.get(), CAIRN_FLOAT64, blocks, sizes.data(), 2, wide.data(), nullptr, &made));
  const Matrix x(made);
  EXPECT_EQ(cairn_block_sparse_m(x.get()), order);
  EXPECT_EQ(cairn_block_sparse_n(x.get()), 3);
  EXPECT_TRUE(std::equal(sizes.begin(), sizes.end(), cairn_block_sparse_row_sizes(x.get())));
  EXPECT_TRUE(std::equal(wide.begin(), wide.end(), cairn_block_sparse_col_sizes(x.get())));
  EXPECT_EQ(cairn_block_sparse_m(nullptr) + cairn_block_sparse_n(nullptr), 0);
  EXPECT_EQ(cairn_block_sparse_row_sizes(nullptr), cairn_block_sparse_col_sizes(nullptr));
  cairn_block_distribution where;
  EXPECT_DONE(cairn_block_sparse_where(x.get(), &where));
  EXPECT_EQ(where.pr * where.pc, ranks());
  EXPECT_EQ(cairn_block_sparse_here(x.get(), 3, 1), where.row[3] * where.pc + where.col[1] == rank() ? 1 : 0);
  double low = 0, high = 0;
  expect_message(cairn_block_sparse_gershgorin(x.get(), &low, &high), CAIRN_ARGUMENT_ERROR, "different blocks");
  const Matrix unit = filled<double>(comm, 1);
  EXPECT_DONE(cairn_block_sparse_clear(unit.get()));
  const double shift = -3;
  EXPECT_DONE(cairn_block_sparse_add_to_diagonal(unit.get(), &shift));
  EXPECT_DONE(cairn_block_sparse_gershgorin(unit.get(), &low, &high));
  EXPECT_EQ(low, -3);
  EXPECT_EQ(high, -3);
  const bool here = rank() == 1;
  expect_message(cairn_block_sparse_gershgorin(unit.get(), &low, here ? nullptr : &high), CAIRN_ARGUMENT_ERROR,
                 "high: NULL");
  int64_t words = 0;
  expect_message(cairn_block_sparse_words(unit.get(), here ? nullptr : &words), CAIRN_ARGUMENT_ERROR, "words: NULL");
  expect_message(cairn_block_sparse_where(unit.get(), nullptr), CAIRN_ARGUMENT_ERROR, "where: NULL");
}

TEST(CApiBlocksOfARank, AreReadWhereTheyAreWanted) {
  const CommHandle comm = world();
  const Matrix x = filled<double>(comm, 1);
  const testing::SharedDirectory directory;
  const std::string path = directory / "x.cbs";
  EXPECT_DONE(cairn_block_sparse_write(x.get(), path.c_str()));
  const std::vector<int32_t> zero(blocks, 0), far(blocks, 7);
  const cairn_block_distribution first = {1, 1, zero.data(), zero.data(), 0},
                                 nowhere = {1, 1, far.data(), zero.data(), 0};
  cairn_block_sparse* read = nullptr;
  EXPECT_DONE(cairn_block_sparse_read_where(comm.get(), CAIRN_FLOAT64, path.c_str(), nullptr, &first, &read));
  const Matrix there(read);
  EXPECT_EQ(cairn_block_sparse_stored(read) > 0, rank() == 0);
  EXPECT_EQ(difference<double>(x.get(), read), 0);
  const auto refused = [&](const cairn_block_distribution* where, const char* part) {
    expect_message(cairn_block_sparse_read_where(comm.get(), CAIRN_FLOAT64, path.c_str(), nullptr, where, &read),
                   CAIRN_ARGUMENT_ERROR, part);
  };
  const bool here = rank() == 2;
  refused(here ? &nowhere : &first, "where: rows 0 of blocks is dealt to 7, expected one of 0..0");
  refused(here ? nullptr : &first, "where: a grid of 2x2 ranks here, a grid of 1x1 ranks on rank 0");
}

TEST(CApiBlocksOfARank, WrongDenseMatricesOnOneRankAreReportedOnAll) {
  const CommHandle comm = world();
  const Matrix x = filled<double>(comm, 1);
  const bool here = rank() == ranks() - 1;
  const LayoutHandle layout = cyclic(order, order), narrow = cyclic(order, 5);
  std::vector<double> data(36);
  const cairn_matrix dense = {layout.get(), data.data(), 36, 0}, small = {layout.get(), data.data(), 1, 0},
                     none = {layout.get(), nullptr, 36, 0}, other = {narrow.get(), data.data(), 36, 0};
  const auto to_dense = [&](const cairn_matrix* to) { return cairn_block_sparse_to_dense(x.get(), to); };
  expect_message(to_dense(here ? nullptr : &dense), CAIRN_ARGUMENT_ERROR, "dense: NULL");
  expect_message(to_dense(here ? &small : &dense), CAIRN_ARGUMENT_ERROR, "dense: a buffer of 1 elements, expected");
  expect_message(to_dense(here ? &none : &dense), CAIRN_ARGUMENT_ERROR, "dense: null, expected room");
  expect_message(to_dense(here ? &other : &dense), CAIRN_ARGUMENT_ERROR, "dense: 6x5, expected 6x6");
  cairn_block_sparse* y = nullptr;
  const auto from_dense = [&](const cairn_matrix* from, const int32_t* rows, double eps) {
    return cairn_block_sparse_from_dense(comm.get(), CAIRN_FLOAT64, from, blocks, rows, blocks, sizes.data(), nullptr,
                                         eps, &y);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_message(from_dense(here ? nullptr : &dense, sizes.data(), 0), CAIRN_ARGUMENT_ERROR, "dense: NULL");
  expect_message(from_dense(here ? &small : &dense, sizes.data(), 0), CAIRN_ARGUMENT_ERROR, "dense: a buffer of 1");
  expect_message(from_dense(&other, sizes.data(), 0), CAIRN_ARGUMENT_ERROR, "dense: 6x5, expected 6x6");
  expect_message(from_dense(&dense, here ? nullptr : sizes.data(), 0), CAIRN_ARGUMENT_ERROR, "row_sizes: NULL");
  expect_message(from_dense(&dense, sizes.data(), here ? 1 : 0), CAIRN_ARGUMENT_ERROR, "eps: 1 here, 0 on rank 0");
  expect_message(from_dense(&dense, sizes.data(), here ? nan : 0), CAIRN_ARGUMENT_ERROR, "eps: nan, expected 0");
}

TEST(CApiBlocksOfARank, WrongRowsOnOneRankAreReportedOnAll) {
  const CommHandle comm = world();
  const Matrix x = filled<double>(comm, 1);
  const bool here = rank() == ranks() - 1;
  cairn_block_sparse* y = nullptr;
  const std::vector<int64_t> first{0, 1}, falling{1, 0}, col{0}, far{6};
  const double one = 1;
  const auto rows = [&](int64_t row, const int64_t* pointers, const int64_t* cols) {
    return cairn_csr{row, here ? 1 : 0, pointers, cols, &one};
  };
  const auto from_csr = [&](const cairn_csr* mine) {
    return cairn_block_sparse_from_csr(comm.get(), CAIRN_FLOAT64, mine, blocks, sizes.data(), blocks, sizes.data(),
                                       nullptr, &y);
  };
  const auto refused = [&](const cairn_csr& mine, const char* part) {
    expect_message(from_csr(&mine), CAIRN_ARGUMENT_ERROR, part);
  };
  refused(rows(here ? 6 : 0, first.data(), col.data()), "rows: 1 from number 6, expected some of the 6 rows");
  refused({0, here ? int64_t{1} << 40 : 0, first.data(), col.data(), &one}, "rows: 1099511627776 from number 0");
  refused(rows(0, falling.data(), col.data()), "first: 0 after 1 for row 0");
  refused(rows(0, first.data(), far.data()), "cols: element 0 is in column 6, expected one of 0..5");
  refused(rows(0, nullptr, col.data()), "mine.first: NULL");
  refused(rows(0, first.data(), nullptr), "mine.cols: NULL");
  refused({0, here ? -1 : 0, first.data(), col.data(), &one}, "mine.rows: -1, expected 0 or more");
  cairn_csr fine = rows(0, first.data(), col.data());
  if (!here) fine = {-7, 0, nullptr, nullptr, nullptr};
  expect_message(from_csr(here ? nullptr : &fine), CAIRN_ARGUMENT_ERROR, "mine: NULL");
  EXPECT_DONE(from_csr(&fine));
  const Matrix freed(y);
  double sum = 0;
  EXPECT_DONE(cairn_block_sparse_trace(y, &sum));
  EXPECT_EQ(sum, 1);

  cairn_csr* mine = nullptr;
  const auto to_csr = [&](int64_t from, int64_t count, int drop, cairn_csr** to) {
    return cairn_block_sparse_to_csr(x.get(), from, count, drop, to);
  };
  expect_message(to_csr(here ? 4 : 0, here ? 3 : 0, 0, &mine), CAIRN_ARGUMENT_ERROR, "rows: 3 from number 4");
  expect_message(to_csr(0, here ? -1 : 0, 0, &mine), CAIRN_ARGUMENT_ERROR, "rows: -1 from number 0");
  expect_message(to_csr(0, 1, 0, &mine), CAIRN_ARGUMENT_ERROR, "two ranks ask for row 0");
  expect_message(to_csr(0, 0, here ? 1 : 0, &mine), CAIRN_ARGUMENT_ERROR, "drop_zeros: true here, false on rank 0");
  expect_message(to_csr(0, 0, 0, here ? nullptr : &mine), CAIRN_ARGUMENT_ERROR, "mine: NULL");
}

}  // namespace
}  // namespace cairn
