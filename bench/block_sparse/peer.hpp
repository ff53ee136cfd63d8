// The library that bench/block_sparse compares with, where there is one.
#pragma once
#include <memory>

#include "cairn/blocks.hpp"

class Peer {
 public:
  virtual ~Peer() = default;
  virtual void multiply() = 0;  ///< C = A·B
  virtual cairn::Int flops() const = 0;
  virtual double sum_of_squares() const = 0;  ///< of C
};

/// Null without DBCSR. All ranks pass the same distribution; A and B are what each has.
std::unique_ptr<Peer> make_peer(const cairn::Blocks<double>& A, const cairn::Blocks<double>& B,
                                const cairn::BlockDistribution& where);
