// The module _mpi: distributed matrices and what is done with them.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "bind.hpp"
#include "parts.hpp"
#include "runtime/environment.hpp"

namespace cairn::python {

namespace {

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return {text, static_cast<std::size_t>(length)};
}

// The process that set the handler below, which its children have, too.
pid_t handled_by = 0;
bool speaks = false;

void say(std::string_view words) {
  constexpr int milliseconds = 200;
  int unread = 0;
  bool heard = write(STDERR_FILENO, words.data(), words.size()) > 0;
  pollfd out{STDERR_FILENO, 0, 0};
  // A launcher that has ended, or is about to, no longer reads what ranks write.
  if (heard && poll(&out, 1, milliseconds) > 0 && (out.revents & POLLERR))
    heard = ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread == 0;
  if (!heard && write(open("/dev/tty", O_WRONLY | O_NOCTTY), words.data(), words.size()) < 0) return;
}

// Where a launcher ends ranks by SIGTERM, as Open MPI's does after Ctrl-C, also those that wait in MPI for others: one
// rank says so, and ends of it. The launcher gives ranks a second, but kills all of them at once when the first has
// ended: the others wait, so that the one that speaks comes to it on a busy machine. Children only end. The system may
// send the signal again, to another thread, meanwhile.
void terminated(int) {
  static std::atomic_flag entered;
  if (getpid() == handled_by) {
    if (entered.test_and_set()) return;
    constexpr timespec half_a_second{0, 500'000'000};
    if (speaks)
      say("cairn: interrupted (SIGTERM)\n");
    else
      nanosleep(&half_a_second, nullptr);
  }
  std::signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
}

using Handler = void (*)(int);

// False where the program has set another one.
bool replace_handler(Handler before, Handler after) {
  struct sigaction now {
  }, then{};
  sigaction(SIGTERM, nullptr, &now);
  if (now.sa_handler != before) return false;
  then.sa_handler = after;
  return sigaction(SIGTERM, &then, nullptr) == 0;
}

void handle_termination(bool by_speaking) {
  handled_by = getpid();
  speaks = by_speaking;
  // After a second Ctrl-C Open MPI's launcher ends before it has sent SIGTERM.
  if (replace_handler(SIG_DFL, terminated) && speaks) end_with_parent();
}

void leave_termination() { replace_handler(terminated, SIG_DFL); }

void bind_reports(nb::module_& m) {
  nb::class_<RunReport> bound(m, "RunReport",
                              "What one run did on this rank. Times are in seconds, words are elements.");
  using R = RunReport;
  pickle_by<&R::seconds, &R::gemm_seconds, &R::wait_seconds, &R::redistribute_seconds, &R::other_seconds, &R::received,
            &R::from_other_nodes, &R::messages, &R::info, &R::copied_bytes>(bound);
  bound.def_ro("seconds", &RunReport::seconds, "Time of the whole run.")
      .def_ro("gemm_seconds", &RunReport::gemm_seconds, "Time of local products.")
      .def_ro("wait_seconds", &RunReport::wait_seconds, "Time of waiting for data.")
      .def_ro("redistribute_seconds", &RunReport::redistribute_seconds,
              "Time of redistribution between the caller's layouts and the plan's.")
      .def_ro("other_seconds", &RunReport::other_seconds, "Time of posting messages, of local copies and of sums.")
      .def_ro("received", &RunReport::received, "Words that arrived, counted at the transport.")
      .def_ro("from_other_nodes", &RunReport::from_other_nodes, "Of these, words that came from another node.")
      .def_ro("messages", &RunReport::messages, "Messages that arrived.")
      .def_ro("info", &RunReport::info, "LAPACK's INFO of a factorisation or a solve.")
      .def_ro("copied_bytes", &RunReport::copied_bytes, "Bytes copied between local arrays.")
      .def("__repr__", [](const RunReport& r) {
        return fmt::format(
            "RunReport(seconds={:.3g}, gemm_seconds={:.3g}, wait_seconds={:.3g}, "
            "redistribute_seconds={:.3g}, other_seconds={:.3g}, received={}, messages={})",
            r.seconds, r.gemm_seconds, r.wait_seconds, r.redistribute_seconds, r.other_seconds, r.received, r.messages);
      });
}

}  // namespace

}  // namespace cairn::python

NB_MODULE(_mpi, m) {
  nb::set_leak_warnings(false);  // what a communicator keeps lives until MPI ends, after Python has
  using namespace cairn::python;
  m.doc() = "Distributed matrices of Cairn, over MPI. Communicators are integers, as MPI_Comm_c2f makes them.";
  nb::module_::import_("cairn._core");
  m.def("mpi_library", &cairn::mpi_library, "The MPI that this module runs with, in short: 'Open MPI 4.1.4'.");
  m.def("library_version", &library_version, "What MPI_Get_library_version says.");
  m.def(
      "handle_bytes", [] { return sizeof(MPI_Comm); }, "Bytes of a communicator's handle in the MPI of the build.");
  m.def(
      "duplicate", [](int comm) { return static_cast<int>(MPI_Comm_c2f(comm_of(comm).raw())); }, nb::arg("comm"),
      nb::call_guard<nb::gil_scoped_release>(),
      "The communicator of the same ranks on which Cairn talks, and which it frees.");
  m.def("use_one_blas_thread", &cairn::use_one_blas_thread);
  m.def("handle_termination", &handle_termination, nb::arg("by_speaking"));
  m.def("leave_termination", &leave_termination);
  bind_reports(m);
  bind_parts(m);
  bind_products(m);
  bind_factors(m);
  bind_files(m);
  bind_sparse(m);
  bind_functions(m);
}
