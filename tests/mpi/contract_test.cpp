// The contract of every schedule over MPI: exact results, and words received equal to the count on every rank, for all
// rank counts, shapes, cuts, element types, transposes and callers' layouts. With the transport that the environment
// names in CAIRN_TEST_TRANSPORT, and among nodes of a few ranks each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cases.hpp"
#include "distributed.hpp"
#include "held_problems.hpp"
#include "model/labels.hpp"
#include "rows_algorithm.hpp"
#include "runtime/transport/self_test.hpp"
#include "sweep.hpp"

namespace cairn {
namespace {

using testing::Shape;

/// Asked for in the environment; empty: whatever is usual.
std::string transport() {
  const char* name = std::getenv("CAIRN_TEST_TRANSPORT");
  return name ? name : "";
}

/// Groups that have the transport: under Open MPI 4 only all ranks have windows, so that other sizes are started alone.
template <class F>
void in_groups(F f) {
  testing::in_groups([&](const Comm& comm) {
    if (transport() != "one-sided" || one_sided_trouble(comm).empty()) f(comm);
  });
}

template <class T>
void expect_product(const Comm& comm, const GemmProblem& p, const Options& options, T alpha, T beta) {
  Multiplication<T> run(comm, plan(p, options));
  const auto A = testing::filled<T>(run.plan().layout_a(), comm.rank(), 1);
  const auto B = testing::filled<T>(run.plan().layout_b(), comm.rank(), 2);
  const auto C = testing::filled<T>(run.plan().layout_c(), comm.rank(), 3);
  const RunReport report = run.run(alpha, A, B, beta, C);
  EXPECT_EQ(run.obstacle(), "");
  EXPECT_EQ(run.transport(), run.plan().transport());
  testing::expect_counted(report, run.count());
  testing::expect_product(C, p, alpha, beta);
}

/// Of a type, with a transport and on nodes that vary with `salt`.
void vary(GemmProblem& p, Options& options, unsigned salt) {
  constexpr ScalarType types[] = {ScalarType::float32, ScalarType::float64, ScalarType::complex64,
                                  ScalarType::complex128};
  p.type = types[salt % 4];
  options.transport = transport();
  options.ranks_per_node = 1 + salt % 4;
}

void expect_product(const Comm& comm, GemmProblem p, Options options, unsigned salt) {
  vary(p, options, salt);
  switch (p.type) {
    case ScalarType::float32: return expect_product<float>(comm, p, options, 2, -1);
    case ScalarType::float64: return expect_product<double>(comm, p, options, -1, 0);
    case ScalarType::complex64: return expect_product<std::complex<float>>(comm, p, options, {1, 1}, {0, 2});
    default: return expect_product<std::complex<double>>(comm, p, options, {2, -1}, 1);
  }
}

GemmProblem problem(Shape s, Int ranks, unsigned salt) {
  GemmProblem p = testing::problem(s, ranks);
  p.op_a = static_cast<Op>(salt / 4 % 3);
  p.op_b = static_cast<Op>(salt / 12 % 3);
  return p;
}

/// One of so many cases, of every form and shape at least one.
unsigned one_in() {
  if (testing::everything()) return transport() == "node-shared" ? 36 : 12;
  return transport().empty() ? 36 : 200;
}

TEST(Contract, EveryAlgorithmInItsOwnLayouts) {
  const std::vector<testing::Case> cases = testing::cases(one_in());
  in_groups([&](const Comm& comm) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const testing::Case& c = cases[i];
      const bool shared = !transport().empty() && testing::second_mpi_has(c.ranks);  // half of them there
      if (c.ranks != comm.size() || (shared && !testing::mine(i))) continue;
      SCOPED_TRACE(testing::text(c));
      Options options;
      options.algorithm = c.spelling;
      options.look_ahead = static_cast<int>(c.salt % 3);
      expect_product(comm, problem(c.shape, c.ranks, c.salt), options, c.salt);
    }
  });
}

TEST(Contract, AnAlgorithmThatAProgramAdds) {
  const Registration registration{rows::rows_algorithm()};
  in_groups([](const Comm& comm) {
    for (unsigned salt = 0; salt < testing::shapes.size(); ++salt) {
      GemmProblem p = problem(testing::shapes[salt], comm.size(), salt);
      if (salt % 2)
        p.b = testing::some_layout(p.op_b == Op::none ? p.k : p.n, p.op_b == Op::none ? p.n : p.k, p.ranks, salt);
      Options options;
      options.algorithm = fmt::format("rows {}", comm.size());
      expect_product(comm, p, options, salt);
    }
  });
}

