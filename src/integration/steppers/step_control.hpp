/// @file
/// How large steps of adaptive methods are. Private.
#pragma once

#include "integration/equations/archive.hpp"
#include "integration/equations/layout.hpp"
#include "spacedyn/integration/one_step_method.hpp"
#include "spacedyn/integration/options.hpp"

namespace spacedyn {

class EquationsOfMotion;

/// max over vectors and numbers of |error| / (absolute + relative · magnitude).
///
/// Base vectors are measured as vectors, so the choice of axes does not matter; an attitude has the
/// magnitude of 1 rad, so the position in its chart does not matter. The maximum, unlike a mean,
/// does not let many quiet joints hide a busy one. Audit integrals are left out as long as there is
/// a motion to judge; where all of it is imposed, work and losses are judged by what has flowed.
/// The Advancer judges the impulse that supports the base.
class ErrorNorm {
 public:
  ErrorNorm(const StateLayout& layout, const IntegratorOptions& options)
      : layout_(layout),
        relative_(options.relative_tolerance),
        absolute_(options.absolute_tolerance) {}

  /// Whether nothing moves but as it is told.
  void set_all_imposed(bool imposed) { all_imposed_ = imposed; }

  struct Result {
    double value = 0.0;  ///< at most 1 if the tolerances are met
    int component = 0;   ///< of the integrated vector: where the largest part is
  };

  /// @param magnitude_1, magnitude_2  states whose larger magnitude counts
  Result operator()(const VectorX& error, const VectorX& magnitude_1,
                    const VectorX& magnitude_2) const;

 private:
  StateLayout layout_;
  double relative_;
  AbsoluteTolerance absolute_;
  bool all_imposed_ = false;
};

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

/// Guess from the state and its first two derivatives in any unit of time, after Hairer, Nørsett
/// and Wanner, Solving Ordinary Differential Equations I, II.4. Costs one evaluation; overwrites
/// the step's end.
/// @param error_order  power of the step size in the method's error estimate
/// @param duration     of the run, s
double guess_first_step(EquationsOfMotion& equations, const ErrorNorm& norm, int error_order,
                        double duration, Step& step);

}  // namespace spacedyn
