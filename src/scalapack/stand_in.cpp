#include "scalapack/stand_in.hpp"

#include <chrono>
#include <utility>

#include "scalapack/report.hpp"

namespace cairn::scalapack {

namespace {

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

bool StandIn::on_grid(int desc_at) {
  if (!grid_.live())
    findings_.add({desc_at, 2}, fmt::format("DESCA(CTXT) is {}, expected a context of the calling process", context_));
  return grid_.live();
}

void StandIn::hand_back(std::string why) const {
  const double seconds = seconds_of([&] { by_original(); });
  if (grid_.rank() == 0 && reporting()) report({text(), false, std::move(why), seconds, 0, 0});
}

void StandIn::handled(std::string plan, const RunReport& did, double scalapack_seconds) const {
  if (grid_.rank() != 0 || !reporting()) return;
  report({text(), true, std::move(plan), did.seconds, did.received, scalapack_seconds});
}

void StandIn::done_alone(const char* what, const std::function<void()>& work) const {
  RunReport did;
  did.seconds = seconds_of(work);
  handled(what, did);
}

void StandIn::spoilt(int at, const char* name, const std::exception& error) {
  findings_.add({at}, fmt::format("{} is spoilt: {}", name, error.what()));
  findings_.abort();
}

}  // namespace cairn::scalapack
