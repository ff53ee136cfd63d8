// Errors thrown by Cairn. What a factorisation or solve finds in its matrix is a return value (LAPACK's
// `info`), never an exception; iterations that do not converge throw (matrix_functions.hpp).
#pragma once
#include <stdexcept>
#include <string>

namespace cairn {

/// Base of everything that Cairn throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's argument is wrong: the message names the argument and what was expected. Thrown on
/// every rank of the communicator, or on none. The `cairn` command exits with 2.
class ArgumentError : public Error {
 public:
  using Error::Error;
};

/// The problem does not fit into the memory the caller allowed, and the message says how much is needed; or a rank has
/// none left.
class MemoryError : public ArgumentError {
 public:
  using ArgumentError::ArgumentError;
};

/// A file is missing, truncated, malformed or cannot be written; names the file and the place.
class FileError : public Error {
 public:
  using Error::Error;
};

/// An MPI call failed, or a step of a schedule could not be carried out; names the step.
class RuntimeError : public Error {
 public:
  using Error::Error;
};

/// A schedule breaks its own contract (found by `check`): a defect of an algorithm, not of its user.
class ScheduleError : public Error {
 public:
  using Error::Error;
};

}  // namespace cairn
