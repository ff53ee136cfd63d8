#include "interpret/node_shared.hpp"

#include "interpret/replay/replay.hpp"
#include "program/shared/compile_shared.hpp"

namespace cairn {

namespace {

Count counted(const Program& program, Count asked, Int callers) {
  asked.wire_words = program.words_received;
  asked.messages = program.messages_received;
  asked.node_words = program.words_from_other_nodes;
  asked.peak_words = callers + program.placement.words;
  return asked;
}

Totals totals_of(const Schedule& s, const std::vector<Program>& programs) {
  Totals t;
  const std::vector<Effect> does = effects(s);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto rank = static_cast<Int>(i);
    const Int own = callers_words(s, rank);
    t.add(counted(programs[i], count_asked(s, does, rank), own), 1, own);
  }
  t.divide(s.ranks);
  return t;
}

}  // namespace

Count count_shared(const Schedule& s, const std::vector<int>& node_of, Int rank) {
  return counted(compile_shared(s, node_of, rank), count_asked(s, effects(s), rank), callers_words(s, rank));
}

Totals count_all_shared(const Schedule& s, const std::vector<int>& node_of) {
  return totals_of(s, compile_shared(s, node_of));
}

Forecast forecast_shared(const Schedule& s, const std::vector<int>& node_of, const Machine& machine, ScalarType type) {
  const std::vector<Program> programs = compile_shared(s, node_of);
  return {totals_of(s, programs), replay(s, programs, machine, type)};
}

}  // namespace cairn
