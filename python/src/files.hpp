// A matrix file that was looked at.
#pragma once
#include "cairn/files.hpp"

namespace cairn::python {

struct File {
  FileInfo info;
};

}  // namespace cairn::python
