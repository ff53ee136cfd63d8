#include "runtime/transport/self_test.hpp"

#include <fmt/format.h>

#include <array>
#include <complex>
#include <optional>
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "runtime/arena.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/environment.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

using Problem = std::optional<std::string>;

// Beyond a page, and beyond what a library sends in one piece.
constexpr Int words = 40000;
struct Piece {
  Int offset, words;
};
constexpr std::array pieces{Piece{0, 1}, Piece{1, 3}, Piece{5, 1000}, Piece{1007, 513}, Piece{1521, 38479}};

double number(int rank, Int i) { return static_cast<double>(rank + 1) * 65536 + static_cast<double>(i); }

template <class T>
MPI_Aint bytes(Int count) {
  return static_cast<MPI_Aint>(count * static_cast<Int>(sizeof(T)));
}

// Ranks have windows of different sizes, as their arenas are.
Arena window_of(const Comm& comm, Int word) { return Arena::window(comm, (words + comm.rank() % 3) * word); }

// Neighbours on either side, one across, and this rank itself.
std::array<int, 4> peers_of(const Comm& comm) {
  const int p = comm.size(), r = comm.rank();
  return {(r + 1) % p, (r + p - 1) % p, (r + p / 2) % p, r};
}

/// What f finds, or what it throws: the other ranks go on, so this one must too.
template <class F>
Problem attempt(F f) {
  try {
    return f();
  } catch (const RuntimeError& e) {
    return e.what();
  }
}

std::vector<double> fetched(const Arena& window, int peer) {
  std::vector<double> got(place(words), -1);
  std::vector<MPI_Request> requests(pieces.size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto [offset, n] = pieces[i];
    const int count = static_cast<int>(n);
    MPI_TRY(MPI_Rget(&got[place(offset)], count, MPI_DOUBLE, peer, bytes<double>(offset), count, MPI_DOUBLE,
                     window.window(), &requests[i]));
  }
  MPI_TRY(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  return got;
}

Problem fetches(const Comm& comm, const Arena& window) {
  auto* const mine = reinterpret_cast<double*>(window.data());
  for (Int i = 0; i < words; ++i) mine[i] = number(comm.rank(), i);
  MPI_TRY(MPI_Win_sync(window.window()));
  MPI_TRY(MPI_Barrier(comm.raw()));
  const Problem problem = attempt([&]() -> Problem {
    for (int peer : peers_of(comm)) {
      const std::vector<double> got = fetched(window, peer);
      for (auto [offset, n] : pieces)
        for (Int i = offset; i < offset + n; ++i)
          if (got[place(i)] != number(peer, i))
            return fmt::format("MPI_Rget brought a wrong word, number {} of rank {}'s", i, peer);
    }
    return {};
  });
  MPI_TRY(MPI_Barrier(comm.raw()));
  return problem;
}

// Every rank adds to every piece of three others, and of itself.
template <class T>
Problem sums(const Comm& comm, MPI_Datatype type, const char* name) {
  const Arena window = window_of(comm, sizeof(T));
  MPI_TRY(MPI_Barrier(comm.raw()));
  std::vector<T> source(place(words));
  const auto value = [](int rank, Int i) { return T(static_cast<float>(rank % 7 + i % 11)); };
  for (Int i = 0; i < words; ++i) source[place(i)] = value(comm.rank(), i);
  Problem problem = attempt([&]() -> Problem {
    for (int peer : peers_of(comm))
      for (auto [offset, n] : pieces)
        MPI_TRY(MPI_Accumulate(&source[place(offset)], static_cast<int>(n), type, peer, bytes<T>(offset),
                               static_cast<int>(n), type, MPI_SUM, window.window()));
    for (int peer : peers_of(comm)) MPI_TRY(MPI_Win_flush(peer, window.window()));
    return {};
  });
  MPI_TRY(MPI_Barrier(comm.raw()));
  MPI_TRY(MPI_Win_sync(window.window()));
  const auto* const got = reinterpret_cast<const T*>(window.data());
  const int p = comm.size(), r = comm.rank();
  const std::array<int, 4> from{(r + p - 1) % p, (r + 1) % p, (r + p - p / 2) % p, r};  // whose peer this rank is
  for (auto [offset, n] : pieces)
    for (Int i = offset; i < offset + n && !problem; ++i) {
      T want(0);
      for (int f : from) want += value(f, i);
      if (got[i] != want) problem = fmt::format("MPI_Accumulate made a wrong sum of {}, number {}", name, i);
    }
  MPI_TRY(MPI_Barrier(comm.raw()));
  return problem;
}

// Open MPI 4 names the file that holds a window after job and communicator, and numbers communicators of different
// ranks alike: windows that two of them make at the same time end up in one file, and ranks die of a bus error.
Problem known_trouble(const Comm& comm) {
  int world = 0;
  MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &world));
  const std::string library = mpi_library();
  if (comm.size() == 1 || comm.size() == world || !library.starts_with("Open MPI") || library >= "Open MPI 5")
    return {};
  return library + " mixes up windows of communicators that do not hold all ranks";
}

Problem trouble_here(const Comm& comm) try {
  if (const Problem known = known_trouble(comm)) return known;
  const Arena window = window_of(comm, sizeof(double));
  int* model = nullptr;
  int found = 0;
  MPI_TRY(MPI_Win_get_attr(window.window(), MPI_WIN_MODEL, static_cast<void*>(&model), &found));
  // Every rank goes through all of it, whatever it finds: it is collective.
  std::array problems{
      found && *model == MPI_WIN_UNIFIED ? Problem() : Problem("windows have a memory of their own (MPI_WIN_SEPARATE)"),
      fetches(comm, window),
      sums<float>(comm, MPI_FLOAT, "float"),
      sums<double>(comm, MPI_DOUBLE, "double"),
      sums<std::complex<float>>(comm, MPI_C_FLOAT_COMPLEX, "complex float"),
      sums<std::complex<double>>(comm, MPI_C_DOUBLE_COMPLEX, "complex double")};
  for (const Problem& p : problems)
    if (p) return p;
  return {};
} catch (const RuntimeError& e) {
  return e.what();
}

}  // namespace

const std::string& one_sided_trouble(const Comm& comm) {
  std::optional<std::string>& kept = comm.state().one_sided_trouble;
  if (!kept) {
    std::string trouble;
    try {
      comm.agree(trouble_here(comm));
    } catch (const ArgumentError& e) {
      trouble = e.what();
    }
    kept = trouble;
  }
  return *kept;
}

}  // namespace cairn
