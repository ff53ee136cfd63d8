// How much of the long sweeps a run makes.
#pragma once
#include <cstddef>
#include <cstdlib>

namespace cairn::testing {

/// Under `make test-all`: everything. Otherwise a sample that meets every form, every shape and every kind of layout.
inline bool everything() { return std::getenv("CAIRN_TEST_ALL") != nullptr; }

/// Whether a second MPI is tested, under which a sample is run of what has been tested under the first.
inline bool second_mpi() { return std::getenv("CAIRN_TEST_SECOND_MPI") != nullptr && !everything(); }

/// Whether case number so and so of a sweep over MPI is run: all are, of which a second MPI takes one of five. Cases
/// take sides, triangles, operations and depths in turn, by twos and threes; a fifth of them meets every one.
inline bool in_sample(std::size_t number) { return !second_mpi() || number % 5 == 0; }

}  // namespace cairn::testing
