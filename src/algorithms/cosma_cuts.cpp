// "pm2,pn2,pk2,sk4": COSMA's and CARMA's cuts as people type them.
#include <fmt/format.h>

#include <charconv>

#include "algorithms/arguments.hpp"
#include "algorithms/cosma.hpp"
#include "cairn/error.hpp"

namespace cairn {

std::vector<CosmaCut> parse_cosma_cuts(std::string_view text) {
  std::vector<CosmaCut> cuts;
  for (bool more = !text.empty(); more;) {
    const std::string_view word = text.substr(0, text.find(','));
    more = word.size() < text.size();
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    Int parts = 0;
    const char* end = word.data() + word.size();
    const bool shaped =
        word.size() >= 3 && (word[0] == 'p' || word[0] == 's') && (word[1] == 'm' || word[1] == 'n' || word[1] == 'k');
    const auto number = shaped ? std::from_chars(word.data() + 2, end, parts) : std::from_chars_result{};
    if (!shaped || number.ptr != end || number.ec != std::errc() || parts < 1)
      throw ArgumentError(
          fmt::format("algorithm: '{}' is not a cut, expected p or s, then m, n or k, then a number "
                      "of parts, as in cosma pm2,pn2,pk2,sk4",
                      word));
    if (parts > 1) cuts.push_back({word[0], word[1], parts});
  }
  Int rounds = 1;
  for (char dim : {'m', 'n', 'k'})
    if (__builtin_mul_overflow(rounds, parts_of(cuts, 's', dim), &rounds) || rounds > most_turns)
      throw ArgumentError(fmt::format("algorithm: more than {} rounds, expected fewer sequential parts", most_turns));
  return cuts;
}

std::string print_cosma_cuts(const std::vector<CosmaCut>& cuts) {
  std::string text;
  for (const CosmaCut& c : cuts) text += fmt::format("{}{}{}{}", text.empty() ? "" : ",", c.kind, c.dim, c.parts);
  return text.empty() ? "pm1" : text;
}

Int parts_of(const std::vector<CosmaCut>& cuts, char kind, char dim) {
  Int product = 1;
  for (const CosmaCut& c : cuts)
    if (c.kind == kind && c.dim == dim && __builtin_mul_overflow(product, c.parts, &product))
      throw ArgumentError("algorithm: the cuts make more parts than a 64-bit integer counts");
  return product;
}

}  // namespace cairn
