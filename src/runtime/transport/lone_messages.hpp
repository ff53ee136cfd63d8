// Whether a long message reaches a busy sender's neighbour.
#pragma once
#include "cairn/comm.hpp"

namespace cairn {

/// Whether all ranks are on one node, and a long message between two of them may arrive only while its sender calls the
/// MPI library: where the kernel does not copy from process to process, which containers often forbid, data go through
/// a ring of fragments. Found out in a few milliseconds, or in 40 if so, unless there are more ranks than cores or a
/// rank has CAIRN_MEASURE_NODE=0, and kept with the communicator. The same on all ranks. Collective.
bool messages_need_sender(const Comm& comm);
/// The same if rank 0 wants to know; else false as long as it is not known. Collective, whatever other ranks want.
bool messages_need_sender(const Comm& comm, bool wanted);

}  // namespace cairn
