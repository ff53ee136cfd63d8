// What all routines do that stand in for ScaLAPACK's, whatever they compute.
#pragma once
#include <fmt/format.h>

#include <exception>
#include <string>

#include "cairn/report.hpp"
#include "scalapack/check.hpp"
#include "scalapack/submatrix.hpp"

namespace cairn::scalapack {

/// One call on the grid of a context, which Cairn carries out or hands back.
class StandIn {
 public:
  void hand_back_small() const { hand_back("too small to gain"); }

 protected:
  StandIn(int context, const char* routine) : context_(context), grid_(grid_of(context)), findings_(context, routine) {}
  ~StandIn() = default;

  /// ScaLAPACK's own routine carries it out.
  virtual void by_original() const = 0;
  /// "pdgemm N T 100x200x300 on 2x2"
  virtual std::string text() const = 0;

  /// Whether the first matrix has a context of the calling process, which is a finding if not.
  bool on_grid(int desc_a_at);
  Layout layout(const MatrixArgument& x) const { return layout_of(x.desc, x.i, x.j, x.rows, x.cols, grid_); }
  /// This process's part of `x`, whose layout is `l`; a finding if there are elements but no array.
  template <class T>
  DistMatrix<T> part(const T* data, const MatrixArgument& x, const Layout& l) {
    if (!data && l.words(grid_.rank()) > 0)
      findings_.add({x.desc_at - 3}, fmt::format("{} is null, expected an array", x.name));
    return borrow(data, x.desc, x.i, x.j, l, grid_, grid_.rank());
  }

  /// Has ScaLAPACK carry it out, because of `why`.
  void hand_back(std::string why) const;
  /// Tells what Cairn did, and by which plan; of ScaLAPACK what it is thought to take, or 0.
  void handled(std::string plan, const RunReport& did, double scalapack_seconds = 0) const;
  /// Ends a call whose result, the argument at that place, was perhaps half written.
  void spoilt(int at, const char* name, const std::exception& error);

  const int context_;
  const ProcessGrid grid_;
  Findings findings_;
};

}  // namespace cairn::scalapack
