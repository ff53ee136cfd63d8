#include "planner/candidate.hpp"

namespace cairn {

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"summa", candidates_summa, spell_summa, shorten_summa},
      {"hsumma", candidates_hsumma, spell_hsumma, shorten_hsumma},
      {"cannon", candidates_cannon, spell_cannon},
      {"summa25d", candidates_summa25d, spell_summa25d, shorten_summa25d},
      {"agarwal3d", candidates_agarwal3d, spell_agarwal3d},
      {"carma", candidates_carma, spell_carma},
  };
  return all;
}

const std::vector<Family>& families_on_callers_layouts() {
  static const std::vector<Family> all{
      {"summa", candidates_held<'c'>, spell_summa, nullptr, true},
      {"summa", candidates_held<'a'>, spell_summa, nullptr, true},
      {"summa", candidates_held<'b'>, spell_summa, nullptr, true},
  };
  return all;
}

}  // namespace cairn
