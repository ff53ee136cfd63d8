// The entries of a Matrix Market file, wherever they belong: each rank parses a slice of the text at a time.
#pragma once
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/files.hpp"
#include "io/matrix_market.hpp"
#include "runtime/files/text_slices.hpp"

namespace cairn {

/// Keeps count of lines and values before this rank's slice. Every member is collective, and errors are the same on all
/// ranks.
class MatrixMarketEntries {
 public:
  MatrixMarketEntries(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                      const ReadOptions& options);

  Int passes() const { return slices_.passes(); }
  /// This rank's entries of a pass, with the mirror images of a triangle.
  std::vector<io::Entry> pass(Int number);
  /// After the last pass.
  void finish();

 private:
  Int take_turns(Int mine, Int& total) const;

  const Comm& comm_;
  const io::MatrixMarketHeader& header_;
  TextSlices slices_;
  io::Nonfinite nonfinite_;
  Int next_line_, found_ = 0;
};

/// The value of an entry as an element. Throws FileError if it is too large for the type, unless that is allowed.
template <class T>
T element(const io::Entry& e, const io::MatrixMarketHeader& header, bool allow_nonfinite);

}  // namespace cairn
