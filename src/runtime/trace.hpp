// The timeline of one run, for chrome://tracing and Perfetto.
#pragma once
#include <string>
#include <vector>

#include "cairn/comm.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

struct Trace {
  struct Event {
    std::size_t step;
    const char* kind;  ///< "gemm", "triangle", "wait", "post", "copy", "sum", "redistribute"
    double start, seconds;
  };
  std::vector<Event> events;
};

/// Collective: rank 0 writes the events of all ranks, labelled with the schedule's steps, as trace-event JSON, whole or
/// not at all. Throws FileError on every rank if the file cannot be written.
void write_trace(const Comm& comm, const Schedule& schedule, const Trace& trace, const std::string& path);

}  // namespace cairn
