// parse_schedule: recursive descent, one function a rule, no rule inside itself. Whatever a layout
// says is checked here, so that a parsed schedule can be printed and interpreted without overflow;
// whether its steps make sense is for `check` to say.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "schedule/kernels.hpp"
#include "schedule/reader.hpp"
#include "schedule/words.hpp"

namespace cairn {

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}
  Schedule schedule();

 private:
  static constexpr Int most_ranks = Int{1} << 31, most_size = Int{1} << 60, most_slots = Int{1} << 30;
  static constexpr int most_axes = 64;  // keeps searches for an axis short
  static constexpr std::size_t most_grids = 1024;
  struct NamedGrid {
    std::string name;
    Grid grid;
  };

  void header();
  void grid();
  Grid placed(const Grid& grid);
  std::vector<Grid::Axis> axes();
  std::string axis_name() { return in_.name("the name of an axis", words::in_axis); }
  int axis(const Grid& grid);
  Affine::Term term(const Grid& grid);
  Affine affine(const Grid& grid);
  void require_reach(const Grid& grid, const Affine& a);
  Int parts();
  Cut constant_cut();
  Cut affine_cut(const Grid& grid);
  Cut cut(const Grid& grid);
  Range range();
  Dim dim(const Grid& grid);
  std::vector<Int> bounds();
  Holders holders(Int parts);
  void slot();
  Slot slot_number(Int below);
  SlotInfo::Role role();
  Uplo shape();
  Problem problem();
  Solve solve();
  /// "uplo=lower": one of these by its name.
  template <class Named>
  Named one_of(std::string_view name, std::initializer_list<Named> all) {
    in_.expect_word(name);
    in_.expect('=');
    std::string names;
    for (Named x : all) {
      if (in_.accept_word(name_of(x))) return x;
      names += (names.empty() ? "'" : " or '") + std::string(name_of(x)) + '\'';
    }
    in_.expected(names);
  }
  Int size(std::string_view name);
  Op op();
  Compute compute(Kernel kernel, Slot dst, Update update);
  const Grid& known_grid();
  void where(Layout& layout);
  std::vector<Int> block_bounds(std::string_view word, Int extent);
  void blocks(Layout& layout);
  void step();
  Slot operand();
  Update update(Slot dst);
  Step verb(Slot dst, Update update);
  int along();
  Affine affine_after(std::string_view word);
  std::pair<Affine, Who> who(int axis);
  How how(Collective of);

  Reader in_;
  Schedule s_;
  std::vector<NamedGrid> grids_;
};

}  // namespace cairn
