#include "scalapack/integers.hpp"

#include <gtest/gtest.h>

namespace cairn::scalapack {
namespace {

TEST(Names64Bits, TellLibrariesByTheirOwnName) {
  for (const char* name : {"/opt/intel/mkl/lib/libmkl_scalapack_ilp64.so.2", "libnvpl_scalapack_ilp64.so.0",
                           "/usr/lib/x86_64-linux-gnu/libscalapack64-openmpi.so.2.2", "./libscalapack_64.so"})
    EXPECT_TRUE(names_64_bits(name)) << name;
  for (const char* name :
       {"/opt/intel/mkl/lib/libmkl_scalapack_lp64.so.2", "/usr/lib64/ilp64/libscalapack.so.2.2",
        "/usr/lib/x86_64-linux-gnu/libscalapack-openmpi.so.2.2", "scalapack64", "/opt/nwchem_ilp64", ""})
    EXPECT_FALSE(names_64_bits(name)) << name;
}

}  // namespace
}  // namespace cairn::scalapack
