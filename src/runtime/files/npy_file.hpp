// The elements of .npy files, each rank its own part, through MPI-IO; cairn/files.hpp declares how they are written.
#pragma once
#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "io/npy.hpp"

namespace cairn {

/// Fills `matrix` from the file. Collective; errors are the same on all ranks.
template <class T>
void read_npy(const Comm& comm, const FileInfo& file, const io::NpyHeader& header, const DistMatrix<T>& matrix,
              const ReadOptions& options);

}  // namespace cairn
