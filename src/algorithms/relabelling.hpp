// Which rank should hold which part of a matrix that changes its layout, where that is free [costa-2021].
#pragma once
#include "cairn/problem.hpp"
#include "model/labels.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// `b` with its parts on those of `ranks` ranks on which the fewest words of op(A), held in layout `a`, must be moved:
/// of all best ones one that leaves most parts where they are. Cost: ranks × parts, and an assignment.
Layout least_moved(Op op, const Layout& a, const Layout& b, Int ranks);

/// How a multiplication's ranks are named anew, and how many words fewer that moves.
struct Relabelling {
  Labels labels;
  Int saved_words = 0;
};

/// The labels with which the fewest words are moved between the problem's layouts of A, B, C, those that are given, and
/// the schedule's own, all together, where ranks trade places only within `unit` consecutive ranks; none where each has
/// its own place best. Cost: ranks × unit, and assignments.
Relabelling least_moving(const GemmProblem& problem, const Schedule& schedule, Int unit);

}  // namespace cairn
