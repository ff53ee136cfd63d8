#include "runtime/arena.hpp"

#include <cstring>
#include <new>

namespace cairn {

Arena Arena::plain(Int bytes) {
  constexpr std::align_val_t alignment{64};
  Arena a;
  a.bytes_ = bytes;
  a.owner_ = std::shared_ptr<void>(::operator new(static_cast<std::size_t>(bytes), alignment),
                                   [](void* p) { ::operator delete (p, std::align_val_t{64}); });
  a.data_ = static_cast<std::byte*>(a.owner_.get());
  std::memset(a.data_, 0, static_cast<std::size_t>(bytes));
  return a;
}

}  // namespace cairn
