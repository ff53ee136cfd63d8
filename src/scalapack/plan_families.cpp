#include "scalapack/plan_families.hpp"

#include <optional>

#include "cairn/error.hpp"
#include "scalapack/thresholds.hpp"

namespace cairn::scalapack {

struct PlanFamilies::Family {
  std::optional<Plan> first;
  double products = 0;  // of all calls that were asked about
};

PlanFamilies::Family& PlanFamilies::find(const std::string& name) {
  constexpr Int bytes = 16384;  // with its plan, about
  const auto found = families_.get(name, [] { return Cache::Value{std::make_shared<Family>(), bytes}; });
  return *static_cast<Family*>(found.get());
}

double PlanFamilies::add_to(const std::string& kind, double products) {
  constexpr Int bytes = 512;  // of a name
  const auto found = kinds_.get(kind, [] { return Cache::Value{std::make_shared<double>(0), bytes}; });
  return *static_cast<double*>(found.get()) += products;
}

bool PlanFamilies::pays(const std::string& family, const std::string& kind, double products, Int ranks) {
  const double of_kind = add_to(kind, products);
  Family& f = find(family);
  f.products += products;
  return of_kind >= products_for_a_plan(ranks) && (f.first || f.products >= products_for_a_search(ranks));
}

bool PlanFamilies::pays(const std::string& kind, double products, double least) {
  return add_to(kind, products) >= least;
}

Plan PlanFamilies::plan(const std::string& family, const GemmProblem& problem, const Options& options) {
  Family& f = find(family);
  if (f.first) try {
      return plan_alike(*f.first, problem);
    } catch (const Error&) {  // it lies otherwise, or does not fit into the memory
    }
  Plan searched = cairn::plan(problem, options);
  if (!f.first) f.first = searched;
  return searched;
}

}  // namespace cairn::scalapack
