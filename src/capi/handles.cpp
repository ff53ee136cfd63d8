#include "capi/handles.hpp"

#include <utility>

#include "cairn/version.hpp"

namespace {
thread_local std::string last_message;
}

namespace cairn::capi {

cairn_status caught() noexcept {
  using Kind = Trouble::Kind;
  try {
    Trouble what = describe(std::current_exception());
    last_message = std::move(what.text);
    switch (what.kind) {
      case Kind::argument: return CAIRN_ARGUMENT_ERROR;
      case Kind::memory: return CAIRN_MEMORY_ERROR;
      case Kind::file: return CAIRN_FILE_ERROR;
      case Kind::runtime: return CAIRN_RUNTIME_ERROR;
      case Kind::none:
      case Kind::other: break;
    }
    return CAIRN_OTHER_ERROR;
  } catch (...) {  // no room for the message
    last_message.clear();
    return CAIRN_MEMORY_ERROR;
  }
}

Int Listed::global(const Layout& layout, Int rank, Int local, std::vector<Int> Of::*which) {
  if (layout.blocks || rank < 0) return -1;  // arbitrary blocks lie one after another, not in rows and columns of all
  const std::lock_guard lock(mutex_);
  if (last_.rank != rank) {
    const auto list = [](const IndexSet& set) {
      std::vector<Int> all;
      all.reserve(static_cast<std::size_t>(set.size()));
      for (Range r : set.pieces())
        for (Int i = r.lo; i < r.hi; ++i) all.push_back(i);
      return all;
    };
    last_ = {rank, list(layout.rows_at(rank)), list(layout.cols_at(rank))};
  }
  const std::vector<Int>& all = last_.*which;
  return local >= 0 && local < static_cast<Int>(all.size()) ? all[static_cast<std::size_t>(local)] : -1;
}

Options options_of(const cairn_options* o) {
  Options options;
  if (!o) return options;
  if (o->memory_words != 0) options.memory_words = o->memory_words;
  if (o->algorithm) options.algorithm = o->algorithm;
  if (o->look_ahead != -1) options.look_ahead = o->look_ahead;
  if (o->max_idle != -1) options.max_idle = o->max_idle;
  if (o->machine) options.machine = o->machine;
  if (o->kernels) options.kernels = o->kernels;
  if (o->trace) options.trace = o->trace;
  if (o->transport) options.transport = o->transport;
  if (o->prefer) options.prefer = o->prefer;
  if (o->collectives) options.collectives = o->collectives;
  options.ranks_per_node = o->ranks_per_node;
  options.verify_counts = o->verify_counts != 0;
  return options;
}

}  // namespace cairn::capi

const char* cairn_error_message(void) { return last_message.c_str(); }
const char* cairn_version(void) { return cairn::version; }
