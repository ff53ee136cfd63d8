// A plan from its own JSON: the keys that say what was asked for, planned once more.
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "cairn/error.hpp"
#include "cairn/plan_json.hpp"
#include "model/problem.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/plan_facts.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

using Json = nlohmann::ordered_json;

const Json& member(const Json& json, const char* key) {
  const auto at = json.is_object() ? json.find(key) : json.end();
  if (at == json.end())
    throw ArgumentError(fmt::format("plan: no key '{}', expected the JSON of a plan of this version of Cairn", key));
  return *at;
}

// Whether it is an integer that T holds: get<T> would cut or wrap others.
template <class T>
bool holds_whole(const Json& number) {
  return number.is_number_unsigned() ? std::in_range<T>(number.get<std::uint64_t>())
                                     : number.is_number_integer() && std::in_range<T>(number.get<std::int64_t>());
}

template <class T>
T value(const Json& json, const char* key) {
  const Json& found = member(json, key);
  const auto refuse = [&](const std::string& expected) -> ArgumentError {
    return ArgumentError(fmt::format("plan: key '{}' is {}, expected {}", key, found.dump(), expected));
  };
  constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
  if (is_number && !found.is_number()) throw refuse("another kind of value");  // get<T> would take true for 1
  if constexpr (is_number && std::is_integral_v<T>)
    if (!holds_whole<T>(found))
      throw refuse(
          fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  try {
    return found.get<T>();
  } catch (const nlohmann::json::exception&) {
    throw refuse("another kind of value");
  }
}

template <class T>
std::optional<T> optional_value(const Json& json, const char* key) {
  if (member(json, key).is_null()) return {};
  return value<T>(json, key);
}

template <class Named>
Named one_of(const Json& json, const char* key, std::initializer_list<Named> all) {
  const auto name = value<std::string>(json, key);
  for (Named x : all)
    if (name_of(x) == name) return x;
  throw ArgumentError(fmt::format("plan: key '{}' is unknown, '{}'", key, name));
}

Op op_of(const Json& json, const char* key) { return one_of(json, key, {Op::none, Op::transpose, Op::adjoint}); }
Uplo uplo_of(const Json& json) { return one_of(json, "uplo", {Uplo::lower, Uplo::upper}); }

Options options_of(const Json& json) {
  const Json& asked = member(json, "asked");
  Options o;
  o.memory_words = optional_value<Int>(json, "memory_words");
  o.algorithm = value<std::string>(asked, "algorithm");
  o.prefer = value<std::string>(asked, "prefer");
  o.look_ahead = optional_value<int>(asked, "look_ahead");
  o.max_idle = optional_value<double>(asked, "max_idle");
  o.transport = value<std::string>(asked, "transport");
  o.collectives = value<std::string>(asked, "collectives");
  o.ranks_per_node = value<Int>(asked, "ranks_per_node");
  o.machine = value<std::string>(asked, "machine");
  o.kernels = value<std::string>(asked, "kernels");
  o.verify_counts = value<bool>(asked, "verify_counts");
  o.trace = value<std::string>(asked, "trace");
  return o;
}

template <class P>
void common(P& p, const Json& json) {
  p.ranks = value<Int>(member(json, "problem"), "ranks");
  p.type = one_of(member(json, "problem"), "type",
                  {ScalarType::float32, ScalarType::float64, ScalarType::complex64, ScalarType::complex128});
}

// The caller's layout of the matrix that is called `name`.
std::optional<Layout> layout_of(const Json& json, std::string_view name) {
  const auto text = optional_value<std::string>(json, "layouts");
  if (!text) return {};
  const Schedule s = parse_schedule(*text);
  for (const SlotInfo& slot : s.slots)
    if (slot.name == name) return slot.layout;
  return {};
}

Plan planned(const GemmProblem& p, const Options& o, const Json& json) {
  const Plan again = plan(p, o);
  const auto algorithm = value<std::string>(json, "algorithm"), transport = value<std::string>(json, "transport");
  const int look_ahead = value<int>(json, "look_ahead");
  const auto rounds = value<Int>(json, "rounds");
  if (again.algorithm() == algorithm && again.transport() == transport && again.rounds() == rounds &&
      look_ahead_of(again) == look_ahead)
    return again;
  Options named = o;
  named.algorithm = algorithm, named.transport = transport, named.look_ahead = look_ahead;
  return plan(p, named);
}

template <class P>
FactorPlan planned_factor(const P& p, const Options& o, const Json& json) {
  const FactorPlan again = plan(p, o);
  const auto algorithm = value<std::string>(json, "algorithm");
  const int look_ahead = value<int>(json, "look_ahead");
  if (again.algorithm() == algorithm && look_ahead_of(again) == look_ahead) return again;
  Options named = o;
  named.algorithm = algorithm, named.look_ahead = look_ahead;
  return plan(p, named);
}

BlockDim dim_of(const Json& problem, const char* key) {
  const Json& dim = member(problem, key);
  BlockDim d{value<Int>(dim, "blocks"), value<Int>(dim, "size")};
  if (const auto elements = value<Int>(dim, "elements"); elements != d.elements()) d.total = elements;
  return d;
}

BlockPlan block_plan(const Json& json) {
  const Json& problem = member(json, "problem");
  if (value<bool>(json, "patterns_known"))
    throw ArgumentError("plan: of matrices whose patterns the JSON does not have, expected one that was made ahead");
  BlockProblem p;
  common(p, json);
  p.m = dim_of(problem, "m"), p.n = dim_of(problem, "n"), p.k = dim_of(problem, "k");
  p.occupancy_a = value<double>(problem, "occupancy_a"), p.occupancy_b = value<double>(problem, "occupancy_b");
  p.occupancy_c = optional_value<double>(member(json, "asked"), "occupancy_c");
  p.filtered = value<bool>(problem, "filtered"), p.seed = optional_value<std::uint64_t>(problem, "seed");
  Options o = options_of(json);
  const BlockPlan again = plan(p, o);
  const auto algorithm = value<std::string>(json, "algorithm"), transport = value<std::string>(json, "transport");
  if (again.algorithm() == algorithm && name_of(again.data().transport()) == transport) return again;
  o.algorithm = algorithm, o.transport = transport;
  return plan(p, o);
}

FactorPlan factor_plan(const std::string& operation, const Json& json) {
  const Json& problem = member(json, "problem");
  const Options o = options_of(json);
  if (operation == "potrf") {
    FactoriseProblem p;
    common(p, json);
    p.n = value<Int>(problem, "n"), p.triangle = uplo_of(problem), p.a = layout_of(json, "A");
    return planned_factor(p, o, json);
  }
  if (operation != "trsm")
    throw ArgumentError(fmt::format("plan: operation '{}', expected potrf, trsm or spgemm", operation));
  SolveProblem p;
  common(p, json);
  p.m = value<Int>(problem, "m"), p.n = value<Int>(problem, "n");
  p.side = one_of(problem, "side", {Side::left, Side::right}), p.triangle = uplo_of(problem);
  p.op = op_of(problem, "op"), p.diag = one_of(problem, "diag", {Diag::stored, Diag::unit});
  p.a = layout_of(json, "A"), p.b = layout_of(json, "B");
  return planned_factor(p, o, json);
}

}  // namespace

AnyPlan plan_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw ArgumentError("plan: the text is no JSON");
  const Json& problem = member(json, "problem");
  if (problem.is_object() && problem.contains("operation")) {
    const auto operation = value<std::string>(problem, "operation");
    return operation == "spgemm" ? AnyPlan(block_plan(json)) : factor_plan(operation, json);
  }
  GemmProblem p;
  common(p, json);
  p.m = value<Int>(problem, "m"), p.n = value<Int>(problem, "n"), p.k = value<Int>(problem, "k");
  p.op_a = op_of(problem, "op_a"), p.op_b = op_of(problem, "op_b");
  p.a = layout_of(json, "A"), p.b = layout_of(json, "B"), p.c = layout_of(json, "C");
  return planned(p, options_of(json), json);
}

}  // namespace cairn
