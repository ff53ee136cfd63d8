// Small JSON files among the user's caches: what was measured, host by host, the latest first. A file that cannot be
// read or written only costs the time of measuring again.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
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

/// Text under a key; empty if there is none.
std::string text_in(const Json& object, const char* key);
/// A number above 0 under a key; else 0.
double positive_in(const Json& object, const char* key);

}  // namespace cairn
