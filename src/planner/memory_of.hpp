// What a candidate holds, without counting every rank or making every panel.
#pragma once
#include "planner/candidate.hpp"
#include "planner/draft.hpp"

namespace cairn {

/// Words that the fullest rank holds, exactly as count finds them.
Int memory_of(const Drafts& drafts, const Sought& sought, const Family& family, const Candidate& candidate);

}  // namespace cairn
