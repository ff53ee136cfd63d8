// The contract over MPI where ranks of (simulated) nodes share memory: exact results, words and messages equal to the
// count on every rank, and no copies within a node of matrices that lie in shared memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "cases.hpp"
#include "distributed.hpp"
#include "schedule/effect.hpp"
#include "sweep.hpp"

namespace cairn {
namespace {

using testing::in_groups;

template <class T>
RunReport expect_product(Multiplication<T>& run, const DistMatrix<T>& A, const DistMatrix<T>& B, T alpha, T beta) {
  const GemmProblem& p = run.plan().problem();
  const DistMatrix<T> C = run.own_c();
  testing::fill(A, 1);
  testing::fill(B, 2);
  testing::fill(C, 3);
  const RunReport report = run.run(alpha, A, B, beta, C);
  testing::expect_counted(report, run.count());
  testing::expect_product(C, p, alpha, beta);
  return report;
}

// In shared memory, and in a mixture with callers' memory; contract_test.cpp has the latter alone.
template <class T>
void expect_products(const Comm& comm, const GemmProblem& p, const Options& options, T alpha, T beta) {
  Multiplication<T> run(comm, plan(p, options));
  ASSERT_EQ(run.transport(), "node-shared");
  const auto A = DistMatrix<T>::own(run.plan().layout_a(), comm.rank());
  const DistMatrix<T> own_a = run.own_a(), own_b = run.own_b();
  expect_product<T>(run, own_a, own_b, alpha, beta);
  expect_product<T>(run, comm.rank() % 2 ? own_a : A, own_b, alpha, beta);
}

ScalarType type_of(unsigned salt) {
  constexpr ScalarType types[] = {ScalarType::float32, ScalarType::float64, ScalarType::complex64};
  return types[salt % 3];
}

void expect_products(const Comm& comm, GemmProblem p, const Options& options, unsigned salt) {
  p.type = type_of(salt);
  switch (p.type) {
    case ScalarType::float32: return expect_products<float>(comm, p, options, 2, -1);
    case ScalarType::float64: return expect_products<double>(comm, p, options, -1, 0);
    default: return expect_products<std::complex<float>>(comm, p, options, {1, 1}, {0, 2});
  }
}

const std::vector<Int> node_sizes{1, 2, 3, 16};

TEST(NodeShared, EveryAlgorithmInItsOwnLayouts) {
  const std::vector<testing::Case> cases = testing::cases(200);
  in_groups([&](const Comm& comm) {
    for (std::size_t i = 0; i < cases.size(); i += 3) {
      const testing::Case& c = cases[i];
      if (c.ranks != comm.size()) continue;
      GemmProblem p = testing::problem(c.shape, c.ranks);
      p.op_a = static_cast<Op>(c.salt / 4 % 3);
      p.op_b = static_cast<Op>(c.salt / 12 % 3);
      Options options;
      options.algorithm = c.spelling;
      options.look_ahead = static_cast<int>(c.salt % 3);
      options.transport = "node-shared";
      options.ranks_per_node = node_sizes[i / 3 % node_sizes.size()];
      SCOPED_TRACE(::testing::Message() << testing::text(c) << ", " << options.ranks_per_node << " a node");
      expect_products(comm, p, options, c.salt);
    }
  });
}

TEST(NodeShared, PlannerInCallersLayouts) {
  in_groups([](const Comm& comm) {
    const auto asked = [&](unsigned salt) {
      GemmProblem p = testing::problem(testing::shapes[salt % testing::shapes.size()], comm.size());
      p.type = type_of(salt);
      if (salt % 7) p.a = testing::some_layout(p.m, p.k, p.ranks, salt);
      if (salt % 6) p.b = testing::some_layout(p.k, p.n, p.ranks, salt + 1);
      if (salt % 5) p.c = testing::some_layout(p.m, p.n, p.ranks, salt + 2);
      return p;
    };
    const auto options = [](unsigned salt) {
      Options o;
      o.transport = "node-shared";
      o.ranks_per_node = node_sizes[salt / 3 % node_sizes.size()];
      return o;
    };
    const std::vector<std::string> found = testing::searched_once(comm, 40, [&](std::size_t i) {
      const auto salt = static_cast<unsigned>(i);
      return plan(asked(salt), options(salt)).algorithm();
    });
    for (unsigned salt = 0; salt < found.size(); ++salt) {
      Options o = options(salt);
      SCOPED_TRACE(::testing::Message() << found[salt] << " on " << comm.size() << " ranks, " << o.ranks_per_node
                                        << " a node, case " << salt);
      if (salt % 16 != 0) o.algorithm = found[salt];  // the others are searched by all ranks
      expect_products(comm, asked(salt), o, salt);
    }
  });
}

TEST(NodeShared, ReadsSharedMatricesWithoutCopies) {
  std::size_t turn = 0;
  std::map<std::string, std::vector<testing::Case>> forms;  // on all numbers of ranks
  for (Int ranks : testing::rank_counts)
    for (const testing::Spelling& s : testing::spellings(ranks))
      if (auto& on = forms[s.form]; on.empty() || on.back().ranks != ranks)
        on.push_back({ranks, s.text, {40, 44, 48}, 0});
  std::vector<testing::Case> cases;
  for (const auto& [form, on] : forms)
    for (std::size_t i = testing::everything() ? 0 : turn++ % std::min<std::size_t>(on.size(), 4); i < on.size();
         i += testing::everything() ? 1 : 4)
      cases.push_back(on[i]);
  in_groups([&](const Comm& comm) {
    for (const testing::Case& c : cases) {
      if (c.ranks != comm.size()) continue;
      const GemmProblem p = testing::problem(c.shape, c.ranks);
      if (redistributes(make_algorithm(p, c.spelling).schedule)) continue;  // which takes messages on a node, too
      Multiplication<double> run(comm,
                                 plan(p, {.algorithm = c.spelling, .transport = "node-shared", .ranks_per_node = 16}));
      const RunReport report = expect_product<double>(run, run.own_a(), run.own_b(), 1, 0);
      EXPECT_EQ(report.copied_bytes, 0) << c.spelling;
      EXPECT_EQ(report.messages, 0) << c.spelling;
    }
  });
}

TEST(NodeShared, CopiesOnlyItsOwnPartsOfCallersMatrices) {
  in_groups([](const Comm& comm) {
    const GemmProblem p = testing::problem(40, 44, 48, comm.size());
    Multiplication<double> run(comm, plan(p, {.transport = "node-shared", .ranks_per_node = 16}));
    const auto A = DistMatrix<double>::own(run.plan().layout_a(), comm.rank());
    const auto B = DistMatrix<double>::own(run.plan().layout_b(), comm.rank());
    const RunReport report = expect_product<double>(run, A, B, 1, 0);
    EXPECT_LE(report.copied_bytes, 8 * (A.words() + B.words()));
    EXPECT_EQ(report.messages, 0);
  });
}

TEST(NodeShared, MemoryIsTheCountsPeak) {
  in_groups([](const Comm& comm) {
    for (const std::string& spelling :
         {"cosma pm" + std::to_string(comm.size()), testing::spellings(comm.size()).back().text})
      for (const Int ranks_per_node : node_sizes) {
        const GemmProblem p = testing::problem(40, 44, 48, comm.size());
        Multiplication<double> run(
            comm, plan(p, {.algorithm = spelling, .transport = "node-shared", .ranks_per_node = ranks_per_node}));
        const auto A = DistMatrix<double>::own(run.plan().layout_a(), comm.rank());
        const auto B = DistMatrix<double>::own(run.plan().layout_b(), comm.rank());
        const auto C = run.own_c();
        run.run(1, A, B, 0, C);
        EXPECT_EQ(run.arena_words() + A.words() + B.words() + C.words(), run.count().peak_words) << spelling;
      }
  });
}

// A figure of explain()'s: the largest over all ranks.
Int explained(const std::string& text, const std::string& label) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(label + " +[0-9,]+ +([0-9,]+)"))) return -1;
  std::string digits = found[1];
  std::erase(digits, ',');
  return std::stoll(digits);
}

