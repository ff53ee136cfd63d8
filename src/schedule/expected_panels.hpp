// Sizes that panels of block-sparse matrices are expected to have, where blocks are anywhere with equal probability.
#pragma once
#include <vector>

#include "schedule/panel_sizes.hpp"

namespace cairn {

/// A panel's rows or columns: a product's m, n or k in parts.
struct PanelPart {
  double elements = 0, blocks = 0;
  bool operator==(const PanelPart&) const = default;
};
using PanelParts = std::vector<PanelPart>;

/// Numbers of the index of a panel of so many block rows and columns, as local/sparse/block_panel.hpp writes it.
double index_numbers(double rows, double cols, double occupancy, bool filtered);

/// Panels of a matrix of that occupancy.
PanelSizes expected_panels(const PanelParts& rows, const PanelParts& cols, double occupancy, bool filtered);

/// Share of the blocks of sums of C that are there for a share of the inner dimension, if for all of it a block is
/// missing with a probability of that logarithm.
double occupancy_of_sums(double missing, double share);

/// Sums of C, of the whole inner dimension or of a share of it: block (i, j) is missing where for no block of the inner
/// dimension both factors are there.
class ExpectedSums {
 public:
  ExpectedSums() = default;
  /// Of panels of A and B of these sizes.
  ExpectedSums(const PanelSizes& A, const PanelSizes& B, PanelParts m, PanelParts n, const PanelParts& k);
  /// Where products fall on a share of the blocks of C alone, each of which is missing in the end with a probability of
  /// that logarithm.
  ExpectedSums(double reached, double missing, PanelParts m, PanelParts n);

  /// As large as random patterns of A and B make them at most, as good as surely: four standard deviations above the
  /// mean.
  ExpectedSums at_most() const;
  /// Where only a share of each panel of C is computed, row by row.
  ExpectedSums of_shares(std::vector<double> shares) const;
  /// Panels of sums over that share of the inner dimension.
  PanelSizes of(double share) const;
  /// Words of all of them.
  double words(double share) const;
  /// Of what is computed of panel (i, j), if all blocks were there.
  Int elements(Int i, Int j) const;
  /// The share of panel (i, j) that is computed; whether that is 1 everywhere.
  double share(Int i, Int j) const { return computed(static_cast<std::size_t>(i), static_cast<std::size_t>(j)); }
  bool whole() const { return shares_.empty(); }

 private:
  double occupancy(std::size_t i, std::size_t j, double share) const;
  double computed(std::size_t i, std::size_t j) const { return shares_.empty() ? 1 : shares_[i * n_.size() + j]; }

  PanelParts m_, n_;
  double reached_ = 1, deviations_ = 0;
  std::vector<double> shares_;   // of each panel of C, that is computed; empty: all
  std::vector<double> missing_;  // logarithms of the probabilities that a block is not there, by panel of C
  std::vector<double> two_of_row_, two_of_column_;  // and that two are not; of panels of A and B
};

}  // namespace cairn
