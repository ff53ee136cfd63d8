// Letters among the arguments of a call: which they are, whatever their case, and what they mean.
#pragma once
#include <cctype>

#include "cairn/types.hpp"

namespace cairn::scalapack {

inline char upper(const char* letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(*letter))); }

inline bool is_op(char trans) { return trans == 'N' || trans == 'T' || trans == 'C'; }
inline Op op_of(char trans) { return trans == 'N' ? Op::none : trans == 'T' ? Op::transpose : Op::adjoint; }

}  // namespace cairn::scalapack
