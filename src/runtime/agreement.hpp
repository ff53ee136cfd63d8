// Whether all ranks run with arguments that are right, and the same where they must be: asked when a run starts, and
// answered when somebody waits for it.
#pragma once
#include <memory>
#include <optional>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// How the ranks of a communicator tell each other; kept with it. Decision 31 says who may go ahead and why.
class Agreements {
 public:
  /// What a rank tells the others.
  struct Said {
    bool wrong = false;   ///< its arguments are
    bool ahead = false;   ///< it carries the run out before it looks at what the others say
    Int fingerprint = 0;  ///< of what must be the same on all ranks, 0 or more
  };
  struct Answer {
    bool fine = false;   ///< nobody is wrong, and all fingerprints are the same
    bool ahead = false;  ///< some rank goes ahead
  };

  /// Collective the first times: the first runs of a communicator wait, and one of them settles how later ones do.
  static Agreements& before_run(const Comm& comm);
  ~Agreements();
  Agreements(const Agreements&) = delete;
  Agreements& operator=(const Agreements&) = delete;

  /// Whether a run that goes ahead gains anything. The same on all ranks.
  bool may_go_ahead() const;

  /// One for each run, in the same order on all ranks.
  class Open {
   public:
    Open(Agreements& all, const Said& said);
    /// Waits for the others, unless that was done.
    ~Open();
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    /// The same on all ranks. Waits until all have started the run.
    Answer answer();

   private:
    Agreements& all_;
    std::optional<Answer> answer_{};
  };

 private:
  class Way;
  class Reduction;
  class NonBlocking;
  class Board;

  explicit Agreements(const Comm& comm);
  void settle(Int run);

  const Comm comm_;
  Int runs_ = 0;
  std::unique_ptr<Way> way_;
};

}  // namespace cairn
