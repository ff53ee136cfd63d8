#include "runtime/typed_messages.hpp"

namespace cairn {

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
