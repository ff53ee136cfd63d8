// Which calls get a plan, and which of them share a search for it: routines such as pdgetri call p?gemm with other
// sizes at every step, and a search takes as long as a product of some hundred rows.
#pragma once
#include <string>

#include "cairn/gemm.hpp"
#include "runtime/cache.hpp"

namespace cairn::scalapack {

/// Calls are of one kind if one plan serves them all, and of one family if they differ in their sizes alone, and in
/// none by more than a factor of two. All ranks of a grid ask the same in the same order, and get the same answers.
class PlanFamilies {
 public:
  /// Of a call for which nothing is prepared yet: whether preparing it pays, by what the calls of its kind, and of its
  /// family, that were asked about could have gained so far. `products`: the multiply-adds that fall to a rank.
  bool pays(const std::string& family, const std::string& kind, double products, Int ranks);

  /// The same where a plan needs no search, and pays from `least` products on.
  bool pays(const std::string& kind, double products, double least);

  /// The plan for a call: as the first one of its family, or the best there is for the first, or where that one's is
  /// not possible.
  Plan plan(const std::string& family, const GemmProblem& problem, const Options& options);

 private:
  struct Family;
  Family& find(const std::string& name);
  /// With these, of all calls of a kind that were asked about.
  double add_to(const std::string& kind, double products);

  Cache families_{Int{1} << 20}, kinds_{Int{1} << 18};
};

}  // namespace cairn::scalapack
