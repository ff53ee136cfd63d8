// What Cairn keeps with a communicator, as long as that communicator lives.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "runtime/agreement.hpp"
#include "runtime/cache.hpp"
#include "runtime/nodes.hpp"

namespace cairn {

struct Machine;
struct NodeFigures;
class NodeMemory;
class KeptMemory;
class PanelWindow;
class CommonBuffer;

struct Comm::State {
  MPI_Comm duplicate = MPI_COMM_NULL;
  int rank = 0, size = 1;

  std::weak_ptr<CommonBuffer> buffer;                      ///< of all plans by messages, see Arena
  std::map<Int, std::shared_ptr<NodeMemory>> node_memory;  ///< by ranks_per_node, see node_memory()
  std::map<Int, Nodes> nodes;                              ///< by ranks_per_node, see nodes_of()
  std::unique_ptr<Agreements> agreements;                  ///< of runs, see Agreements::before_run()
  std::shared_ptr<NodeFigures> node_figures;               ///< see node_figures()
  std::optional<std::string> kernels;                      ///< see kernels_in_use()
  std::optional<std::string> one_sided_trouble;            ///< of the self-test, once it was made
  std::optional<bool> messages_need_sender;                ///< see messages_need_sender()
  std::shared_ptr<const Machine> machine;                  ///< see machine_of()

  std::shared_ptr<KeptMemory> panels;         ///< of block-sparse products
  std::shared_ptr<PanelWindow> panel_window;  ///< likewise, where they are fetched

  std::shared_ptr<void> drop_in;  ///< of the library that stands in ScaLAPACK's place

  Cache cache{Int{2} << 20};  ///< what is prepared for plain calls: multiplications, redistributions
};

}  // namespace cairn
