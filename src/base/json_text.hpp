// JSON as it is printed and read.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Of an object of nlohmann's, in lines. Its texts are UTF-8; names of files need not be, and bytes in them that are
/// not become U+FFFD.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Of nlohmann's; discarded where `text` is no JSON. Calls repeated(key), which throws, where an object has a key
/// twice: nlohmann would take the last.
template <class Json, class Repeated>
Json parse_json(std::string_view text, Repeated repeated) {
  std::vector<std::set<std::string>> keys;  // of each object around the place that is read
  const auto look = [&](int /*depth*/, typename Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto key = parsed.template get<std::string>();
    if (!keys.back().insert(key).second) repeated(key);
    return true;
  };
  return Json::parse(text, look, false);
}

}  // namespace cairn
