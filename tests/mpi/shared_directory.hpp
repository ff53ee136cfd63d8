// A temporary directory that all ranks see.
#pragma once
#include <mpi.h>

#include <filesystem>
#include <optional>
#include <string>

#include "../io/temporary_directory.hpp"
#include "cairn/comm.hpp"

namespace cairn::testing {

/// One directory for all ranks, made and removed by rank 0.
class SharedDirectory {
 public:
  SharedDirectory() {
    if (Comm::world().rank() == 0) here_.emplace();
    path_ = here_ ? here_->path() : std::string();
    path_.resize(1024);
    MPI_Bcast(path_.data(), 1024, MPI_CHAR, 0, MPI_COMM_WORLD);
    path_.resize(path_.find('\0'));
  }
  ~SharedDirectory() { MPI_Barrier(MPI_COMM_WORLD); }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Files in the directory; the same on all ranks.
  int files() const {
    int count = 0;
    if (here_)
      for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return count;
  }
  /// Collective: a file with that content.
  std::string with(std::string_view name, std::string_view bytes) const {
    if (here_) io::write_bytes(*this / name, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return *this / name;
  }

 private:
  std::optional<io::TemporaryDirectory> here_;
  std::string path_;
};

}  // namespace cairn::testing
