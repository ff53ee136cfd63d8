// Why a plan was chosen, and why others were not, in words.
#pragma once
#include "planner/plan_data.hpp"

namespace cairn {

/// What other transports would take, to be said after the plan's own; nothing if none was compared.
std::string why_by(const Plan::Data& plan);

/// One sentence: why this plan.
std::string reason(const Plan::Data& plan);

/// The same of an other that is only sketched, so many times as long and with so many times the words.
std::string why_not_sketched(double seconds, double received, bool by_words);
/// What the other would cost more than the plan chosen, of which these figures are: "20.0 % more words, 8.1 % longer".
std::string why_not(const RunnerUp& other, const Totals& totals, double seconds, bool by_words);

}  // namespace cairn
