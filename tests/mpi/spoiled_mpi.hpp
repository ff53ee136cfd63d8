// An MPI that does wrong what a test asks it to do wrong, through MPI's profiling interface; otherwise it is the real
// one. For one source of a test program: it defines the MPI functions.
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>

namespace cairn::testing {

struct SpoiledMpi {
  std::function<int()> machine;  ///< MPI_Comm_split_type: the number of this rank's machine
  int shared_files_failing = 0;  ///< memfd_create, which is not MPI's: so many calls fail
  int reservations_failing = 0;  ///< posix_fallocate, likewise
  off_t most_uninterrupted = 0;  ///< posix_fallocate: if not 0, signals interrupt it for more bytes
  bool no_windows = false;       ///< MPI_Win_allocate fails
  bool full = false;             ///< statvfs, which is not MPI's either: file systems have room for one block
  bool separate_memory = false;  ///< windows are of the separate memory model
  int largest_tag = 0;           ///< if not 0
  bool fetches_beside = false;   ///< MPI_Rget brings what lies one word further on
  bool fetches_fail = false;
  MPI_Datatype no_sum_of = MPI_DATATYPE_NULL;  ///< MPI_Accumulate replaces
  bool receives_fail = false;                  ///< MPI_Irecv
  int cores = 0;                               ///< of this machine, if not 0: sysconf, which is not MPI's either
  bool nothing_arrives = false;                ///< as long as one only asks: MPI_Request_get_status
  int words_more = 0;                          ///< MPI_Get_elements_x
};
inline SpoiledMpi spoiled;

}  // namespace cairn::testing

extern "C" {

int memfd_create(const char* name, unsigned flags) noexcept {
  if (cairn::testing::spoiled.shared_files_failing > 0) return --cairn::testing::spoiled.shared_files_failing, -1;
  return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}

int statvfs(const char* path, struct statvfs* found) noexcept {
  static const auto real = reinterpret_cast<int (*)(const char*, struct statvfs*)>(dlsym(RTLD_NEXT, "statvfs"));
  const int code = real(path, found);
  if (cairn::testing::spoiled.full) found->f_bavail = 1;
  return code;
}

long sysconf(int name) noexcept {
  static const auto real = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  const int cores = cairn::testing::spoiled.cores;
  return name == _SC_NPROCESSORS_ONLN && cores > 0 ? cores : real(name);
}

int posix_fallocate(int file, off_t start, off_t bytes) {
  if (cairn::testing::spoiled.reservations_failing > 0) return --cairn::testing::spoiled.reservations_failing, ENOSPC;
  if (const off_t most = cairn::testing::spoiled.most_uninterrupted; most > 0 && bytes > most) return EINTR;
  return syscall(SYS_fallocate, file, 0, start, bytes) == 0 ? 0 : errno;
}

int MPI_Request_get_status(MPI_Request request, int* arrived, MPI_Status* status) {
  const int code = PMPI_Request_get_status(request, arrived, status);
  if (cairn::testing::spoiled.nothing_arrives) *arrived = 0;
  return code;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* out) {
  const auto& machine = cairn::testing::spoiled.machine;
  return machine ? PMPI_Comm_split(comm, machine(), key, out) : PMPI_Comm_split_type(comm, type, key, info, out);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
  return cairn::testing::spoiled.no_windows ? MPI_ERR_NO_MEM : PMPI_Win_allocate(size, unit, info, comm, base, win);
}

int MPI_Win_get_attr(MPI_Win win, int key, void* value, int* found) {
  static int separate = MPI_WIN_SEPARATE;
  const int code = PMPI_Win_get_attr(win, key, value, found);
  if (cairn::testing::spoiled.separate_memory && key == MPI_WIN_MODEL) *static_cast<int**>(value) = &separate;
  return code;
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* found) {
  const int code = PMPI_Comm_get_attr(comm, key, value, found);
  int& largest = cairn::testing::spoiled.largest_tag;
  if (largest > 0 && key == MPI_TAG_UB) *static_cast<int**>(value) = &largest;
  return code;
}

int MPI_Rget(void* to, int count, MPI_Datatype type, int peer, MPI_Aint at, int target_count, MPI_Datatype target_type,
             MPI_Win win, MPI_Request* request) {
  const auto& s = cairn::testing::spoiled;
  if (s.fetches_fail) return MPI_ERR_OTHER;
  if (s.fetches_beside && count == 513) at += 8;
  return PMPI_Rget(to, count, type, peer, at, target_count, target_type, win, request);
}

int MPI_Accumulate(const void* from, int count, MPI_Datatype type, int peer, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
  if (type == cairn::testing::spoiled.no_sum_of) op = MPI_REPLACE;
  return PMPI_Accumulate(from, count, type, peer, at, target_count, target_type, op, win);
}

int MPI_Irecv(void* to, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  return cairn::testing::spoiled.receives_fail ? MPI_ERR_OTHER : PMPI_Irecv(to, count, type, peer, tag, comm, request);
}

int MPI_Get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  const int code = PMPI_Get_elements_x(status, type, count);
  *count += cairn::testing::spoiled.words_more;
  return code;
}

}  // extern "C"
