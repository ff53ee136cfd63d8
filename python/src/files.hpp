// A matrix file that was looked at, and names of files.
#pragma once
#include "bind.hpp"
#include "cairn/files.hpp"

namespace cairn::python {

struct File {
  FileInfo info;
};

/// As the system has it, which need not be UTF-8: bytes in Python (file_name() in python/cairn/_arguments.py).
struct FileName {
  std::string bytes;
};

}  // namespace cairn::python

namespace nanobind::detail {

template <>
struct type_caster<cairn::python::FileName> {
  NB_TYPE_CASTER(cairn::python::FileName, const_name("bytes"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (!PyBytes_Check(source.ptr())) return false;
    value.bytes.assign(PyBytes_AsString(source.ptr()), static_cast<std::size_t>(PyBytes_Size(source.ptr())));
    return true;
  }
};

}  // namespace nanobind::detail
