// What a program needs of MPI before it can run: its arena, and the transport that carries its words.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "model/labels.hpp"
#include "runtime/arena.hpp"
#include "runtime/nodes.hpp"
#include "runtime/transport/remote_places.hpp"
#include "runtime/transport/two_sided.hpp"

namespace cairn {

/// Why one-sided transport cannot carry a program of so many steps; nothing if it can.
std::optional<std::string> too_much_for_one_sided(const Program& program, std::size_t steps);

/// Settled once for a schedule on a communicator, whatever the leading dimensions of the caller's arrays.
class Ready {
 public:
  /// The transport asked for, or two-sided where that does not work here: then obstacle() says why. Collective.
  Ready(const Comm& comm, const Schedule& schedule, ScalarType scalar, Transport wanted, Int ranks_per_node,
        Labels labels = {});

  Transport transport() const { return transport_; }
  const std::string& obstacle() const { return obstacle_; }
  const Arena& arena() const { return arena_; }
  /// What this rank carries out, with arrays of the given leading dimensions (0: dense).
  Program program(const std::vector<Int>& leading) const;
  std::unique_ptr<TwoSided> wire(const Program& program) const;

 private:
  /// What speaks against it on this rank, or on another.
  std::string one_sided();
  Program program(const std::vector<Int>& leading, Transport transport) const;
  Int position() const { return labels_.position(comm_.rank()); }

  const Comm comm_;
  const Schedule& schedule_;
  const Labels labels_;
  const Nodes& nodes_;
  ScalarType scalar_;
  Transport transport_ = Transport::two_sided;
  std::string obstacle_;
  Arena arena_;
  RemotePlaces places_;
};

}  // namespace cairn
