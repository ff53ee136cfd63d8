// What the environment says, read once.
#pragma once
#include <cstdint>
#include <string>

namespace cairn::scalapack {

struct Settings {
  enum class Use : std::uint8_t {
    never,  ///< CAIRN_SCALAPACK=off: every call goes to ScaLAPACK
    worth,  ///< unset or auto: what is expected to gain is handled
    always  ///< CAIRN_SCALAPACK=always: all that can be handled is, however small
  };
  Use use = Use::worth;
  bool verbose = false;  ///< CAIRN_VERBOSE=1: a line a call, on stderr of the first rank of its grid
  bool summary = false;  ///< CAIRN_SUMMARY=1: a page when the program ends
  /// CAIRN_MEMORY=2GiB: what a rank may hold in a call, its parts of the matrices included; a call that needs more goes
  /// to ScaLAPACK. Empty: no limit.
  std::string memory;
  /// What could not be understood, a line each; it has no effect.
  std::string problems;
};

/// What such values of the variables mean; null: not set.
Settings parse_settings(const char* use, const char* verbose, const char* summary, const char* memory);

/// The process's settings; their problems are printed when they are first asked for.
const Settings& settings();

}  // namespace cairn::scalapack
