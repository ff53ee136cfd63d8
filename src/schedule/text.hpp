// Schedules as text: what people review, diff and keep as golden files.  parse(print(s)) == s.
// The notation is taught on an example in docs/how_to_read_a_schedule.md.
#pragma once
#include <string>
#include <string_view>

#include "schedule/schedule.hpp"

namespace cairn {

struct PrintOptions {
  /// The builder line that made each step. Golden files leave it out: it moves whenever code does.
  bool sources = true;
  /// What a slot holds and what a step makes, for people: nothing reads it.
  bool comments = true;
};

/// Exact as long as fields that a Cut's kind does not use are zero, as every maker of cuts leaves
/// them.
std::string print(const Schedule& schedule, const PrintOptions& options = {});
/// For ranks to agree on: the same for equal schedules, whoever built them, and for others only by coincidence.
std::size_t fingerprint(const Schedule& schedule);
/// Throws ArgumentError naming the line, the column and what was expected there, whatever the
/// bytes.
Schedule parse_schedule(std::string_view text);
/// "A[0:64/i, 0:64/(l,4*,j)]"; on another grid than `grid`, that grid follows: " on {pr:2, pc:2}".
std::string print(const SlotInfo& slot, const Grid& grid);
/// A layout in words that differ where layouts differ, for ranks to agree on.
std::string text_of(const Layout& layout);

}  // namespace cairn
