#include "runtime/datatypes.hpp"

#include <array>
#include <limits>

#include "runtime/mpi_check.hpp"

namespace cairn {

Datatypes::Datatypes(ScalarType scalar) : element_(mpi_type(scalar)), bytes_(size_of(scalar)) {}

Datatypes::~Datatypes() {
  int over = 0;
  MPI_Finalized(&over);
  if (over) return;
  for (MPI_Datatype& t : made_) MPI_Type_free(&t);
}

MPI_Datatype Datatypes::keep(MPI_Datatype type) {
  made_.push_back(type);
  return type;
}

MPI_Datatype Datatypes::contiguous(Int count, Int limit) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (count <= limit) {
    MPI_TRY(MPI_Type_contiguous(to_int(count, "elements of a message"), element_, &type));
    return keep(type);
  }
  const MPI_Datatype piece = contiguous(limit, limit);
  const Int whole = count / limit, rest = count % limit;
  const std::array<int, 2> counts{to_int(whole, "pieces of a message"), to_int(rest, "elements of a message")};
  const std::array<MPI_Aint, 2> starts{0, static_cast<MPI_Aint>(whole * limit * bytes_)};
  const std::array<MPI_Datatype, 2> types{piece, element_};
  MPI_TRY(MPI_Type_create_struct(rest > 0 ? 2 : 1, counts.data(), starts.data(), types.data(), &type));
  return keep(type);
}

TypedBuffer Datatypes::whole(Int count) {
  if (count <= std::numeric_limits<int>::max()) return {0, static_cast<int>(count), element_};
  contiguous(count);
  MPI_TRY(MPI_Type_commit(&made_.back()));
  return {0, 1, made_.back()};
}

TypedBuffer Datatypes::block(const std::vector<Run>& inner, const std::vector<Run>& outer, Int ld) {
  if (inner.empty() || outer.empty()) return {0, 0, element_};
  const bool one = inner.size() == 1 && outer.size() == 1;
  const Int offset = one ? inner[0].start + outer[0].start * ld : 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (one && (inner[0].length == ld || outer[0].length == 1)) {
    TypedBuffer dense = whole(inner[0].length * outer[0].length);
    dense.offset = offset;
    return dense;
  }
  if (one) {
    const MPI_Datatype line = contiguous(inner[0].length);
    MPI_TRY(MPI_Type_create_hvector(to_int(outer[0].length, "lines of a message"), 1,
                                    static_cast<MPI_Aint>(ld * bytes_), line, &type));
    keep(type);
  } else {
    std::vector<int> lengths;
    std::vector<MPI_Aint> starts;
    for (Run r : inner) {
      lengths.push_back(to_int(r.length, "length of a run"));
      starts.push_back(static_cast<MPI_Aint>(r.start * bytes_));
    }
    MPI_Datatype line = MPI_DATATYPE_NULL, spaced = MPI_DATATYPE_NULL;
    MPI_TRY(MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), starts.data(), element_, &line));
    keep(line);
    MPI_TRY(MPI_Type_create_resized(line, 0, static_cast<MPI_Aint>(ld * bytes_), &spaced));
    keep(spaced);
    lengths.clear();
    starts.clear();
    for (Run r : outer) {
      lengths.push_back(to_int(r.length, "length of a run"));
      starts.push_back(static_cast<MPI_Aint>(r.start * ld * bytes_));
    }
    MPI_TRY(MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), starts.data(), spaced, &type));
    keep(type);
  }
  MPI_TRY(MPI_Type_commit(&made_.back()));
  return {offset, 1, made_.back()};
}

}  // namespace cairn
