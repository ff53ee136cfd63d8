#include "runtime/kept_file.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cairn/error.hpp"
#include "io/atomic_file.hpp"

namespace cairn {

std::string kept_file(const std::string& name) {
  const auto directory = [](const char* variable) -> std::filesystem::path {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value == '/' ? value : "";  // others are to be ignored [XDG base directories]
  };
  std::filesystem::path base = directory("XDG_CACHE_HOME");
  if (base.empty() && !directory("HOME").empty()) base = directory("HOME") / ".cache";
  return base.empty() ? "" : (base / "cairn" / name).string();
}

Json kept_entries(const std::string& path) {
  constexpr std::uintmax_t most_bytes = 1 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > most_bytes)
    return Json::array();
  std::ifstream file(path, std::ios::binary);
  const Json all = Json::parse(file, nullptr, false);
  if (!all.is_object() || !all.contains("hosts") || !all["hosts"].is_array()) return Json::array();
  return all["hosts"];
}

bool keep_entry(const std::string& path, const std::string& about, const Json& entry,
                const std::function<bool(const Json&)>& keeps) {
  constexpr std::size_t most_hosts = 64;
  if (path.empty()) return false;
  Json all{{"about", about}, {"hosts", Json::array({entry})}};
  for (const Json& other : kept_entries(path))
    if (all["hosts"].size() < most_hosts && keeps(other)) all["hosts"].push_back(other);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  try {
    io::write_whole(path, all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');  // names may be no UTF-8
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string text_in(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

double positive_in(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_number()) return 0;
  const double x = object[key].get<double>();
  return std::isfinite(x) && x > 0 ? x : 0;
}

}  // namespace cairn
