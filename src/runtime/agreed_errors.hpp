// Errors agreed on by all ranks: work that may fail on some ranks makes the same error on all of them.
#pragma once
#include <exception>
#include <string>

#include "cairn/comm.hpp"

namespace cairn {

/// Why a rank cannot go on. Of the troubles of several ranks, that of the lowest rank is reported.
struct Trouble {
  enum class Kind : int { none, argument, memory, file, runtime };
  Kind kind = Kind::none;
  std::string text;
};

/// The exception in flight as trouble: its class in Cairn's hierarchy, and its message.
Trouble describe(const std::exception_ptr& error);

/// Collective: throws on every rank the error of the lowest rank that has any; returns if none has.
void throw_agreed(const Comm& comm, const Trouble& mine);

/// Collective: runs `work` on every rank; if it throws on any, every rank throws the error of the lowest such rank.
/// `work` may hold no collective call, except one that every rank reaches and that comes last.
template <class Work>
void together(const Comm& comm, const Work& work) {
  Trouble mine;
  try {
    work();
  } catch (...) {
    mine = describe(std::current_exception());
  }
  throw_agreed(comm, mine);
}

}  // namespace cairn
