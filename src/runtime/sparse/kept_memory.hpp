// Memory of panels that arrive, kept from product to product: fresh memory costs as much as the message.
#pragma once
#include <list>
#include <memory>

#include "cairn/comm.hpp"
#include "runtime/arena.hpp"

namespace cairn {

/// Belongs to a communicator. What one product used is kept until the next one is over, unless memory is limited.
class KeptMemory {
 public:
  static std::shared_ptr<KeptMemory> of(const Comm& comm);

  /// Room for so many elements, whatever is in it; it may be used again when nobody has it any more.
  template <class T>
  std::shared_ptr<T> take(Int count) {
    const std::shared_ptr<CommonBuffer> buffer = take_bytes(count * static_cast<Int>(sizeof(T)));
    return {buffer, reinterpret_cast<T*>(buffer->data())};
  }
  /// Gives back what was not used since the last call, or all that is not in use.
  void forget_unused();
  void forget_all() { kept_.clear(); }
  /// Whether anything is kept from now on.
  void keep(bool any);

 private:
  struct Kept {
    std::shared_ptr<CommonBuffer> buffer;
    Int bytes;
    bool used;
  };
  std::shared_ptr<CommonBuffer> take_bytes(Int bytes);

  std::list<Kept> kept_;
  bool keeps_ = true;
};

}  // namespace cairn
