#include "scalapack/original.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "cairn/comm.hpp"
#include "scalapack/integers.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

namespace {

[[gnu::tls_model("initial-exec")]] thread_local int depth = 0;

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "cairn: {}\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace

void no_original(const char* name) {
  give_up(fmt::format("{} was not found after Cairn's: expected a program that is linked with ScaLAPACK, too", name));
}

// ScaLAPACK's routines call each other two or three deep.
InsideOriginal::InsideOriginal() {
  constexpr int deepest = 16;
  if (++depth > deepest)
    give_up("the routine that was taken for ScaLAPACK's calls Cairn's, which calls it again: expected ScaLAPACK");
}
InsideOriginal::~InsideOriginal() { --depth; }

bool unseen() { return settings().use == Settings::Use::never || depth > 0 || integers_have_64_bits(); }

}  // namespace cairn::scalapack
