/// @file
/// What all one-step methods with an embedded error estimate share.
#pragma once

#include <cmath>

#include "integration/steppers/step_size.hpp"
#include "integration/steppers/stepper.hpp"

namespace spacedyn {

/// A method with an error estimate of a fixed order.
class EmbeddedStepper : public Stepper {
 public:
  explicit EmbeddedStepper(int error_order) : order_(error_order), control_(error_order) {}

  int error_order() const final { return order_; }
  double next_size(double h, double error) final { return control_.next_size(h, error); }
  void transfer(Archive& archive) final { archive(control_); }

 private:
  int order_;
  StepSizeControl control_;
};

}  // namespace spacedyn
