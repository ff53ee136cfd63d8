#include "block_run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "io/memory_size.hpp"
#include "planner/page.hpp"
#include "start.hpp"

namespace cairn::app {

void add_block_options(CLI::App& command, BlockArguments& a, const std::string& output, const std::string& known) {
  command.add_option("--blocks", a.blocks,
                     "Sizes of the blocks of rows and columns: 6 (throughout), 4,1,1 (again and again), or a file; "
                     "else what is known of " +
                         known);
  command.add_option("--memory", a.memory, "Most that a rank may hold: 2GiB, 500MB, bytes, or 100000words");
  command.add_option(
      "--type", a.type,
      "Type of the result: float32, float64, complex64, complex128; else the smallest that holds what is read");
  command.add_option("-o,--output", a.output, output + ": .cbs (Cairn's own), .mtx or .npy; else not written");
  add_ranks_option(command, a.ranks);
  command.add_flag("--json", a.json, "Report as JSON");
}

BlockShape blocks_of(const Comm& world, const FileInfo& file, const std::string& asked) {
  const auto text = [&](const char* unasked, const std::exception& e) {
    return fmt::format("{}: {}{}", file.argument, asked.empty() ? unasked : "--blocks: ", e.what());
  };
  try {
    if (asked.empty()) return block_shape(world, file);
    return {parse_block_sizes(asked, file.rows), parse_block_sizes(asked, file.cols)};
  } catch (const ArgumentError& e) {
    throw ArgumentError(text("", e));
  } catch (const FileError& e) {
    throw FileError(text("--blocks is needed, or a file that knows its blocks: ", e));
  }
}

BlockSizes square_blocks_of(const Comm& world, const FileInfo& file, const std::string& asked) {
  BlockShape blocks = blocks_of(world, file, asked);
  if (blocks.rows != blocks.cols)
    throw ArgumentError(
        fmt::format("{} ({}): rows are in other blocks than columns, expected the same", file.argument, file.path));
  return std::move(blocks.rows);
}

void require_block_output(const Comm& world, const std::string& path, ScalarType type, Int m, Int n) {
  if (path.empty()) return;
  const bool dense = path.ends_with(".npy");
  if (!dense && !path.ends_with(".cbs") && !path.ends_with(".mtx"))
    throw ArgumentError(fmt::format("-o {}: expected a file that ends with .cbs, .mtx or .npy", path));
  require_writable(world, path, dense ? npy_bytes(type, m, n) : 0, "-o");
  if (path.ends_with(".mtx"))
    for (const char* sizes : {".rows", ".cols"}) require_writable(world, path + sizes, 0, "-o");
}

std::optional<Int> memory_words(const BlockArguments& a, ScalarType type) {
  if (a.memory.empty()) return {};
  return io::words_of_memory(a.memory, "--memory", type);
}

std::string percent_in_blocks(double share) {
  return fmt::format("{:.1f} % of the elements are in blocks", 100 * share);
}

std::string blocks_text(const BlockSizes& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  if (sizes.empty()) return "none";
  return *least == *most ? fmt::format("{} of {}", grouped(static_cast<Int>(sizes.size())), *least)
                         : fmt::format("{} of {} to {}", grouped(static_cast<Int>(sizes.size())), *least, *most);
}

}  // namespace cairn::app
