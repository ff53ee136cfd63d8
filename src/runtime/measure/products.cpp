#include <algorithm>
#include <numeric>

#include "base/scalars.hpp"
#include "local/kernels/host_blas.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/measure/sampling.hpp"

namespace cairn {

namespace {

// Operands as the executor has them: A and C by columns, B by rows.
template <class T>
void with_product_of(const ProductCost& p, const std::function<void(const std::function<void()>&)>& use) {
  const auto words = [](Int rows, Int cols) { return static_cast<std::size_t>(rows * cols); };
  const std::vector<T> A(words(p.m, p.k), T(1)), B(words(p.k, p.n), T(1));
  std::vector<T> C(words(p.m, p.n), T(0));
  use([&] {
    local_gemm<T>(T(1), {A.data(), p.m, p.k, p.m, Order::col}, {B.data(), p.k, p.n, p.n, Order::row}, T(1),
                  {C.data(), p.m, p.n, p.m, Order::col});
  });
}

}  // namespace

std::vector<Int> and_long(std::vector<Int> sizes) {
  constexpr Int longer = 16;
  sizes.push_back(longer * sizes.back());
  return sizes;
}

bool is_measured(const std::vector<Int>& sizes, Int m, Int n, Int k) {
  const Int most = sizes.back(), beyond = (m > most ? 1 : 0) + (n > most ? 1 : 0) + (k > most ? 1 : 0);
  constexpr Int cheaper = 4;
  return beyond == 0 || (beyond == 1 && m * n * k <= most * most * most / cheaper);
}

std::vector<ProductCost> product_shapes(const std::vector<Int>& sizes) {
  std::vector<ProductCost> shapes;
  const std::vector<Int> all = and_long(sizes);
  for (Int m : all)
    for (Int n : all)
      for (Int k : all)
        if (is_measured(sizes, m, n, k)) shapes.push_back({m, n, k});
  const Int d = std::min<Int>(sizes.back(), 512);
  for (ScalarType type : {ScalarType::float64, ScalarType::float32, ScalarType::complex64, ScalarType::complex128})
    shapes.push_back({d, d, d, type});
  return shapes;
}

std::vector<Int> product_sizes(double seconds) {
  constexpr double calls = 8, flops_per_second = 40e9;  // of the slowest core that anybody would calibrate in a minute
  std::vector<Int> sizes{4, 16, 64, 128, 256, 512, 1024, 2048};
  const auto cost = [&] {
    const auto sum = static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), Int{0}));
    return 2 * sum * sum * sum * calls / flops_per_second;
  };
  while (sizes.size() > 3 && cost() > seconds) sizes.pop_back();
  return sizes;
}

void with_product(const ProductCost& p, const std::function<void(const std::function<void()>&)>& use) {
  with_type(p.type, [&]<class T>(T) { with_product_of<T>(p, use); });
}

void measure_product(const Comm& comm, double seconds, ProductCost& p) {
  with_product(p, [&](const std::function<void()>& multiply) { p.seconds = Sampler(comm, seconds).slowest(multiply); });
}

}  // namespace cairn
