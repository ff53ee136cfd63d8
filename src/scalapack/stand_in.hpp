// What all routines do that stand in for ScaLAPACK's, whatever they compute.
#pragma once
#include <fmt/format.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "cairn/error.hpp"
#include "cairn/redistribute.hpp"
#include "cairn/report.hpp"
#include "scalapack/check.hpp"
#include "scalapack/prepared_or_impossible.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/submatrix.hpp"

namespace cairn::scalapack {

/// One call on the grid of a context, which Cairn carries out or hands back.
class StandIn {
 public:
  void hand_back_small() const {
    hand_back(grid_.rows * grid_.cols == 1 ? "one rank, nothing to gain" : "too small to gain");
  }

 protected:
  StandIn(int context, const char* routine) : context_(context), grid_(grid_of(context)), findings_(context, routine) {}
  ~StandIn() = default;

  /// ScaLAPACK's own routine carries it out.
  virtual void by_original() const = 0;
  /// "pdgemm N T 100x200x300 on 2x2"
  virtual std::string text() const = 0;

  /// Whether the first matrix has a context of the calling process, which is a finding if not.
  bool on_grid(int desc_at);
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

  /// work(), which is all of the call, and for which no rank needs another; tells that it was done.
  void done_alone(const char* what, const std::function<void()>& work) const;

  /// What prepare() made, now or for such a call before; null if the call was handed back, as planning it does not pay,
  /// or cannot be done.
  template <class Prepared, class Pays, class Prepare>
  std::shared_ptr<Prepared> kept(const Comm& comm, const std::string& key, Pays pays, Prepare prepare) const {
    if (settings().use != Settings::Use::always && !is_kept(comm, key) && !pays()) {
      hand_back("a plan would cost more than such calls could have gained so far");
      return nullptr;
    }
    const auto outcome = kept_outcome<Prepared>(comm, key, prepare, [&] { return text(); });
    if (outcome->prepared) return {outcome, &*outcome->prepared};
    hand_back(outcome->obstacle);
    return nullptr;
  }
  /// work(), which writes the argument at that place. The call ends if it throws, as that may be half written then.
  template <class Work>
  void carry_out(int at, const char* name, Work work) {
    try {
      work();
    } catch (const std::exception& e) {
      spoilt(at, name, e);
    }
  }
  /// B = alpha·op(A) + beta·B, where B is the argument at that place; handed back if it does not fit the memory.
  template <class T>
  void move(const Comm& comm, Op op, T alpha, const DistMatrix<T>& A, T beta, const DistMatrix<T>& B, int at,
            const char* name) {
    if (!fits_memory(comm, op, A.layout(), B.layout(), scalar_type_of<T>)) return hand_back("beyond CAIRN_MEMORY");
    carry_out(at, name, [&] {
      try {
        handled("redistribute", redistribute(comm, op, alpha, A, beta, B));
      } catch (const ArgumentError& e) {  // before anything was written
        hand_back(e.what());
      }
    });
  }

  const int context_;
  const ProcessGrid grid_;
  Findings findings_;

 private:
  void spoilt(int at, const char* name, const std::exception& error);
};

}  // namespace cairn::scalapack
