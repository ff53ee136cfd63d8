// The spelling of SUMMA.
#include <fmt/format.h>

#include "algorithms/arguments.hpp"
#include "algorithms/summa.hpp"
#include "base/arithmetic.hpp"

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

// Blocks that are dealt stay as they are.
SummaForm summa_alike(SummaForm f, Int rounds, const GemmProblem& p) {
  const Int inner = f.stationary == 'a' ? p.n : f.stationary == 'b' ? p.m : p.k;
  if (!f.cyclic) f.b = std::max<Int>(1, ceil_div(inner, rounds));
  return f;
}

}  // namespace cairn
