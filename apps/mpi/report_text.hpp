// How reports of runs on files are told to people: what those of all commands have.
#pragma once
#include <string>
#include <vector>

#include "file_run.hpp"
#include "launch.hpp"

namespace cairn::app {

class ReportText {
 public:
  std::string text() && { return std::move(text_); }

  /// A file in the table of files.
  struct FileRow {
    const char* key;
    Int rows, cols;
    std::string path, note;
  };
  static FileRow row_of(const char* key, const FileInfo& f) { return {key, f.rows, f.cols, f.path, f.note}; }
  static FileRow row_of_output(const char* key, Int rows, Int cols, const FileArguments& a) {
    return {key, rows, cols, a.output, a.order == Order::row ? "npy, C order" : "npy, Fortran order"};
  }

  void head(const std::string& formula, ScalarType type, int ranks);
  void files(const std::vector<FileRow>& rows);
  /// The transport and the kernels; `planned` is the transport of the plan.
  void means(const RunFacts& facts, std::string_view planned);
  void time(const RunFacts& facts, bool checked);
  void speed(const RunFacts& facts);
  /// Of each stage; words from other nodes where there are some, or `nodes` were asked for.
  void words(const RunFacts& facts, bool nodes);
  /// "passed", or "undecided" where numbers that are not finite cannot be compared.
  void check(bool passed, const std::string& how);

  void item(const char* key, const std::string& value);
  /// A figure, right-aligned under the others, and what it means.
  void figure(const char* key, const std::string& value, const std::string& meaning);
  void line(const std::string& s = "") { text_ += s.empty() ? "\n" : "  " + s + '\n'; }

 private:
  static constexpr std::size_t key_width = 12, value_width = 14;

  std::string bold(const std::string& s) const { return colours_ ? "\033[1m" + s + "\033[0m" : s; }
  std::string good(const std::string& s) const { return colours_ ? "\033[32m" + s + "\033[0m" : s; }
  std::string dim(const std::string& s) const { return colours_ ? "\033[2m" + s + "\033[0m" : s; }
  void words_of(const Stage& stage, const RunFacts& facts, bool nodes, bool alone);

  bool colours_ = terminal().colours;
  std::string text_;
};

}  // namespace cairn::app
