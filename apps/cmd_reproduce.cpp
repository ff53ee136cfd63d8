// cairn reproduce NAME: a table or figure of a paper, our numbers beside the paper's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cairn/error.hpp"
#include "commands.hpp"
#include "io/atomic_file.hpp"
#include "reproduce/reproduction.hpp"

namespace cairn::app {

namespace {

struct ReproduceArguments {
  std::string name, plot;
  bool json = false;
};

const Reproducible& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Reproducible& r : reproducibles()) {
    if (name == r.name) return r;
    names.emplace_back(r.name);
  }
  throw ArgumentError(fmt::format("reproduce: '{}' is unknown, expected one of {}", name, fmt::join(names, ", ")));
}

std::string page(const Reproducible& which, const Reproduction& r) {
  std::string text = fmt::format("{}\n  {}\n\n", which.source, r.setting);
  std::size_t widest = 0;
  for (const Compared& c : r.lines) widest = std::max(widest, columns(c.what));
  const auto row = [&](const std::string& what, std::string_view paper, std::string_view ours, std::string_view ratio) {
    text +=
        fmt::format("  {}{}{:>14}{:>14}{:>10}\n", what, std::string(widest - columns(what), ' '), paper, ours, ratio);
  };
  row(std::string(widest, ' '), "paper", "ours", "ratio");
  for (const Compared& c : r.lines)
    row(c.what, c.paper ? fmt::format("{:.4g}", *c.paper) : "-", fmt::format("{:.4g}", c.ours),
        c.paper && *c.paper != 0 ? fmt::format("{:.3f}", c.ours / *c.paper) : "-");
  text += fmt::format("  ({})\n", r.unit);
  if (!r.remark.empty()) text += fmt::format("\n  {}\n", r.remark);
  return text;
}

std::string json_of(const Reproducible& which, const Reproduction& r) {
  nlohmann::ordered_json json{{"name", which.name}, {"source", which.source}, {"setting", r.setting}, {"unit", r.unit}};
  json["lines"] = nlohmann::ordered_json::array();
  for (const Compared& c : r.lines)
    json["lines"].push_back(
        {{"what", c.what}, {"paper", c.paper ? nlohmann::ordered_json(*c.paper) : nullptr}, {"ours", c.ours}});
  json["remark"] = r.remark;
  json["plot"] = {{"x", r.x_label}, {"y", r.y_label}, {"log_x", r.log_x}, {"curves", nlohmann::ordered_json::array()}};
  for (const Curve& c : r.curves) json["plot"]["curves"].push_back({{"name", c.name}, {"x", c.x}, {"y", c.y}});
  return json_text(json);
}

// As one word of a shell's command.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// What draws: where this program is installed, wherever that was moved; of one that was only built, beside the sources.
std::string plot_script() {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string installed = (program.parent_path() / CAIRN_PLOT_INSTALLED).lexically_normal().string();
  for (const std::string& script : {installed, std::string(CAIRN_PLOT_SOURCE)})
    if (std::filesystem::exists(script, none)) return script;
  throw RuntimeError(fmt::format("--plot: no {}, expected what the installation of this program brings", installed));
}

// That draws: python3, or what CAIRN_PYTHON names.
std::string interpreter() {
  const char* const chosen = std::getenv("CAIRN_PYTHON");
  return quoted(chosen != nullptr && *chosen != '\0' ? chosen : "python3");
}

// Before anything is computed, which may take a minute.
void require_plot(const Reproducible& which, const std::string& file) {
  if (!which.drawn) throw ArgumentError(fmt::format("--plot: {} is a table", which.name));
  if (!file.ends_with(".svg") && !file.ends_with(".png") && !file.ends_with(".pdf"))
    throw ArgumentError(fmt::format("--plot {}: expected a file that ends with .svg, .png or .pdf", file));
  try {
    const io::AtomicFile can_be_written(file);
  } catch (const FileError& e) {
    throw FileError(fmt::format("--plot: {}", e.what()));
  }
  if (std::system(fmt::format("{} -c 'import matplotlib' > /dev/null 2>&1", interpreter()).c_str()) != 0)
    throw RuntimeError(fmt::format(
        "--plot: {} has no matplotlib, expected a Python 3 with it, which CAIRN_PYTHON names", interpreter()));
}

void plot(const std::string& json, const std::string& file) {
  const std::string command = fmt::format("{} {} {}", interpreter(), quoted(plot_script()), quoted(file));
  std::signal(SIGPIPE, SIG_IGN);  // where Python ends before it has read everything, it has said why
  FILE* python = popen(command.c_str(), "w");
  const bool written = python != nullptr && std::fwrite(json.data(), 1, json.size(), python) == json.size();
  if (python == nullptr || pclose(python) != 0 || !written)
    throw RuntimeError(fmt::format("--plot {}: Python could not draw it, expected a matplotlib that works", file));
}

void run(const ReproduceArguments& a) {
  if (a.name.empty()) {
    std::string names;
    for (const Reproducible& r : reproducibles()) names += fmt::format("{:17} {}\n", r.name, r.source);
    return print_all(names);
  }
  const Reproducible& which = find(a.name);
  if (!a.plot.empty()) require_plot(which, a.plot);
  const Reproduction r = which.make();
  const std::string json = json_of(which, r);
  print_all(a.json ? json : page(which, r));
  if (!a.plot.empty()) plot(json, a.plot);
}

}  // namespace

void add_reproduce(CLI::App& app) {
  CLI::App* reproduce = app.add_subcommand("reproduce", "Regenerate a table or figure of a paper beside its numbers");
  auto a = std::make_shared<ReproduceArguments>();
  reproduce->add_option("NAME", a->name, "Which one; without it, all names are listed");
  reproduce->add_flag("--json", a->json, "Print the numbers and curves as JSON");
  reproduce->add_option("--plot", a->plot, "Draw the figure: a .svg, .png or .pdf file (needs Python with matplotlib)");
  reproduce->callback([a] { run(*a); });
}

}  // namespace cairn::app
