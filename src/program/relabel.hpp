// A program of a position, for the rank that acts there.
#pragma once
#include "model/labels.hpp"
#include "program/program.hpp"

namespace cairn {

/// Puts ranks in place of positions wherever the program of messages names its peers.
void relabel(Program& program, const Labels& labels);

}  // namespace cairn
