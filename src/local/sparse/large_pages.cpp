#include "local/sparse/large_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdint>

namespace cairn {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 2 << 20;  // of x86-64, and of others whose small pages have 4 KiB
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + page - 1) / page * page,
             last = (begin + bytes) / page * page;
  // A system that has none says so, and nothing is lost.
  if (first < last) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#endif
}

}  // namespace cairn
