// run: 2
// Do messages move while a rank multiplies, and how often must it ask? Without Cairn: what the executor relies on.
// Two ranks send each other one message and multiply meanwhile, asking after its state between pieces of the product.
//   part=polls    calls of MPI_Request_get_status, 2 ms apart and nothing else, until both requests are complete;
//                 columns: 0 if the whole message was there before the first call
//   part=overlap  a product of 1024 x 1024 x 1024 in pieces of so many columns (1024: not cut), medians of rounds in
//   turn
//     seconds     both; computing: the product in one piece, no message; moving: the message, no product
//     hidden      1 - (seconds - computing)/moving: also what the pieces cost counts against it
#include <cblas.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/measure/sampling.hpp"
#include "timing.hpp"

namespace {

using cairn::median;

constexpr int n = 1024;

struct Pair {
  explicit Pair(std::size_t bytes) : out(bytes, char(1)), in(bytes, char(0)) {}

  void post() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int count = static_cast<int>(out.size());
    MPI_Irecv(in.data(), count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  }
  bool in_flight() {
    for (MPI_Request r : requests) {
      int done = 0;
      MPI_Request_get_status(r, &done, MPI_STATUS_IGNORE);
      if (!done) return true;
    }
    return false;
  }
  void wait() { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }

  std::vector<char> out, in;
  MPI_Request requests[2];
};

int polls(Pair& p) {
  constexpr auto pause = std::chrono::milliseconds(2);
  std::fill(p.in.begin(), p.in.end(), char(0));
  MPI_Barrier(MPI_COMM_WORLD);
  p.post();
  std::this_thread::sleep_for(50 * pause);
  const volatile char* last = &p.in.back();
  int calls = 0;
  if (*last == 0)  // nobody called MPI: what is there came by itself
    do {
      ++calls;
      std::this_thread::sleep_for(pause);
    } while (p.in_flight());
  p.wait();
  return calls;
}

struct Product {
  std::vector<double> A = std::vector<double>(std::size_t{n} * n, 1.0), B = A, C = A;
  template <class Between>
  void run(int piece, Between more) {
    int lo = 0;
    for (; lo + 2 * piece <= n && more(); lo += piece) columns(lo, piece);
    columns(lo, n - lo);
  }
  void columns(int lo, int width) {
    const std::size_t at = static_cast<std::size_t>(lo) * n;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, width, n, 1.0, A.data(), n, B.data() + at, n, 0.0,
                C.data() + at, n);
  }
};

void overlap(Pair& p, Product& product, bool speaks) {
  constexpr int rounds = 11;
  const std::vector<int> pieces{n, n / 2, n / 4, n / 8, n / 16};
  std::vector<double> computing, moving;
  std::vector<std::vector<double>> both(pieces.size());
  for (int r = 0; r < rounds; ++r) {
    computing.push_back(slowest_seconds([&] { product.run(n, [] { return false; }); }));
    moving.push_back(slowest_seconds([&] {
      p.post();
      p.wait();
    }));
    for (std::size_t i = 0; i < pieces.size(); ++i)
      both[i].push_back(slowest_seconds([&] {
        p.post();
        product.run(pieces[i], [&] { return p.in_flight(); });
        p.wait();
      }));
  }
  for (std::size_t i = 0; i < pieces.size() && speaks; ++i)
    fmt::print("overlap,{},{},,{:.4g},{:.4g},{:.4g},{:.3f}\n", p.out.size(), pieces[i], median(both[i]),
               median(computing), median(moving), 1 - (median(both[i]) - median(computing)) / median(moving));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    if (rank == 0) fmt::print(stderr, "overlap: on {} ranks, expected 2\n", ranks);
    MPI_Finalize();
    return 1;
  }
  const bool speaks = rank == 0;
  if (speaks) fmt::print("part,bytes,columns,polls,seconds,computing,moving,hidden\n");
  Product product;
  for (std::size_t bytes : {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 17, std::size_t{1} << 20,
                            std::size_t{1} << 23, std::size_t{1} << 25}) {
    Pair p(bytes);
    std::vector<double> calls;
    for (int i = 0; i < 7; ++i) {
      int mine = polls(p);
      MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      calls.push_back(mine);
    }
    if (speaks) fmt::print("polls,{},,{:.0f},,,,\n", bytes, median(calls));
    if (bytes >= std::size_t{1} << 17) overlap(p, product, speaks);
  }
  MPI_Finalize();
}
