// The ways in which collectives can be carried out: their names, and what a caller asks for.
// What each costs and where it comes from: docs/collectives.md.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cairn/types.hpp"

namespace cairn {

enum class Collective : std::uint8_t { bcast, reduce, allgather, reduce_scatter };

enum class Way : std::uint8_t {
  open,               ///< not chosen yet
  flat,               ///< the root with every other
  binomial,           ///< a tree, shortest distances at the root first
  binary,             ///< a tree in which nobody has more than two children
  chain,              ///< from neighbour to neighbour, in segments
  near,               ///< a binomial tree, longest distances first: most messages go to neighbours
  scatter_allgather,  ///< bcast: a part for each, then a ring
  scatter_bruck,      ///< bcast: a part for each, then Bruck's gather
  scatter_gather,     ///< reduce: halving, then gather the parts
  direct,             ///< each with each
  packed,    ///< the same, of pieces that are packed and unpacked by themselves: messages are one run of memory
  ring,      ///< parts travel around the axis
  doubling,  ///< twice as many parts in every exchange
  bruck,     ///< the same for any number of ranks
  halving,   ///< half as many parts in every exchange
  tree       ///< reduce_scatter: all to one rank, which hands out the parts
};

/// How a step is carried out.
struct How {
  Way way = Way::open;
  Int segments = 0;  ///< of a chain; 0: not chosen
  bool operator==(const How&) const = default;
};

std::string_view name_of(Collective collective);
std::string_view name_of(Way way);
/// "ring", "chain:8"
std::string text_of(const How& how);

/// The ways that carry out a collective, without `open`.
std::span<const Way> ways_of(Collective collective);
std::optional<Way> find_way(Collective collective, std::string_view name);
/// "flat, binomial, …"
std::string list_of_ways(Collective collective);

/// What a caller asks for, by Collective; `open` where nothing is asked.
struct Collectives {
  std::array<How, 4> how{};
  How& operator[](Collective c) { return how[static_cast<std::size_t>(c)]; }
  const How& operator[](Collective c) const { return how[static_cast<std::size_t>(c)]; }
  bool operator==(const Collectives&) const = default;
};

/// Options::collectives, "bcast=chain:8, allgather=ring". Throws ArgumentError that lists the names there are.
Collectives parse_collectives(std::string_view text);

}  // namespace cairn
