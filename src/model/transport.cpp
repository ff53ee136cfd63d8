#include "model/transport.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "cairn/error.hpp"

namespace cairn {

namespace {

constexpr std::array<std::string_view, 3> names{"two-sided", "one-sided", "node-shared"};  // by Transport

}  // namespace

std::string_view name_of(Transport transport) { return names[static_cast<std::size_t>(transport)]; }

Transport transport_named(std::string_view name) {
  for (std::size_t t = 0; t < names.size(); ++t)
    if (names[t] == name) return static_cast<Transport>(t);
  if (name.empty()) return Transport::two_sided;
  throw ArgumentError(fmt::format("transport: '{}' is unknown, expected one of {}", name, fmt::join(names, ", ")));
}

}  // namespace cairn
