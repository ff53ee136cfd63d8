// What products and functions of block-sparse matrices hold within a limit, as operator new and operator delete see it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "block_sparse.hpp"
#include "cairn/matrix_functions.hpp"
#include "distributed.hpp"
#include "runtime/sparse/panel_window.hpp"

namespace {

// Every block here has as many bytes, no index has: what is counted are values.
constexpr std::size_t least_block = 4096;
std::atomic<std::int64_t> held = 0, most_held = 0;

std::size_t header(std::size_t alignment) { return std::max<std::size_t>(alignment, 64); }

void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t head = header(alignment);
  auto* const base = static_cast<std::byte*>(std::aligned_alloc(head, (bytes + 2 * head - 1) / head * head));
  if (!base) throw std::bad_alloc();
  new (base) std::size_t(bytes);
  if (bytes >= least_block) {
    const std::int64_t now = held += static_cast<std::int64_t>(bytes);
    if (now > most_held) most_held = now;
  }
  return base + head;
}

void give_back(void* p, std::size_t alignment) {
  if (!p) return;
  std::byte* const base = static_cast<std::byte*>(p) - header(alignment);
  const std::size_t bytes = *std::launder(reinterpret_cast<std::size_t*>(base));
  if (bytes >= least_block) held -= static_cast<std::int64_t>(bytes);
  std::free(base);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t a) { return allocate(bytes, static_cast<std::size_t>(a)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return allocate(bytes, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* p) noexcept { give_back(p, 1); }
void operator delete(void* p, std::size_t) noexcept { give_back(p, 1); }
void operator delete(void* p, std::align_val_t a) noexcept { give_back(p, static_cast<std::size_t>(a)); }
void operator delete(void* p, std::size_t, std::align_val_t a) noexcept { give_back(p, static_cast<std::size_t>(a)); }

namespace cairn {
namespace {

struct Case {
  const char* name;
  Op op_a = Op::none, op_b = Op::none;
  double beta = 0;
  BlockProductOptions options{};
  bool elsewhere = false, squared = false;  // A and B lie on other ranks; A and B are C
  std::uint64_t percent = 30;
  bool near = false;  // there are only blocks near the diagonal, and neighbours lie together
};

std::vector<BlockIndex> strips(Int blocks, Int parts) {
  std::vector<BlockIndex> of;
  for (Int i = 0; i < blocks; ++i) of.push_back(static_cast<BlockIndex>(i * parts / blocks));
  return of;
}

// Copies have no more memory than values.
struct Matrices {
  BlockSparse<double> A, B, C;
};

// Blocks of A are too high for several to be multiplied as one, which takes workspace.
Matrices matrices(const Comm& comm, Int pr, Int pc, const Case& c) {
  const BlockSizes m(14, 72), k(c.squared ? m : BlockSizes(17, 8)), n(c.squared ? m : BlockSizes(11, 64));
  const auto some = [&](Op op, const BlockSizes& rows, const BlockSizes& cols, std::uint64_t percent, Int shift) {
    const auto count = [](const BlockSizes& sizes) { return static_cast<Int>(sizes.size()); };
    BlockDistribution where = BlockDistribution::dealt(count(rows), count(cols), pr, pc);
    if (c.near) where = {pr, pc, strips(count(rows), pr), strips(count(cols), pc)};
    for (BlockIndex& r : where.row) r = static_cast<BlockIndex>((r + shift) % pr);
    const auto seen = [&](BlockDistribution x) { return op == Op::none ? x : x.transposed(); };
    testing::Whole<double> whole = testing::some_blocks<double>(rows, cols, percent, percent + rows.size());
    if (c.near)
      std::erase_if(whole.blocks, [&](const auto& b) {
        return std::abs(b.first.first * count(cols) - b.first.second * count(rows)) > count(rows) * count(cols) / 8;
      });
    return testing::distributed(comm, testing::transposed(std::move(whole), op), seen(where));
  };
  const std::uint64_t percent = c.squared ? 0 : c.percent;
  return {some(c.op_a, m, k, percent, c.elsewhere), some(c.op_b, k, n, percent, c.elsewhere),
          some(Op::none, m, n, c.beta == 0 ? 80 : 20, 0)};
}

void expect_same(const BlockSparse<double>& X, BlockSparse<double> Y, const char* name) {
  EXPECT_EQ(X.blocks(), Y.blocks()) << name;
  Y.add(-1, X);
  EXPECT_EQ(Y.norm(Norm::max), 0) << name;
}

// Words that this rank held beside what others have, its matrices included: at most, and then more than their values.
struct Did {
  BlockSparse<double> C;
  Int most = 0, left = 0, received = 0;
};

Did product(const Case& c, const Matrices& given, std::optional<Int> limit) {
  const std::int64_t before = held;
  Matrices x = given;
  BlockProductOptions options = c.options;
  options.memory_words = limit;
  most_held = held.load();
  Int received = 0;
  try {
    const BlockProductReport report =
        multiply(c.op_a, c.op_b, 1.0, c.squared ? x.C : x.A, c.squared ? x.C : x.B, c.beta, x.C, options);
    received = report.received;
  } catch (const MemoryError&) {
    expect_same(x.A, given.A, c.name), expect_same(x.B, given.B, c.name), expect_same(x.C, given.C, c.name);
    throw;
  }
  const auto words = [](std::int64_t bytes) { return bytes / static_cast<Int>(sizeof(double)); };
  const Int most = words(most_held - before);
  Int left = words(held - before);
  for (const auto* X : {&x.A, &x.B, &x.C}) left -= static_cast<Int>(X->local().values.size());
  return {std::move(x.C), most, left, received};
}

Int over(const Comm& comm, Int mine, MPI_Op op) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, op, comm.raw());
  return mine;
}

void expect_within_limit(const Comm& comm, Int pr, Int pc, const Case& c) {
  const Matrices given = matrices(comm, pr, pc, c);
  const std::string refused = testing::refusal<MemoryError>([&] { product(c, given, 1); }), end = "expected at least ";
  const std::size_t at = refused.find(end);
  ASSERT_NE(at, refused.npos) << refused;
  const Int least = std::stoll(refused.substr(at + end.size()));
  testing::expect_refused_alike<MemoryError>(
      comm, [&] { product(c, given, least - 1); }, refused.substr(at));
  const Did did = product(c, given, least);
  EXPECT_LE(did.most, least) << c.name << " on " << pr << "x" << pc;
  EXPECT_GE(over(comm, did.most, MPI_MAX), least / 2) << c.name << " on " << pr << "x" << pc;
  Int received = 0;
  for (Int more : {2, 4}) {  // the latter is enough for threads
    const Did did_with_more = product(c, given, more * least);
    EXPECT_EQ(did_with_more.left, 0) << c.name << " on " << pr << "x" << pc;
    EXPECT_LE(did_with_more.most, more * least) << c.name << " on " << pr << "x" << pc;
    received = did_with_more.received;
  }
  const Did without = product(c, given, {});
  expect_same(did.C, without.C, c.name);
  if (!c.near) return;
  EXPECT_EQ(received, without.received) << c.name << " on " << pr << "x" << pc;
  if (pc > 1) {  // parts of A, whose blocks are larger than those of B, do not fit
    EXPECT_GT(over(comm, did.received, MPI_SUM), over(comm, received, MPI_SUM)) << c.name << " on " << pr << "x" << pc;
  }
}

TEST(BlockMemory, StaysWithinTheLimit) {
  const std::vector<Case> cases{
      {"plain"},
      {"transposed", Op::transpose, Op::adjoint},
      {"added", Op::none, Op::none, 2},
      {"retained", Op::none, Op::none, 2, {.retain_sparsity = true}},
      {"rows", Op::none, Op::none, 0, {.rows = {{2, 9}}}},
      {"cols", Op::transpose, Op::none, 1, {.cols = {{1, 7}}, .inner = {{3, 12}}}},
      {"filtered", Op::none, Op::none, 0, {.filter_eps = 2000}},
      {"elsewhere", Op::none, Op::transpose, 0, {}, true},
      {"by threads", Op::none, Op::none, 1, {.threads = 3}},
      {"squared", Op::none, Op::none, 1, {}, false, true},
      {"full", Op::none, Op::none, 0, {}, false, false, 100},
  };
  for (const std::vector<Int>& sizes : {std::vector<Int>{12}, {6, 4, 1}}) {
    const testing::Group group(sizes);
    if (!group.member()) continue;
    const Comm comm(group.raw());
    for (Int pr = 1; pr * pr <= comm.size(); ++pr)
      if (comm.size() % pr == 0)
        for (const Case& c : cases) expect_within_limit(comm, pr, comm.size() / pr, c);
  }
}

TEST(BlockMemory, StaysWithinTheLimitByEveryAlgorithm) {
  const testing::Group group({4});
  if (!group.member()) return;
  for (const char* algorithm :
       {"fetch25d 2x2 layers=2x1", "fetch25d 2x2 layers=1x2", "summa 2x2 b=1", "cannon 2x2",
        "summa 2x2 b=1 stationary=a", "cannon 2x1x2", "cosma pm2,pk2", "cannon 1x3", "cosma pm3", "cosma pk3"})
    expect_within_limit(Comm(group.raw()), 2, 2, {algorithm, Op::none, Op::none, 0, {.algorithm = algorithm}});
}

// What is cut out of panels takes memory that the rest of a product leaves; else panels travel as a whole.
TEST(BlockMemory, WithinTheLimitOnlyNeededBlocksTravel) {
  const testing::Group group({4});
  if (!group.member()) return;
  for (const auto& [pr, pc] : {std::pair<Int, Int>{4, 1}, {1, 4}})
    for (const double eps : {0, 500})
      expect_within_limit(Comm(group.raw()), pr, pc,
                          {.name = "near", .options = {.filter_eps = eps}, .percent = 100, .near = true});
}

// Blocks of A are too small to be seen, whole rows of them are not.
TEST(BlockMemory, NoRowsOfAAreCopiedToBeScaled) {
  const testing::Group group({1});
  if (!group.member()) return;
  const Comm comm(group.raw());
  const BlockSizes m(6, 60), k(80, 8), n(6, 64);
  const auto A = testing::distributed(comm, testing::some_blocks<double>(m, k, 20, 1),
                                      BlockDistribution::dealt(6, 80, 1, 1)),
             B = testing::distributed(comm, testing::some_blocks<double>(k, n, 60, 2),
                                      BlockDistribution::dealt(80, 6, 1, 1));
  const auto held_by = [&](double alpha) {
    BlockSparse<double> C(comm, m, n);
    const std::int64_t before = most_held = held.load();
    multiply(Op::none, Op::none, alpha, A, B, 0.0, C);
    return most_held - before;
  };
  EXPECT_EQ(held_by(2), held_by(1));
}

// Symmetric, of 20 x 20 blocks of 72, dealt over rows of ranks in turn.
BlockSparse<double> in_rows(const Comm& comm, Int shift, std::uint64_t percent) {
  constexpr Int blocks = 20;
  const BlockSizes sizes(blocks, 72);
  BlockDistribution where = BlockDistribution::dealt(blocks, blocks, comm.size(), 1);
  for (BlockIndex& r : where.row) r = static_cast<BlockIndex>((r + shift) % comm.size());
  auto A = testing::distributed(comm, testing::some_blocks<double>(sizes, sizes, percent, percent), where);
  A.add(1, A.transposed());
  return A;
}

TEST(BlockMemory, NothingStaysOfWhatAMatrixReceives) {
  const testing::Group group({2});
  if (!group.member()) return;
  const Comm comm(group.raw());
  const auto A = in_rows(comm, 0, 30), half = A.stored_as(Symmetry::symmetric);
  const BlockDistribution where = in_rows(comm, 1, 0).where();
  const std::int64_t before = held;
  for (const bool expands : {false, true}) {
    const BlockSparse<double> B = expands ? half.expanded() : A.redistributed(where);
    EXPECT_EQ(held - before, static_cast<std::int64_t>(B.local().values.capacity() * sizeof(double))) << expands;
  }
  EXPECT_EQ(held, before);
}

TEST(BlockMemory, WithALimitNothingStaysOfOperandsOnAnotherCommunicator) {
  const testing::Group group({2}), same({2});
  if (!group.member()) return;
  const Comm comm(group.raw()), other(same.raw());
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const BlockSparse<double> A = in_rows(other, 0, 30).stored_as(symmetry);
    BlockSparse<double> C = in_rows(comm, 1, 0);
    const std::int64_t before = held;
    multiply(Op::none, Op::none, 1.0, A, A, 0.0, C, {.memory_words = 10'000'000});
    EXPECT_EQ(held - before, static_cast<std::int64_t>(C.local().values.capacity() * sizeof(double)))
        << name_of(symmetry);
  }
}

TEST(BlockMemory, WithALimitNoWindowStaysOfAProductBefore) {
  const testing::Group group({2});
  if (!group.member()) return;
  const Comm comm(group.raw());
  const BlockSparse<double> A = in_rows(comm, 0, 30);
  BlockSparse<double> C = in_rows(comm, 0, 0);
  const BlockProductReport report = multiply(Op::none, Op::none, 1.0, A, A, 0.0, C, {.transport = "one-sided"});
  const auto has_window = [&] { return PanelWindow::of(comm)->raw() != MPI_WIN_NULL; };
  EXPECT_EQ(has_window(), report.transport == "one-sided");
  multiply(Op::none, Op::none, 1.0, A, A, 0.0, C, {.memory_words = 10'000'000});
  EXPECT_FALSE(has_window());
}

// Full, of blocks that are no workspace: 2 or −2 on the diagonal, and little beside it.
template <class T>
BlockSparse<T> close_to_diagonal(const Comm& comm, Symmetry symmetry, bool definite, double little = 1e-3,
                                 BlockIndex blocks = 4) {
  constexpr BlockIndex rows = 72;
  BlockSparse<T> A(comm, BlockSizes(blocks, rows), BlockSizes(blocks, rows), symmetry);
  std::vector<T> block(std::size_t{rows} * rows);
  for (BlockIndex i = 0; i < blocks; ++i)
    for (BlockIndex j = 0; j < blocks; ++j) {
      for (std::size_t w = 0; w < block.size(); ++w) {
        const std::size_t r = w % rows, c = w / rows;
        block[w] = little * testing::small<double>((r + 1) * (c + 1)) +
                   (i == j && r == c ? (definite || r % 2 == 0 ? 2 : -2) : 0);
      }
      if (A.here(i, j)) A.put(i, j, block.data());
    }
  const BlockSparse<T>& no_more_than_values = A;
  return no_more_than_values;
}

// What functions hold within the least limit that they accept, their arguments included.
TEST(BlockMemory, FunctionsStayWithinTheLimit) {
  const testing::Group group({1});
  if (!group.member()) return;
  const Comm comm(group.raw());
  for (Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto S = close_to_diagonal<double>(comm, symmetry, true),
               H = close_to_diagonal<double>(comm, symmetry, false);
    const Int matrix = S.m() * S.n(), given = static_cast<Int>(S.local().values.size());
    const auto expect_within = [&](const char* name, Int arguments, const auto& f) {
      for (Int limit = 3 * matrix; limit < 20 * matrix; limit += matrix / 4) {
        const std::int64_t before = held;
        most_held = before;
        try {
          f(limit);
        } catch (const MemoryError&) {
          continue;
        }
        EXPECT_LE((most_held - before) / static_cast<Int>(sizeof(double)) + arguments, limit) << name;
        return;
      }
      ADD_FAILURE() << name << " takes more than twenty matrices";
    };
    const auto within = [&](Int limit) {
      FunctionOptions options;
      options.memory_words = limit;
      return options;
    };
    expect_within("inverse", given, [&](Int limit) { inverse(S, within(limit)); });
    expect_within("inverse_sqrt", given, [&](Int limit) { inverse_sqrt(S, within(limit)); });
    expect_within("sign", given, [&](Int limit) { sign(H, within(limit)); });
    for (DensityMethod method : {DensityMethod::trs4, DensityMethod::sign, DensityMethod::mcweeny})
      expect_within(name_of(method), 2 * given, [&](Int limit) {
        density_matrix(H, S, Electrons{S.m()}, {within(limit), method});
      });
  }
}

// Five blocks on the diagonal, which iterates begin with, are no more than the words of five.
TEST(BlockMemory, InverseStaysWithinTheLimitWhereItIsAlmostDiagonal) {
  const testing::Group group({1});
  if (!group.member()) return;
  using Z = std::complex<double>;
  const auto S = close_to_diagonal<Z>(Comm(group.raw()), Symmetry::general, true, 1e-5, 5);
  const Int matrix = S.m() * S.n();
  for (Int limit = matrix; limit < 8 * matrix; limit += matrix / 25) {
    const std::int64_t before = most_held = held.load();
    FunctionOptions options;
    options.eps = 1e-3, options.memory_words = limit;
    try {
      inverse(S, options);
    } catch (const MemoryError&) {
      continue;
    }
    EXPECT_LE((most_held - before) / static_cast<Int>(sizeof(Z)) + matrix, limit);
    return;
  }
  ADD_FAILURE() << "it takes more than eight matrices";
}

TEST(BlockMemory, FunctionsCopyNothingThatIsTooMuch) {
  const testing::Group group({1});
  if (!group.member()) return;
  const Comm comm(group.raw());
  for (Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto S = close_to_diagonal<double>(comm, symmetry, true);
    const auto expect_refused = [&](Int arguments, const auto& f) {
      const std::int64_t before = most_held = held.load();
      const std::string said =
          testing::refusal<MemoryError>([&] { f(arguments * static_cast<Int>(S.local().values.size())); });
      EXPECT_NE(said.find("too few for copies of the arguments, expected at least"), said.npos) << said;
      EXPECT_EQ(most_held, before) << said;
    };
    const auto within = [](Int limit) {
      FunctionOptions options;
      options.memory_words = limit;
      return options;
    };
    expect_refused(1, [&](Int limit) { inverse(S, within(limit)); });
    expect_refused(1, [&](Int limit) { inverse_sqrt(S, within(limit)); });
    expect_refused(1, [&](Int limit) { sign(S, within(limit)); });
    const BlockSparse<double> H = S;
    expect_refused(2, [&](Int limit) { density_matrix(H, S, Electrons{S.m()}, {within(limit)}); });
  }
}

}  // namespace
}  // namespace cairn
