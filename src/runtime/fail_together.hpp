// An error of one rank is one of all.
#pragma once
#include <new>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"

namespace cairn {

/// E on every rank, with the first one's words, if any rank has a problem. Collective.
template <class E>
void fail_together(const Comm& comm, const std::optional<std::string>& problem) {
  try {
    comm.agree(problem);
  } catch (const ArgumentError& e) {
    throw E(e.what());
  }
}

/// `otherwise` if make() finds no memory on this rank.
template <class Make>
std::optional<std::string> unless_allocated(Make make, const char* otherwise) {
  try {
    make();
  } catch (const std::bad_alloc&) {
    return otherwise;
  }
  return {};
}

}  // namespace cairn
