// A rank's patch of a matrix as elements of a file that holds the whole matrix line by line (rows in C order, columns
// in Fortran order): where they are in the file, in portions of bounded size.
#pragma once
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

class FilePart {
 public:
  /// The elements `within` of some lines, by their global indices.
  struct Portion {
    IndexSet lines, within;
    Int words() const { return lines.size() * within.size(); }
  };

  /// A patch of a rows × cols matrix, in portions of at most `most` elements.
  FilePart(const Patch& patch, Order file_order, Int rows, Int cols, Int most);

  /// All of the patch, in the order in which memory holds it.
  const Portion& held() const { return held_; }
  /// How many portions it has: of elements that follow each other in the file's order, some of its lines or pieces of
  /// one. The first is as large as any.
  Int portions() const { return static_cast<Int>(lines_.size() * within_.size()); }
  Portion portion(Int number) const;
  /// Where a portion is in the file: ascending, counted from the matrix's first element.
  IndexSet places_in_file(const Portion& p) const;

 private:
  Int line_;  ///< elements of a line of the file
  Portion held_;
  std::vector<IndexSet> lines_, within_;  ///< of the portions
};

}  // namespace cairn
