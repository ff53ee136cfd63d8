// What functions of matrices expect of their arguments.
#pragma once
#include <optional>
#include <string>

#include "cairn/matrix_functions.hpp"

namespace cairn {

/// Each throws ArgumentError on all ranks if a rank's argument is wrong, or differs where it must not.
void require_options(const Comm& comm, const FunctionOptions& options);
/// In the same blocks in rows and columns, and finite.
template <class T>
void require_square(const BlockSparse<T>& A, const char* name);
/// And Hermitian, up to the square root of rounding errors.
template <class T>
void require_hermitian(const BlockSparse<T>& A, const char* name);

}  // namespace cairn
