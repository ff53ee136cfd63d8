// A rank's part of a distributed matrix of any element type, and what the ranks of a call agree on.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/scalars.hpp"
#include "bind.hpp"
#include "cairn/comm.hpp"
#include "cairn/matrix.hpp"
#include "cairn/report.hpp"

namespace cairn::python {

/// Of any element type, as Python has it.
using Scalar = std::complex<double>;

struct Part {
  OfAnyType<DistMatrix> matrix;
};

/// f of the matrix that a Part or a Sparse holds, whatever the type of its elements.
template <class Held, class F>
auto with_matrix(Held& x, F f) {
  return std::visit(f, x.matrix);
}

/// Communicators are handed over as MPI_Comm_c2f's integers.
inline Comm comm_of(int handle) { return Comm::from_fortran(handle); }

/// The part as a matrix of T: where it is none, one that no call accepts, and the problem with it.
template <class T>
DistMatrix<T> as(const Part& part, const char* name, std::optional<std::string>& problem) {
  if (const auto* x = std::get_if<DistMatrix<T>>(&part.matrix)) return *x;
  const ScalarType type =
      with_matrix(part, [](const auto& x) { return scalar_type_of<std::remove_pointer_t<decltype(x.data())>>; });
  if (!problem)
    problem =
        fmt::format("TypeError: {}: elements of {}, expected {}", name, name_of(type), name_of(scalar_type_of<T>));
  return DistMatrix<T>::borrow(Layout(), 0, nullptr, 0);
}

template <class T>
T scalar(Scalar value, const char* name, std::optional<std::string>& problem) {
  if (std::is_floating_point_v<T> && value.imag() != 0 && !problem)
    problem = fmt::format("TypeError: {}: a complex number, expected a real one for elements of {}", name,
                          name_of(scalar_type_of<T>));
  constexpr double most = LimitsOf<T>::max();
  const double size = std::max(std::abs(value.real()), std::abs(value.imag()));
  if (size > most && std::isfinite(size) && !problem)
    problem = fmt::format("{}: a number of size {:g}, expected at most {:.7g} for elements of {}", name, size, most,
                          name_of(scalar_type_of<T>));
  return element_of<T>(value);
}

/// An exception on every rank if any rank has a problem, or if `text`, of which `what` names the meaning, differs.
/// Problems that begin with "TypeError: ", "MemoryError: " or "FileError: " become that. Collective.
void agree(const Comm& comm, const std::optional<std::string>& problem, const std::string& what = {},
           const std::string& text = {});

}  // namespace cairn::python
