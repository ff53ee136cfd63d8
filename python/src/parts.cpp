// Parts of distributed matrices in NumPy's memory.
#include "parts.hpp"

#include <nanobind/ndarray.h>

#include "cairn/redistribute.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn::python {

void agree(const Comm& comm, const std::optional<std::string>& problem, const std::string& what,
           const std::string& text) {
  try {
    comm.agree(problem, what, text);
  } catch (const ArgumentError& e) {
    const std::string words = e.what();
    const auto is = [&](std::string_view kind) { return words.starts_with(kind); };
    const std::string rest = words.substr(std::min(words.size(), words.find(": ") + 2));
    if (is("TypeError: ")) throw nb::type_error(rest.c_str());
    if (is("MemoryError: ")) throw MemoryError(rest);
    if (is("FileError: ")) throw FileError(rest);
    throw;
  }
}

namespace {

/// An array of NumPy's as it says itself: address, shape and strides in elements.
struct Array {
  std::uintptr_t address;
  std::vector<Int> shape, strides;
};

// Elements between the starts of neighbouring rows or columns, if the array is stored in that order as BLAS allows it.
std::optional<Int> leading(const Array& a, Order order) {
  if (a.shape.size() != 2) return {};
  const std::size_t along = order == Order::col ? 0 : 1, across = 1 - along;
  const Int length = std::max<Int>(1, a.shape[along]);
  if (a.shape[along] == 0 || a.shape[across] == 0) return length;  // whatever NumPy says of strides
  if (a.shape[along] > 1 && a.strides[along] != 1) return {};
  if (a.shape[across] == 1) return length;
  if (a.strides[across] < length) return {};
  return a.strides[across];
}

// Elements from the first to the last.
Int extent(const Array& a, Order order) {
  if (a.shape[0] == 0 || a.shape[1] == 0) return 0;
  const std::size_t along = order == Order::col ? 0 : 1;
  return leading(a, order).value_or(0) * (a.shape[1 - along] - 1) + a.shape[along];
}

Part borrow(const Layout& layout, int rank, ScalarType type, const Array& a) {
  const Int words = layout.blocks ? a.shape[0] : extent(a, layout.order);
  const Int ld = layout.blocks ? 0 : leading(a, layout.order).value_or(0);
  return with_type(type, [&]<class T>(T) {
    return Part{DistMatrix<T>::borrow(layout, rank, reinterpret_cast<T*>(a.address), words, ld)};
  });
}

// Whether the arrays of all ranks are stored by rows, and by columns. A rank without an array has neither.
std::pair<bool, bool> orders_that_fit(const Comm& comm, const std::optional<Array>& a) {
  std::array<Int, 2> misfits{a && leading(*a, Order::row) ? 0 : 1, a && leading(*a, Order::col) ? 0 : 1};
  over_ranks(comm, MPI_MAX, misfits);
  return {misfits[0] == 0, misfits[1] == 0};
}

// All elements in memory, in one dimension.
template <class T>
nb::object memory_of(const DistMatrix<T>& x, nb::handle owner) {
  const std::size_t shape[] = {static_cast<std::size_t>(x.words())};
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(x.data(), 1, shape, owner));
}

RunReport redistribute_parts(int handle, Op op, Scalar alpha, const Part& a, Scalar beta, const Part& b) {
  const Comm comm = comm_of(handle);
  return with_matrix(b, [&]<class T>(const DistMatrix<T>& B) {
    std::optional<std::string> problem;
    const DistMatrix<T> A = as<T>(a, "A", problem);
    const T factor = scalar<T>(alpha, "alpha", problem), kept = scalar<T>(beta, "beta", problem);
    agree(comm, problem, "element type", std::string(name_of(scalar_type_of<T>)));
    return redistribute<T>(comm, op, factor, A, kept, B);
  });
}

}  // namespace

void bind_parts(nb::module_& m) {
  nb::class_<Array>(m, "Array")
      .def(
          "__init__",
          [](Array* at, std::uintptr_t address, std::vector<Int> shape, std::vector<Int> strides) {
            new (at) Array{address, std::move(shape), std::move(strides)};
          },
          nb::arg("address"), nb::arg("shape"), nb::arg("strides"))
      .def(
          "in_order", [](const Array& a, Order order) { return leading(a, order).has_value(); }, nb::arg("order"),
          "Whether it is stored in that order as BLAS takes it.");
  nb::class_<Part>(m, "Part", "A rank's part of a distributed matrix; whoever made it keeps its memory alive.")
      .def("layout", [](const Part& p) { return with_matrix(p, [](const auto& x) { return x.layout(); }); })
      .def(
          "memory",
          [](nb::handle self) {
            return with_matrix(nb::cast<const Part&>(self), [&](const auto& x) { return memory_of(x, self); });
          },
          nb::sig("def memory(self) -> numpy.typing.NDArray[typing.Any]"));
  m.def("borrow", &borrow, nb::arg("layout"), nb::arg("rank"), nb::arg("type"), nb::arg("array"));
  m.def(
      "orders_that_fit",
      [](int comm, const std::optional<Array>& a) {
        const auto [rows, cols] = orders_that_fit(comm_of(comm), a);
        return nb::make_tuple(rows, cols);
      },
      nb::arg("comm"), nb::arg("array").none(),
      nb::sig("def orders_that_fit(comm: int, array: Array | None) -> tuple[bool, bool]"));
  m.def("redistribute", &redistribute_parts, nb::arg("comm"), nb::arg("op"), nb::arg("alpha"), nb::arg("a"),
        nb::arg("beta"), nb::arg("b"), nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "agree",
      [](int comm, const std::optional<std::string>& problem, const std::string& what, const std::string& text) {
        agree(comm_of(comm), problem, what, text);
      },
      nb::arg("comm"), nb::arg("problem").none(), nb::arg("what"), nb::arg("text"),
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace cairn::python
