// Bad arguments of p?gemm: the drop-in reports what ScaLAPACK reports, to the last code, and touches nothing.
#include "random_product.hpp"

namespace cairn::testing {
namespace {

template <class T>
class ArgumentsOfGemm : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ArgumentsOfGemm, Types, );

constexpr int huge = 1 << 30;  // ScaLAPACK's own sums do not overflow with it
const std::initializer_list<int> odd_values{-huge, -1000, -2, -1, 0, 1, 2, 3, 4, 5, 9, 100, huge};
const std::initializer_list<int> odd_entries{std::numeric_limits<int>::min(), -1000, -2, -1, 0, 1, 2, 3, 4, 5, 9, 100,
                                             std::numeric_limits<int>::max()};

// What the implementation reports where it must not compute: with alpha = 0 and beta = 1 ScaLAPACK returns after its
// checks, so that sizes and descriptors may be anything.
template <class T>
std::vector<Abort> verdict(Gemm* gemm, Product<T> p) {
  p.alpha = 0, p.beta = 1;
  Storage<T> none(p.matrices.size(), std::vector<T>(1));
  call(gemm, p, none);
  return take_aborts();
}

// A descriptor of type 1 that says it is of type 2 is read to the end of one.
template <class T>
void make_room(Product<T>& p, std::size_t operand) {
  p.matrices[operand].desc.resize(11, 1);
}

// On how many ranks of the grid something is true.
int ranks_where(const Grid& grid, bool here) {
  int count = here;
  Cigsum2d(grid.context(), "All", " ", 1, 1, &count, 1, -1, 0);
  return count;
}

// The drop-in asks all ranks whether they agree, so it is called where all of them or none object: a leading dimension
// is the only argument that may be wrong on some.
template <class T>
bool expect_same_verdict(const Grid& grid, const Product<T>& p) {
  const std::vector<Abort> expected = verdict(original_gemm<T>(), p);
  const int objecting = ranks_where(grid, !expected.empty());
  if (objecting != 0 && objecting != grid.rows() * grid.cols()) return false;
  const std::vector<Abort> found = verdict(Routines<T>::gemm, p);
  EXPECT_EQ(found.size(), expected.size()) << p.text();
  if (found.empty() || expected.empty()) return false;
  EXPECT_EQ(found[0].routine, expected[0].routine);
  EXPECT_EQ(found[0].info, expected[0].info) << p.text();
  return true;
}

template <class T>
Product<T> good(const Grid& grid, int type) {
  Product<T> p;
  p.m = 9, p.n = 8, p.k = 7, p.i = {1, 2, 3}, p.j = {2, 0, 1};
  for (std::size_t x = 0; x < 3; ++x) {
    const Window w = p.window(x);
    p.matrices.emplace_back(grid, type, Axis{w.i + w.rows + 2, 3, 2, 0}, Axis{w.j + w.cols + 1, 2, 3, 0}, 1);
  }
  return p;
}

TYPED_TEST(ArgumentsOfGemm, EveryOneBadInTurnGivesScalapacksCode) {
  const Grid grid('C', 3, 2), other('R', 2, 2);
  if (!grid.inside()) return;
  int refused = 0;
  auto with = [&](auto change, const Product<TypeParam>& from) {
    Product<TypeParam> p = from;
    change(p);
    refused += expect_same_verdict(grid, p);
  };
  for (int type : {1, 2}) {
    const auto p = good<TypeParam>(grid, type);
    EXPECT_FALSE(expect_same_verdict(grid, p));
    for (std::size_t side : {0, 1})
      for (char letter : {'X', ' ', '\0', 'H', 'x'}) with([&](auto& q) { q.trans[side] = letter; }, p);
    for (int x : odd_values) {
      with([&](auto& q) { q.m = x; }, p), with([&](auto& q) { q.n = x; }, p), with([&](auto& q) { q.k = x; }, p);
      for (std::size_t operand = 0; operand < 3; ++operand)
        with([&](auto& q) { q.i[operand] = x; }, p), with([&](auto& q) { q.j[operand] = x; }, p);
    }
    for (std::size_t operand = 0; operand < 3; ++operand)
      for (std::size_t entry = 0; entry < p.matrices[operand].desc.size(); ++entry)
        for (int x : odd_entries) with([&](auto& q) { make_room(q, operand), q.matrices[operand].desc[entry] = x; }, p);
    for (std::size_t operand = 0; operand < 3; ++operand)
      with([&](auto& q) { q.matrices[operand].desc[1] = other.context(); }, p);
  }
  EXPECT_GT(refused, 500);
}

// A call of which several things are wrong, or merely odd.
template <class T>
Product<T> spoilt(Dice& dice, const Grid& grid) {
  Product<T> p = random_product<T>(dice, grid);
  for (int spoils = dice.between(1, 4); spoils > 0; --spoils) {
    const auto operand = static_cast<std::size_t>(dice.between(0, 2));
    std::vector<int>& desc = p.matrices[operand].desc;
    make_room(p, operand);
    switch (dice.between(0, 9)) {
      case 0: (dice.maybe(50) ? p.m : dice.maybe(50) ? p.n : p.k) = dice.one_of(odd_values); break;
      case 1: (dice.maybe(50) ? p.i : p.j)[operand] = dice.one_of(odd_values); break;
      case 2: p.trans[operand % 2] = dice.one_of({'N', 'T', 'C', 'X'}); break;
      default: desc[static_cast<std::size_t>(dice.between(0, 10))] = dice.one_of(odd_entries);
    }
  }
  return p;
}

TYPED_TEST(ArgumentsOfGemm, RandomDescriptorsGiveScalapacksCode) {
  Dice dice(seed());
  int refused = 0, calls = 0;
  for (int grids = 0; grids < 6; ++grids) {
    const auto grid = random_grid(dice);
    for (int tries = 0; tries < 200; ++tries) {
      const auto p = spoilt<TypeParam>(dice, *grid);
      if (grid->inside()) ++calls, refused += expect_same_verdict(*grid, p);
    }
  }
  EXPECT_GE(2 * refused, calls);
}

// With operands as usual: what is refused is refused before anything is read or written, on all ranks.
TYPED_TEST(ArgumentsOfGemm, RefusedCallsLeaveEverythingAsItIs) {
  const Grid grid('R', 2, 3);
  if (!grid.inside()) return;
  auto expect_untouched = [&](Product<TypeParam> p, int info) {
    p.beta = TypeParam(0.5);
    const auto data = filled(p);
    auto after = data;
    call(Routines<TypeParam>::gemm, p, after);
    const auto aborts = take_aborts();
    ASSERT_EQ(aborts.size(), 1u) << p.text();
    EXPECT_EQ(aborts[0].info, info) << p.text();
    for (std::size_t which = 0; which < data.size(); ++which)
      for (std::size_t at = 0; at < data[which].size(); ++at) EXPECT_TRUE(same(data[which][at], after[which][at]));
  };
  auto p = good<TypeParam>(grid, 2);
  p.trans[1] = 'Q', expect_untouched(p, -2), p.trans[1] = 'N';
  p.j[2] += 3, expect_untouched(p, -18), p.j[2] -= 3;
  p.matrices[2].desc[0] = 3, expect_untouched(p, -1901), p.matrices[2].desc[0] = 2;
  p.matrices[1].desc[10] = 0, expect_untouched(p, -1411);
}

TYPED_TEST(ArgumentsOfGemm, AContextThatWasGivenBackIsRefused) {
  const int dead = [] { return Grid('R', 2, 2).context(); }();
  auto p = good<TypeParam>(Grid('R', 1, 1), 1);
  for (auto& matrix : p.matrices) matrix.desc[1] = dead;
  const std::vector<Abort> expected = verdict(original_gemm<TypeParam>(), p);
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_EQ(expected[0].info, -1002);
  EXPECT_EQ(verdict(Routines<TypeParam>::gemm, p), expected);
}

}  // namespace
}  // namespace cairn::testing
