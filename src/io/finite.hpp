// Finds NaN and infinity in raw data.
#pragma once
#include "cairn/types.hpp"

namespace cairn::io {

/// Index of the first element that is, or whose real or imaginary part is, NaN or infinite; -1 if
/// there is none. `data` holds `count` elements of `type`; it need not be aligned.
Int first_nonfinite(const void* data, ScalarType type, Int count);

}  // namespace cairn::io
