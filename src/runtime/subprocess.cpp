#include "runtime/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace cairn {

namespace {

std::vector<std::string> environment_with(const std::vector<Variable>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (std::none_of(variables.begin(), variables.end(), [&](const Variable& v) { return v.first == name; }))
      all.push_back(text);
  }
  for (const auto& [name, value] : variables)
    if (value) all.push_back(name + '=' + *value);
  return all;
}

/// Starts the command with `output` as its standard output; 0 if that is impossible.
pid_t start(std::vector<std::string> command, const std::vector<Variable>& variables, int output) {
  std::vector<std::string> environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return 0;
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, command.front().c_str(), &actions, nullptr, pointers(command).data(),
                                pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : 0;
}

/// All that comes until the other end is closed; false if that takes too long, or there is too much of it.
bool read_all(int from, double seconds, std::string& text) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t most = 1 << 16;
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (text.size() < most) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    const int events = left > 0 ? poll(&ready, 1, static_cast<int>(left)) : 0;
    if (events < 0 && errno == EINTR) continue;
    if (events <= 0) return false;
    std::array<char, 4096> piece{};
    const ssize_t length = read(from, piece.data(), piece.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return length == 0;
    text.append(piece.data(), static_cast<std::size_t>(length));
  }
  return false;
}

}  // namespace

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

std::optional<std::string> output_of(const std::vector<std::string>& command, const std::vector<Variable>& variables,
                                     double seconds) {
  std::array<int, 2> ends{};
  if (command.empty() || pipe(ends.data()) != 0) return {};
  for (int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  const pid_t child = start(command, variables, ends[1]);
  close(ends[1]);
  std::string text;
  const bool whole = child > 0 && read_all(ends[0], seconds, text);
  close(ends[0]);
  if (child <= 0) return {};
  if (!whole) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::optional(text) : std::nullopt;
}

}  // namespace cairn
