// A schedule of a dense product whose elements are panels of block-sparse matrices.
#pragma once
#include <array>
#include <map>

#include "schedule/expected_panels.hpp"
#include "schedule/panel_owners.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

/// What its values are. It does not depend on the sizes of panels, and serves many products.
struct PanelValues {
  enum Matrix : std::uint8_t { A, B, C };

  explicit PanelValues(Schedule carried_out);

  const Schedule wire;
  const std::vector<Slot> callers;  ///< the caller's A, B and C
  const Uses uses;
  const std::vector<Matrix> of;     ///< by slot with storage of its own: whose elements it has
  const std::vector<double> share;  ///< likewise, of sums: the share of the inner dimension that they are of at last

  /// Who reads a value: steps that multiply it, and whether it is passed on, too.
  struct Readers {
    std::vector<std::size_t> products{};
    bool passed_on = false;
  };
  const std::vector<Readers> readers;  ///< by slot with storage of its own
  const std::vector<bool> straight;    ///< likewise, whether all of it comes straight from a caller's matrix

  /// The first rank that has a panel of the caller's A or B at the start.
  Int owner(Matrix matrix, Int i, Int j) const { return owners_[matrix].at(i, j); }

  Matrix matrix(Slot x) const { return of[static_cast<std::size_t>(wire.storage(x))]; }
  /// Whether a rank sends on what it has of a value, or copies it.
  bool passes_on(Slot x, Int rank) const {
    const std::vector<bool>& ranks = passing_on_[static_cast<std::size_t>(wire.storage(x))];
    return !ranks.empty() && ranks[static_cast<std::size_t>(rank)];
  }
  /// Whether C is computed elsewhere than where it lies.
  bool sums_travel() const {
    return std::any_of(uses.does.begin(), uses.does.end(),
                       [&](const Effect& e) { return !as_compute(e) && matrix(access(e).writes) == C; });
  }
  /// Whether all ranks that compute a sum have panels of the inner dimension for it.
  bool all_sums_have_terms() const;

 private:
  std::vector<std::vector<bool>> passing_on_;  // by slot with storage of its own, and by rank
  std::array<PanelOwners, 2> owners_;
};

/// The same on one rank.
struct PanelSchedule : PanelValues {
  /// Of a Redistribute.
  struct Transfers {
    Transfer kept;
    std::vector<Transfer> outgoing, incoming;
  };

  /// A panel that a rank gets, to be multiplied with one that this rank has at the start.
  struct Met {
    Int to, row, col;
  };

  PanelSchedule(Schedule carried_out, Int rank);

  const std::vector<Transfers> transfers;   ///< by step
  const std::vector<std::vector<Met>> met;  ///< likewise, of what comes straight from a caller's matrix
};

/// Sizes of the panels of all values of a schedule: of A and B, as they are or as they are expected, and of sums of C,
/// as these are expected.
class SizedPanels {
 public:
  using Sizes = std::shared_ptr<const PanelSizes>;
  SizedPanels(const PanelValues& values, const Sizes& A, const Sizes& B, const ExpectedSums& sums);

  const PanelSizes& of(Slot x) const { return *by_slot_[static_cast<std::size_t>(values_.wire.storage(x))]; }
  /// Words of some rows × columns of panels.
  Int words(Slot x, const Region& r) const { return of(x).words(r.rows, r.cols); }

 private:
  const PanelValues& values_;
  std::vector<Sizes> by_slot_;
};

/// How much of a panel of A or B is expected to travel if it is known which of its blocks are needed, as what it is
/// multiplied with has something in `met` blocks of the inner dimension. 1, which is the whole panel without a word,
/// where saying so takes more than is left out, or nobody has counted.
double share_asked_for(const PanelSizes::Size& panel, Int met);

/// Which panels travel to a rank that gets `dst`: all sums, and of A and B those with anything in them that the rank
/// passes on, or has something to multiply with.
class WantedPanels {
 public:
  WantedPanels(const PanelValues& values, const SizedPanels& sizes, Slot dst, Int rank);
  bool operator()(Int i, Int j) const;
  /// Which rank says first what is needed of such a panel, and how much of it is then expected to travel: a rank that
  /// has all that the panel is multiplied with from the start. None if all of the panel travels.
  struct Asked {
    Int by;
    double share;
  };
  std::optional<Asked> asked(Int i, Int j) const;
  double share(Int i, Int j) const {
    const std::optional<Asked> asks = asked(i, j);
    return asks ? asks->share : 1;
  }
  /// f(row, col) for the panels that it multiplies panel (i, j) with: those of the same part of the inner dimension in
  /// these columns of B, or rows of A.
  template <class F>
  void for_each_partner(Int i, Int j, F f) const {
    for (const Partner& x : partners_)
      if (x.has(i, j)) PanelSizes::for_each(x.others, [&](Int other) { x.left ? f(j, other) : f(other, i); });
  }

 private:
  struct Partner {
    bool left;  // whether dst is
    IndexSet inner, others;
    const PanelSizes& sizes;

    bool has(Int i, Int j) const { return inner.local(left ? j : i) >= 0; }
    const PanelSizes::Size& size(Int i, Int j, Int other) const {
      return left ? sizes.at(j, other) : sizes.at(other, i);
    }
  };
  bool meets(const Partner& x, Int i, Int j) const;

  const PanelValues& values_;
  const PanelSizes& sizes_;
  const Int rank_;
  bool sum_, passes_on_, passed_on_, straight_;
  std::vector<Partner> partners_;
};

}  // namespace cairn
