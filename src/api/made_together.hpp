// What must succeed on all ranks of a communicator or on none.
#pragma once
#include <optional>
#include <utility>

#include "cairn/comm.hpp"
#include "runtime/agreed_errors.hpp"

namespace cairn {

/// What `make` returns; if it throws on any rank, the same error on every rank, which names the rank unless all have
/// the same, and says that memory is too small only if no rank has another problem. Collective, one reduction.
template <class Make>
auto made_together(const Comm& comm, Make make) {
  std::optional<decltype(make())> made;
  throw_named(comm, trouble_of([&] { made.emplace(make()); }));
  return std::move(*made);
}

}  // namespace cairn
