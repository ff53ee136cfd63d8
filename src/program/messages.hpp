// What every lowering does with the messages of its operations.
#pragma once
#include <functional>

#include "program/program.hpp"

namespace cairn {

/// Gives the messages of an exchange their requests: the next ones of the program.
void number(Program& program, Exchange& x);
/// Gives the sends of a sum their numbers.
void number(Program& program, SumExchange& x);
/// An exchange of a step that leaves with a product (schedule/ahead.hpp) waits for all that this product waits for; to
/// other nodes also for what the rank itself sends until then, which others need as much.
void hold_back(Program& program, const std::vector<std::size_t>& leaves_with);
/// Counts what all operations receive; of it, what comes from those elsewhere is from other nodes.
void count_arrivals(Program& program, const std::function<bool(int peer)>& elsewhere);

}  // namespace cairn
