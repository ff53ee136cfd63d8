// Products of distributed matrices, planned at the call or before.
#include "cairn/check.hpp"
#include "cairn/gemm.hpp"
#include "parts.hpp"

namespace cairn::python {

namespace {

RunReport product(int handle, Op op_a, Op op_b, Scalar alpha, const Part& a, const Part& b, Scalar beta, const Part& c,
                  const Options& options) {
  const Comm comm = comm_of(handle);
  return with_matrix(c, [&]<class T>(const DistMatrix<T>& C) {
    std::optional<std::string> problem;
    const DistMatrix<T> A = as<T>(a, "A", problem), B = as<T>(b, "B", problem);
    const T factor = scalar<T>(alpha, "alpha", problem), kept = scalar<T>(beta, "beta", problem);
    agree(comm, problem, "element type", std::string(name_of(scalar_type_of<T>)));
    return gemm<T>(comm, op_a, op_b, factor, A, B, kept, C, options);
  });
}

/// A prepared product of any element type.
class Product {
 public:
  Product(int handle, const Plan& plan) : made_(make(handle, plan)) {}

  RunReport run(Scalar alpha, const Part& a, const Part& b, Scalar beta, const Part& c) {
    return std::visit([&](auto& made) { return carry_out(made, alpha, a, b, beta, c); }, made_);
  }
  /// For a rank whose arguments are none at all: takes part in a run that no rank carries out.
  void refuse(const std::string& problem) {
    std::visit(
        [&]<class T>(Multiplication<T>& made) {
          const auto none = DistMatrix<T>::borrow(Layout(), made.comm().rank(), nullptr, 0);
          try {
            made.run(T(1), none, none, T(0), none);
          } catch (const ArgumentError&) {
            agree(made.comm(), problem);
          }
        },
        made_);
  }
  Part own(int which) {
    return std::visit(
        [&](auto& made) { return Part{which == 0   ? made.own_a()
                                      : which == 1 ? made.own_b()
                                                   : made.own_c()}; }, made_);
  }
  std::string transport() const {
    return std::visit([](const auto& made) { return std::string(made.transport()); }, made_);
  }
  std::string obstacle() const {
    return std::visit([](const auto& made) { return made.obstacle(); }, made_);
  }
  Count count() const {
    return std::visit([](const auto& made) { return made.count(); }, made_);
  }

 private:
  using Made = OfAnyType<Multiplication>;

  static Made make(int handle, const Plan& plan) {
    const Comm comm = comm_of(handle);
    comm.agree_same("element type", std::string(name_of(plan.problem().type)));
    return with_type(plan.problem().type, [&]<class T>(T) { return Made(Multiplication<T>(comm, plan)); });
  }

  // A rank whose arguments are of another type takes part with matrices that are refused, so that no rank waits; then
  // all are told why.
  template <class T>
  static RunReport carry_out(Multiplication<T>& made, Scalar alpha, const Part& a, const Part& b, Scalar beta,
                             const Part& c) {
    std::optional<std::string> problem;
    const T factor = scalar<T>(alpha, "alpha", problem), kept = scalar<T>(beta, "beta", problem);
    const auto *A = std::get_if<DistMatrix<T>>(&a.matrix), *B = std::get_if<DistMatrix<T>>(&b.matrix),
               *C = std::get_if<DistMatrix<T>>(&c.matrix);
    try {
      if (A && B && C && !problem) [[likely]]
        return made.run(factor, *A, *B, kept, *C);
      as<T>(a, "A", problem), as<T>(b, "B", problem), as<T>(c, "C", problem);
      const auto none = DistMatrix<T>::borrow(Layout(), made.comm().rank(), nullptr, 0);
      return made.run(factor, none, none, kept, none);
    } catch (const ArgumentError&) {
      agree(made.comm(), problem);
      throw;
    }
  }

  Made made_;
};

Plan plan_over(int handle, Int m, Int n, Int k, ScalarType type, Op op_a, Op op_b, std::optional<Layout> a,
               std::optional<Layout> b, std::optional<Layout> c, const Options& options) {
  const Comm comm = comm_of(handle);
  return plan(comm, {m, n, k, comm.size(), type, op_a, op_b, std::move(a), std::move(b), std::move(c)}, options);
}

double check(int handle, Op op_a, Op op_b, Scalar alpha, const Part& a, const Part& b, Scalar beta, const Part* before,
             const Part& c) {
  const Comm comm = comm_of(handle);
  return with_matrix(c, [&]<class T>(const DistMatrix<T>& C) {
    std::optional<std::string> problem;
    const DistMatrix<T> A = as<T>(a, "A", problem), B = as<T>(b, "B", problem);
    const T factor = scalar<T>(alpha, "alpha", problem), kept = scalar<T>(beta, "beta", problem);
    std::optional<DistMatrix<T>> C0;
    if (before) C0 = as<T>(*before, "C", problem);
    agree(comm, problem);
    return freivalds<T>(comm, op_a, op_b, factor, A, B, kept, C0 ? &*C0 : nullptr, C).ratio;
  });
}

}  // namespace

void bind_products(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  m.def("multiply", &product, nb::arg("comm"), nb::arg("op_a"), nb::arg("op_b"), nb::arg("alpha"), nb::arg("a"),
        nb::arg("b"), nb::arg("beta"), nb::arg("c"), nb::arg("options"), released);
  m.def("check", &check, nb::arg("comm"), nb::arg("op_a"), nb::arg("op_b"), nb::arg("alpha"), nb::arg("a"),
        nb::arg("b"), nb::arg("beta"), nb::arg("before").none(), nb::arg("c"), released);
  m.def("plan", &plan_over, nb::arg("comm"), nb::arg("m"), nb::arg("n"), nb::arg("k"), nb::arg("type"), nb::arg("op_a"),
        nb::arg("op_b"), nb::arg("a").none(), nb::arg("b").none(), nb::arg("c").none(), nb::arg("options"), released);
  nb::class_<Product>(m, "Product")
      .def(nb::init<int, const Plan&>(), nb::arg("comm"), nb::arg("plan"), released)
      .def("run", &Product::run, nb::arg("alpha"), nb::arg("a"), nb::arg("b"), nb::arg("beta"), nb::arg("c"), released)
      .def("refuse", &Product::refuse, nb::arg("problem"), released)
      .def("own", &Product::own, nb::arg("which"), nb::keep_alive<0, 1>(), released)
      .def_prop_ro("transport", &Product::transport)
      .def_prop_ro("obstacle", &Product::obstacle)
      .def_prop_ro("count", &Product::count);
}

}  // namespace cairn::python
