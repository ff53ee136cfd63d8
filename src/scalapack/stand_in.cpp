#include "scalapack/stand_in.hpp"

#include <chrono>
#include <utility>

#include "scalapack/report.hpp"

namespace cairn::scalapack {

bool StandIn::on_grid(int desc_a_at) {
  if (!grid_.live())
    findings_.add({desc_a_at, 2},
                  fmt::format("DESCA(CTXT) is {}, expected a context of the calling process", context_));
  return grid_.live();
}

void StandIn::hand_back(std::string why) const {
  const auto start = std::chrono::steady_clock::now();
  by_original();
  if (grid_.rank() != 0 || !reporting()) return;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  report({text(), false, std::move(why), took.count(), 0, 0});
}

void StandIn::handled(std::string plan, const RunReport& did, double scalapack_seconds) const {
  if (grid_.rank() != 0 || !reporting()) return;
  report({text(), true, std::move(plan), did.seconds, did.received, scalapack_seconds});
}

void StandIn::spoilt(int at, const char* name, const std::exception& error) {
  findings_.add({at}, fmt::format("{} is spoilt: {}", name, error.what()));
  findings_.abort();
}

}  // namespace cairn::scalapack
