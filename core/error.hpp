#pragma once
// What a wrong call throws. Numerical failure does not throw: it is told by a Report.

#include <stdexcept>
#include <string>

namespace daewave {

/// Base of every exception of this library; the message names what was given, the rule, the place
/// and the way out.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option has a value that is not allowed.
class InvalidOption : public Error {
 public:
  using Error::Error;
};

/// The problem as stated cannot be solved: shapes, rank or a coefficient that is not finite.
class InvalidProblem : public Error {
 public:
  using Error::Error;
};

/// A file could not be written or read.
class FileError : public Error {
 public:
  using Error::Error;
};

}  // namespace daewave
