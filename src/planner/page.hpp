// What pages of plans are written with: numbers as people read them, and the sections that every plan has.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/options.hpp"
#include "planner/planned_schedule.hpp"

namespace cairn {

/// 12,345,678
std::string grouped(double x);
std::string grouped(Int x);
/// "3.4 MiB"
std::string bytes_text(double bytes);
/// "12.3 µs", "45.6 ms", "7.89 s"
std::string seconds_text(double seconds);
/// "1.234"; "-" of what has no ratio
std::string ratio_text(double ratio);
/// By which of the two ways in which time is predicted: docs/clock.md
std::string_view how_timed(bool replayed);
/// "1 rank", "64 ranks"
std::string ranks_text(Int ranks);
/// Which of the caller's matrices do not stay where they lie.
std::string redistributed_text(const Schedule& collective);

/// A page of tables with a text column and up to three columns of figures.
class Page {
 public:
  /// Bytes of a word.
  explicit Page(ScalarType type) : word_(static_cast<double>(size_of(type))) {}

  std::string text() && { return std::move(text_); }

  void line(const std::string& s) { text_ += s + '\n'; }
  void item(std::string_view name, std::string_view value);
  void title(std::string_view left, std::string_view a, std::string_view b, std::string_view c = "");
  void row(std::string_view left, std::string_view a, std::string_view b = "", std::string_view c = "");

  void grid(const std::vector<Int>& extents, std::string_view names, Int used, Int ranks);
  void communication(const PlannedSchedule& plan);
  void computation(const PlannedSchedule& plan);
  /// `copies` says what those of the caller's matrices are.
  void memory(const MemoryParts& parts, const Schedule& wire, const std::optional<Int>& limit,
              std::string_view copies = "redistributed copies");
  void time(const Times& times, const Machine& machine, const Options& options, std::string_view remark = "");
  void others(std::string_view heading, const std::vector<RunnerUp>& others);

 private:
  void words(std::string_view name, double mean, Int max);

  double word_;
  std::string text_;
};

}  // namespace cairn
