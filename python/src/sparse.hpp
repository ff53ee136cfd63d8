// A block-sparse matrix of any element type.
#pragma once
#include <nanobind/ndarray.h>

#include "cairn/block_sparse.hpp"
#include "parts.hpp"

namespace cairn::python {

struct Sparse {
  class Shown;
  OfAnyType<BlockSparse> matrix;
  std::weak_ptr<Shown> shown{};  ///< while there are arrays of NumPy's in the memory of its blocks
};

/// As a function of Python's: f(matrix, arguments...), whatever the type of its elements.
template <class... Arguments, class F>
auto on_matrix(F f) {
  return [f](const Sparse& x, Arguments... arguments) {
    return with_matrix(x, [&](const auto& matrix) { return f(matrix, arguments...); });
  };
}

/// Before blocks move, if they do: where arrays are in their memory, the matrix goes on with a copy. In the end the
/// memory is the arrays' alone, which are read-only from there on, or, unless all is said to be done, the matrix is
/// back in it. Begins and ends with the interpreter's lock.
class Leaving {
 public:
  explicit Leaving(Sparse& x, bool moves = true);
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving();
  void done() { done_ = true; }

 private:
  Sparse& x_;
  std::shared_ptr<Sparse::Shown> shown_;  ///< if there are arrays
  bool done_ = false;
};

void bind_blocks(nb::class_<Sparse>& c);
void bind_sparse_files(nb::module_& m);
void bind_distribution_costs(nb::module_& m);

/// As the library deals blocks where nobody says how.
inline BlockDistribution dealt(const Comm& comm, const BlockSizes& rows, const BlockSizes& cols) {
  return BlockDistribution::dealt(static_cast<Int>(rows.size()), static_cast<Int>(cols.size()), comm.size());
}

/// NumPy's array of them, which keeps them.
template <class T>
nb::object array_of(std::vector<T>&& values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>* const all = kept.get();
  const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[] = {all->size()};
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(all->data(), 1, shape, owner));
}

}  // namespace cairn::python
