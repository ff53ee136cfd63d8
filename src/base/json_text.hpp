// JSON as it is printed and written to files.
#pragma once
#include <string>

namespace cairn {

/// Of an object of nlohmann's, in lines. Its texts are UTF-8; names of files need not be, and bytes in them that are
/// not become U+FFFD.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cairn
