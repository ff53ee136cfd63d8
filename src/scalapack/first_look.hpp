// What is known of a call at once, without waiting for other ranks: small ones take a few microseconds, of which that
// would be a good part.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <span>

#include "scalapack/check.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

/// What is known of a call before more than its numbers were looked at.
enum class AtOnce {
  nothing,  ///< to be looked at
  agreed,   ///< the ranks' arguments are the same, or some rank will say that they are not
  back,     ///< likewise; too small for Cairn: ScaLAPACK's own routine is to do all of it, finding wrong arguments too
  ended     ///< they are not, and PB_Cabort returned
};

/// A number of a notice: the argument's place in the call, and its name.
struct Noticed {
  Place place;
  const char* name;
};

/// Who finds where small calls of one routine differ between ranks: whoever calls second, ending the program, or the
/// original routine, which compares them itself, and looks at their descriptors. The first number of a notice tells
/// routines, and then also small calls from large ones, apart.
enum class Differences { end, found_by_original };

/// Posts a notice of the call, notice(ranks), whose numbers `names` describes, and looks for those of other ranks,
/// where the grid has a board for them. worth(ranks) says whether the call is large enough for Cairn.
template <class Notice, class Worth>
AtOnce first_look(const char* routine, std::initializer_list<const int*> descriptors, std::span<const Noticed> names,
                  Notice notice, Worth worth, Differences differences = Differences::end) {
  if (settings().use != Settings::Use::worth) return AtOnce::nothing;
  const int context = (*descriptors.begin())[1];
  NoticeBoard* const board = NoticeBoard::of(context);
  if (!board) return AtOnce::nothing;
  const bool by_original = differences == Differences::found_by_original;
  const auto looks_right = [context](const int* desc) {
    return (desc[0] == Descriptor::type_1 || desc[0] == Descriptor::type_2) && desc[1] == context;
  };
  if (!by_original && !std::ranges::all_of(descriptors, looks_right)) return AtOnce::nothing;
  const auto differs = board->post(notice(board->ranks()));
  if (!differs || (*differs > 0 && by_original)) [[likely]]
    return worth(board->ranks()) ? AtOnce::agreed : AtOnce::back;
  Findings findings(context, routine);
  const Noticed& argument = names[*differs];
  findings.add(argument.place, fmt::format("{} differs between ranks, expected the same on all", argument.name));
  findings.abort();
  return AtOnce::ended;
}

}  // namespace cairn::scalapack
