#include "planner/candidate.hpp"

namespace cairn {

namespace {

// Depths of look-ahead worth a look for so many rounds.
std::vector<int> look_aheads(const Sought& s, Int rounds) {
  if (s.look_ahead) return {*s.look_ahead};
  if (rounds == 1) return {0};
  if (s.memory_words) return {1, 0};  // none needs the least memory
  return {1};
}

Family family_of(const Algorithm& algorithm, char stays, std::shared_ptr<const Variants> variants,
                 const Sought& sought) {
  Family f{&algorithm, stays, std::move(variants), {}};
  for (std::size_t i = 0; i < f.variants->outlines.size(); ++i) {
    const Outline& o = f.variants->outlines[i];
    if (o.stays != stays) continue;
    const double seconds = least_seconds(sought, o);
    for (int depth : look_aheads(sought, o.rounds)) f.candidates.push_back({i, depth, seconds});
  }
  return f;
}

}  // namespace

std::vector<Family> families(const Algorithm& algorithm, const Sought& sought) {
  const auto variants = std::make_shared<const Variants>(algorithm.variants(sought));
  std::vector<Family> all;
  for (char stays : {'c', 'a', 'b'})
    if (Family f = family_of(algorithm, stays, variants, sought); !f.candidates.empty()) all.push_back(std::move(f));
  all.push_back(family_of(algorithm, 0, variants, sought));
  return all;
}

Family family_for(const Family& family, const Sought& sought) {
  return family_of(*family.algorithm, family.stays,
                   std::make_shared<const Variants>(family.algorithm->variants(sought)), sought);
}

}  // namespace cairn
