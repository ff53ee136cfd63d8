// A rank's patch of a matrix as elements of a file that holds the whole matrix line by line (rows in C order, columns
// in Fortran order): where they are in the file, in portions of bounded size, and where each belongs in memory.
#pragma once
#include <vector>

#include "cairn/layout.hpp"
#include "runtime/datatypes.hpp"

namespace cairn {

class FilePart {
 public:
  /// `file_order` and `rows` × `cols` are the file's; `order` and `ld` those of the patch in memory.
  FilePart(const Patch& patch, Order file_order, Int rows, Int cols, Order order, Int ld);

  /// Elements of the patch that follow each other in the file's order: some of its lines, or a piece of one.
  struct Portion {
    Range lines, within;
    Int words() const { return lines.size() * within.size(); }
  };
  /// All of the patch in portions of at most `most` elements, in the order of the file.
  std::vector<Portion> portions(Int most) const;
  /// Where a portion is in the file: runs of elements, ascending, counted from the matrix's first one.
  std::vector<Run> runs_in_file(const Portion& p) const;

  /// Elements that are evenly spaced both in memory and in the buffer of a portion: (a, b), a along a line of the file,
  /// is at buffer[staged + a + b·staged_ld] and at patch[local + a·step + b·line_step].
  struct Block {
    Int staged, staged_ld;
    Int local, step, line_step;
    Int inner, outer;
  };
  std::vector<Block> blocks(const Portion& p) const;

  /// Number, in the file, of element number `index` of a portion.
  Int number(const Portion& p, Int index) const;

 private:
  /// The global indices of one dimension, ascending as in the file, and where they are in memory.
  struct Axis {
    struct Piece {
      Int global, local, length;
      Int before;  ///< indices of the earlier pieces
    };
    std::vector<Piece> pieces;
    Int size = 0;

    explicit Axis(const IndexSet& held);
    /// The parts of `range`, a range of positions in the file's order: position from its start, local index, length.
    std::vector<Piece> within(Range range) const;
    Int global(Int position) const;
  };

  Int line_;  ///< elements of a line of the file
  Int ld_;
  bool same_order_;
  Axis outer_, inner_;
};

}  // namespace cairn
