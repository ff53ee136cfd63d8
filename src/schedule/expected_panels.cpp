#include "schedule/expected_panels.hpp"

#include <algorithm>
#include <cmath>

namespace cairn {

namespace {

double share_of(Int words, double elements) {
  return elements > 0 ? std::min(1.0, static_cast<double>(words) / elements) : 0;
}

// A sum without blocks travels, too, and says so.
PanelSizes::Size size_of(const PanelPart& rows, const PanelPart& cols, double occupancy, bool filtered) {
  const double words = rows.elements * cols.elements * occupancy;
  if (words <= 0) return {0, std::llround(index_numbers(0, 0, 0, filtered))};
  return {std::llround(words), std::llround(index_numbers(rows.blocks, cols.blocks, occupancy, filtered))};
}

}  // namespace

// How many rows there are, whether they are filtered; of each row that has a block its number, how many blocks it has
// here and, where products are filtered, in all; of each block its column.
double index_numbers(double rows, double cols, double occupancy, bool filtered) {
  const double there = rows * -std::expm1(cols * std::log1p(-occupancy));
  return 2 + (filtered ? 3 : 2) * there + rows * cols * occupancy;
}

double occupancy_of_sums(double missing, double share) {
  return share > 0 && missing < 0 ? -std::expm1(share * missing) : 0;
}

PanelSizes expected_panels(const PanelParts& rows, const PanelParts& cols, double occupancy, bool filtered) {
  PanelSizes::Size size;  // of the panel before: most neighbours are alike
  return {rows.size(), cols.size(), [&](std::size_t i, std::size_t j) {
            if (j == 0 || cols[j] != cols[j - 1]) size = size_of(rows[i], cols[j], occupancy, filtered);
            return size;
          }};
}

ExpectedSums::ExpectedSums(const PanelSizes& A, const PanelSizes& B, PanelParts m, PanelParts n, const PanelParts& k)
    : m_(std::move(m)), n_(std::move(n)) {
  for (std::size_t i = 0; i < m_.size(); ++i)
    for (std::size_t j = 0; j < n_.size(); ++j) {
      double missing = 0, of_row = 0, of_column = 0;
      for (std::size_t s = 0; s < k.size(); ++s) {
        const double a = share_of(A.at(static_cast<Int>(i), static_cast<Int>(s)).words, m_[i].elements * k[s].elements),
                     b = share_of(B.at(static_cast<Int>(s), static_cast<Int>(j)).words, k[s].elements * n_[j].elements);
        if (a <= 0 || b <= 0) continue;
        missing += k[s].blocks * std::log1p(-a * b);
        of_row += k[s].blocks * std::log1p(-a * b * (2 - b));
        of_column += k[s].blocks * std::log1p(-a * b * (2 - a));
      }
      missing_.push_back(missing);
      two_of_row_.push_back(of_row), two_of_column_.push_back(of_column);
    }
}

ExpectedSums::ExpectedSums(double reached, double missing, PanelParts m, PanelParts n)
    : m_(std::move(m)), n_(std::move(n)), reached_(reached), missing_(m_.size() * n_.size(), missing) {}

double ExpectedSums::occupancy(std::size_t i, std::size_t j, double share) const {
  const double mean = reached_ * occupancy_of_sums(missing_[i * n_.size() + j], share);
  if (deviations_ == 0 || mean == 0) return mean;
  // Two blocks of a row have a block row of A in common, and two of a column a block column of B.
  const double one = 1 - mean, rows = m_[i].blocks, columns = n_[j].blocks;
  const auto together = [&](const std::vector<double>& two) {
    return two.empty() ? 0 : std::max(0.0, std::exp(share * two[i * n_.size() + j]) - one * one);
  };
  const double squares = mean * one + (columns - 1) * together(two_of_row_) + (rows - 1) * together(two_of_column_);
  return std::min(1.0, mean + deviations_ * std::sqrt(squares / (rows * columns * computed(i, j))));
}

ExpectedSums ExpectedSums::of_shares(std::vector<double> shares) const {
  ExpectedSums some = *this;
  some.shares_ = std::move(shares);
  return some;
}

ExpectedSums ExpectedSums::at_most() const {
  ExpectedSums more = *this;
  more.deviations_ = 4;
  return more;
}

Int ExpectedSums::elements(Int i, Int j) const {
  const auto row = static_cast<std::size_t>(i), col = static_cast<std::size_t>(j);
  return std::llround(m_[row].elements * n_[col].elements * computed(row, col));
}

PanelSizes ExpectedSums::of(double share) const {
  return {m_.size(), n_.size(), [&](std::size_t i, std::size_t j) {
            return size_of(m_[i], n_[j], computed(i, j) * occupancy(i, j, share), false);
          }};
}

double ExpectedSums::words(double share) const {
  double sum = 0;
  for (std::size_t i = 0; i < m_.size(); ++i)
    for (std::size_t j = 0; j < n_.size(); ++j)
      sum += m_[i].elements * n_[j].elements * computed(i, j) * occupancy(i, j, share);
  return sum;
}

}  // namespace cairn
