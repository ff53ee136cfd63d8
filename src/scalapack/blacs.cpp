#include "scalapack/blacs.hpp"

#include <fmt/format.h>

#include "cairn/error.hpp"
#include "scalapack/symbol.hpp"

extern "C" {
[[gnu::weak]] void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
[[gnu::weak]] void Cblacs_get(int context, int what, int* value);
[[gnu::weak]] MPI_Comm Cblacs2sys_handle(int handle);
[[gnu::weak]] void Cblacs_abort(int context, int code);
[[gnu::weak]] void PB_Cabort(int context, char* routine, int info);
[[gnu::weak]] void PB_Cwarn(int context, int line, char* routine, char* format, ...);
}

namespace cairn::scalapack {

namespace {

constexpr int context_of_grid = 10;  // what Cblacs_get calls the system's context of a grid

template <class F>
F* required(F* linked, const char* name) {
  F* const found = find_symbol(linked, name);
  if (!found) throw RuntimeError(fmt::format("{} was not found: expected a program that is linked with BLACS", name));
  return found;
}

}  // namespace

ProcessGrid grid_of(int context) {
  static auto* const gridinfo = required(&Cblacs_gridinfo, "Cblacs_gridinfo");
  ProcessGrid g;
  gridinfo(context, &g.rows, &g.cols, &g.row, &g.col);
  return g;
}

Comm comm_of(int context) {
  static auto* const get = required(&Cblacs_get, "Cblacs_get");
  static auto* const system_handle = required(&Cblacs2sys_handle, "Cblacs2sys_handle");
  int handle = 0;
  get(context, context_of_grid, &handle);
  return Comm(system_handle(handle));
}

void warn(int context, const char* routine, const std::string& message) {
  std::string name = routine, format = "%s", text = message;  // PBLAS's C takes them without const
  if (auto* const pb_warn = find_symbol(&PB_Cwarn, "PB_Cwarn"))
    pb_warn(context, -1, name.data(), format.data(), text.data());
  else
    fmt::print(stderr, "{}: {}\n", routine, message);
}

void abort(int context, const char* routine, int info) {
  std::string name = routine;
  if (auto* const pb_abort = find_symbol(&PB_Cabort, "PB_Cabort")) return pb_abort(context, name.data(), info);
  fmt::print(stderr, "{}: parameter number {} had an illegal value\n", routine, info < -100 ? -info / 100 : -info);
  if (auto* const blacs_abort = find_symbol(&Cblacs_abort, "Cblacs_abort")) return blacs_abort(context, info);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace cairn::scalapack
