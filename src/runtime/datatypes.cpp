#include "runtime/datatypes.hpp"

#include <algorithm>
#include <array>

#include "runtime/mpi_check.hpp"

namespace cairn {

Datatypes::Datatypes(ScalarType scalar, Int longest)
    : element_(mpi_type(scalar)), bytes_(size_of(scalar)), longest_(longest) {}

Datatypes::~Datatypes() {
  if (mpi_has_ended()) return;
  for (MPI_Datatype& t : made_) MPI_Type_free(&t);
}

MPI_Datatype Datatypes::keep(MPI_Datatype type) {
  made_.push_back(type);
  return type;
}

MPI_Datatype Datatypes::contiguous(Int count) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (count <= longest_) {
    MPI_TRY(MPI_Type_contiguous(to_int(count, "elements of a message"), element_, &type));
    return keep(type);
  }
  const MPI_Datatype piece = contiguous(longest_);
  const Int whole = count / longest_, rest = count % longest_;
  const std::array<int, 2> counts{to_int(whole, "pieces of a message"), to_int(rest, "elements of a message")};
  const std::array<MPI_Aint, 2> starts{0, static_cast<MPI_Aint>(whole * longest_ * bytes_)};
  const std::array<MPI_Datatype, 2> types{piece, element_};
  MPI_TRY(MPI_Type_create_struct(rest > 0 ? 2 : 1, counts.data(), starts.data(), types.data(), &type));
  return keep(type);
}

MPI_Datatype Datatypes::indexed(const std::vector<Run>& runs, MPI_Datatype of, Int stride) {
  std::vector<int> lengths;
  std::vector<MPI_Aint> starts;
  for (Run r : runs)
    for (Int at = 0; at < r.length; at += longest_) {
      lengths.push_back(to_int(std::min(longest_, r.length - at), "length of a run"));
      starts.push_back(static_cast<MPI_Aint>((r.start + at) * stride));
    }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_TRY(MPI_Type_create_hindexed(to_int(static_cast<Int>(lengths.size()), "runs of a message"), lengths.data(),
                                   starts.data(), of, &type));
  return keep(type);
}

TypedBuffer Datatypes::whole(Int count) {
  if (count <= longest_) return {0, static_cast<int>(count), element_};
  TypedBuffer& made = long_[count];
  if (made.count > 0) return made;
  contiguous(count);
  MPI_TRY(MPI_Type_commit(&made_.back()));
  return made = {0, 1, made_.back()};
}

TypedBuffer Datatypes::block(const std::vector<Run>& inner, const std::vector<Run>& outer, Int ld) {
  if (inner.empty() || outer.empty()) return {0, 0, element_};
  const bool one = inner.size() == 1 && outer.size() == 1;
  const Int start = one ? inner[0].start + outer[0].start * ld : 0;
  if (one && (inner[0].length == ld || outer[0].length == 1)) {
    TypedBuffer dense = whole(inner[0].length * outer[0].length);
    dense.offset = start;
    return dense;
  }
  const bool even = one && outer[0].length <= longest_;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (even) {
    const MPI_Datatype line = contiguous(inner[0].length);
    MPI_TRY(MPI_Type_create_hvector(to_int(outer[0].length, "lines of a message"), 1,
                                    static_cast<MPI_Aint>(ld * bytes_), line, &type));
    keep(type);
  } else {
    MPI_Datatype spaced = MPI_DATATYPE_NULL;
    MPI_TRY(MPI_Type_create_resized(indexed(inner, element_, bytes_), 0, static_cast<MPI_Aint>(ld * bytes_), &spaced));
    indexed(outer, keep(spaced), ld * bytes_);
  }
  MPI_TRY(MPI_Type_commit(&made_.back()));
  return {even ? start : 0, 1, made_.back()};
}

}  // namespace cairn
