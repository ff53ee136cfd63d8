// Small JSON files among the user's caches: what was measured, host by host, the latest first. A file that cannot be
// read or written only costs the time of measuring again.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace cairn {

using Json = nlohmann::ordered_json;

/// cairn/NAME below $XDG_CACHE_HOME, or ~/.cache. Empty if neither is known.
std::string kept_file(const std::string& name);

/// All hosts' entries; an empty list if there is no such file, or another one.
Json kept_entries(const std::string& path);

/// Puts an entry before those of other hosts, who share home directories; `keeps` says which of these stay. False if
/// that is impossible, which harms nobody.
bool keep_entry(const std::string& path, const std::string& about, const Json& entry,
                const std::function<bool(const Json&)>& keeps);

/// A value for each host, and how they are written.
template <class Host, class Value>
struct Kept {
  const char* about;
  Host (*host)(const Json& entry);
  std::optional<Value> (*value)(const Json& entry);  ///< nothing if it makes no sense
  Json (*entry)(const Host& host, const Value& value);

  std::optional<Value> find(const std::string& path, const Host& of) const {
    for (const Json& e : kept_entries(path))
      if (host(e) == of) return value(e);
    return {};
  }
  bool keep(const std::string& path, const Host& of, const Value& found) const {
    return keep_entry(path, about, entry(of, found), [&](const Json& e) { return !(host(e) == of) && value(e); });
  }
};

/// Text under a key; empty if there is none.
std::string text_in(const Json& object, const char* key);
/// A number above 0 under a key; else 0.
double positive_in(const Json& object, const char* key);

}  // namespace cairn
