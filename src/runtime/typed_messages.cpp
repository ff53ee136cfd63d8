#include "runtime/typed_messages.hpp"

#include <cstring>

namespace cairn {

void copy(const Lines& block, std::byte* array, std::byte* dense, Int word, bool out) {
  block.for_each([&](Int start, Int length) {
    std::byte* const at = array + start * word;
    const auto bytes = static_cast<std::size_t>(length * word);
    out ? std::memcpy(dense, at, bytes) : std::memcpy(at, dense, bytes);
    dense += bytes;
  });
}

TypedMessages::TypedMessages(const Program& program, ScalarType scalar, Int longest) : Datatypes(scalar, longest) {
  if (program.transport == Transport::one_sided) return;  // fetches and adds words that lie side by side
  for (const Operation& op : program.operations)
    if (const auto* e = std::get_if<Exchange>(&op.what)) {
      for (const Message& m : e->receives) exchanged_.push_back(typed(m));
      for (const Message& m : e->sends) exchanged_.push_back(typed(m));
    } else if (const auto* x = std::get_if<SumExchange>(&op.what)) {
      for (const Message& m : x->sends) summed_.push_back(typed(m));
    }
}

}  // namespace cairn
