// Who sends which elements to whom when a matrix changes its layout.
#pragma once
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// Elements that one rank sends to another, or keeps: for every pair of patches that meet, their common rows and
/// columns, in the order of the destination. Sender and receiver derive the same list.
struct Transfer {
  struct Region {
    IndexSet rows, cols;
    std::size_t src_patch, dst_patch;  ///< numbers in patches() of sender and receiver
    Int words() const { return rows.size() * cols.size(); }
  };
  Int peer;
  std::vector<Region> regions;
  Int words() const;
};

/// Words that both hold.
Int in_common(const std::vector<Patch>& a, const std::vector<Patch>& b);
/// What `to` gets from `from`; empty where `to` holds it already or another copy of the source serves it.
Transfer transfer(const Layout& src, const Layout& dst, Int from, Int to);
/// What `rank` sends to others, and receives from them, by ascending peer; `ranks` take part.
std::vector<Transfer> outgoing(const Layout& src, const Layout& dst, Int rank, Int ranks);
std::vector<Transfer> incoming(const Layout& src, const Layout& dst, Int rank, Int ranks);

}  // namespace cairn
