// A plan from its own JSON: the keys that say what was asked for, planned once more.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "base/json_text.hpp"
#include "cairn/error.hpp"
#include "cairn/plan_json.hpp"
#include "model/machine.hpp"
#include "model/problem.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"
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

[[noreturn]] void refuse(const char* key, const Json& found, const std::string& expected) {
  throw ArgumentError(fmt::format("plan: key '{}' is {}, expected {}", key, found.dump(), expected));
}

template <class T>
T value(const Json& json, const char* key) {
  const Json& found = member(json, key);
  if constexpr (std::is_same_v<T, bool>) {
    if (!found.is_boolean()) refuse(key, found, "true or false");
  } else if constexpr (std::is_integral_v<T>) {
    if (!holds_whole<T>(found))
      refuse(key, found,
             fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!found.is_number()) refuse(key, found, "a number");
  } else {
    if (!found.is_string()) refuse(key, found, "a text");
  }
  return found.get<T>();
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
  std::vector<std::string_view> names;
  for (Named x : all) names.push_back(name_of(x));
  refuse(key, name, fmt::format("one of {}", fmt::join(names, ", ")));
}

Op op_of(const Json& json, const char* key) { return one_of(json, key, {Op::none, Op::transpose, Op::adjoint}); }
Uplo uplo_of(const Json& json) { return one_of(json, "uplo", {Uplo::lower, Uplo::upper}); }

// Where none was asked for: empty where the one that stands here is the one that the plan was made for.
std::string machine_said(const Json& json) {
  const auto name = value<std::string>(json, "machine"), here = find_machine("").name;
  if (name == here) return "";
  const std::vector<std::string> built_in = machine_names();
  if (std::find(built_in.begin(), built_in.end(), name) == built_in.end())
    refuse("machine", name, fmt::format("{}, which stands here, or one of {}", here, fmt::join(built_in, ", ")));
  return name;
}

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
  if (o.machine.empty()) o.machine = machine_said(json);
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
  try {
    const Schedule s = parse_schedule(*text);
    for (const SlotInfo& slot : s.slots)
      if (slot.name == name) return slot.layout;
  } catch (const Error& e) {
    throw ArgumentError(fmt::format("plan: key 'layouts': {}", e.what()));
  }
  return {};
}

// What tells a plan from others of its problem.
struct Chosen {
  std::string algorithm;
  Transport transport;
  Int rounds = 1;
  int look_ahead = 0;
  bool operator==(const Chosen&) const = default;
};
Chosen chosen(const Plan& p) { return {p.algorithm(), p.data().transport, p.rounds(), look_ahead_of(p)}; }
Chosen chosen(const FactorPlan& p) {
  return {.algorithm = p.algorithm(), .transport = p.data().transport, .look_ahead = look_ahead_of(p)};
}
Chosen chosen(const BlockPlan& p) { return {.algorithm = p.algorithm(), .transport = p.data().transport()}; }

template <class P>
Chosen chosen_in(const Json& json) {
  Chosen c{value<std::string>(json, "algorithm"),
           one_of(json, "transport", {Transport::two_sided, Transport::one_sided, Transport::node_shared})};
  if constexpr (std::is_same_v<P, GemmProblem>) c.rounds = value<Int>(json, "rounds");
  if constexpr (!std::is_same_v<P, BlockProblem>) c.look_ahead = value<int>(json, "look_ahead");
  return c;
}

void require_same(const Json& json, const Chosen& said, const Chosen& made) {
  const auto require = [&](const char* key, const auto& x, const auto& expected) {
    if (x != expected) refuse(key, json.at(key), fmt::format("{}", expected));
  };
  require("algorithm", said.algorithm, made.algorithm);
  require("transport", name_of(said.transport), name_of(made.transport));
  require("rounds", said.rounds, made.rounds);
  require("look_ahead", said.look_ahead, made.look_ahead);
}

// By its options; if that is another plan now, as the JSON names it.
template <class P>
auto planned(const P& p, const Json& json) {
  Options o = options_of(json);
  const Chosen said = chosen_in<P>(json);
  const auto first = plan(p, o);
  if (chosen(first) == said) return first;
  o.algorithm = said.algorithm, o.transport = name_of(said.transport);
  if constexpr (!std::is_same_v<P, BlockProblem>) o.look_ahead = said.look_ahead;
  const auto again = plan(p, o);
  require_same(json, said, chosen(again));
  return again;
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
  return planned(p, json);
}

FactorPlan factor_plan(const std::string& operation, const Json& json) {
  const Json& problem = member(json, "problem");
  if (operation == "potrf") {
    FactoriseProblem p;
    common(p, json);
    p.n = value<Int>(problem, "n"), p.triangle = uplo_of(problem), p.a = layout_of(json, "A");
    return planned(p, json);
  }
  if (operation != "trsm")
    throw ArgumentError(fmt::format("plan: operation '{}', expected potrf, trsm or spgemm", operation));
  SolveProblem p;
  common(p, json);
  p.m = value<Int>(problem, "m"), p.n = value<Int>(problem, "n");
  p.side = one_of(problem, "side", {Side::left, Side::right}), p.triangle = uplo_of(problem);
  p.op = op_of(problem, "op"), p.diag = one_of(problem, "diag", {Diag::stored, Diag::unit});
  p.a = layout_of(json, "A"), p.b = layout_of(json, "B");
  return planned(p, json);
}

}  // namespace

AnyPlan plan_from_json(std::string_view text) {
  const Json json = parse_json<Json>(
      text, [](const std::string& key) { throw ArgumentError(fmt::format("plan: key '{}' appears twice", key)); });
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
  return planned(p, json);
}

}  // namespace cairn
