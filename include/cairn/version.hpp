// Which version of Cairn these headers are of.
#pragma once
#include "cairn/version.h"

namespace cairn {

/// "major.minor.patch" of these headers.
inline constexpr const char* version = CAIRN_VERSION;

}  // namespace cairn
