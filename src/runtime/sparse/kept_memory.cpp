#include "runtime/sparse/kept_memory.hpp"

#include "local/sparse/large_pages.hpp"
#include "runtime/comm_state.hpp"

namespace cairn {

std::shared_ptr<KeptMemory> KeptMemory::of(const Comm& comm) {
  std::shared_ptr<KeptMemory>& kept = comm.state().panels;
  if (!kept) kept = std::make_shared<KeptMemory>();
  return kept;
}

// The smallest that is free and fits, but none that is much too large.
std::shared_ptr<CommonBuffer> KeptMemory::take_bytes(Int bytes) {
  const auto fits = [&](const Kept& k) {
    return k.buffer.use_count() == 1 && k.bytes >= bytes && k.bytes / 2 <= bytes;
  };
  auto best = kept_.end();
  for (auto k = kept_.begin(); k != kept_.end(); ++k)
    if (fits(*k) && (best == kept_.end() || k->bytes < best->bytes)) best = k;
  if (best == kept_.end()) {
    auto buffer = std::make_shared<CommonBuffer>();
    buffer->require(bytes);
    prefer_large_pages(buffer->data(), static_cast<std::size_t>(bytes));
    if (!keeps_) return buffer;
    best = kept_.insert(kept_.end(), {std::move(buffer), bytes, true});
  }
  best->used = true;
  return best->buffer;
}

void KeptMemory::keep(bool any) {
  keeps_ = any;
  if (!any) forget_all();
}

void KeptMemory::forget_unused() {
  std::erase_if(kept_, [](const Kept& k) { return !k.used; });
  for (Kept& k : kept_) k.used = false;
}

}  // namespace cairn
