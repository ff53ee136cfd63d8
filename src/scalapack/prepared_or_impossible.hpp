// What is kept for calls of one kind: what was made ready for them, or why that is impossible.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "model/transport.hpp"
#include "runtime/comm_state.hpp"

namespace cairn::scalapack {

template <class Prepared>
struct Outcome {
  std::optional<Prepared> prepared;
  std::string obstacle;
};

/// With what the environment, the machine and the ranks' kernels say, plans are made. Collective.
Options plan_options(const Comm& comm, ScalarType type);

/// Options::collectives of panels that everybody on a line of ranks receives once, in one piece, as from ScaLAPACK.
inline std::string least_words(const Options& options) {
  const bool fetched = transport_named(options.transport) == Transport::one_sided;
  return fmt::format("bcast={}, reduce=flat", fetched ? "flat" : "binomial");
}

/// Whether this was asked for before, and is still kept.
inline bool is_kept(const Comm& comm, const std::string& key) { return comm.state().cache.find(key) != nullptr; }

/// Kept from such a call before, or made now, by prepare(), on all ranks or on none: all find the same. text()
/// describes the call; Prepared::bytes() is what keeping it takes.
template <class Prepared, class Prepare, class Text>
std::shared_ptr<Outcome<Prepared>> kept_outcome(const Comm& comm, const std::string& key, Prepare prepare, Text text) {
  return comm.state().cache.get<Outcome<Prepared>>(key, [&]() -> Cache::Value {
    auto outcome = std::make_shared<Outcome<Prepared>>();
    std::optional<std::string> problem;
    try {
      outcome->prepared.emplace(prepare());
    } catch (const std::exception& e) {
      problem = e.what();
    }
    try {
      comm.agree(problem);
    } catch (const ArgumentError& e) {
      *outcome = {std::nullopt, e.what()};
      if (comm.rank() == 0) fmt::print(stderr, "cairn: {}: handed back: {}\n", text(), outcome->obstacle);
    }
    constexpr Int of_refusal = 1024;  // its reason
    return {outcome, outcome->prepared ? outcome->prepared->bytes() : of_refusal};
  });
}

}  // namespace cairn::scalapack
