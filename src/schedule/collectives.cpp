#include "schedule/collectives.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "cairn/error.hpp"

namespace cairn {

namespace {

constexpr std::array<std::string_view, 4> collectives{"bcast", "reduce", "allgather", "reduce_scatter"};
constexpr std::array<std::string_view, 16> names{
    "open",           "flat",   "binomial", "binary", "chain",    "near",  "scatter_allgather", "scatter_bruck",
    "scatter_gather", "direct", "packed",   "ring",   "doubling", "bruck", "halving",           "tree"};

constexpr std::array bcasts{Way::flat, Way::binomial,          Way::binary,       Way::chain,
                            Way::near, Way::scatter_allgather, Way::scatter_bruck};
constexpr std::array reductions{Way::flat, Way::binomial, Way::binary, Way::chain, Way::near, Way::scatter_gather};
constexpr std::array gathers{Way::direct, Way::packed, Way::ring, Way::doubling, Way::bruck};
constexpr std::array reduce_scatters{Way::direct, Way::packed, Way::ring, Way::halving, Way::tree};

std::string_view trimmed(std::string_view s) {
  const std::size_t first = s.find_first_not_of(" \t");
  if (first == s.npos) return {};
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

// Cuts off and returns what stands before `mark`, or all.
std::string_view before(std::string_view& rest, char mark) {
  const std::size_t at = rest.find(mark);
  const std::string_view head = rest.substr(0, at);
  rest = at == rest.npos ? std::string_view() : rest.substr(at + 1);
  return trimmed(head);
}

Collective find_collective(std::string_view name) {
  for (std::size_t c = 0; c < collectives.size(); ++c)
    if (collectives[c] == name) return static_cast<Collective>(c);
  throw ArgumentError(
      fmt::format("collectives: '{}' is unknown, expected one of {}", name, fmt::join(collectives, ", ")));
}

How parse_how(Collective of, std::string_view text) {
  const bool counted = text.find(':') != text.npos;
  const std::string_view name = before(text, ':'), count = trimmed(text);
  const std::optional<Way> way = find_way(of, name);
  if (!way)
    throw ArgumentError(
        fmt::format("collectives: '{}' is no way of {}, expected one of {}", name, name_of(of), list_of_ways(of)));
  How how{*way, 0};
  if (!counted) return how;
  constexpr Int most = 1 << 20;
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), how.segments);
  const bool number = error == std::errc() && end == count.data() + count.size();
  if (how.way != Way::chain || !number || how.segments < 1 || how.segments > most)
    throw ArgumentError(fmt::format("collectives: '{}:{}', expected a number of segments from 1 to {} after chain only",
                                    name, count, most));
  return how;
}

}  // namespace

std::string_view name_of(Collective collective) { return collectives[static_cast<std::size_t>(collective)]; }
std::string_view name_of(Way way) { return names[static_cast<std::size_t>(way)]; }

std::string text_of(const How& how) {
  const std::string_view name = name_of(how.way);
  return how.segments > 0 ? fmt::format("{}:{}", name, how.segments) : std::string(name);
}

std::span<const Way> ways_of(Collective collective) {
  switch (collective) {
    case Collective::bcast: return bcasts;
    case Collective::reduce: return reductions;
    case Collective::allgather: return gathers;
    case Collective::reduce_scatter: break;
  }
  return reduce_scatters;
}

std::optional<Way> find_way(Collective collective, std::string_view name) {
  for (Way way : ways_of(collective))
    if (name_of(way) == name) return way;
  return std::nullopt;
}

std::string list_of_ways(Collective collective) {
  std::vector<std::string_view> all;
  for (Way way : ways_of(collective)) all.push_back(name_of(way));
  return fmt::format("{}", fmt::join(all, ", "));
}

Collectives parse_collectives(std::string_view text) {
  Collectives asked;
  if (trimmed(text).empty()) return asked;
  while (true) {
    const bool last = text.find(',') == text.npos;
    std::string_view item = before(text, ',');
    if (item.find('=') == item.npos)
      throw ArgumentError(fmt::format("collectives: '{}', expected such as 'bcast=binomial, allgather=ring'", item));
    const Collective of = find_collective(before(item, '='));
    if (asked[of] != How()) throw ArgumentError(fmt::format("collectives: {} is named twice", name_of(of)));
    asked[of] = parse_how(of, trimmed(item));
    if (last) return asked;
  }
}

}  // namespace cairn
