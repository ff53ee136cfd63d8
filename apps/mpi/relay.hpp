// What ranks print, from their launcher to standard output.
#pragma once
#include <sys/types.h>

namespace cairn::app {

/// Copies what comes through the pipe `from` to standard output until the process has ended. False as soon as standard
/// output cannot be written, which no launcher notices.
bool relay(int from, pid_t process);

}  // namespace cairn::app
