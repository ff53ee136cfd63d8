// Panels are fetched out of other ranks' windows, sums added into them; redistributions travel as messages.
// How it is synchronised, and why: docs/decisions/0013-one-sided.md.
#pragma once
#include "runtime/arena.hpp"
#include "runtime/transport/remote_places.hpp"
#include "runtime/transport/two_sided.hpp"

namespace cairn {

/// For a program compiled for Transport::one_sided whose arena is a window.
class OneSided final : public TwoSided {
 public:
  OneSided(const Comm& comm, const Nodes& nodes, const Program& program, ScalarType scalar, MPI_Win window,
           const RemotePlaces& places);

  void begin(Memory memory) override;
  void post(const Exchange& x, std::size_t step) override;
  bool sum(const SumExchange& x, std::size_t step, const std::function<void()>& own,
           const std::function<void(const std::byte*)>& add) override;
  Over wait_any(const std::vector<Range>&) override {
    progress();
    return {};
  }
  bool complete(Range requests) override;
  bool in_flight() override;
  bool pending() const override { return !active_.empty() || TwoSided::pending(); }
  void end() override;

 protected:
  void await(Range requests) override;

 private:
  /// What an MPI request stands for: a notice that left, that a block is there, or has been read, or added.
  enum class Event : std::uint8_t { told, ready, fetched, read, summed };
  struct Watched {
    Event event;
    std::size_t number = 0;  ///< of the request; of the peer, where it is summed
  };
  struct Posted {
    const Message* message = nullptr;
    std::size_t step = 0;
  };

  static int tag_of(std::size_t step, Event event);
  std::byte* window_at(Int words) const { return memory_(-1) + words * typed_.bytes(); }
  /// In other ranks' windows.
  MPI_Aint displacement(Int words) const { return static_cast<MPI_Aint>(words * typed_.bytes()); }
  /// Where a message starts in its array.
  std::byte* memory(const Message& m) const { return memory_(m.storage) + m.lines.start() * typed_.bytes(); }
  MPI_Request& watch(Watched what);
  void tell(Event event, const Message& m, std::size_t step);
  void fetch(std::size_t request);
  void happened(Watched what);
  /// Deal with all that has happened since. Lets the library move data.
  void progress();
  bool done(Range requests) const;
  /// Make what this rank stored visible to those that are told next, or what they stored visible to this rank.
  void sync() const;

  const MPI_Win window_;
  const RemotePlaces& places_;
  std::vector<Posted> posted_;  ///< by request; null once complete
  std::vector<MPI_Request> active_;
  std::vector<Watched> watched_;  ///< of the active requests
  std::vector<int> indices_;      ///< of those that completed
  const SumExchange* summing_ = nullptr;
  std::vector<Int> added_;       ///< words that each peer added
  std::size_t to_be_added_ = 0;  ///< peers that have not yet
};

/// Whether the library has enough tags for the notices of so many steps.
bool has_tags_for(std::size_t steps);

}  // namespace cairn
