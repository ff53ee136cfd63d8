// What `cairn calibrate` measures, on all ranks of a communicator at once: local products, messages, memory, and what
// the executor's own exchanges cost. Every function is collective, and every figure the same on all ranks.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// A local product, with every rank at work: the median of its seconds, on the slowest rank.
struct ProductCost {
  Int m = 0, n = 0, k = 0;
  ScalarType type = ScalarType::float64;
  double seconds = 0;
};
/// Sizes of a dimension, as many as a number of seconds allows.
std::vector<Int> product_sizes(double seconds);
/// The sizes and one 16 times the last, for tall and flat products, which stream through more than caches hold.
std::vector<Int> and_long(std::vector<Int> sizes);
/// Whether a product of such sizes is measured: if one is long, where it is no more work than a quarter of the largest.
bool is_measured(const std::vector<Int>& sizes, Int m, Int n, Int k);
/// Every m, n and k that are measured, k fastest, in float64; then one cube in each of the four types, from which the
/// rates of the other types are taken: theirs relative to float64's at that cube, at every shape.
std::vector<ProductCost> product_shapes(const std::vector<Int>& sizes);
/// Calls use(multiply): multiply() is one such product, of operands as the executor has them.
void with_product(const ProductCost& product, const std::function<void(const std::function<void()>& multiply)>& use);
/// Fills in the seconds.
void measure_product(const Comm& comm, double seconds, ProductCost& product);

/// Ranks that are equally far from each other: those of one node, or one of each node.
struct Neighbours {
  std::string name;  ///< "memory" where there is one node only, "node", "network"
  Int ranks = 0;     ///< of one node; 0: of all
};
/// Messages of so many bytes between such ranks.
struct MessageCost {
  Int bytes = 0;
  double alone = 0;     ///< half a round trip of one pair while the other ranks wait
  double together = 0;  ///< all ranks send one, out of memory that no cache holds, and receive one
};
/// The LogGP parameters: latency L, overhead o at each end, gap g between short messages, and gap G a byte of long
/// ones. [culler-1993, alexandrov-1997], measured as in [bell-2003]: from bursts, with and without work between them.
struct LogGP {
  double L = 0, o = 0, g = 0, G = 0;
};

struct Level {
  Neighbours who;
  std::vector<MessageCost> messages;
  LogGP loggp;
};
/// One level on one machine, two where there are several nodes; a level with one rank only has no messages.
std::vector<Level> measure_levels(const Comm& comm, double seconds);

/// Seconds a byte of each rank while all ranks are at work, on blocks of `bytes` bytes.
struct MemoryCost {
  Int bytes = 0;
  double copy = 0;         ///< own memory to own memory
  double add = 0;          ///< += of own memory to own memory
  double read = 0;         ///< own memory, only summed up
  double shared_copy = 0;  ///< another rank's part of a shared window to own memory; 0 if some node has one rank
  double shared_read = 0;  ///< the same, only summed up; 0 if some node has one rank
};
MemoryCost measure_memory(const Comm& comm, double seconds, Int bytes);

/// One of the executor's exchanges: seconds of the slowest rank.
struct ExchangeCost {
  std::string name;  ///< "allgather", "reduce_scatter", "bcast"
  Int words = 0;     ///< that a rank receives in it
  double seconds = 0;
};
ExchangeCost measure_exchange(const Comm& comm, double seconds, const std::string& name, Int words);

/// The executor's messages through windows: all ranks fetch so many bytes from the next one, or, where there are
/// several nodes, from one on the next node. Empty where one-sided transport does not work.
std::vector<MessageCost> measure_one_sided(const Comm& comm, double seconds);

/// The executor's messages, up to `longest` bytes: all ranks send to one next to them and receive from the other.
std::vector<MessageCost> measure_messages(const Comm& comm, double seconds, Int longest);

/// How long a step of node-shared transport waits for ranks of its node that are as far as it is; 0 if some node has
/// one rank, or cannot share memory.
double measure_wait(const Comm& comm, double seconds);

/// The executor's own cost of a step that does almost nothing.
double measure_step(const Comm& comm, double seconds);

}  // namespace cairn
