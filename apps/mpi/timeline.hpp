// One timeline of a command that runs several plans, each of which writes its own.
#pragma once
#include <string>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/options.hpp"
#include "file_run.hpp"

namespace cairn::app {

class Timeline {
 public:
  /// Nothing happens where `path` is empty. Collective.
  Timeline(const Comm& world, std::string path);
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;
  /// Takes away what the plans wrote.
  ~Timeline();

  /// The options of a plan that writes one more part.
  Options part(Options options);
  /// The next part, in the order of part(), starts now.
  void starts() { starts_.push_back(clock_.total()); }
  /// All parts in one file, one after another. Collective; throws FileError on all ranks.
  void write() const;

 private:
  std::string joined() const;

  const Comm world_;
  const std::string path_;
  const int process_;  // of rank 0, so that parts overwrite no file
  std::vector<std::string> parts_;
  std::vector<double> starts_;
  Watch clock_;
};

}  // namespace cairn::app
