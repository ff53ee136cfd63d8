#include "capi/handles.hpp"

namespace {
thread_local std::string last_message;
}

namespace cairn::capi {

cairn_status caught() {
  const auto fail = [](const char* what, cairn_status status) {
    last_message = what;
    return status;
  };
  try {
    throw;
  } catch (const MemoryError& e) {
    return fail(e.what(), CAIRN_MEMORY_ERROR);
  } catch (const ArgumentError& e) {
    return fail(e.what(), CAIRN_ARGUMENT_ERROR);
  } catch (const FileError& e) {
    return fail(e.what(), CAIRN_FILE_ERROR);
  } catch (const RuntimeError& e) {
    return fail(e.what(), CAIRN_RUNTIME_ERROR);
  } catch (const std::exception& e) {
    return fail(e.what(), CAIRN_OTHER_ERROR);
  }
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
