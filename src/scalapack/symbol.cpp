#include "scalapack/symbol.hpp"

#include <link.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::scalapack {

namespace {

using Address = std::uintptr_t;

struct Library {
  struct Segment {
    Address start, end;
  };
  std::string file;
  std::vector<Segment> segments;

  bool holds(const void* where) const {
    const auto x = reinterpret_cast<Address>(where);
    return std::any_of(segments.begin(), segments.end(), [x](Segment s) { return s.start <= x && x < s.end; });
  }
};

// In the order in which they were loaded: the program, what is preloaded, what it is linked with, then modules.
std::vector<Library> loaded_libraries() {
  std::vector<Library> libraries;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        Library library{info->dlpi_name, {}};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const Address start = info->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD) library.segments.push_back({start, start + part.p_memsz});
        }
        static_cast<std::vector<Library>*>(all)->push_back(std::move(library));
        return 0;
      },
      &libraries);
  return libraries;
}

// What the library defines itself. dlsym() would go on in the libraries that it is linked with and, for the program's
// own name, in all that are preloaded.
void* find_in(const Library& library, const char* name) {
  void* const handle = dlopen(library.file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return nullptr;
  void* const found = dlsym(handle, name);
  dlclose(handle);  // it stays loaded
  return library.holds(found) ? found : nullptr;
}

}  // namespace

void* find_loaded(const char* name, void* where) {
  if (void* const found = dlsym(where, name)) return found;
  static const char here = 0;
  const std::vector<Library> libraries = loaded_libraries();
  const auto cairn = std::find_if(libraries.begin(), libraries.end(), [](const Library& l) { return l.holds(&here); });
  // What comes before Cairn may be what called it, such as a tool that counts calls and was preloaded: it comes last.
  for (auto l = cairn; l != libraries.end(); ++l)
    if (l != cairn)
      if (void* const found = find_in(*l, name)) return found;
  for (auto l = std::make_reverse_iterator(cairn); l != libraries.rend(); ++l)
    if (void* const found = find_in(*l, name)) return found;
  return nullptr;
}

}  // namespace cairn::scalapack
