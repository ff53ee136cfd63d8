// The module _core: layouts, plans and simulations, without MPI.
#include "bind.hpp"
#include "cairn/options.hpp"
#include "io/memory_size.hpp"

namespace cairn::python {

namespace {

template <class E>
void bind_error(nb::module_& m, const char* name, PyObject* base, const char* meaning) {
  const nb::exception<E> kind(m, name, base);
  kind.attr("__doc__") = meaning;
  translate<E>(kind);
}

void bind_errors(nb::module_& m) {
  bind_error<Error>(m, "Error", PyExc_RuntimeError, "Anything else that the library throws.");
  bind_error<FileError>(m, "FileError", PyExc_OSError,
                        "A file is missing, damaged, or cannot be written; the message names it and the place.");
  bind_error<RuntimeError>(m, "MpiError", PyExc_RuntimeError,
                           "A call of MPI failed, or a step could not be carried out; the message names it.");
  translate<ArgumentError>(PyExc_ValueError);
  translate<MemoryError>(PyExc_MemoryError);
}

void bind_options(nb::module_& m) {
  nb::class_<Options>(m, "Options", "What may be asked of a plan (include/cairn/options.hpp).")
      .def(nb::init<>())
      .def_rw("memory_words", &Options::memory_words, nb::none())
      .def_rw("algorithm", &Options::algorithm)
      .def_rw("prefer", &Options::prefer)
      .def_rw("look_ahead", &Options::look_ahead, nb::none())
      .def_rw("max_idle", &Options::max_idle, nb::none())
      .def_rw("transport", &Options::transport)
      .def_rw("collectives", &Options::collectives)
      .def_rw("ranks_per_node", &Options::ranks_per_node)
      .def_rw("machine", &Options::machine)
      .def_rw("kernels", &Options::kernels)
      .def_rw("verify_counts", &Options::verify_counts)
      .def_rw("trace", &Options::trace);
}

}  // namespace

void bind_types(nb::module_& m) {
  bind_errors(m);
  nb::enum_<ScalarType>(m, "ScalarType")
      .value("float32", ScalarType::float32)
      .value("float64", ScalarType::float64)
      .value("complex64", ScalarType::complex64)
      .value("complex128", ScalarType::complex128);
  nb::enum_<Op>(m, "Op").value("none", Op::none).value("transpose", Op::transpose).value("adjoint", Op::adjoint);
  nb::enum_<Uplo>(m, "Uplo").value("lower", Uplo::lower).value("upper", Uplo::upper);
  nb::enum_<Symmetry>(m, "Symmetry")
      .value("general", Symmetry::general)
      .value("symmetric", Symmetry::symmetric)
      .value("antisymmetric", Symmetry::antisymmetric)
      .value("hermitian", Symmetry::hermitian);
  nb::enum_<Side>(m, "Side").value("left", Side::left).value("right", Side::right);
  nb::enum_<Diag>(m, "Diag").value("stored", Diag::stored).value("unit", Diag::unit);
  bind_options(m);
  m.def("words_of_memory", &io::words_of_memory, nb::arg("text"), nb::arg("argument"), nb::arg("type"),
        "Elements of `type` in '2GiB', '500MB', '4096' (bytes) or '100000words'.");
}

}  // namespace cairn::python

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // what a communicator keeps lives until MPI ends, after Python has
  m.doc() = "Layouts, plans and simulations of Cairn, without MPI.";
  cairn::python::bind_types(m);
  cairn::python::bind_layouts(m);
  cairn::python::bind_distributions(m);
  cairn::python::bind_plans(m);
  cairn::python::bind_simulations(m);
}
