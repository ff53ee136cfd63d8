// What a candidate holds, without counting every rank or making every panel.
#pragma once
#include "planner/candidate.hpp"
#include "planner/draft_plan.hpp"

namespace cairn {

/// The first rank, and for every axis its neighbour and the one at the far end; if axes are few, along several at once.
std::vector<Int> corners(const Grid& grid);

/// Whether closed forms know what a rank holds: in COSMA's and each algorithm's own layouts, by messages.
bool as_closed_forms_know(const Drafts& drafts);

/// A product with fewer panels in which a rank holds as much beside its own parts of A, B and C as in the whole one: a
/// few for each of the ranks that own them. Nothing if that is not shorter.
std::optional<Dims> shortened(const Dims& dims, const Outline& outline, int look_ahead);

/// Words that the fullest rank holds, exactly as count finds them.
Int memory_of(const Drafts& drafts, const Draft& draft);
Int memory_of(const Drafts& drafts, const Sought& sought, const Family& family, const Candidate& candidate);

}  // namespace cairn
