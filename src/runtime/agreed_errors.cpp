#include "runtime/agreed_errors.hpp"

#include <array>
#include <limits>
#include <new>

#include "cairn/error.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

Trouble describe(const std::exception_ptr& error) {
  using Kind = Trouble::Kind;
  try {
    std::rethrow_exception(error);
  } catch (const MemoryError& e) {
    return {Kind::memory, e.what()};
  } catch (const ArgumentError& e) {
    return {Kind::argument, e.what()};
  } catch (const FileError& e) {
    return {Kind::file, e.what()};
  } catch (const RuntimeError& e) {
    return {Kind::runtime, e.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::memory, "memory: this process has none left"};
  } catch (const std::exception& e) {
    return {Kind::other, e.what()};
  } catch (...) {
    return {Kind::other, "an unknown exception"};
  }
}

void throw_agreed(const Comm& comm, const Trouble& mine) {
  using Kind = Trouble::Kind;
  constexpr int nobody = std::numeric_limits<int>::max();
  const int turn = mine.kind == Kind::none ? nobody : comm.rank() + (mine.kind == Kind::memory ? comm.size() : 0);
  int first = over_ranks(comm, MPI_MIN, turn);
  if (first == nobody) return;
  first %= comm.size();
  std::array<int, 2> kind_and_length{static_cast<int>(mine.kind), static_cast<int>(mine.text.size())};
  MPI_TRY(MPI_Bcast(kind_and_length.data(), 2, MPI_INT, first, comm.raw()));
  std::string text = mine.text;
  text.resize(static_cast<std::size_t>(kind_and_length[1]));
  MPI_TRY(MPI_Bcast(text.data(), kind_and_length[1], MPI_CHAR, first, comm.raw()));
  switch (static_cast<Kind>(kind_and_length[0])) {
    case Kind::argument: throw ArgumentError(text);
    case Kind::memory: throw MemoryError(text);
    case Kind::file: throw FileError(text);
    case Kind::runtime: throw RuntimeError(text);
    default: throw Error(text);
  }
}

void throw_named(const Comm& comm, Trouble mine) {
  if (same_on_all(comm, mine.kind == Trouble::Kind::none, {})) [[likely]]
    return;
  if (!same_on_all(comm, true, mine.text) && mine.kind != Trouble::Kind::none)
    mine.text += " (rank " + std::to_string(comm.rank()) + ")";
  throw_agreed(comm, mine);
}

}  // namespace cairn
