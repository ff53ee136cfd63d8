// Reading, finding the function of a matrix, checking, writing: the work of `cairn inverse`, `inverse-sqrt`, `sign`, on
// all ranks.
#include "matrix_function.hpp"

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "functions/products.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

// A dense inverse by Cholesky; the other two by eigenvectors.
double dense_operations(MatrixFunction function) { return function == MatrixFunction::inverse ? 1 : 10; }

// Positive definite matrices are Hermitian.
Symmetry symmetry_of(MatrixFunction function) {
  return function == MatrixFunction::sign ? Symmetry::general : Symmetry::hermitian;
}

template <class T>
Iterated<T> found_for(const BlockSparse<T>& A, MatrixFunction function, const FunctionOptions& options) {
  switch (function) {
    case MatrixFunction::inverse: return inverse(A, options);
    case MatrixFunction::inverse_sqrt: return inverse_sqrt(A, options);
    case MatrixFunction::sign: break;
  }
  return sign(A, options);
}

/// ‖1 − A·X‖_F/√n, ‖1 − X·A·X‖_F/√n or ‖1 − X·X‖_F/√n, from products that are not filtered.
template <class T>
double off_one(const BlockSparse<T>& A, const BlockSparse<T>& X, const MatrixFunctionArguments& a) {
  FunctionOptions exact = a.options;
  exact.eps = 0;
  Products<T> products(A.comm(), exact);
  BlockSparse<T> E(A.comm(), A.rows(), A.cols(), A.where()), AX = E;
  const typename Products<T>::Held held(products, {&A, &X, &AX, &E});
  switch (a.function) {
    case MatrixFunction::inverse: products.multiply(T(-1), A, X, T(0), E); break;
    case MatrixFunction::inverse_sqrt:
      products.multiply(T(1), A, X, T(0), AX);
      products.multiply(T(-1), X, AX, T(0), E);
      break;
    case MatrixFunction::sign: products.multiply(T(-1), X, X, T(0), E); break;
  }
  E.add_to_diagonal(T(1));
  return root_mean_square(E);
}

template <class T>
double checked(const BlockSparse<T>& A, const BlockSparse<T>& X, const MatrixFunctionArguments& a) {
  try {
    return off_one(A, X, a);
  } catch (const MemoryError&) {
    throw MemoryError(fmt::format(
        "--memory {}: too small for the products of --check, which are not filtered; without it there is a result",
        a.memory));
  }
}

template <class T>
void run(const Comm& world, const MatrixFunctionArguments& a, MatrixFunctionReport& r, Watch& watch, Live& live) {
  live.step("read");
  const auto A = read_blocks<T>(world, r.file, {r.blocks, r.blocks});
  r.file_occupancy = A.occupancy();
  r.seconds.read = watch.lap();
  live.step("iterate");
  FunctionOptions options = a.options;
  options.watch = [&](const Iteration& i) { live.iterated(i); };
  const ProfiledRegion region;
  const Iterated<T> found = within_memory(a, [&] { return found_for(A, a.function, options); });
  r.seconds.compute = watch.lap();
  r.occupancy = found.value.occupancy(), r.iterations = found.iterations;
  if (a.check) {
    live.step("check");
    watch.lap();
    r.error = checked(A, found.value, a);
    r.seconds.check = watch.lap();
  }
  if (!a.output.empty()) {
    live.step("write");
    watch.lap();
    write_blocks(world, found.value, a.output, symmetry_of(a.function));
    r.seconds.write = watch.lap();
  }
}

}  // namespace

MatrixFunctionReport matrix_function(const Comm& world, MatrixFunctionArguments a) {
  Watch watch;
  MatrixFunctionReport r;
  r.file = inspect_file(world, a.file, argument_of(a.function));
  require_square(r.file, r.file.rows, "a square matrix");
  r.type = type_of_files({&r.file}, a.type), r.ranks = world.size();
  r.blocks = square_blocks_of(world, r.file, a.blocks);
  a.options.memory_words = memory_words(a, r.type);
  require_block_output(world, a.output, r.type, r.file.rows, r.file.rows);
  r.dense = dense_seconds(world, r.type, r.file.rows, dense_operations(a.function));
  r.seconds.prepare = watch.lap();
  const int steps = 2 + static_cast<int>(a.check) + static_cast<int>(!a.output.empty());
  Live live(world, r, a.json, steps, [&] { return opening_text(r, a.function); });
  with_type(r.type, [&]<class T>(T) { run<T>(world, a, r, watch, live); });
  settle_seconds(world, watch, r.seconds);
  return r;
}

}  // namespace cairn::app
