// The registration of SUMMA: its spelling, and what is worth trying.
#include <fmt/format.h>

#include <utility>

#include "algorithms/arguments.hpp"
#include "algorithms/outline.hpp"
#include "algorithms/summa_held.hpp"
#include "base/arithmetic.hpp"
#include "schedule/effect.hpp"

namespace cairn {

SummaForm parse_summa(std::string_view text) {
  Arguments arguments(text, "summa 4x4 b=256 stationary=a cyclic, the last two if wanted, or held for the last");
  const std::vector<Int> grid = arguments.sizes(2);
  SummaForm f{grid[0], grid[1], arguments.number("b")};
  f.stationary = arguments.letter("stationary", "abc");
  f.cyclic = arguments.flag("cyclic");
  f.held = arguments.flag("held");
  arguments.finish();
  if (f.cyclic && f.held) arguments.refuse("cyclic and held: expected one of them at most");
  return f;
}

std::string print_summa(const SummaForm& f) {
  const std::string stays = f.stationary == 'c' ? "" : fmt::format(" stationary={}", f.stationary);
  return fmt::format("summa {}x{} b={}{}{}{}", f.pr, f.pc, f.b, stays, f.cyclic ? " cyclic" : "",
                     f.held ? " held" : "");
}

namespace {

MadeAlgorithm make_summa(const GemmProblem& problem, const SummaForm& f) {
  MadeAlgorithm made{f.held ? summa_held(problem, f) : summa(problem, f), f.parts()};
  made.rounds = computations(made.schedule);
  made.held = f.held;
  return made;
}

// Where the caller's matrix lies that stays: all in one round, what one owner has at a time, or rounds wide enough.
void add_held(const Sought& sought, char stays, std::vector<SummaForm>& all) {
  // Of several rounds: below, products are slow and steps many. With a limit of memory the widest that fit are not
  // known before schedules are counted.
  const Int least_width = sought.memory_words ? 8 : 64;
  constexpr Int least_depth = 64;  // of a turn: each reads and writes C once more
  const auto grid = sought.problem ? held_grid(*sought.problem, stays) : std::nullopt;
  if (!grid || (*grid)[0] * (*grid)[1] < sought.fewest) return;
  SummaForm f{(*grid)[0], (*grid)[1], 1, stays, false, true};
  const Int inner = f.inner(sought.dims);
  std::vector<Int> widths{std::max<Int>(1, inner)};
  if (stays == 'c' && f.pr > 1 && inner >= f.pr * least_depth) widths.push_back(ceil_div(inner, f.pr));
  for (Int parts : {2, 4, 8, 16, 32, 64})
    if ((parts <= 16 || sought.memory_words) && inner >= parts * least_width) widths.push_back(ceil_div(inner, parts));
  if (const Int fits = width_that_fits(sought, f.parts(), f.loop()); fits < widths.back()) widths.push_back(fits);
  Int last = 0;
  for (Int b : widths) {
    f.b = b;
    if (const Int rounds = computations(summa_held(*sought.problem, f)); rounds != std::exchange(last, rounds))
      all.push_back(f);
  }
}

std::vector<SummaForm> variants(const Sought& sought) {
  std::vector<SummaForm> all;
  for (char stays : {'c', 'a', 'b'}) add_held(sought, stays, all);
  for (const auto& [pr, pc] : grids_2d(sought))
    for (char stays : {'c', 'a', 'b'}) {
      SummaForm f{pr, pc, 1, stays};
      const Int piece = std::max<Int>(1, ceil_div(f.inner(sought.dims), std::max(pr, pc)));
      for (Int b : widths(piece, 8, width_that_fits(sought, f.parts(), f.loop()))) all.push_back((f.b = b, f));
    }
  return all;
}

// Blocks of the caller's need not be even: where some ranks have none, nothing is certain of what others receive.
bool all_hold(const Layout& l) {
  constexpr Int looked_at = 128;
  for (Int r = 0; r < std::min(l.grid.size(), looked_at); ++r)
    if (l.words(r) == 0) return false;
  return true;
}

Outline outline(const Sought& sought, const SummaForm& f) {
  const Int inner = f.inner(sought.dims);
  if (!f.held) return in_panels(sought, f.parts(), f.loop(), f.b);
  Outline o = spread_evenly(sought, f.parts(), f.loop(), std::max<Int>(1, ceil_div(inner, f.b)), std::min(inner, f.b));
  o.stays = f.stationary;
  const GemmProblem& p = *sought.problem;
  if (!all_hold(*(f.stationary == 'a' ? p.a : f.stationary == 'b' ? p.b : p.c))) o.before_last = 0;
  return o;
}

// The form that makes as many rounds of another problem; blocks that are dealt stay as they are.
SummaForm alike(SummaForm f, Int rounds, const GemmProblem& p) {
  if (!f.cyclic) f.b = std::max<Int>(1, ceil_div(f.inner(p), rounds));
  return f;
}

}  // namespace

Algorithm summa_algorithm() {
  return Typed<SummaForm>{"summa", parse_summa, print_summa, make_summa, variants, outline, alike};
}

}  // namespace cairn
