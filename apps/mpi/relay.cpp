#include "relay.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace cairn::app {

namespace {

bool has_ended(pid_t process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

bool write_all(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(STDOUT_FILENO, data, size);
    pollfd full{STDOUT_FILENO, POLLOUT, 0};
    if (written < 0 && errno == EAGAIN && poll(&full, 1, -1) > 0) continue;
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) data += written, size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

// Something that the process has started may outlive it, and hold the pipe open.
bool relay(int from, pid_t process) {
  constexpr int patience = 100;  // milliseconds
  std::array<char, 1 << 16> buffer;
  for (bool ended = false;;) {
    pollfd ready{from, POLLIN, 0};
    const int found = poll(&ready, 1, ended ? 0 : patience);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) {
      if (ended) return true;
      ended = has_ended(process);
      continue;
    }
    const ssize_t size = read(from, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    if (!write_all(buffer.data(), static_cast<std::size_t>(size))) return false;
  }
}

}  // namespace cairn::app
