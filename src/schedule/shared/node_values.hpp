// Where every value lies in the memory that the ranks of one node share.
#pragma once
#include "schedule/passes/lives.hpp"
#include "schedule/shared/sharing.hpp"

namespace cairn {

/// How far a rank has come: 2t once all its work of the steps before t is done, 2t + 1 once what it receives for
/// others' use in step t has arrived as well.
using Phase = Int;

/// A dense array in the memory of a node.
struct Place {
  enum class Kind : std::uint8_t {
    array,    ///< a rank's own array of a slot
    copied,   ///< a piece of a handed value that its rank copies, since peers cannot read it where it is
    received  ///< a piece of a handed value that comes from another node
  };
  Kind kind = Kind::array;
  Slot slot = -1;
  Int rank = 0;  ///< whose array it is; who writes the piece
  std::size_t step = 0;
  IndexSet rows, cols;
  Order order = Order::col;
  bool in_heap = true;  ///< else in the caller's memory
  bool open = true;     ///< whether all ranks of the node can read it
  std::size_t first = 0, last = 0;
  Int words = 0;
  Int offset = 0;   ///< words from the start of the node's heap
  Int vacated = 0;  ///< phase that all ranks of the node must have reached before it is first written
};

/// A part of a value, in one place.
struct Tile {
  std::size_t place;
  Region part;
};

class NodeValues {
 public:
  /// `open` tells, by slot, whether the caller's arrays of all ranks can be read by their node.
  NodeValues(const Sharing& sharing, int node, std::vector<bool> open);

  const Sharing& sharing() const { return sharing_; }
  const Place& place(std::size_t p) const { return places_[p]; }
  /// The rank's own array of a slot that is not a view.
  std::size_t array(Slot storage, Int rank) const;
  std::vector<Tile> value(Slot x, Int rank) const;
  /// A part of a value, in as many tiles as it lies in.
  std::vector<Tile> part(Slot x, Int rank, const Region& part) const;
  /// The pieces that a step puts into places of their own.
  const std::vector<std::size_t>& pieces(std::size_t step) const { return pieces_[step]; }
  /// Memory for what arrives in a step to be added or spread out by its receiver.
  struct Buffer {
    Int offset = -1;  ///< -1: the step needs none on that rank
    Int vacated = 0;  ///< as Place::vacated
  };
  Buffer buffer(std::size_t step, Int rank) const;
  /// Phase of its writer at which a place can be read in `step`.
  Phase ready(const Place& place, std::size_t step) const;
  /// Words of memory that the node's values need beside the callers' arrays, and what a rank contributes to them.
  Int heap_words() const { return heap_words_; }
  Int share(Int rank) const {
    return piece({0, heap_words_}, static_cast<Int>(ranks_.size()), static_cast<Int>(member(rank))).size();
  }

 private:
  std::size_t member(Int rank) const { return sharing_.member(rank); }
  std::size_t key(Slot x, Int rank) const { return static_cast<std::size_t>(x) * ranks_.size() + member(rank); }
  void add_arrays();
  void hand(std::size_t step);
  void put(std::size_t step, Int first, const Source& from, std::vector<Tile>& value);
  void place_all();
  void find_vacated(const std::vector<Life>& lives, const std::vector<Phase*>& vacated);
  Int buffer_words_of(std::size_t step, Int rank) const;

  const Sharing& sharing_;
  const Schedule& s_;
  std::vector<Int> ranks_;
  std::vector<bool> open_;
  std::vector<Place> places_;
  std::vector<std::size_t> arrays_;        ///< by key(): number of a place
  std::vector<std::vector<Tile>> handed_;  ///< by key(), at the first rank of a class
  std::vector<std::vector<std::size_t>> pieces_;
  std::vector<std::pair<std::size_t, std::size_t>> handed_places_;  ///< first and end of those of one handed value
  std::vector<std::vector<Buffer>> buffers_;  ///< by step, then by member of the node; empty where no rank needs any
  Int heap_words_ = 0;
};

}  // namespace cairn
