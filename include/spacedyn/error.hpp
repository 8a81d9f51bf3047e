/// @file
/// The exceptions that this library throws, one subclass for each kind of cause.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// Root of every exception that user input can cause; `what()` is fit to be shown to a user.
class SPACEDYN_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// A vector, matrix or list has another size than the model demands.
class SPACEDYN_EXPORT DimensionError : public Error {
 public:
  using Error::Error;
  ~DimensionError() override;
};

/// An argument lies outside the domain of a function (a zero axis, an angle beyond a singularity).
class SPACEDYN_EXPORT DomainError : public Error {
 public:
  using Error::Error;
  ~DomainError() override;
};

/// A file could not be read or written.
class SPACEDYN_EXPORT IoError : public Error {
 public:
  using Error::Error;
  ~IoError() override;
};

/// A computation stopped because a number became non-finite, a step too small or a matrix singular.
class SPACEDYN_EXPORT NumericalError : public Error {
 public:
  /// @param what      the complete message
  /// @param time      simulated time of the last good state, s
  /// @param step      number of accepted steps before it
  /// @param quantity  what failed, for instance "velocity of joint 'elbow'"
  NumericalError(const std::string& what, double time, long step, std::string quantity);
  ~NumericalError() override;

  double time() const { return time_; }
  long step() const { return step_; }
  const std::string& quantity() const { return quantity_; }

 private:
  double time_;
  long step_;
  std::string quantity_;
};

}  // namespace spacedyn
