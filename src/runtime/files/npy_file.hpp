// The elements of .npy files, each rank its own part, through MPI-IO.
#pragma once
#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "io/npy.hpp"

namespace cairn {

/// Fills `matrix` from the file. Collective; errors are the same on all ranks.
template <class T>
void read_npy(const Comm& comm, const FileInfo& file, const io::NpyHeader& header, const DistMatrix<T>& matrix,
              const ReadOptions& options);

/// Writes header and elements into the existing, empty file `path`; errors call it `name`.
template <class T>
void write_npy_elements(const Comm& comm, const std::string& path, const std::string& name, const DistMatrix<T>& matrix,
                        const WriteOptions& options);

}  // namespace cairn
