// Where, in other ranks' windows, lies what a program fetches, and the places to which it adds.
#pragma once
#include <vector>

#include "cairn/comm.hpp"
#include "program/program.hpp"

namespace cairn {

/// In words from the start of the other rank's window.
struct RemotePlaces {
  std::vector<Int> fetched;  ///< by request
  std::vector<Int> summed;   ///< by number of the send, counted over the program's SumExchanges
};

/// Collective, once a program: every rank tells those that fetch from it, and add to it. No other rank's leading
/// dimensions matter, since blocks of the caller's memory are copied into the window.
RemotePlaces exchange_places(const Comm& comm, const Program& program);

}  // namespace cairn
