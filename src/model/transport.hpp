// How words travel between ranks, by name.
#pragma once
#include <string_view>

#include "cairn/types.hpp"

namespace cairn {

enum class Transport : std::uint8_t {
  two_sided,   ///< messages, sent and received
  one_sided,   ///< blocks fetched out of, and sums added into, other ranks' windows
  node_shared  ///< ranks of a node read each other's memory; messages between nodes
};

/// "two-sided", "one-sided", "node-shared".
std::string_view name_of(Transport transport);
/// The transport of that name; two-sided for an empty one. Throws ArgumentError listing the names.
Transport transport_named(std::string_view name);

}  // namespace cairn
