// What an error says to whom it refuses.
#pragma once
#include <string>

#include "cairn/error.hpp"

namespace cairn::testing {

/// The message of the E that f throws; "accepted" if it throws nothing.
template <class E = ArgumentError, class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace cairn::testing
