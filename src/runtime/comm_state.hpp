// What Cairn keeps with a communicator, as long as that communicator lives.
#pragma once
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "runtime/nodes.hpp"
#include "runtime/window_pool.hpp"

namespace cairn {

class NodeMemory;
class SharedBuffer;

struct Comm::State {
  MPI_Comm duplicate = MPI_COMM_NULL;
  int rank = 0, size = 1;

  std::weak_ptr<SharedBuffer> buffer;                      ///< of all plans by messages, see Arena
  WindowPool windows{Int{1} << 16};                        ///< of one-sided transport, see Arena
  std::map<Int, std::shared_ptr<NodeMemory>> node_memory;  ///< by ranks_per_node, see node_memory()
  std::map<Int, Nodes> nodes;                              ///< by ranks_per_node, see nodes_of()
  std::optional<std::string> kernels;                      ///< see kernels_in_use()
  std::optional<std::string> one_sided_trouble;            ///< of the self-test, once it was made

  std::shared_ptr<void> drop_in;  ///< of the library that stands in ScaLAPACK's place

  /// Least recently used cache of prepared multiplications behind the plain calls.
  struct Cached {
    std::string key;
    std::shared_ptr<void> value;
  };
  std::list<Cached> cache;
  static constexpr std::size_t cache_limit = 16;
  /// The value for `key`, made if it is not there; the least recently used one goes when there are too many.
  std::shared_ptr<void> cached(const std::string& key, const std::function<std::shared_ptr<void>()>& make);
};

}  // namespace cairn
