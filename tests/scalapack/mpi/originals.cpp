#include <dlfcn.h>

#include <stdexcept>

#include "routines.hpp"

namespace cairn::testing {

std::uintptr_t original_symbol(const std::string& name) {
  static void* const library = dlopen(CAIRN_SCALAPACK_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (!library) throw std::runtime_error(std::string("ScaLAPACK is not loaded: ") + dlerror());
  void* const symbol = dlsym(library, name.c_str());
  if (!symbol) throw std::runtime_error(dlerror());
  return reinterpret_cast<std::uintptr_t>(symbol);
}

}  // namespace cairn::testing
