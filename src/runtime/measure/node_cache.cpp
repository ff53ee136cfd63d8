// Figures of nodes, kept for this host and others.
#include "runtime/kept_file.hpp"
#include "runtime/measure/node_figures.hpp"

namespace cairn {

namespace {

NodeHost host_in(const Json& entry) {
  return {text_in(entry, "processor"), text_in(entry, "mpi"), static_cast<Int>(positive_in(entry, "ranks"))};
}

std::optional<NodeFigures> figures_in(const Json& entry) {
  NodeFigures f;
  f.copy = positive_in(entry, "copy_seconds_per_byte");
  f.read = positive_in(entry, "read_seconds_per_byte");
  f.read_others = positive_in(entry, "read_others_seconds_per_byte");
  f.wait = positive_in(entry, "wait_seconds");
  if (f.copy == 0 || f.read == 0 || !entry.contains("messages") || !entry["messages"].is_array()) return {};
  double before = 0;
  for (const Json& message : entry["messages"]) {
    const Machine::Message m{positive_in(message, "bytes"), positive_in(message, "seconds")};
    if (m.bytes <= before || m.seconds == 0) return {};
    before = m.bytes;
    f.messages.push_back(m);
  }
  if (f.messages.empty()) return {};
  return f;
}

Json json_of(const NodeHost& host, const NodeFigures& f) {
  Json entry{{"processor", host.processor},
             {"mpi", host.mpi},
             {"ranks", host.ranks},
             {"copy_seconds_per_byte", f.copy},
             {"read_seconds_per_byte", f.read},
             {"read_others_seconds_per_byte", f.read_others},
             {"wait_seconds", f.wait}};
  for (const Machine::Message& m : f.messages)
    entry["messages"].push_back({{"bytes", m.bytes}, {"seconds", m.seconds}});
  return entry;
}

constexpr Kept<NodeHost, NodeFigures> kept{
    "What cairn measured of nodes on which several ranks run. Without this file it measures again.", host_in,
    figures_in, json_of};

}  // namespace

std::string node_cache() { return kept_file("nodes.json"); }

std::optional<NodeFigures> remembered(const std::string& path, const NodeHost& host) { return kept.find(path, host); }

bool remember(const std::string& path, const NodeHost& host, const NodeFigures& figures) {
  return kept.keep(path, host, figures);
}

}  // namespace cairn
