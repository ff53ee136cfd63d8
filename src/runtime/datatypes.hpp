// MPI datatypes for blocks of local arrays, of any size.
#pragma once
#include <mpi.h>

#include <map>
#include <vector>

#include "cairn/types.hpp"
#include "schedule/runs.hpp"

namespace cairn {

/// A buffer as MPI wants it: `count` of `type` from `offset` elements after the start of the array.
struct TypedBuffer {
  Int offset = 0;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;

  /// The same, so many elements further on.
  TypedBuffer from(Int place) const { return {offset + place, count, type}; }
};

/// Makes datatypes and frees them with itself.
class Datatypes {
 public:
  /// MPI 3 counts in int: more than `longest` elements, or lines, are described as pieces of so many.
  explicit Datatypes(ScalarType scalar, Int longest = most);
  static constexpr Int most = Int{1} << 30;
  ~Datatypes();
  Datatypes(const Datatypes&) = delete;
  Datatypes& operator=(const Datatypes&) = delete;

  /// Elements at (inner run) + ld·(outer run), outer runs in turn, inner runs within. Contiguous blocks need no new
  /// type.
  TypedBuffer block(const std::vector<Run>& inner, const std::vector<Run>& outer, Int ld);
  /// `count` consecutive elements.
  MPI_Datatype contiguous(Int count);
  MPI_Datatype element() const { return element_; }
  /// Of one element.
  Int bytes() const { return bytes_; }
  /// `count` consecutive elements as a message.
  TypedBuffer whole(Int count);

 private:
  MPI_Datatype keep(MPI_Datatype type);
  /// Runs of `of`, `stride` bytes from one to the next.
  MPI_Datatype indexed(const std::vector<Run>& runs, MPI_Datatype of, Int stride);

  MPI_Datatype element_;
  Int bytes_, longest_;
  std::vector<MPI_Datatype> made_;
  std::map<Int, TypedBuffer> long_;  ///< by words, those in pieces
};

}  // namespace cairn
