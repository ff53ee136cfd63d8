// An open file of all ranks, through MPI-IO.
#pragma once
#include <mpi.h>

#include <exception>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// Collective to open and to close. Failures are FileErrors that begin with `label`; only open() agrees on them, the
/// other members throw on the ranks concerned, for use in together().
class MpiFile {
 public:
  enum class Mode { read, write };
  MpiFile(const Comm& comm, const std::string& path, Mode mode, std::string label);
  MpiFile(const MpiFile&) = delete;
  MpiFile& operator=(const MpiFile&) = delete;
  ~MpiFile();

  /// Collective: reads the elements at `places` of the file, counted from byte `start` on and ascending, densely into
  /// `data`. A rank may pass none. Throws unless all of them were read. `overlap`: ranks may share some places and not
  /// others, of which Open MPI's collective reads lose the last.
  void read_all(Int start, const IndexSet& places, MPI_Datatype element, void* data, bool overlap);
  /// Not collective.
  void read(Int offset, char* data, Int bytes);
  void write(Int offset, const char* data, Int bytes);
  /// The counterpart of read_all, piece by piece and not collective: when the disk is full, collective writes of Open
  /// MPI 4.1 return on some ranks and wait for ever on the others.
  void write_places(Int start, const IndexSet& places, Int element_bytes, const char* data);
  /// Collective: hands the data to the file system, where a full disk may first be noticed. Throws.
  void sync();
  void close();

 private:
  [[noreturn]] void fail(int code) const;
  void require(int code) const {
    if (code != MPI_SUCCESS) fail(code);
  }
  template <class Transfer>
  void in_pieces(Int bytes, const Transfer& transfer);
  struct View {
    int words = 0;
    int code = MPI_SUCCESS;  ///< a rank whose view failed must still take part in the transfer
    std::exception_ptr error{};
  };
  /// Collective: `places` are then found one after another from offset 0 on.
  View set_view(Int start, const IndexSet& places, MPI_Datatype element);
  void require_count(MPI_Status& status, MPI_Datatype element, Int expected) const;

  MPI_File file_ = MPI_FILE_NULL;
  Mode mode_;
  std::string label_;
};

}  // namespace cairn
