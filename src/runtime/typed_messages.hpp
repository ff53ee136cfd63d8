// The messages of a program as MPI sends them.
#pragma once
#include "program/program.hpp"
#include "runtime/datatypes.hpp"

namespace cairn {

/// The elements of a block in its array, from or to where they lie without gaps.
void copy(const Lines& block, std::byte* array, std::byte* dense, Int word, bool out);

class TypedMessages : public Datatypes {
 public:
  TypedMessages(const Program& program, ScalarType scalar, Int longest = most);

  /// Of an Exchange, by request.
  const TypedBuffer& exchanged(std::size_t request) const { return exchanged_[request]; }
  /// Of a SumExchange, by number of the send.
  const TypedBuffer& summed(std::size_t send) const { return summed_[send]; }

 private:
  TypedBuffer typed(const Message& m) {
    return m.place.copied ? whole(m.words).from(m.place.at)
                          : block(m.lines.inner, m.lines.outer, m.lines.ld).from(m.lines.base);
  }

  std::vector<TypedBuffer> exchanged_, summed_;
};

}  // namespace cairn
