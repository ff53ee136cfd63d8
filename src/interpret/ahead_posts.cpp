#include "interpret/ahead_posts.hpp"

#include <algorithm>
#include <cmath>

#include "program/program.hpp"

namespace cairn {

AheadPosts::AheadPosts(Clocked& c) : c_(c), product_(c.does.size()) {
  if (std::all_of(c.early.begin(), c.early.end(), [](int products) { return products == 0; })) return;
  for (auto* lane : {&post_, &start_, &product_seconds_, &poll_}) lane->assign(c.cells.size(), 0);
  next_.resize(c.does.size());
  for (std::size_t t = c.does.size(), next = t; t-- > 0; next_[t] = next)
    if (as_compute(c.does[t])) next = t;
}

void AheadPosts::begin(std::size_t step, ComputeTimes& products, const Arrives& arrives) {
  passed_ = static_cast<double>(c_.early[step]);
  if (next_[step] == product_) return;
  product_ = next_[step];
  const Compute& x = *as_compute(c_.does[product_]);
  std::fill(start_.begin(), start_.end(), 0.0);
  for (Slot operand : {x.A, x.B, x.C})
    if (const double* const arrive = operand < 0 ? nullptr : arrives(operand))
      for (std::size_t c = 0; c < start_.size(); ++c) start_[c] = std::max(start_[c], arrive[c]);
  const Looks looks = looks_during(x);
  const Sizes::Words& words = c_.sizes.words(x.C);
  const Sizes::Factor& across = looks.by_rows ? *words.rows : *words.cols;
  const bool everywhere = products.all(x, Sizes::everywhere);
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (everywhere && i > 0) {
      product_seconds_[i] = product_seconds_[0], poll_[i] = poll_[0];
      continue;
    }
    const double n = c_.sizes.at(across, i);
    product_seconds_[i] = products.seconds(x, i);
    poll_[i] = n >= looks.least ? product_seconds_[i] * looks.every / n : product_seconds_[i];
  }
}

// As Follower::multiply() and Compiler::lower_product(), which updates triangles block by block.
AheadPosts::Looks AheadPosts::looks_during(const Compute& x) const {
  constexpr double piece = LocalGemm::piece;
  if (x.kernel != Kernel::gemmt) return {piece, 2 * piece, false};
  const bool by_rows = c_.s[x.C].shape == Uplo::upper;
  const Dim& across = by_rows ? c_.s.layout(x.C).rows : c_.s.layout(x.C).cols;
  const auto block = static_cast<double>(across.cuts.empty() ? across.extent.size() : across.cuts[0].block);
  return {block, block, by_rows};
}

void AheadPosts::post_when_it_looks(std::size_t c, double start) {
  const double end = start + passed_ * product_seconds_[c];
  if (post_[c] < end) post_[c] = std::min(end, start + std::ceil((post_[c] - start) / poll_[c]) * poll_[c]);
}

}  // namespace cairn
