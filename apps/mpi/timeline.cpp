#include "timeline.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/made_together.hpp"
#include "io/atomic_file.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn::app {

Timeline::Timeline(const Comm& world, std::string path)
    : world_(world), path_(std::move(path)), process_(over_ranks(world, MPI_MAX, world.rank() == 0 ? ::getpid() : 0)) {}

Timeline::~Timeline() {
  std::error_code ignored;
  if (world_.rank() == 0)
    for (const std::string& part : parts_) std::filesystem::remove(part, ignored);
}

Options Timeline::part(Options options) {
  if (path_.empty()) return options;
  parts_.push_back(fmt::format("{}.part.{}.{}", path_, process_, parts_.size()));
  options.trace = parts_.back();
  return options;
}

std::string Timeline::joined() const {
  constexpr double micro = 1e6;  // the format counts microseconds
  nlohmann::json all;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::ifstream file(parts_[i]);
    nlohmann::json part = nlohmann::json::parse(file);
    for (auto& event : part["traceEvents"])
      if (event.contains("ts")) event["ts"] = event["ts"].get<double>() + micro * (starts_[i] - starts_[0]);
    if (i == 0) {
      all = std::move(part);
      continue;
    }
    for (auto& event : part["traceEvents"])
      if (event.contains("ts")) all["traceEvents"].push_back(std::move(event));
  }
  return all.dump() + "\n";
}

void Timeline::write() const {
  if (path_.empty()) return;
  std::optional<std::string> problem;
  try {
    if (world_.rank() == 0) io::write_whole(path_, joined());
  } catch (const std::exception& e) {
    problem = fmt::format("--trace: {}", e.what());
  }
  fail_together(world_, Trouble::Kind::file, problem);
}

}  // namespace cairn::app
