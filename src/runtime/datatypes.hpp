// MPI datatypes for blocks of local arrays, of any size.
#pragma once
#include <mpi.h>

#include <vector>

#include "cairn/types.hpp"
#include "schedule/runs.hpp"

namespace cairn {

/// A buffer as MPI wants it: `count` of `type` from `offset` elements after the start of the array.
struct TypedBuffer {
  Int offset = 0;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// Makes datatypes and frees them with itself.
class Datatypes {
 public:
  explicit Datatypes(ScalarType scalar);
  ~Datatypes();
  Datatypes(const Datatypes&) = delete;
  Datatypes& operator=(const Datatypes&) = delete;

  /// Elements at (inner run) + ld·(outer run), outer runs in turn, inner runs within. Contiguous blocks need no new
  /// type.
  TypedBuffer block(const std::vector<Run>& inner, const std::vector<Run>& outer, Int ld);
  /// `count` consecutive elements; more than `limit` are described as pieces of `limit`, since MPI 3 counts in int.
  MPI_Datatype contiguous(Int count, Int limit = Int{1} << 30);
  MPI_Datatype element() const { return element_; }
  /// Of one element.
  Int bytes() const { return bytes_; }
  /// `count` consecutive elements as a message.
  TypedBuffer whole(Int count);

 private:
  MPI_Datatype keep(MPI_Datatype type);

  MPI_Datatype element_;
  Int bytes_;
  std::vector<MPI_Datatype> made_;
};

}  // namespace cairn
