// The closed set of steps. A step is true for all ranks at once: a rank enters only when an interpreter
// asks what the step means at that rank's coordinate. No step knows a pointer, a scalar type or MPI.
#pragma once
#include <string>
#include <variant>

#include "cairn/grid.hpp"
#include "cairn/types.hpp"
#include "schedule/collectives.hpp"

namespace cairn {

/// Number of a value in Schedule::slots.
using Slot = int;

/// What a writing step does with what its destination held.
enum class Update : std::uint8_t {
  overwrite,   ///< dst  = …
  accumulate,  ///< dst += …
  beta         ///< dst  = beta·dst + …, not read when beta is 0 (BLAS's rule)
};

/// Positions along an axis, counted from an origin and modulo the extent: from lo to hi, of every `every` the first
/// `run`.
struct Who {
  Int lo = 0, hi = 0;
  Int every = 1, run = 1;
  bool has(Int position) const { return lo <= position && position < hi && (position - lo) % every < run; }
  bool operator==(const Who&) const = default;
};

/// dst(c) = the same elements of src at the root, along one axis.
struct Bcast {
  Slot src, dst;
  int axis;
  Affine root;
  How how{};
  bool operator==(const Bcast&) const = default;
};
/// dst(c) = union of src over the axis.
struct AllGather {
  Slot src, dst;
  int axis;
  How how{};
  bool operator==(const AllGather&) const = default;
};
/// dst(root) ←update Σ over the axis of src.
struct Reduce {
  Slot src, dst;
  int axis;
  Affine root;
  Update update;
  How how{};
  bool operator==(const Reduce&) const = default;
};
/// dst(c) ←update Σ over the axis of the elements of src that dst(c) holds.
struct ReduceScatter {
  Slot src, dst;
  int axis;
  Update update;
  How how{};
  bool operator==(const ReduceScatter&) const = default;
};
/// dst(c) = src(c + by along axis), for those c whose index on the axis, counted from `origin` and modulo
/// the extent, is one of `who`. The only point-to-point step: collectives expand into it.
struct Shift {
  Slot src, dst;
  int axis;
  Affine by;
  Affine origin;
  Who who;
  bool operator==(const Shift&) const = default;
};
/// dst(c) ←update src(c), no communication, for those c that Shift would name.
struct Add {
  Slot src, dst;
  int axis;
  Affine origin;
  Who who;
  Update update;
  bool operator==(const Add&) const = default;
};
/// dst ←update src between any two layouts, also on different grids: rank by rank. `scaled`: alpha·src.
struct Redistribute {
  Slot src, dst;
  bool conjugate;
  Update update;
  bool scaled = false;
  bool operator==(const Redistribute&) const = default;
};
/// What a rank computes by itself of the blocks that it holds (schedule/kernels.hpp).
enum class Kernel : std::uint8_t {
  gemm,   ///< C ←update factor·op(A)·op(B)
  gemmt,  ///< the same for those elements of C only that count (SlotInfo::shape): the update of a triangle's rows
  trsm,   ///< C = op(A)⁻¹·C, or C·op(A)⁻¹ with A on the right; A is the triangle that its shape says
  potrf,  ///< C = L with L·Lᴴ = C, or U with Uᴴ·U = C, by C's shape
  scal    ///< C = factor·C, wholly, whatever its shape; not read where the factor is 0
};
/// What a product, or C, is multiplied by.
enum class Factor : std::uint8_t { alpha, one, minus_one, zero };

/// A kernel on each rank by itself. What a kernel has no use for is left as it is here.
struct Compute {
  using Side = cairn::Side;
  Kernel kernel;
  Slot A = -1, B = -1, C = -1;
  Update update = Update::overwrite;
  Factor factor = Factor::alpha;
  Op op_a = Op::none, op_b = Op::none;
  Side side = Side::left;
  Diag diag = Diag::stored;
  bool conjugate_a = false, conjugate_b = false;  ///< gemm: the elements, besides what op says
  bool operator==(const Compute&) const = default;
};

/// Whether C is what it starts from.
inline bool works_in_place(const Compute& x) {
  return x.kernel == Kernel::trsm || x.kernel == Kernel::potrf ||
         (x.kernel == Kernel::scal && x.factor != Factor::zero);
}

using Step = std::variant<Bcast, AllGather, Reduce, ReduceScatter, Shift, Add, Redistribute, Compute>;

}  // namespace cairn
