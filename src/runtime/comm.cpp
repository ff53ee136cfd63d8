#include "cairn/comm.hpp"

#include <fmt/format.h>

#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cairn/error.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/broadcast.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/shared/node_memory.hpp"
#include "runtime/window_pool.hpp"

namespace cairn {

MpiSession::MpiSession(int* argc, char*** argv) {
  int there = 0;
  MPI_Initialized(&there);
  if (there) return;
  int provided = 0;
  MPI_TRY(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided));
  started_ = true;
}

MpiSession::~MpiSession() {
  if (started_ && !mpi_has_ended()) MPI_Finalize();
}

namespace {

// By the callers' communicators, as long as these live.
struct States {
  std::mutex mutex;  // a thread may free a communicator while another one uses Cairn
  std::unordered_map<MPI_Comm, Comm::State*> by_comm;
};

States& states() {
  static auto* const all = new States;  // MPI may end after the program's static objects
  return *all;
}

Comm::State* known(MPI_Comm comm) {
  const std::lock_guard lock(states().mutex);
  const auto found = states().by_comm.find(comm);
  return found == states().by_comm.end() ? nullptr : found->second;
}

// MPI calls this when the caller frees the communicator, and for the world inside MPI_Finalize. Nothing here may wait
// for other ranks: they may free it much later, or after others that this rank frees later.
int forget(MPI_Comm, int, void* value, void*) {
  auto* state = static_cast<Comm::State*>(value);
  state->cache.clear();
  {
    const std::lock_guard lock(states().mutex);
    std::erase_if(states().by_comm, [state](const auto& entry) { return entry.second == state; });
  }
  MPI_Comm_free(&state->duplicate);
  delete state;
  return MPI_SUCCESS;
}

// What is cached may hold windows: MPI wants them back while it still works. It looks after what belongs to
// MPI_COMM_SELF before anything else [mpi-3.1, §8.7.1].
int give_windows_back(MPI_Comm, int, void*, void*) {
  for (const auto& [comm, state] : states().by_comm) state->cache.clear();
  WindowPool::release_all();
  return MPI_SUCCESS;
}

void give_windows_back_at_the_end() {
  static int key = MPI_KEYVAL_INVALID;
  if (key != MPI_KEYVAL_INVALID) return;
  MPI_TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &give_windows_back, &key, nullptr));
  MPI_TRY(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr));
}

int attribute_key() {
  static int key = MPI_KEYVAL_INVALID;
  if (key == MPI_KEYVAL_INVALID) MPI_TRY(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &forget, &key, nullptr));
  return key;
}

// Errors of calls on an invalid handle go to the world's handler, which aborts by default: ask for codes meanwhile.
// Other threads may set or need that handler, so this is done only once for each communicator.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_get_errhandler(comm_, &before_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    MPI_Comm_set_errhandler(comm_, before_);
    MPI_Errhandler_free(&before_);
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

void require_mpi() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (!initialized || mpi_has_ended()) throw RuntimeError("comm: expected a call between MPI_Init and MPI_Finalize");
}

void require_usable(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    throw ArgumentError("comm: MPI_COMM_NULL, expected a communicator of which the caller is a member");
  if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) return;
  const ErrorsReturn world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  int inter = 0;
  // Open MPI's handles point to memory that is still there after a communicator was freed, but not in its table.
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || MPI_Comm_f2c(MPI_Comm_c2f(comm)) != comm)
    throw ArgumentError("comm: a freed or invalid communicator, expected a live one");
  if (inter) throw ArgumentError("comm: an inter-communicator, expected an intra-communicator");
}

}  // namespace

Comm::Comm(MPI_Comm comm) {
  require_mpi();
  state_ = known(comm);
  if (state_ != nullptr) return;
  require_usable(comm);
  auto state = std::make_unique<State>();
  MPI_TRY(MPI_Comm_dup(comm, &state->duplicate));
  MPI_TRY(MPI_Comm_set_errhandler(state->duplicate, MPI_ERRORS_RETURN));
  MPI_TRY(MPI_Comm_rank(state->duplicate, &state->rank));
  MPI_TRY(MPI_Comm_size(state->duplicate, &state->size));
  give_windows_back_at_the_end();
  MPI_TRY(MPI_Comm_set_attr(comm, attribute_key(), state.get()));
  state_ = state.release();
  const std::lock_guard lock(states().mutex);
  states().by_comm.emplace(comm, state_);
}

Comm Comm::from_fortran(int handle) {
  require_mpi();  // which MPI_Comm_f2c may end the program over
  return Comm(MPI_Comm_f2c(static_cast<MPI_Fint>(handle)));
}

int Comm::rank() const { return state_->rank; }
int Comm::size() const { return state_->size; }
MPI_Comm Comm::raw() const { return state_->duplicate; }

namespace {

// Of "a 1, b [2, 3]": what stands between commas outside brackets.
std::vector<std::string> entries(const std::string& text) {
  std::vector<std::string> all(1);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' || text[i] == '(' ? 1 : text[i] == ']' || text[i] == ')' ? -1 : 0;
    if (depth == 0 && text.compare(i, 2, ", ") == 0)
      all.emplace_back(), ++i;
    else
      all.back() += text[i];
  }
  return all;
}

// What two texts say differently: the entries that are not the same, or all where one has more of them.
std::pair<std::string, std::string> differences(const std::string& x, const std::string& y) {
  std::vector<std::string> of_x = entries(x), of_y = entries(y);
  if (of_x.size() != of_y.size()) return {x, y};
  for (std::size_t i = of_x.size(); i-- > 0;)
    if (of_x[i] == of_y[i]) {
      of_x.erase(of_x.begin() + static_cast<std::ptrdiff_t>(i));
      of_y.erase(of_y.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return {fmt::format("{}", fmt::join(of_x, ", ")), fmt::format("{}", fmt::join(of_y, ", "))};
}

}  // namespace

void Comm::agree(const std::optional<std::string>& problem, const std::string& what, const std::string& text) const {
  const std::string& said = problem ? *problem : text;
  if (same_on_all(*this, !problem, said)) [[likely]]
    return;
  throw_named(*this, problem ? Trouble{Trouble::Kind::argument, *problem} : Trouble{});
  std::string zero = text;
  broadcast(*this, zero);
  const auto [here, there] = differences(text, zero);
  agree(text == zero ? std::nullopt
                     : std::optional(fmt::format("{}: {} here, {} on rank 0; expected the same on all ranks", what,
                                                 here, there)));
  throw RuntimeError(what + ": differs between ranks");  // equal texts with different hashes: cannot be
}

}  // namespace cairn