// Matrices A, B, C in some layouts of the caller's, each now and then in the plan's own.
void with_callers_layouts(GemmProblem& p, unsigned salt) {
  const bool ta = p.op_a != Op::none, tb = p.op_b != Op::none;
  if (salt % 7) p.a = testing::some_layout(ta ? p.k : p.m, ta ? p.m : p.k, p.ranks, salt);
  if (salt % 6) p.b = testing::some_layout(tb ? p.n : p.k, tb ? p.k : p.n, p.ranks, salt + 1);
  if (salt % 5) p.c = testing::some_layout(p.m, p.n, p.ranks, salt + 2);
}

TEST(Contract, EveryAlgorithmInCallersLayouts) {
  const std::vector<testing::Case> cases = testing::cases(200);
  in_groups([&](const Comm& comm) {
    for (const testing::Case& c : cases) {
      if (c.ranks != comm.size() || c.salt % 3 != 0) continue;  // a third of all forms and shapes
      SCOPED_TRACE(testing::text(c));
      GemmProblem p = problem(c.shape, c.ranks, c.salt);
      with_callers_layouts(p, c.salt);
      Options options;
      options.algorithm = c.spelling;
      expect_product(comm, p, options, c.salt);
    }
  });
}

TEST(Contract, PlannerInCallersLayouts) {
  const unsigned every = testing::everything() ? 3 : 5, searched_by_all = 12;
  in_groups([&](const Comm& comm) {
    const auto asked = [&](std::size_t i) {
      const unsigned salt = every * static_cast<unsigned>(i);
      GemmProblem p = problem(testing::shapes[salt % testing::shapes.size()], comm.size(), salt * 5);
      with_callers_layouts(p, salt);
      return p;
    };
    const std::vector<std::string> found = testing::searched_once(comm, 180 / every, [&](std::size_t i) {
      GemmProblem p = asked(i);
      Options options;
      vary(p, options, every * static_cast<unsigned>(i));
      return plan(p, options).algorithm();
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << found[i] << " on " << comm.size() << " ranks, case " << i);
      Options options;
      if (i % searched_by_all != 0) options.algorithm = found[i];
      expect_product(comm, asked(i), options, every * static_cast<unsigned>(i));
    }
  });
}

// COSMA's own layouts on other ranks, each now and then in the plan's own: relabelled, they need not be redistributed.
TEST(Contract, RanksInEachOthersPlace) {
  in_groups([&](const Comm& comm) {
    std::vector<Int> order(static_cast<std::size_t>(comm.size()));
    for (Int p = 0; p < comm.size(); ++p) order[static_cast<std::size_t>(p)] = comm.size() - 1 - p;
    const Labels labels(order);
    for (unsigned salt = 0; salt < 24; ++salt) {
      Options options;
      options.algorithm = salt % 2 ? "cosma" : fmt::format("cosma pm{},sk2", comm.size());
      options.transport = transport().empty() ? "two-sided" : transport();
      GemmProblem p = testing::problem(testing::shapes[salt % testing::shapes.size()], comm.size());
      const Plan own = plan(p, options);
      if (salt % 5) p.a = labels.of_ranks(own.layout_a());
      if (salt % 3) p.b = labels.of_ranks(own.layout_b());
      p.c = labels.of_ranks(own.layout_c());
      options.algorithm = own.algorithm();
      Multiplication<double> run(comm, plan(p, options));
      Int received[2] = {run.count().received, own.count(comm.rank()).received};
      MPI_Allreduce(MPI_IN_PLACE, received, 2, MPI_INT64_T, MPI_SUM, comm.raw());
      if (transport() != "node-shared") {  // which relabels nobody
        EXPECT_EQ(received[0], received[1]);
      }
      const auto A = testing::filled<double>(run.plan().layout_a(), comm.rank(), 1);
      const auto B = testing::filled<double>(run.plan().layout_b(), comm.rank(), 2);
      const auto C = testing::filled<double>(run.plan().layout_c(), comm.rank(), 3);
      const RunReport report = run.run(2, A, B, -1, C);
      testing::expect_counted(report, run.count());
      testing::expect_product(C, p, 2.0, -1.0);
    }
  });
}

TEST(Contract, SummaWhereTheCallersBlocksLie) {
  in_groups([&](const Comm& comm) {
    testing::HeldProblems problems(comm.size(), static_cast<unsigned>(comm.size()) + 100);
    for (unsigned salt = 0; salt < (testing::everything() && transport().empty() ? 120 : 40); ++salt) {
      const testing::HeldProblem held = problems.next(testing::shapes[salt % testing::shapes.size()]);
      SCOPED_TRACE(::testing::Message() << held.spelling << " on " << comm.size() << " ranks, case " << salt);
      Options options;
      options.algorithm = held.spelling;
      options.look_ahead = static_cast<int>(salt % 3);
      expect_product(comm, held.problem, options, salt);
    }
  });
}

}  // namespace
}  // namespace cairn
