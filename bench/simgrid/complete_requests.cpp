// SMPI 3.32 says of messages that are under way that they are complete (MPI_Request_get_status), so that the executor
// would wait for them where it should go on. Here they are persistent requests, which may be tested and live on; what a
// test has said is kept until somebody waits. For the calls that the two-sided transport makes.
#include <mpi.h>

#include <unordered_map>

namespace {

std::unordered_map<MPI_Request, MPI_Status> complete;  // tested, not yet waited for

int done(MPI_Request* request, MPI_Status* status) {
  if (const auto at = complete.find(*request); at != complete.end()) {
    *status = at->second;
    complete.erase(at);
  }
  return *request == MPI_REQUEST_NULL ? MPI_SUCCESS : PMPI_Request_free(request);
}

}  // namespace

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Send_init(data, count, type, peer, tag, comm, request);
  return code == MPI_SUCCESS ? PMPI_Start(request) : code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Recv_init(data, count, type, peer, tag, comm, request);
  return code == MPI_SUCCESS ? PMPI_Start(request) : code;
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status*) {
  if (complete.count(request) > 0) return *flag = 1, MPI_SUCCESS;
  MPI_Request copy = request;
  MPI_Status status;
  const int code = PMPI_Test(&copy, flag, &status);
  if (code == MPI_SUCCESS && *flag) complete.emplace(request, status);
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    if (complete.count(requests[i]) == 0)
      if (const int code = PMPI_Wait(&requests[i], &statuses[i]); code != MPI_SUCCESS) return code;
    done(&requests[i], &statuses[i]);
  }
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request* requests, int* which, MPI_Status* status) {
  for (*which = 0; *which < count; ++*which)
    if (complete.count(requests[*which]) > 0) return done(&requests[*which], status);
  const int code = PMPI_Waitany(count, requests, which, status);
  return code == MPI_SUCCESS && *which != MPI_UNDEFINED ? done(&requests[*which], status) : code;
}
}
