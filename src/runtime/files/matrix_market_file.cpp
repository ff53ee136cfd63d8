#include "runtime/files/matrix_market_file.hpp"

#include <optional>

#include "base/scalars.hpp"
#include "runtime/deliver.hpp"
#include "runtime/files/agreed_errors.hpp"
#include "runtime/files/matrix_market_entries.hpp"
#include "runtime/files/owners.hpp"
#include "runtime/sparse/elements.hpp"

namespace cairn {

namespace {

/// An element on its way to the rank that keeps it.
template <class T>
struct Parcel {
  Int offset;  ///< in that rank's memory
  T value;
};

}  // namespace

template <class T>
void read_matrix_market(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                        const DistMatrix<T>& matrix, const ReadOptions& options) {
  const Owners owners(matrix.layout(), comm.size());
  MatrixMarketEntries all(comm, file, header, options);
  for (Int pass = 0; pass < all.passes(); ++pass) {
    const std::vector<io::Entry> entries = all.pass(pass);
    std::optional<Outbox<Parcel<T>>> out;
    together(comm, [&] {
      out.emplace(comm.size(), [&](const auto& visit) {
        for (const io::Entry& e : entries)
          owners.for_each_copy(e.row, e.col, [&](int rank, Int offset) {
            visit(rank, [&] { return Parcel<T>{offset, element<T>(e, header, options.allow_nonfinite)}; });
          });
      });
    });
    for (const Parcel<T>& p : deliver(comm, *out)) matrix.data()[p.offset] += p.value;
  }
  all.finish();
}

template <class T>
Blocks<T> read_matrix_market_blocks(const Comm& comm, const FileInfo& file, const io::MatrixMarketHeader& header,
                                    const Blocks<T>& none, const BlockDistribution& where, bool upper,
                                    const ReadOptions& options) {
  GatheredBlocks<T> blocks(none, where);
  MatrixMarketEntries all(comm, file, header, options);
  for (Int pass = 0; pass < all.passes(); ++pass) {
    const std::vector<io::Entry> entries = all.pass(pass);
    std::optional<Outbox<Element<T>>> out;
    together(comm, [&] {
      out.emplace(comm.size(), [&](const auto& visit) {
        for (const io::Entry& e : entries)
          if ((header.coordinate || e.value != 0.0) && !(upper && blocks.below_diagonal(e.row, e.col)))
            visit(blocks.owner(e.row, e.col), [&] {
              return Element<T>{e.row, e.col, element<T>(e, header, options.allow_nonfinite)};
            });
      });
    });
    const std::vector<Element<T>> mine = deliver(comm, *out);
    together(comm, [&] { blocks.add(mine); });
  }
  all.finish();
  return blocks.take();
}

#define CAIRN_INSTANTIATE(T)                                                                                \
  template void read_matrix_market<T>(const Comm&, const FileInfo&, const io::MatrixMarketHeader&,          \
                                      const DistMatrix<T>&, const ReadOptions&);                            \
  template Blocks<T> read_matrix_market_blocks(const Comm&, const FileInfo&, const io::MatrixMarketHeader&, \
                                               const Blocks<T>&, const BlockDistribution&, bool, const ReadOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
