// What a reader says about a bad file.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "cairn/error.hpp"

namespace cairn::io {

/// The message of the FileError that `read` throws; a failed test and an empty string if it does
/// not.
template <class Read>
std::string failure_of(const Read& read) {
  try {
    read();
  } catch (const FileError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no FileError";
  return {};
}

}  // namespace cairn::io
