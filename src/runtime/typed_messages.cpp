#include "runtime/typed_messages.hpp"

namespace cairn {

TypedBuffer TypedMessages::typed(const Message& m) {
  const Lines& l = m.lines;
  if (l.shape == Uplo::full) return block(l.inner, l.outer, l.ld).from(l.base);
  std::vector<Run> all;
  l.for_each([&](Int start, Int length) { all.push_back({start, length}); });
  return these(all);
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
