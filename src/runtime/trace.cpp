#include "runtime/trace.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

#include "cairn/error.hpp"
#include "io/atomic_file.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

// Times are each rank's clock, as MPI_Wtime has it. Trace-event format: complete events ("X") in microseconds, one
// process a rank.
std::string events_of(const Schedule& s, const Trace& trace, int rank, double zero) {
  const nlohmann::json process{
      {"name", "process_name"}, {"ph", "M"}, {"pid", rank}, {"args", {{"name", "rank " + std::to_string(rank)}}}};
  std::string text = rank == 0 ? "\n" : ",\n";
  text += process.dump();
  for (const Trace::Event& e : trace.events) {
    const nlohmann::json event{
        {"name", label(s, e.step)},     {"cat", e.kind},         {"ph", "X"}, {"pid", rank}, {"tid", e.kind},
        {"ts", 1e6 * (e.start - zero)}, {"dur", 1e6 * e.seconds}};
    text += ",\n" + event.dump();
  }
  return text;
}

}  // namespace

void write_trace(const Comm& comm, const Schedule& s, const Trace& trace, const std::string& path) {
  const double zero = over_ranks(comm, MPI_MIN, trace.events.empty() ? MPI_Wtime() : trace.events.front().start);
  const std::string mine = events_of(s, trace, comm.rank(), zero);
  const Int total = over_ranks(comm, MPI_SUM, static_cast<Int>(mine.size()));
  to_int(total, "length of a trace");  // where it throws, it does on all ranks
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(comm.size())), starts(lengths.size(), 0);
  MPI_TRY(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm.raw()));
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::string all(comm.rank() == 0 ? static_cast<std::size_t>(total) : 0, ' ');
  MPI_TRY(
      MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0, comm.raw()));
  together(comm, [&] {
    if (comm.rank() != 0) return;
    try {
      io::write_whole(path, "{\"traceEvents\":[" + all + "],\n\"displayTimeUnit\":\"ms\"}\n");
    } catch (const FileError& e) {
      throw FileError(std::string("trace: ") + e.what());
    }
  });
}

}  // namespace cairn
