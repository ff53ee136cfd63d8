#include "launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "cairn/error.hpp"
#include "commands.hpp"
#include "kernels.hpp"
#include "relay.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/environment.hpp"
#include "runtime/subprocess.hpp"

namespace cairn::app {

namespace {

// Set for the ranks that launch() starts: what they should know of the terminal, which the launcher's pipes hide.
constexpr const char* launched_variable = "CAIRN_LAUNCHED";
// Ranks that have said what was wrong end with this more than their exit code, so that the process that launched them
// can tell it from an end of the launcher itself, whose message is kept quiet.
constexpr int reported = 64;
constexpr int usage_error = 2, failure = 1;

const char* launched() { return std::getenv(launched_variable); }

volatile sig_atomic_t child_process = 0, asked_to_end = 0;

// Once: at a second signal Open MPI's launcher ends before its ranks have removed what they were writing.
void pass_on(int signal) {
  if (asked_to_end == 0) kill(static_cast<pid_t>(child_process), signal);
  asked_to_end = signal;
}

// As Ctrl-Z asks: this process goes on when its shell says so, or at once if it has none. Open MPI's launcher stops its
// ranks, too, and lets them go on; ranks of MPICH's are in sessions of their own, and do not stop.
void rest(int stop) {
  kill(static_cast<pid_t>(child_process), stop);
  sigset_t stops;
  sigemptyset(&stops), sigaddset(&stops, stop);
  signal(stop, SIG_DFL), raise(stop);
  pthread_sigmask(SIG_UNBLOCK, &stops, nullptr);  // here it rests
  signal(stop, rest);
  kill(static_cast<pid_t>(child_process), SIGCONT);
}

/// A signal that this process ignores, as under nohup, stays ignored.
void handle_signals_for(pid_t child) {
  child_process = child;
  for (int each : {SIGINT, SIGTERM, SIGHUP, SIGTSTP})
    if (signal(each, each == SIGTSTP ? rest : pass_on) == SIG_IGN) signal(each, SIG_IGN);
}

bool is_open_mpi() { return mpi_library().starts_with("Open MPI"); }

/// Options of the launcher for local ranks, more than cores if need be.
std::vector<std::string> launcher_options(int ranks) {
  std::vector<std::string> options;
  if (is_open_mpi()) {
    options = {"-q", "--oversubscribe"};
    if (geteuid() == 0) options.emplace_back("--allow-run-as-root");
    if (ranks > usable_cores()) options.insert(options.end(), {"--bind-to", "none"});
  }
  options.insert(options.end(), {"-n", std::to_string(ranks)});
  return options;
}

void set_environment(int ranks) {
  constexpr int keep = 0;
  // Ranks are the parallelism: several threads for each would get in each other's way.
  setenv("OPENBLAS_NUM_THREADS", "1", keep);
  set_fastest_kernels();
  if (is_open_mpi() && ranks > usable_cores()) setenv("OMPI_MCA_mpi_yield_when_idle", "1", keep);
  const Terminal t = terminal();
  setenv(launched_variable,
         fmt::format("ranks{}{}{}", t.output ? ",output" : "", t.colours ? ",colours" : "", t.errors ? ",errors" : "")
             .c_str(),
         1);
}

/// In the new process: becomes the launcher, which prints into `output`, or exits with what made that impossible.
[[noreturn]] void become(std::vector<std::string>& command, int output) {
  end_with_parent();
  // Signals for the terminal's foreground, or for all of a job, come by pass_on() or rest(); the background may
  // print.
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);
  dup2(output, STDOUT_FILENO);
  // Ranks read nothing from the terminal, and a launcher that did would stop in the background.
  if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
  const std::vector<char*> words = pointers(command);
  execvp(words[0], words.data());
  std::fprintf(stderr,
               "cairn: error: the MPI launcher '%s' cannot be started: %s; set CAIRN_MPIEXEC to the one of %s\n",
               words[0], std::strerror(errno), mpi_library().c_str());
  _exit(reported + failure);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether `parent` waits for a lock while none of the processes that it started is running.
bool is_locked_up(pid_t parent) {
  if (!text_of(fmt::format("/proc/{}/wchan", parent)).starts_with("futex")) return false;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", parent), none)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      const std::string stat = text_of(fmt::format("/proc/{}/stat", child));
      const auto name_ends = stat.rfind(") ");
      if (name_ends != std::string::npos && stat[name_ends + 2] != 'Z') return false;
    }
  }
  return true;
}

