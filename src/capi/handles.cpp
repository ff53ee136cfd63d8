#include "capi/handles.hpp"

#include <algorithm>
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

Listed::Numbers Listed::numbers(IndexSet set) {
  Numbers all{std::move(set), {}};
  Int end = 0;
  for (Range r : all.set.pieces()) all.ends.push_back(end += r.size());
  return all;
}

Int Listed::global(const Layout& layout, Int rank, Int local, Numbers Of::*which) {
  if (layout.blocks || rank < 0) return -1;  // arbitrary blocks lie one after another, not in rows and columns of all
  const std::lock_guard lock(mutex_);
  if (last_.rank != rank) last_ = {rank, numbers(layout.rows_at(rank)), numbers(layout.cols_at(rank))};
  const Numbers& all = last_.*which;
  const auto piece = std::upper_bound(all.ends.begin(), all.ends.end(), local);
  if (local < 0 || piece == all.ends.end()) return -1;
  return all.set.pieces()[static_cast<std::size_t>(piece - all.ends.begin())].hi - (*piece - local);
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
  if (o->prefer && *o->prefer) options.prefer = o->prefer;
  if (o->collectives) options.collectives = o->collectives;
  options.ranks_per_node = o->ranks_per_node;
  options.verify_counts = o->verify_counts != 0;
  return options;
}

}  // namespace cairn::capi

const char* cairn_error_message(void) { return last_message.c_str(); }
const char* cairn_version(void) { return cairn::version; }
