// What a benchmark is told: words, `name=value`, `name=1,2,3` and `name=1x2,3x4`.
#pragma once
#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cairn/types.hpp"

struct Arguments {
  std::map<std::string, std::string> given;
  Arguments(int argc, char** argv) {
    for (int a = 1; a < argc; ++a) {
      const std::string word = argv[a];
      const std::size_t at = std::min(word.find('='), word.size());
      given[word.substr(0, at)] = word.substr(std::min(at + 1, word.size()));
    }
  }
  std::string text(const std::string& name, const std::string& absent) const {
    const auto found = given.find(name);
    return found == given.end() ? absent : found->second;
  }
  std::vector<std::vector<cairn::Int>> lists(const std::string& name, const std::string& absent) const {
    std::vector<std::vector<cairn::Int>> all{{0}};
    const std::string said = text(name, absent);
    for (char c : said) {
      if (c != ',' && c != 'x' && (c < '0' || c > '9'))
        throw std::invalid_argument(name + "=" + said + ": expected whole numbers, as 1,2,3 or 1x2,3x4");
      if (c == ',')
        all.push_back({0});
      else if (c == 'x')
        all.back().push_back(0);
      else
        all.back().back() = 10 * all.back().back() + (c - '0');
    }
    return all;
  }
  std::vector<cairn::Int> numbers(const std::string& name, const std::string& absent) const {
    std::vector<cairn::Int> all;
    for (const auto& list : lists(name, absent)) all.push_back(list[0]);
    return all;
  }
  double decimal(const std::string& name, const std::string& absent) const {
    const std::string number = text(name, absent);
    const char* const end = number.data() + number.size();
    double x = 0;
    if (const auto read = std::from_chars(number.data(), end, x); read.ec != std::errc() || read.ptr != end)
      throw std::invalid_argument(name + "=" + number + ": expected a number");
    return x;
  }
  std::vector<std::string> words(const std::string& name, const std::string& absent) const {
    std::vector<std::string> all;
    std::istringstream from(text(name, absent));
    for (std::string word; std::getline(from, word, ',');) all.push_back(word);
    return all;
  }
  /// `grids=…`, for two ranks and for more.
  std::vector<std::vector<cairn::Int>> grids(int ranks) const {
    return lists("grids", ranks == 2 ? "1x2,2x1" : "2x" + std::to_string(ranks / 2));
  }
  /// `products=…`, or every m × n × k of `sizes=…`.
  std::vector<std::vector<cairn::Int>> products() const {
    std::vector<std::vector<cairn::Int>> all = lists("products", "");
    if (all[0].size() == 3) return all;
    all.clear();
    const std::vector<cairn::Int> each = numbers("sizes", "32,64,128,256,512,1024,2048,4096");
    for (cairn::Int m : each)
      for (cairn::Int n : each)
        for (cairn::Int k : each) all.push_back({m, n, k});
    return all;
  }
};
