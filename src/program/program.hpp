// A schedule as one rank carries it out: every size, offset and peer settled once, so that a run only follows a list,
// and a clock may follow the same. Independent of the pointers of a run, dependent on their leading dimensions.
#pragma once
#include <variant>
#include <vector>

#include "schedule/passes/passes.hpp"
#include "schedule/runs.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// A dense block inside the array of a storage slot, or, for storage -1, counted from the start of the arena.
struct LocalView {
  Slot storage = -1;
  Int offset = 0, rows = 0, cols = 0, ld = 1;
  Order order = Order::col;
  Int rs() const { return order == Order::col ? 1 : ld; }
  Int cs() const { return order == Order::col ? ld : 1; }
};

/// A block of a local array, line by line in storage order; or a triangle of a square one that is one run each way.
struct Lines {
  std::vector<Run> inner, outer;
  Int ld = 1;
  Int base = 0;             ///< where the array starts
  Uplo shape = Uplo::full;  ///< lower: line t from element t on; upper: up to element t; as if lines were columns

  /// The first element.
  Int start() const { return base + inner[0].start + outer[0].start * ld; }
  /// Calls visit(start, length) for each run of memory.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Run o : outer)
      for (Int t = 0; t < o.length; ++t)
        for (Run i : inner) {
          const Int before = shape == Uplo::lower ? t : 0, after = shape == Uplo::upper ? i.length - 1 - t : 0;
          visit(base + i.start + (o.start + t) * ld + before, i.length - before - after);
        }
  }
};

struct Message {
  Slot storage;
  Lines lines;
  int peer;
  Int words;
  /// From where it is read, and to where it is put first, unless that is its array.
  struct Place {
    Int at = -1;             ///< words from the start of the arena
    bool copied = false;     ///< packed there by who sends, unpacked by who receives
    bool announced = false;  ///< one-sided, and computed during the run: fetched when its owner says so, who is told
  };
  Place place{};
};

/// Receives and sends that are posted together and completed when somebody needs them.
struct Exchange {
  std::vector<Message> receives, sends;
  std::size_t first_request = 0;  ///< receives, then sends
  bool ahead = false;             ///< later ones may be posted first (schedule/ahead.hpp)
  std::vector<Range> turn{};  ///< to other nodes: requests of messages that leave before it, at the port's full rate
};

/// Rows × columns that two local arrays have, or an array and a message.
struct PairedBlock {
  struct Side {
    Slot storage = -1;   ///< as in LocalView; of no meaning for a message
    Int base = 0;        ///< from the start of the array, or of the message
    Int rs = 1, cs = 1;  ///< words between rows, and between columns
  };
  std::vector<Match> rows, cols;  ///< where they are in dst, and in src
  Side dst, src;
  Int words() const;
};

/// dst ←update src for some blocks.
struct LocalUpdate {
  std::vector<PairedBlock> blocks;
  Update update;
  Int words() const;
};

struct LocalGemm {
  /// Columns of C in a piece while messages are on their way: who multiplies looks after them in between. Every piece
  /// packs A anew, so pieces are wide: these cost about two percent.
  static constexpr Int piece = 512;
  LocalView A, B, C;
  Update update;
  Factor factor = Factor::alpha;
  bool conjugate_a = false, conjugate_b = false;
};

/// A kernel on a triangle: C of gemmt and potrf, A of trsm; or on all of C.
struct LocalTriangle {
  Kernel kernel;
  LocalView A, B, C;  ///< op(A) and op(B); those that there are not are empty
  Uplo shape;         ///< of op(A) for trsm
  Update update = Update::overwrite;
  Factor factor = Factor::one;
  bool conjugate_a = false, conjugate_b = false;
  Side side = Side::left;
  Diag diag = Diag::stored;
  Int first = 0;  ///< potrf: index of C's first column
};

/// ReduceScatter: give every peer its piece of my partial sums and add theirs to mine. Two-sided, in the order of the
/// axis from my own place, so many pieces at a time in the buffer; one-sided, others add to `sums`.
struct SumExchange {
  static constexpr std::size_t window = pieces_in_flight;
  std::size_t first_send = 0;  ///< number of the first send among those of all SumExchanges
  LocalUpdate own;
  std::vector<Message> sends;
  std::vector<int> peers;  ///< from which the pieces come, in turn
  Int piece = 0;           ///< words
  Int buffer = -1;         ///< offset in the arena
  Int sums = -1;           ///< offset in the arena
  PairedBlock unpack;      ///< of dst and of a piece
};

/// Redistribute: pack, exchange, unpack. A block lies in one patch, and dense in a message.
struct Reshuffle {
  struct Parcel {
    int peer;
    Int words;
    std::vector<PairedBlock> blocks;
  };
  Slot src, dst;
  std::vector<Parcel> sends, receives;  ///< those of the next rank, and from the one before, first
  std::vector<PairedBlock> kept;
  Int buffer = -1;  ///< offset in the arena: receives, then sends
  bool conjugate = false, scaled = false;
  Update update;
};

/// Ranks that share memory tell each other how far they are, then wait for those whose data or memory comes next.
struct Meet {
  struct Peer {
    int rank;
    Int phase;
  };
  Int reach;  ///< phase that this rank has reached
  std::vector<Peer> peers;
};

struct Operation {
  std::variant<Exchange, LocalUpdate, LocalGemm, LocalTriangle, SumExchange, Reshuffle, Meet> what;
  std::size_t step;         ///< of the schedule
  std::vector<Range> wait;  ///< requests to complete first
  Int far = 0;              ///< words that it reads in the memory of its node's other ranks
};

/// Whether it computes and moves nothing.
inline bool computes(const Operation& op) {
  return std::holds_alternative<LocalGemm>(op.what) || std::holds_alternative<LocalTriangle>(op.what);
}

struct Program {
  std::vector<Operation> operations;
  std::size_t requests = 0;
  std::vector<bool> sends;    ///< by request: a send, otherwise a receive
  std::size_t sum_sends = 0;  ///< of all SumExchanges
  /// With one-sided transport: blocks of the caller's inputs and where in the arena they are copied for others.
  struct Input {
    Slot storage;
    Lines lines;
    Int place;
  };
  std::vector<Input> inputs;
  Transport transport = Transport::two_sided;
  Placement placement;
  bool factors = false;                           ///< on some rank: a run has an info
  Int phases = 0;                                 ///< greater than any phase of a Meet
  Int words_received = 0, messages_received = 0;  ///< of all operations
  Int words_from_other_nodes = 0;                 ///< where the ranks of a node share memory
};

/// `leading` gives, by slot, the leading dimension of the caller's arrays (0: dense).
Program compile(const Schedule& schedule, Int rank, const std::vector<Int>& leading,
                Transport transport = Transport::two_sided);
/// Of dense arrays.
Program compile(const Schedule& schedule, Int rank, Transport transport = Transport::two_sided);
/// The same of all ranks.
std::vector<Program> compile_all(const Schedule& schedule);

}  // namespace cairn
