/// @file
/// From one accepted step to the next: sizes, attempts, landing, giving up.
#pragma once

#include <memory>

#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/step_control.hpp"
#include "integration/steppers/stepper.hpp"
#include "integration/steppers/timeline.hpp"

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

/// Takes accepted steps, by a fixed grid or adaptively, that never cross a breakpoint.
class Advancer {
 public:
  /// The stepper refers to the norm of this object.
  Advancer(const Advancer&) = delete;
  Advancer& operator=(const Advancer&) = delete;
  Advancer(const SimulationSetup& setup, EquationsOfMotion& equations, double duration);

  /// Makes the step from its beginning, at most to the breakpoint, on which it lands exactly.
  /// @throws NumericalError if no step can be accepted
  void advance(EquationsOfMotion& equations, Step& step, const Breakpoint& breakpoint);

  /// Makes the accepted step anew so that it ends earlier.
  /// @throws NumericalError if that fails
  void end_step_at(EquationsOfMotion& equations, Step& step, double time);

  /// Takes note of a step that stays as it is.
  void accept(const Step& step) {
    if (!is_adaptive(options_)) watch_.see(step, *stepper_);
  }
  const StepWatch& watch() const { return watch_; }

  /// Whether no step may be made any more.
  bool is_exhausted() const { return statistics_.steps >= options_.max_steps; }
  /// The next step is at most so long, s; infinite where that is not known.
  double longest_step() const;
  /// Goes on at a time with a method that knows nothing of earlier steps.
  void begin_afresh(double time);
  /// How the next step is to be made, which begins at @p time.
  void transfer_method(Archive& archive, double time);
  void transfer_statistics(Archive& archive) {
    for (long* count : {&statistics_.steps, &statistics_.rejected, &statistics_.evaluations,
                        &probes_, &limited_probes_}) {
      archive.tally(*count);
    }
    watch_.transfer(archive);
  }

  /// Whether most steps were as long as stability lets an explicit method make them; says so only
  /// after many of them.
  bool is_limited_by_stability() const;

  Stepper& stepper() { return *stepper_; }
  const IntegratorStatistics& statistics() const { return statistics_; }

 private:
  void advance_on_grid(EquationsOfMotion& equations, Step& step, const Breakpoint& breakpoint);
  void advance_adaptively(EquationsOfMotion& equations, Step& step, const Breakpoint& breakpoint);
  void probe_stability(EquationsOfMotion& equations, const Step& step);
  bool is_acceptable(EquationsOfMotion& equations, const Step& step);
  bool discount_loops(EquationsOfMotion& equations, const Step& step);
  /// Takes the impulse that supports the base into account.
  void judge_support(int integrals, const Step& step);
  void watch_progress(const EquationsOfMotion& equations, const Step& step);
  [[noreturn]] void give_up(const EquationsOfMotion& equations, const Step& step);

  const IntegratorOptions options_;
  const double duration_;
  ErrorNorm norm_;
  std::unique_ptr<Stepper> stepper_;
  const double supported_mass_;  // kg; 0 where no support is judged
  ErrorNorm::Result error_;      // of the last attempt; the component also if it gave no numbers
  IntegratorStatistics statistics_;
  StepWatch watch_;
  double next_size_ = 0.0;                // s, of the next adaptive step; 0 before the first
  long grid_index_ = 0;                   // of the last grid point reached
  long attempts_ = 0;                     // since the last mark
  double mark_ = 0.0;                     // s, time at which counting of attempts began
  long probes_ = 0, limited_probes_ = 0;  // of steps as long as stability lets them be
  VectorX probe_x_, probe_rate_;
  VectorX along_loops_, across_loops_, rate_of_loops_;  // parts of an error
};

}  // namespace spacedyn
