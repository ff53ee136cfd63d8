// Plans of products, factorisations and solves.
#include <fmt/format.h>

#include "bind.hpp"
#include "cairn/plan_json.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"

namespace cairn::python {

namespace {

const Schedule& schedule_of(const Plan& p) { return p.data().collective; }
const Schedule& schedule_of(const FactorPlan& p) { return p.data().collective; }
const Schedule& schedule_of(const BlockPlan& p) { return p.data().made.collective; }

// "step 3/9 TEXT (SOURCE)" without what is around the text.
nb::tuple step(const Schedule& s, Int number) {
  if (number < 0 || number >= static_cast<Int>(s.steps.size())) throw nb::index_error("no such step");
  const auto at = static_cast<std::size_t>(number);
  std::string text = label(s, at);
  const std::string& source = s.steps[at].source;
  if (!source.empty()) text.resize(text.size() - source.size() - 3);
  return nb::make_tuple(text.substr(text.find(' ', 5) + 1), source);
}

template <class P>
void bind_common(nb::class_<P>& c) {
  c.def_prop_ro("algorithm", &P::algorithm)
      .def("count", &P::count, nb::arg("rank"), nb::call_guard<nb::gil_scoped_release>())
      .def("max_count", &P::max_count, nb::call_guard<nb::gil_scoped_release>())
      .def("predicted_seconds", &P::predicted_seconds, nb::call_guard<nb::gil_scoped_release>())
      .def("explain", &P::explain, nb::call_guard<nb::gil_scoped_release>())
      .def("json", &P::json, nb::call_guard<nb::gil_scoped_release>())
      .def("print", &P::print, nb::call_guard<nb::gil_scoped_release>())
      .def("steps", [](const P& p) { return schedule_of(p).steps.size(); })
      .def(
          "step", [](const P& p, Int number) { return step(schedule_of(p), number); }, nb::arg("number"),
          nb::sig("def step(self, number: int) -> tuple[str, str]"));
}

template <class P>
void bind_operands(nb::class_<P>& c) {
  c.def("layout_a", &P::layout_a).def("layout_b", &P::layout_b);
}

void bind_block_count(nb::module_& m) {
  nb::class_<BlockCount> bound(
      m, "BlockCount",
      "Words, messages, flops and memory of one rank of a product of block-sparse matrices, exact or\n"
      "as expected.");
  using B = BlockCount;
  pickle_by<&B::received, &B::received_index, &B::messages, &B::flops, &B::peak_words>(bound);
  bound.def_prop_ro("received", &BlockCount::words, "Words of values received.")
      .def_prop_ro(
          "parts", [](const BlockCount& c) { return nb::make_tuple(c.received[0], c.received[1], c.received[2]); },
          nb::sig("def parts(self) -> tuple[int, int, int]"), "Words of values received of A, of B, and of sums of C.")
      .def_ro("received_index", &BlockCount::received_index, "Numbers of 32 bits that say which blocks these are.")
      .def_ro("messages", &BlockCount::messages, "Panels received.")
      .def_ro("flops", &BlockCount::flops, "Operations, 2 for each product of two elements.")
      .def_ro("peak_words", &BlockCount::peak_words,
              "Words held at most: own parts of A, B and C, copies, panels and sums.")
      .def("__repr__", [](const BlockCount& c) {
        return fmt::format("BlockCount(received={}, received_index={}, messages={}, flops={:.6g}, peak_words={})",
                           c.words(), c.received_index, c.messages, c.flops, c.peak_words);
      });
}

void bind_count(nb::module_& m) {
  nb::class_<Count> bound(m, "Count", "Words, messages, flops and memory of one rank. A word is one element.");
  compare_by_value(bound);
  pickle_by<&Count::received, &Count::wire_words, &Count::messages, &Count::flops, &Count::peak_words,
            &Count::node_words>(bound);
  bound.def_ro("received", &Count::received, "Words received, by each collective's definition.")
      .def_ro("wire_words", &Count::wire_words, "Words received point to point.")
      .def_ro("messages", &Count::messages, "Messages received point to point.")
      .def_ro("flops", &Count::flops,
              "Operations of its local products, factors and solves: 2 for each product of two elements.")
      .def_ro("peak_words", &Count::peak_words, "Words held at most: own parts of the matrices, and buffers.")
      .def_ro("node_words", &Count::node_words, "Of wire_words, those that come from another node.")
      .def("__hash__",
           [](const Count& c) {
             return nb::hash(nb::make_tuple(c.received, c.wire_words, c.messages, c.flops, c.peak_words, c.node_words));
           })
      .def("__repr__", [](const Count& c) {
        return fmt::format("Count(received={}, wire_words={}, messages={}, flops={}, peak_words={}, node_words={})",
                           c.received, c.wire_words, c.messages, c.flops, c.peak_words, c.node_words);
      });
}

}  // namespace

void bind_plans(nb::module_& m) {
  bind_count(m), bind_block_count(m);
  nb::class_<Plan> product(m, "Plan");
  bind_common(product), bind_operands(product);
  product.def_prop_ro("grid", &Plan::grid).def_prop_ro("rounds", &Plan::rounds).def("layout_c", &Plan::layout_c);
  product.def_prop_ro("transport", &Plan::transport)
      .def_prop_ro("type", [](const Plan& p) { return p.problem().type; })
      .def_prop_ro("ranks", [](const Plan& p) { return p.problem().ranks; })
      .def_prop_ro("op_a", [](const Plan& p) { return p.problem().op_a; })
      .def_prop_ro("op_b", [](const Plan& p) { return p.problem().op_b; });
  nb::class_<FactorPlan> factor(m, "FactorPlan");
  bind_common(factor), bind_operands(factor);
  factor.def_prop_ro("type", &FactorPlan::type).def_prop_ro("ranks", &FactorPlan::ranks);

  nb::class_<BlockPlan> blocks(m, "BlockPlan");
  bind_common(blocks);
  blocks.def_prop_ro("exact", &BlockPlan::exact)
      .def("mean_received", &BlockPlan::mean_received)
      .def_prop_ro("type", [](const BlockPlan& p) { return p.problem().type; })
      .def_prop_ro("ranks", [](const BlockPlan& p) { return p.problem().ranks; });

  const nb::call_guard<nb::gil_scoped_release> released;
  m.def(
      "plan_spgemm",
      [](std::array<Int, 2> rows, std::array<Int, 2> cols, std::array<Int, 2> inner, std::array<double, 2> occupancies,
         std::optional<double> occupancy_c, Int ranks, ScalarType type, bool filtered,
         std::optional<std::uint64_t> seed, const Options& o) {
        const auto dim = [](std::array<Int, 2> d) { return BlockDim{d[0], d[1]}; };
        BlockProblem p{dim(rows), dim(cols), dim(inner), occupancies[0], occupancies[1], occupancy_c};
        p.ranks = ranks, p.type = type, p.filtered = filtered, p.seed = seed;
        return plan(p, o);
      },
      nb::arg("m"), nb::arg("n"), nb::arg("k"), nb::arg("occupancies"), nb::arg("occupancy_c").none(), nb::arg("ranks"),
      nb::arg("type"), nb::arg("filtered"), nb::arg("seed").none(), nb::arg("options"), released);
  m.def(
      "plan_gemm",
      [](Int rows, Int cols, Int inner, Int ranks, ScalarType type, Op op_a, Op op_b, std::optional<Layout> a,
         std::optional<Layout> b, std::optional<Layout> c, const Options& o) {
        return plan(GemmProblem{rows, cols, inner, ranks, type, op_a, op_b, std::move(a), std::move(b), std::move(c)},
                    o);
      },
      nb::arg("m"), nb::arg("n"), nb::arg("k"), nb::arg("ranks"), nb::arg("type"), nb::arg("op_a"), nb::arg("op_b"),
      nb::arg("a").none(), nb::arg("b").none(), nb::arg("c").none(), nb::arg("options"), released);
  m.def(
      "plan_potrf",
      [](Int n, Uplo uplo, Int ranks, ScalarType type, std::optional<Layout> a, const Options& o) {
        return plan(FactoriseProblem{n, uplo, ranks, type, std::move(a)}, o);
      },
      nb::arg("n"), nb::arg("uplo"), nb::arg("ranks"), nb::arg("type"), nb::arg("a").none(), nb::arg("options"),
      released);
  m.def(
      "plan_trsm",
      [](Int rows, Int cols, Side side, Uplo uplo, Op op, Diag diag, Int ranks, ScalarType type,
         std::optional<Layout> a, std::optional<Layout> b, const Options& o) {
        return plan(SolveProblem{rows, cols, side, uplo, op, diag, ranks, type, std::move(a), std::move(b)}, o);
      },
      nb::arg("m"), nb::arg("n"), nb::arg("side"), nb::arg("uplo"), nb::arg("op"), nb::arg("diag"), nb::arg("ranks"),
      nb::arg("type"), nb::arg("a").none(), nb::arg("b").none(), nb::arg("options"), released);
  m.def("plan_from_json", &plan_from_json, nb::arg("text"), released);
}

}  // namespace cairn::python
