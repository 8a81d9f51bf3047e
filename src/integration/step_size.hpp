/// @file
/// Choice of the step size of an adaptive method of order 5.
#pragma once

namespace spacedyn {

/// Proportional-integral step-size control after Gustafsson, with the constants of Hairer and
/// Wanner's DOPRI5.
class StepSizeControl {
 public:
  /// Step after an accepted one of size h.
  /// @param error  norm, at most 1
  double after_acceptance(double h, double error);
  /// Smaller step after a rejected one.
  /// @param error  norm, above 1; infinite if the attempt did not give numbers
  double after_rejection(double h, double error);

 private:
  double last_error_ = 1e-4;
  bool rejected_ = false;  // the attempt before this one
};

}  // namespace spacedyn