// Open MPI's launcher (4.1.4) may lock itself up for good when it ends after a rank was killed or called MPI_Abort: in
// PMIx_server_finalize, as in one of eight runs in which others call MPI_Finalize at that time. tools/mpirun.sh has the
// same rule. Other launchers are left alone.
void end_if_locked_up(pid_t launcher) {
  constexpr int patience = 10;  // seconds
  for (int seconds = 0; seconds < patience; seconds = is_locked_up(launcher) ? seconds + 1 : 0) sleep(1);
  kill(launcher, SIGKILL);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int report_end(int code, const std::string& command) {
  if (code == 0) return 0;
  if (code == reported + usage_error || code == reported + failure) return code - reported;
  if (asked_to_end != 0) signal(asked_to_end, SIG_DFL), raise(asked_to_end);  // so that a shell's loop ends, too
  if (code == 128 + SIGINT || code == 128 + SIGTERM) return code;             // the launcher was asked to end
  const int signal = code > 128 ? code - 128 : code;
  if (code > 128 || signal == SIGKILL || signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS)
    std::fprintf(stderr, "cairn: error: a rank was killed (signal %d, %s); all ranks have been stopped\n", signal,
                 strsignal(signal));
  else
    std::fprintf(stderr, "cairn: error: the MPI launcher ended with code %d; try by hand: %s\n", code, command.c_str());
  return failure;
}

bool launcher_set_variables() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS",
                           "MV2_COMM_WORLD_SIZE", "PALS_RANKID", "ALPS_APP_PE"})
    if (std::getenv(name) != nullptr) return true;
  // A shell inside a Slurm job also has SLURM_STEP_ID, but only one task.
  const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  return tasks != nullptr && std::atoi(tasks) > 1;
}

}  // namespace

bool under_launcher() {
  static const bool at_first = launcher_set_variables();  // MPI sets some for a process without a launcher, too
  return at_first;
}

std::string myself() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "cairn" : path.string();
}

int usable_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::string launcher() {
  const char* const chosen = std::getenv("CAIRN_MPIEXEC");
  const std::string built = CAIRN_MPIEXEC;
  return chosen != nullptr && *chosen != '\0' ? chosen : built.empty() ? "mpiexec" : built;
}

int launch(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{launcher()};
  for (const std::string& option : launcher_options(ranks)) command.push_back(option);
  command.push_back(myself());
  command.insert(command.end(), arguments.begin(), arguments.end());
  set_environment(ranks);
  std::string text;
  for (const std::string& word : command)
    if (word != "-q") text += (text.empty() ? "" : " ") + word;
  std::fflush(nullptr);
  std::array<int, 2> output{};
  const pid_t child = pipe2(output.data(), O_CLOEXEC) == 0 ? fork() : -1;
  if (child < 0) throw RuntimeError(fmt::format("no process for the MPI launcher: {}", std::strerror(errno)));
  if (child == 0) become(command, output[1]);
  close(output[1]);
  handle_signals_for(child);
  if (is_open_mpi()) std::thread(end_if_locked_up, child).detach();
  const bool relayed = relay(output[0], child);
  close(output[0]);  // or a launcher that still prints would wait for it to be read
  if (relayed) return report_end(wait_for(child), text);
  kill(child, SIGTERM);
  wait_for(child);
  std::fprintf(stderr, "cairn: error: standard output: cannot be written\n");
  return failure;
}

void restart_with_fastest_kernels(const std::vector<std::string>& arguments) {
  if (!set_fastest_kernels()) return;
  std::vector<std::string> command{myself()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::fflush(nullptr);
  execvp(command.front().c_str(), pointers(command).data());
  // What cannot be started again goes on as it is.
  unsetenv(kernels_variable);
}

Terminal terminal() {
  if (const char* const words = launched())
    return {std::strstr(words, "output") != nullptr, std::strstr(words, "colours") != nullptr,
            std::strstr(words, "errors") != nullptr};
  if (under_launcher()) return {};  // which may give ranks terminals of its own, whatever the user's output goes to
  const char* const kind = std::getenv("TERM");
  const bool colours = std::getenv("NO_COLOR") == nullptr && kind != nullptr && std::strcmp(kind, "dumb") != 0;
  const bool output = isatty(STDOUT_FILENO) != 0;
  return {output, output && colours, isatty(STDERR_FILENO) != 0};
}

int on_all_ranks(const std::function<void(const Comm&)>& work) {
  const int more = launched() != nullptr ? reported : 0;
  constexpr double forever = 1e9, patience = 5;  // seconds; ranks that fail together do so at nearly the same time
  const MpiSession session(nullptr, nullptr);
  const Comm world = Comm::world();
  if (world.size() > 1 && std::getenv("OPENBLAS_NUM_THREADS") == nullptr) use_one_blas_thread();
  Rendezvous rendezvous(world);
  int code = 0;
  std::string what;
  try {
    work(world);
  } catch (...) {
    using Kind = Trouble::Kind;
    const Trouble trouble = describe(std::current_exception());
    const bool asked_wrong = trouble.kind == Kind::argument || trouble.kind == Kind::memory;
    code = (asked_wrong ? usage_error : failure) + more, what = trouble.text;
  }
  const auto outcome = rendezvous.meet(code, code == 0 ? forever : patience);
  if (!outcome) {
    std::fprintf(stderr, "cairn: error: %s (rank %d alone; the others have been stopped)\n", what.c_str(),
                 world.rank());
    rendezvous.abort(code);
  }
  if (outcome->code != 0 && outcome->rank == world.rank()) std::fprintf(stderr, "cairn: error: %s\n", what.c_str());
  return outcome->code;
}

std::optional<int> refused_by_ranks(const std::string& what) {
  if (launched() == nullptr) return {};
  return on_all_ranks([&](const Comm&) { throw ArgumentError(what); });
}

}  // namespace cairn::app
