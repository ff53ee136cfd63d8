// Requests on their way, by the memory that they read or write: found without looking at all of them, as there may be
// thousands, of a triangle's parts.
#pragma once
#include <map>
#include <optional>
#include <utility>

#include "schedule/step.hpp"

namespace cairn {

/// Words of the arena (space -1) or of a caller's array (its slot), and which rows and columns of which storage slot
/// these are (-1: of none).
struct Span {
  Slot space;
  Range words;
  Slot storage = -1;
  IndexSet rows{}, cols{};
  bool same_place(const Span& o) const { return space == o.space && !intersect(words, o.words).empty(); }
};

class PendingRequests {
 public:
  struct Pending {
    Range requests;
    Span span;
    bool writes;
    std::size_t operation;  ///< that posts them: what this waits for is complete before
  };
  void add(Pending pending);
  /// Appends those that write what `span` has, if it is `written` also those that read it. Two parts of one slot meet
  /// where they share elements, so that a pipeline's segments do not wait for each other.
  void touching(const Span& span, bool written, std::vector<Range>& requests) const;
  /// Forgets them. The operation that posts them, unless none are pending.
  std::optional<std::size_t> complete(Range requests);

 private:
  using Corner = std::pair<Int, Int>;  // the first column, and row
  using Parts = std::multimap<Corner, Pending>;
  /// Of one storage slot, which has one place. Buffers, which have many, are taken for rows of one column.
  struct Storage {
    Span place;
    Int rows = 0, cols = 0;  ///< that a part reaches over, at most
    Parts parts{};
    template <class Visit>
    void meeting(const IndexSet& rows, const IndexSet& cols, Visit visit) const;
  };

  std::map<Slot, Storage> storages_;  // -1: of buffers
  std::multimap<Range, Parts::iterator> by_requests_;
};

}  // namespace cairn