// What is planned on a laptop, what this communicator counts, what arrives, and what is printed are one and the same.
TEST(NodeShared, PlansCountAndSayWhatRuns) {
  const Comm world = Comm::world();
  const GemmProblem p = testing::problem(41, 43, 47, world.size());
  for (const char* algorithm : {"cosma pm2,pn2,pk4,sk2", "cosma pk16", "summa 4x4 b=9", "summa 2x8 b=5 stationary=a",
                                "hsumma 4x4 groups=2x2 M=16 b=4", "cannon 4x4", "cannon 4x2x2", "summa25d 2x4x2 b=5",
                                "agarwal3d 2x2x4", "carma 16 dfs=1"})
    for (const Int ranks_per_node : {1, 2, 4}) {
      SCOPED_TRACE(::testing::Message() << algorithm << ", " << ranks_per_node << " a node");
      Multiplication<double> run(
          world, plan(p, {.algorithm = algorithm, .transport = "node-shared", .ranks_per_node = ranks_per_node}));
      ASSERT_EQ(run.transport(), "node-shared") << run.obstacle();
      const Count mine = run.plan().count(world.rank());
      EXPECT_EQ(run.count(), mine);
      const RunReport report =
          expect_product<double>(run, DistMatrix<double>::own(run.plan().layout_a(), world.rank()), run.own_b(), 1, 0);
      testing::expect_counted(report, mine);

      const Int figures[] = {mine.received, mine.wire_words, mine.messages,
                             mine.flops,    mine.peak_words, report.from_other_nodes};
      Int most[6], sums[6];
      MPI_Allreduce(figures, most, 6, MPI_INT64_T, MPI_MAX, world.raw());
      MPI_Allreduce(figures, sums, 6, MPI_INT64_T, MPI_SUM, world.raw());
      EXPECT_EQ(run.plan().max_count(), (Count{most[0], most[1], most[2], most[3], most[4], most[5]}));
      const auto json = nlohmann::json::parse(run.plan().json());
      const std::string text = run.plan().explain();
      const char* keys[] = {"received_words", "wire_words", "messages", "flops", "peak_words", "node_words"};
      const std::string labels[] = {"words received",
                                    "words received on the wire",
                                    "messages received",
                                    "flops of a rank",
                                    "",
                                    "from other nodes of [0-9]+"};
      for (int f = 0; f < 6; ++f) {
        EXPECT_EQ(json[keys[f]]["max"], most[f]) << keys[f];
        if (labels[f].empty()) continue;  // of the peak there is but one
        EXPECT_EQ(json[keys[f]]["mean"], static_cast<double>(sums[f]) / world.size()) << keys[f];
        EXPECT_EQ(explained(text, labels[f]), most[f]) << text;
      }
      EXPECT_EQ(json["node_words"]["ranks_per_node"], ranks_per_node);
    }
}

// The world's memory is given back inside MPI_Finalize, when this test ends.
TEST(NodeShared, PlainCallsKeepTheirPlanWithTheWorld) {
  const Comm world = Comm::world();
  const Layout rows = Layout::row_blocks(24, 24, world.size()), cols = Layout::col_blocks(24, 24, world.size());
  const auto A = testing::filled<double>(rows, world.rank(), 1), B = testing::filled<double>(cols, world.rank(), 2);
  const auto C = DistMatrix<double>::own(rows, world.rank());
  for (int times = 0; times < 3; ++times) multiply(world, A, B, C, {.transport = "node-shared"});
  testing::expect_product(C, testing::problem(24, 24, 24, world.size()));
}

}  // namespace
}  // namespace cairn
