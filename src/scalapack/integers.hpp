// ScaLAPACKs whose integers have 64 bits (ILP64): Cairn cannot serve their programs.
#pragma once
#include <string_view>

namespace cairn::scalapack {

/// Whether a library of this name, with or without its path, says that its integers have 64 bits, as
/// libmkl_scalapack_ilp64.so.2, libscalapack64-openmpi.so.2.2 and libscalapack_64.so do. A program's name says nothing.
bool names_64_bits(std::string_view file);

/// Whether the library that the program's p?gemm is in says so; found out, and told with CAIRN_VERBOSE, once.
bool integers_have_64_bits();

}  // namespace cairn::scalapack
