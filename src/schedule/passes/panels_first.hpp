// The order of steps where a matrix is overwritten panel by panel.
#pragma once
#include "schedule/effect.hpp"

namespace cairn {

/// Splits every update of a matrix into what the steps after it go on with, up to the next update of as much, and the
/// rest, which is put off until those steps are done: the next panel is finished, and on its way to other ranks, while
/// the rest is updated with the panel before.  [communication-avoiding-overlapping-2012 §VII.A]
/// Only where a matrix is overwritten; of products nothing is needed before all of them are added up.
/// `pass_on_amid`: what passes on the panel that has arrived, as the second broadcast of Cholesky's does, comes amid
/// the rest instead of after it.
Schedule panels_first(Schedule schedule, bool pass_on_amid = false);

/// Whether a step sends on a panel that has arrived before, where a matrix is overwritten.
bool passes_on(const Schedule& schedule, const Access& access);

/// Whether what two slots name has no element in common, whatever the rank.
bool apart(const Schedule& schedule, Slot a, Slot b);

}  // namespace cairn
