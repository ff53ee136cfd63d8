// Cholesky factorisations, and solves with triangles and with positive definite matrices.
#include "cairn/factor.hpp"
#include "parts.hpp"

namespace cairn::python {

namespace {

RunReport factorise(int handle, Uplo uplo, const Part& a, const Options& options) {
  const Comm comm = comm_of(handle);
  return with_matrix(a, [&]<class T>(const DistMatrix<T>& A) {
    comm.agree_same("element type", std::string(name_of(scalar_type_of<T>)));
    return cholesky<T>(comm, uplo, A, options);
  });
}

RunReport solve_with_triangle(int handle, Side side, Uplo uplo, Op op, Diag diag, Scalar alpha, const Part& a,
                              const Part& b, const Options& options) {
  const Comm comm = comm_of(handle);
  return with_matrix(b, [&]<class T>(const DistMatrix<T>& B) {
    std::optional<std::string> problem;
    const DistMatrix<T> A = as<T>(a, "A", problem);
    const T factor = scalar<T>(alpha, "alpha", problem);
    agree(comm, problem, "element type", std::string(name_of(scalar_type_of<T>)));
    return solve_triangular<T>(comm, side, uplo, op, diag, factor, A, B, options);
  });
}

RunReport solve_definite(int handle, Uplo uplo, const Part& a, const Part& b, const Options& options) {
  const Comm comm = comm_of(handle);
  return with_matrix(b, [&]<class T>(const DistMatrix<T>& B) {
    std::optional<std::string> problem;
    const DistMatrix<T> A = as<T>(a, "A", problem);
    agree(comm, problem, "element type", std::string(name_of(scalar_type_of<T>)));
    return solve_spd<T>(comm, uplo, A, B, options);
  });
}

}  // namespace

void bind_factors(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  m.def("cholesky", &factorise, nb::arg("comm"), nb::arg("uplo"), nb::arg("a"), nb::arg("options"), released);
  m.def("solve_triangular", &solve_with_triangle, nb::arg("comm"), nb::arg("side"), nb::arg("uplo"), nb::arg("op"),
        nb::arg("diag"), nb::arg("alpha"), nb::arg("a"), nb::arg("b"), nb::arg("options"), released);
  m.def("solve_spd", &solve_definite, nb::arg("comm"), nb::arg("uplo"), nb::arg("a"), nb::arg("b"), nb::arg("options"),
        released);
}

}  // namespace cairn::python
