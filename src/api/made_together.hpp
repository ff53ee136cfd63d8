// What must succeed on all ranks of a communicator or on none.
#pragma once
#include <new>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "runtime/fail_together.hpp"

namespace cairn {

/// What `make` returns; an ArgumentError on every rank, with the first one's words, if it throws on any, which is a
/// MemoryError if no rank has another problem than too little memory. Collective.
template <class Make>
auto made_together(const Comm& comm, Make make) {
  std::optional<decltype(make())> made;
  std::optional<std::string> problem, other;
  try {
    made.emplace(make());
  } catch (const MemoryError& e) {
    problem = e.what();
  } catch (const std::bad_alloc&) {
    problem = "memory: a rank has none left for what is prepared";
  } catch (const Error& e) {
    problem = other = e.what();
  }
  try {
    comm.agree(problem);
  } catch (const ArgumentError& e) {
    comm.agree(other);
    throw MemoryError(e.what());
  }
  return std::move(*made);
}

}  // namespace cairn
