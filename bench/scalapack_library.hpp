// The ScaLAPACK beside which the drop-in is timed.
#pragma once
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <cstdint>

#include "cairn/types.hpp"

struct Library {
  void* handle = dlopen(CAIRN_SCALAPACK_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  template <class F>
  F find(const char* name) const {
    const F found = handle ? reinterpret_cast<F>(reinterpret_cast<std::uintptr_t>(dlsym(handle, name))) : nullptr;
    if (found) return found;
    fmt::print(stderr, "{} in {}: {}\n", name, CAIRN_SCALAPACK_LIBRARY, dlerror());
    MPI_Abort(MPI_COMM_WORLD, 1);
    return nullptr;
  }
};

// The ScaLAPACK grid of all ranks.
class BlacsGrid {
 public:
  BlacsGrid(const Library& library, cairn::Int rows, cairn::Int cols) : library_(library), rows_(rows), cols_(cols) {
    library.find<void (*)(int, int, int*)>("Cblacs_get")(-1, 0, &context_);
    library.find<void (*)(int*, const char*, int, int)>("Cblacs_gridinit")(&context_, "Row", static_cast<int>(rows),
                                                                           static_cast<int>(cols));
  }
  ~BlacsGrid() { library_.find<void (*)(int)>("Cblacs_gridexit")(context_); }
  BlacsGrid(const BlacsGrid&) = delete;
  BlacsGrid& operator=(const BlacsGrid&) = delete;
  int context() const { return context_; }
  cairn::Int rows() const { return rows_; }
  cairn::Int cols() const { return cols_; }

 private:
  const Library& library_;
  cairn::Int rows_, cols_;
  int context_ = 0;
};
