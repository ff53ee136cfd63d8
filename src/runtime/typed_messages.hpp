// The messages of a program as MPI sends them.
#pragma once
#include "program/program.hpp"
#include "runtime/datatypes.hpp"

namespace cairn {

class TypedMessages : public Datatypes {
 public:
  TypedMessages(const Program& program, ScalarType scalar, Int longest = most);

  /// Of an Exchange, by request.
  const TypedBuffer& exchanged(std::size_t request) const { return exchanged_[request]; }
  /// Of a SumExchange, by number of the send.
  const TypedBuffer& summed(std::size_t send) const { return summed_[send]; }

 private:
  TypedBuffer typed(const Message& m);

  std::vector<TypedBuffer> exchanged_, summed_;
};

}  // namespace cairn
