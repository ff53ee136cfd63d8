// What a benchmark is told: words, `name=value`, `name=1,2,3` and `name=1x2,3x4`. What is wrong with it is a
// std::invalid_argument, the same on all ranks.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cairn/error.hpp"
#include "cairn/types.hpp"

/// work() of a benchmark: 0, or 2 where an argument is wrong, which the rank that `speaks` says in one line.
template <class Work>
int run_benchmark(const std::string& program, bool speaks, Work work) {
  std::string wrong;
  try {
    work();
    return 0;
  } catch (const std::invalid_argument& error) {
    wrong = error.what();
  } catch (const cairn::ArgumentError& error) {
    wrong = error.what();
  } catch (const cairn::FileError& error) {
    wrong = error.what();
  }
  if (speaks) fmt::print(stderr, "{}: {}\n", program.substr(program.rfind('/') + 1), wrong);
  return 2;
}

/// `text`, as `1x2,3x4`: groups of `each` whole numbers; `said` is what errors show.
inline std::vector<std::vector<cairn::Int>> whole_numbers(const std::string& said, const std::string& text,
                                                          std::size_t each, int least = 1) {
  std::vector<std::vector<cairn::Int>> all(1);
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    int x = 0;
    const auto read = std::from_chars(at, end, x);
    if (read.ec != std::errc() || x < least) break;
    at = read.ptr;
    all.back().push_back(x);
    const bool whole = all.back().size() == each;
    if (whole && at == end) return all;
    if (at == end || *at++ != (whole ? ',' : 'x')) break;
    if (whole) all.emplace_back();
  }
  constexpr std::array<const char*, 3> examples{"1,2,3", "1x2,3x4", "1x2x3,4x5x6"};
  throw std::invalid_argument(fmt::format("{}: expected whole numbers from {} to {}, as {}", said, least,
                                          std::numeric_limits<int>::max(), examples.at(each - 1)));
}

inline cairn::Int whole_number(const std::string& said, const std::string& text, int least = 1) {
  const auto all = whole_numbers(said, text, 1, least);
  if (all.size() > 1) throw std::invalid_argument(said + ": expected one number");
  return all[0][0];
}

struct Arguments {
  std::map<std::string, std::string> given;
  /// `known`: all words that there are, and all names, with `=`.
  Arguments(int argc, char** argv, const std::vector<std::string>& known) {
    for (int a = 1; a < argc; ++a) {
      const std::string word = argv[a];
      const std::size_t at = std::min(word.find('='), word.size());
      expect(word, word.substr(0, at + 1), known);
      given[word.substr(0, at)] = word.substr(std::min(at + 1, word.size()));
    }
  }
  std::string text(const std::string& name, const std::string& absent) const {
    const auto found = given.find(name);
    return found == given.end() ? absent : found->second;
  }
  std::vector<std::vector<cairn::Int>> lists(const std::string& name, const std::string& absent,
                                             std::size_t each) const {
    const std::string said = text(name, absent);
    return whole_numbers(name + "=" + said, said, each);
  }
  std::vector<cairn::Int> numbers(const std::string& name, const std::string& absent) const {
    std::vector<cairn::Int> all;
    for (const auto& list : lists(name, absent, 1)) all.push_back(list[0]);
    return all;
  }
  cairn::Int number(const std::string& name, const std::string& absent, int least = 1) const {
    const std::string said = text(name, absent);
    return whole_number(name + "=" + said, said, least);
  }
  double decimal(const std::string& name, const std::string& absent, double least = 0) const {
    const std::string number = text(name, absent);
    const char* const end = number.data() + number.size();
    double x = 0;
    if (const auto read = std::from_chars(number.data(), end, x);
        read.ec != std::errc() || read.ptr != end || !std::isfinite(x) || x < least)
      throw std::invalid_argument(fmt::format("{}={}: expected a number of at least {}", name, number, least));
    return x;
  }
  /// Some of `known`, where that is not empty.
  std::vector<std::string> words(const std::string& name, const std::string& absent,
                                 const std::vector<std::string>& known = {}) const {
    std::vector<std::string> all;
    const std::string said = text(name, absent);
    std::istringstream from(said);
    for (std::string word; std::getline(from, word, ',');) all.push_back(word);
    if (all.empty()) all.emplace_back();
    for (const std::string& word : all)
      if (!known.empty()) expect(name + "=" + said, word, known);
    return all;
  }
  /// `grids=…` of all ranks; absent on two ranks: `on_two`.
  std::vector<std::vector<cairn::Int>> grids(int ranks, const std::string& on_two = "1x2,2x1") const {
    const std::string usual = ranks % 2 != 0 ? fmt::format("1x{}", ranks) : fmt::format("2x{}", ranks / 2);
    const auto all = lists("grids", ranks == 2 ? on_two : usual, 2);
    for (const auto& grid : all)
      if (grid[0] * grid[1] != ranks)
        throw std::invalid_argument(fmt::format("grids={}x{}: expected as many as {} ranks", grid[0], grid[1], ranks));
    return all;
  }
  /// `products=…`, or every m × n × k of `sizes=…`.
  std::vector<std::vector<cairn::Int>> products() const {
    if (given.count("products")) return lists("products", "", 3);
    std::vector<std::vector<cairn::Int>> all;
    const std::vector<cairn::Int> each = numbers("sizes", "32,64,128,256,512,1024,2048,4096");
    for (cairn::Int m : each)
      for (cairn::Int n : each)
        for (cairn::Int k : each) all.push_back({m, n, k});
    return all;
  }

 private:
  static void expect(const std::string& said, const std::string& name, const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument(fmt::format("{}: expected some of {}", said, fmt::join(known, ", ")));
  }
};
