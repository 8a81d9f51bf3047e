/// @file
/// Notes what steps of a fixed size do not follow. Private.
#pragma once

#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/stepper.hpp"

namespace spacedyn {

/// Accepted steps of methods without an error estimate.
///
/// An auxiliary state z is too fast for a step if ż changes in it by so much that h Δż/2, or what z
/// differs by from the trapezoidal rule, is a considerable part of the largest |z| of the run: with
/// a time constant below h explicit methods err or diverge, and the trapezoidal rule swings.
class StepWatch {
 public:
  explicit StepWatch(const StateLayout& layout)
      : first_(layout.z()),
        change_(VectorX::Zero(layout.auxiliaries)),
        size_(change_),
        time_(change_) {}

  void see(const Step& step, Stepper& stepper);
  /// What has to be said at the end of a run.
  std::vector<EventRecord> warnings(const SystemElements& elements, double end) const;
  void transfer(Archive& archive) {
    archive.tally(unsettled_);
    archive(first_unsettled_);
    archive.keep(change_, size_, time_);
  }

 private:
  const int first_;
  long unsettled_ = 0;
  double first_unsettled_ = 0.0;
  VectorX change_, size_, time_;  // largest misses and |z|, and when the former were
};

}  // namespace spacedyn
