// Errors agreed on by all ranks: work that may fail on some ranks makes the same error on all of them.
#pragma once
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "cairn/comm.hpp"

namespace cairn {

/// Why a rank cannot go on. Of the troubles of several ranks, that of the lowest rank is reported; too little memory
/// only if no rank has another.
struct Trouble {
  enum class Kind : int { none, argument, memory, file, runtime, other };
  Kind kind = Kind::none;
  std::string text;
};

/// The exception in flight as trouble: its class in Cairn's hierarchy, and its message.
Trouble describe(const std::exception_ptr& error);

/// What `work` throws, if it does.
template <class Work>
Trouble trouble_of(const Work& work) {
  try {
    work();
  } catch (...) {
    return describe(std::current_exception());
  }
  return {};
}

/// Collective: throws on every rank the error of the first rank that has any; returns if none has.
void throw_agreed(const Comm& comm, const Trouble& mine);

/// The same, and the message names the rank, unless all have the same trouble.
void throw_named(const Comm& comm, Trouble mine);

/// Collective: an error of that kind on every rank if any has a problem, as throw_named() does it.
inline void fail_together(const Comm& comm, Trouble::Kind kind, const std::optional<std::string>& problem) {
  throw_named(comm, problem ? Trouble{kind, *problem} : Trouble{});
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

/// Collective: runs `work` on every rank; if it throws on any, every rank throws the same error.
/// `work` may hold no collective call, except one that every rank reaches and that comes last.
template <class Work>
void together(const Comm& comm, const Work& work) {
  throw_agreed(comm, trouble_of(work));
}

}  // namespace cairn
