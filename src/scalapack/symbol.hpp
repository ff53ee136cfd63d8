// Functions that some other library of the program may have, or not.
#pragma once
#include <dlfcn.h>

#include <cstdint>

namespace cairn::scalapack {

/// What `where` names has under this name, or else a loaded library, since a module of Python keeps what it is linked
/// with to itself: the first that was loaded after this one, or else the last before it. Null without one.
void* find_loaded(const char* name, void* where);

/// `linked` if the program was linked with the function, which a weak declaration tells, even statically; otherwise the
/// one that a library loaded since then has; null without one.
template <class F>
F* find_symbol(F* linked, const char* name, void* where = RTLD_DEFAULT) {
  if (linked) return linked;
  return reinterpret_cast<F*>(reinterpret_cast<std::uintptr_t>(find_loaded(name, where)));
}

}  // namespace cairn::scalapack
