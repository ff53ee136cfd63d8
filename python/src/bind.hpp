// What the bindings share. Two modules: `_core` needs no MPI, `_mpi` does. The Python files of the package give them
// their habits; nothing is computed here or there that the library computes.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "cairn/error.hpp"
#include "cairn/types.hpp"

namespace nb = nanobind;

namespace cairn::python {

/// E and what is derived from it becomes `kind`, unless a later call says otherwise. A message may name a file, which
/// need not be UTF-8; PyErr_SetString would raise something else then.
template <class E>
void translate(nb::handle kind) {
  nb::register_exception_translator(
      [](const std::exception_ptr& p, void* raised) {
        try {
          std::rethrow_exception(p);
        } catch (const E& e) {
          const std::string_view text = e.what();
          const nb::object said =
              nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
          PyErr_SetObject(static_cast<PyObject*>(raised), said.ptr());
        }
      },
      kind.ptr());
}

/// Copies of an X in other processes, such as those that mpi4py's gather makes, have these members.
template <auto... Members, class X>
void pickle_by(nb::class_<X>& bound) {
  using State = std::tuple<std::remove_cvref_t<decltype(std::declval<X>().*Members)>...>;
  bound.def("__getstate__", [](const X& x) { return State{x.*Members...}; });
  bound.def("__setstate__", [](X& x, const State& state) {
    new (&x) X{};
    std::tie(x.*Members...) = state;
  });
}

/// An X is equal to another one by C++'s ==, and to nothing else.
template <class X>
void compare_by_value(nb::class_<X>& bound) {
  bound.def(
      "__eq__", [](const X& a, nb::handle b) { return nb::isinstance<X>(b) && a == nb::cast<const X&>(b); },
      nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"));
}

// _core
void bind_types(nb::module_& m);
void bind_layouts(nb::module_& m);
void bind_distributions(nb::module_& m);
void bind_plans(nb::module_& m);
void bind_simulations(nb::module_& m);

// _mpi
void bind_parts(nb::module_& m);
void bind_products(nb::module_& m);
void bind_factors(nb::module_& m);
void bind_files(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_functions(nb::module_& m);

}  // namespace cairn::python
