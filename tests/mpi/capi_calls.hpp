// What all tests of the C API share: handles, the communicator of all ranks, and what a call says.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cairn/cairn.h"
#include "distributed.hpp"

namespace cairn::testing::capi {

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* x) const { release(x); }
};
using CommHandle = std::unique_ptr<cairn_comm, Release<cairn_comm, cairn_comm_free>>;

inline CommHandle world() {
  cairn_comm* comm = nullptr;
  EXPECT_EQ(cairn_comm_create(MPI_Comm_c2f(MPI_COMM_WORLD), &comm), CAIRN_OK);
  return CommHandle(comm);
}
inline int rank() { return Comm(MPI_COMM_WORLD).rank(); }
inline int ranks() { return Comm(MPI_COMM_WORLD).size(); }

inline void expect_message(cairn_status got, cairn_status wanted, const std::string& part) {
  EXPECT_EQ(got, wanted);
  EXPECT_NE(std::string(cairn_error_message()).find(part), std::string::npos) << cairn_error_message();
}

}  // namespace cairn::testing::capi
