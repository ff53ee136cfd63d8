// Words of slots at all cells at once. A dimension's length depends on few axes, mostly on one: it is found once for
// each coordinate and remembered.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "interpret/cells.hpp"
#include "schedule/kernels.hpp"

namespace cairn {

class Sizes {
 public:
  /// Lengths of one dimension, or 1 and 0 for a condition: at coordinate x of `axis`, or at every cell, or everywhere.
  struct Factor {
    static constexpr int everywhere = -1, each_cell = -2;
    static constexpr double unknown = -1;
    int axis = everywhere;
    mutable std::vector<double> values;  ///< of cells, those that were asked for
    const Dim* dim = nullptr;            ///< of cells
  };
  /// Rows, columns, and conditions of a slot; words are their product, unless they are found by other means.
  struct Words {
    const Factor *rows = nullptr, *cols = nullptr;
    std::vector<const Factor*> others;
    const Factor* found = nullptr;
  };

  Sizes(const Schedule& schedule, const Cells& cells);

  const Words& words(Slot x);
  /// What ranks get of a value that they do not have, where it has one source.
  const Words& travelling(const Move& m);
  /// Fills out[0, count) with words at the strip of cells from `first` on.
  void fill(const Words& words, std::size_t first, std::size_t count, double* out) const;
  void fill(Slot x, std::size_t first, std::size_t count, double* out) { fill(words(x), first, count, out); }
  /// At all cells.
  void fill(Slot x, std::vector<double>& out) {
    out.resize(cells_.size());
    for (std::size_t c = 0; c < cells_.size(); c += cells_.run()) fill(x, c, cells_.run(), &out[c]);
  }
  /// Cells::for_each_message, without cells to which a condition of what travels does not lead.
  template <class Visit>
  void for_each_message(const Move& m, const Words& travelling, Visit visit) const {
    cells_.for_each_message(m, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (const auto [first, some] = where(travelling, to, count); some > 0) visit(to + first, from + first, some);
    });
  }
  /// visit(to, from, words) of every message from one cell to another, where each is one rank.
  template <class Visit>
  void for_each_arriving(const Move& m, Visit visit) {
    std::vector<double> arriving(cells_.run());
    const Words& words = travelling(m);
    for_each_message(m, words, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (to == from) return;
      fill(words, to, count, arriving.data());
      for (std::size_t i = 0; i < count; ++i) visit(to + i, from + i, arriving[i]);
    });
  }
  /// Whether a factor is the same at all cells.
  static bool everywhere(const Factor& f) { return f.axis == Factor::everywhere; }
  /// Whether a factor, or the words of a slot, are the same at all cells of a run.
  bool uniform(const Factor& f) const {
    return f.axis != Factor::each_cell && (f.axis < 0 || f.axis != cells_.grid().axes() - 1);
  }
  bool uniform(const Words& words) const;
  /// Value of a factor at a cell.
  double at(const Factor& f, std::size_t cell) const;
  /// Words at a cell.
  double at(const Words& words, std::size_t cell) const;
  double at(Slot x, std::size_t cell) { return at(words(x), cell); }
  /// Of local work. Fast where one step is asked about at one cell after another.
  WorkSizes work(const Compute& x, std::size_t cell);

 private:
  const Factor* length(const Dim& dim);
  const Factor* condition(const Layout::Where& w);
  const Factor* by_cell(Slot x);
  const Factor* constant(Int value);
  double at_cell(const Factor& f, std::size_t cell) const;
  // Where in a strip of cells all conditions hold.
  struct Part {
    std::size_t first, count;
  };
  Part where(const Words& words, std::size_t strip, std::size_t count) const;
  Int counted_at(Slot x, std::size_t cell);
  void multiply(const Factor& f, std::size_t first, std::size_t count, double* out) const;

  const Schedule& s_;
  const Cells& cells_;
  std::vector<Words> words_;         // by slot; no rows: not yet known
  std::map<Slot, Words> triangles_;  // likewise, where a triangle travels
  std::deque<Factor> factors_;
  std::unordered_multimap<std::size_t, std::pair<const Dim*, const Factor*>> lengths_;
  std::vector<std::pair<Layout::Where, const Factor*>> conditions_;
  /// Indices of a slot of which a triangle counts, by coordinate of the axis that cuts them.
  struct Indices {
    const Dim* dim = nullptr;
    int axis = 0;
    std::vector<std::optional<IndexSet>> known;
  };
  Slot triangle_ = -1;
  Indices rows_, cols_;
};

}  // namespace cairn
