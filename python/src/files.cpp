// Distributed matrices from and to files.
#include "files.hpp"

#include "parts.hpp"

namespace cairn::python {

namespace {

Part read(int handle, const File& file, const Layout& layout, ScalarType type, bool allow_nonfinite) {
  const Comm comm = comm_of(handle);
  require_readable_as(file.info, type);
  return with_type(type, [&]<class T>(T) {
    return Part{read_matrix<T>(comm, file.info, layout, {.allow_nonfinite = allow_nonfinite})};
  });
}

void write(int handle, const FileName& path, const Part& part, Order order, bool vector) {
  const Comm comm = comm_of(handle);
  with_matrix(part, [&]<class T>(const DistMatrix<T>& x) {
    write_npy<T>(comm, path.bytes, x, {.order = order, .vector = vector});
  });
}

}  // namespace

void bind_files(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  nb::class_<File>(m, "File")
      .def_prop_ro(
          "shape", [](const File& f) { return nb::make_tuple(f.info.rows, f.info.cols); },
          nb::sig("def shape(self) -> tuple[int, int]"))
      .def_prop_ro("type", [](const File& f) { return f.info.type; });
  m.def(
      "inspect", [](int comm, const FileName& path) { return File{inspect_file(comm_of(comm), path.bytes)}; },
      nb::arg("comm"), nb::arg("path"), released);
  m.def("read", &read, nb::arg("comm"), nb::arg("file"), nb::arg("layout"), nb::arg("type"), nb::arg("allow_nonfinite"),
        released);
  m.def("write", &write, nb::arg("comm"), nb::arg("path"), nb::arg("part"), nb::arg("order"), nb::arg("vector"),
        released);
}

}  // namespace cairn::python
