// What a program prints, with another environment than this process has.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn {

/// A variable of the environment and its value; nothing: not set.
using Variable = std::pair<std::string, std::optional<std::string>>;

/// As execvp takes them; they live as long as `words`.
std::vector<char*> pointers(std::vector<std::string>& words);

/// The standard output, up to 64 KiB, of command[0], a path, with the other words as its arguments and this process's
/// environment except for `variables`. Nothing if it cannot be started, ends with another code than 0 or by a signal,
/// or takes longer than `seconds`, when it is killed. What it says on standard error is lost.
std::optional<std::string> output_of(const std::vector<std::string>& command, const std::vector<Variable>& variables,
                                     double seconds);

}  // namespace cairn
