/// @file
/// Choice of the step size of an adaptive method.
#pragma once

#include "integration/equations/archive.hpp"

namespace spacedyn {

/// Proportional-integral step-size control after Gustafsson, with the constants of Hairer and
/// Wanner's DOPRI5, for an error estimate proportional to a power of the step size.
class StepSizeControl {
 public:
  explicit StepSizeControl(int error_order);

  /// Size of the step after one of size h, smaller than h if that one was rejected.
  /// @param error  norm: at most 1 if the step was accepted, infinite if it gave no numbers
  double next_size(double h, double error);

  void transfer(Archive& archive) {
    archive(last_error_, rejected_);
    archive.require(last_error_ > 0.0 && last_error_ <= 1.0);
  }

 private:
  double after_acceptance(double h, double error);
  double after_rejection(double h, double error);

  double proportional_;
  double last_error_ = 1e-4;
  bool rejected_ = false;  // the attempt before this one
};

}  // namespace spacedyn
