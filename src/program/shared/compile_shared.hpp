// Lowers a schedule to one rank's program where the ranks of a node read each other's memory.
#pragma once
#include "program/array.hpp"
#include "schedule/shared/node_values.hpp"

namespace cairn {

/// The callers' arrays of a node, by slot.
struct NodeArrays {
  std::vector<Int> leading;             ///< of this rank's array; 0: dense
  std::vector<std::vector<Int>> start;  ///< by member of the node: words from the start of the shared array; or empty
};

class SharedCompiler {
 public:
  SharedCompiler(const NodeValues& values, Int rank, const NodeArrays& arrays);
  Program run();

 private:
  struct Pending {
    Range requests;
    std::size_t until;  ///< step before which they are waited for
    std::size_t place;  ///< that they read or write
  };
  /// A dense block of memory that holds some rows and columns of a value, numbered as the value stores them.
  struct Block {
    Range rows, cols;
    LocalView view;
  };

  void lower_handing(const Effect& step);
  void lower_sum(const Effect& step);
  void lower(const Move& x);
  void lower(const Redistribute& x);
  void lower(const Compute& x);
  void multiply(const Compute& x, const std::vector<Block>& A, const std::vector<Block>& B, Range K);
  void receive_pieces(Exchange& e);

  Array array(std::size_t place) const;
  Message message(std::size_t place, const Region& part, Int peer);
  /// Blocks of a value that `tiles` make up; of tiles that continue each other in memory, one block.
  std::vector<Block> blocks(const Region& value, const std::vector<Tile>& tiles) const;
  std::vector<PairedBlock> paired(std::size_t dst, const std::vector<Tile>& src) const;
  std::size_t own(Slot x) const { return values_.array(s_.storage(x), rank_); }
  std::vector<Tile> own_part(Slot x, const Region& part) const { return {{own(x), part}}; }

  /// What the step now being lowered needs before it starts.
  void reads(const std::vector<Tile>& tiles);
  void writes(std::size_t place);
  void vacated(Phase phase);
  void await(Int rank, Phase phase);
  void push(decltype(Operation::what) what);
  void push(Exchange e, const std::vector<std::size_t>& places, std::size_t until);
  void finish_step();
  void finish_run();
  void meet(Phase reach, std::vector<Range> wait, std::vector<Meet::Peer> peers);

  const NodeValues& values_;
  const Sharing& sharing_;
  const Schedule& s_;
  Int rank_;
  const NodeArrays& arrays_;
  std::size_t step_ = 0;
  std::vector<Operation> body_;  ///< of this step
  Int far_ = 0;                  ///< words in others' memory that the next operation reads
  std::vector<Meet::Peer> peers_;
  std::vector<Pending> pending_;
  std::vector<Range> overwritten_;  ///< requests that read what this step overwrites
  std::vector<Phase> known_;        ///< by rank: how far it is known to be
  Phase reached_ = 0;
  Program program_;
};

/// With dense arrays in the caller's memory: the program of a rank, or of each. `node_of` gives the node of every rank,
/// numbered from 0; collectives are not expanded.
Program compile_shared(const Schedule& collective, const std::vector<int>& node_of, Int rank);
std::vector<Program> compile_shared(const Schedule& collective, const std::vector<int>& node_of);

}  // namespace cairn
