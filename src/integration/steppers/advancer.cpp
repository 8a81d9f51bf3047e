#include "integration/steppers/advancer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "integration/steppers/step_control.hpp"

namespace spacedyn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Fraction of a step by which a landing may stretch or skip it, so that none of rounding size is
/// left.
constexpr double kStretch = 1e-9;

/// A run is hopeless when so many attempts advance it by less than this share: at that pace it
/// takes 10⁹ of them. Motions that spin ever faster would otherwise keep a program busy for ever.
constexpr long kWatchedAttempts = 100000;
constexpr double kLeastProgress = 1e-4;

/// Every so many steps one is asked whether stability keeps it short; fewer say nothing.
constexpr long kProbeInterval = 16;
constexpr long kFewestProbes = 64;

/// What supports a base has an impulse that no coordinate follows. A step may be so many times the
/// tolerance wrong about it, of what flows in the step and of the whole mass.
constexpr double kSupportFactor = 30.0;

/// Where nothing moves but as it is told, steps of less than this share of the run are never too
/// long: hardly anything flows in them that work and losses could be judged by.
constexpr double kLeastImposedStep = 1e-7;

double smallest_step(double time, double duration) {
  return 1e-14 * std::max(std::min(1.0, duration), std::abs(time));
}

}  // namespace

Advancer::Advancer(const SimulationSetup& setup, EquationsOfMotion& equations, double duration)
    : options_(setup.integrator),
      duration_(duration),
      norm_(equations.layout(), options_),
      stepper_(make_stepper(setup, norm_, equations)),
      supported_mass_(is_unsupported(setup) || setup.integrator.method == IntegrationMethod::rodas
                          ? 0.0
                          : setup.model->total_mass()),
      watch_(equations.layout()),
      probe_x_(VectorX::Zero(equations.layout().size())),
      probe_rate_(probe_x_) {}

void Advancer::advance(EquationsOfMotion& equations, Step& step, const Breakpoint& breakpoint) {
  equations.failure().clear();
  if (is_exhausted()) {
    equations.failure().note(Failure::Cause::too_many_steps);
    give_up(equations, step);
  }
  if (is_adaptive(options_)) {
    advance_adaptively(equations, step, breakpoint);
  } else {
    advance_on_grid(equations, step, breakpoint);
  }
  ++statistics_.steps;
}

void Advancer::end_step_at(EquationsOfMotion& equations, Step& step, double time) {
  equations.failure().clear();
  step.t_new = time;
  stepper_->attempt(equations, step);
  if (equations.failure()) give_up(equations, step);
  if (is_adaptive(options_)) return;
  while (static_cast<double>(grid_index_) * options_.step > time) --grid_index_;
}

double Advancer::longest_step() const {
  if (!is_adaptive(options_)) return options_.step;
  return next_size_ > 0.0 ? std::min(next_size_, options_.max_step) : options_.max_step;
}

void Advancer::begin_afresh(double time) {
  stepper_->restart(Restart::state_jumped);
  probes_ = limited_probes_ = 0;
  if (!is_adaptive(options_)) {
    grid_index_ = static_cast<long>(std::floor(time / options_.step * (1.0 + kStretch)));
  }
  mark_ = time;
}

bool Advancer::is_limited_by_stability() const {
  return probes_ >= kFewestProbes && 2 * limited_probes_ > probes_;
}

/// h |λ| from the rates at two states a last error apart: where stability alone keeps steps short,
/// errors are of the fastest motion.
void Advancer::probe_stability(EquationsOfMotion& equations, const Step& step) {
  const double limit = stepper_->stability_limit();
  if (std::isinf(limit) || statistics_.steps % kProbeInterval != kProbeInterval - 1) return;
  const Uncounted pause(equations.watch());
  probe_x_ = step.x_old + step.error;
  equations(probe_x_, probe_rate_, step.t_old);
  const bool is_usable = !equations.failure();
  equations.failure().clear();
  if (!is_usable) return;
  probe_rate_ -= step.rate_old;
  const double distance = norm_(step.error, step.x_old, step.x_old).value;
  const double change = norm_(probe_rate_, step.x_old, step.x_old).value;
  ++probes_;
  if (next_size_ <= options_.max_step && next_size_ * change > limit * distance) ++limited_probes_;
}

void Advancer::transfer_method(Archive& archive, double time) {
  archive(error_.value, error_.component, next_size_, grid_index_, attempts_, mark_);
  archive.require(next_size_ >= 0.0 && attempts_ >= 0 && attempts_ < kWatchedAttempts);
  if (!is_adaptive(options_)) {
    const double reached = static_cast<double>(grid_index_) * options_.step;
    archive.require(reached <= time + options_.step && reached + options_.step > time);
  }
  stepper_->transfer(archive);
}

void Advancer::advance_on_grid(EquationsOfMotion& equations, Step& step,
                               const Breakpoint& breakpoint) {
  const auto grid = [&](long index) { return static_cast<double>(index) * options_.step; };
  const double next = grid(grid_index_ + 1);
  const double margin = kStretch * options_.step;
  step.t_new = next < breakpoint.time - margin ? next : breakpoint.time;
  if (next <= step.t_new + margin) ++grid_index_;

  stepper_->attempt(equations, step);
  if (equations.failure()) give_up(equations, step);
}

void Advancer::advance_adaptively(EquationsOfMotion& equations, Step& step,
                                  const Breakpoint& breakpoint) {
  norm_.set_all_imposed(equations.mobility().free().empty());
  if (next_size_ == 0.0) {
    next_size_ = options_.step > 0.0
                     ? options_.step
                     : guess_first_step(equations, norm_, stepper_->error_order(), duration_, step);
  }
  probe_stability(equations, step);
  const double remaining = breakpoint.time - step.t_old;
  double size = std::min(next_size_, options_.max_step);
  for (;;) {
    const bool lands = size * (1.0 + kStretch) >= remaining;
    if (!lands && size < smallest_step(step.t_old, duration_)) give_up(equations, step);
    equations.failure().clear();
    step.t_new = lands ? breakpoint.time : step.t_old + size;
    watch_progress(equations, step);

    stepper_->attempt(equations, step);
    const bool accepted = is_acceptable(equations, step);
    if (accepted && lands && remaining < size) return;  // cut short: says nothing about next_size_
    size = std::min(size, remaining);
    if (accepted) {
      next_size_ = stepper_->next_size(size, error_.value);
      return;
    }
    ++statistics_.rejected;
    size = next_size_ = stepper_->next_size(size, error_.value);
  }
}

bool Advancer::is_acceptable(EquationsOfMotion& equations, const Step& step) {
  if (equations.failure() || !step.error.head(equations.layout().integrals()).allFinite()) {
    error_.value = kInfinity;
    return false;
  }
  error_ = norm_(step.error, step.x_old, step.x_new);
  if (error_.value > 1.0 && discount_loops(equations, step)) return true;
  if (error_.value > 1.0 && error_.component >= equations.layout().integrals() &&
      equations.mobility().free().empty() &&
      step.t_new - step.t_old < kLeastImposedStep * duration_) {
    error_.value = 0.0;
  }
  if (supported_mass_ > 0.0) judge_support(equations.layout().integrals(), step);
  return error_.value <= 1.0;
}

/// Errors across the loops are taken away by the projection at the end of the step. Where rows
/// nearly follow from others they are all that keeps a step short, the shorter the worse.
/// @returns whether the rest is within the tolerances
bool Advancer::discount_loops(EquationsOfMotion& equations, const Step& step) {
  LoopWorkspace* loops = equations.held().loops();
  if (loops == nullptr || options_.constraints != LoopStabilization::projection) return false;
  // where loops hold all that is free, nothing would be left to judge
  const int rank = loops->rank();
  if (static_cast<int>(equations.mobility().free().size()) == rank) return false;
  if (!equations.held().update_loops()) return false;
  const StateLayout& layout = equations.layout();
  along_loops_ = step.error;
  across_loops_.resize(6 + layout.joints);
  rate_of_loops_.resize(loops->multipliers.size());
  for (const int first : {int{StateLayout::r_0}, layout.v_0()}) {
    auto part = along_loops_.segment(first, across_loops_.size());
    loops->solver.apply(part, rate_of_loops_);
    loops->solver.respond(rate_of_loops_, across_loops_);
    part -= across_loops_;
  }
  const ErrorNorm::Result rest = norm_(along_loops_, step.x_old, step.x_new);
  // written so that NaN fails
  if (!(rest.value <= 1.0)) return false;
  error_ = rest;
  return true;
}

void Advancer::judge_support(int integrals, const Step& step) {
  const double h = step.t_new - step.t_old;
  if (h < 1e-9 * duration_) return;  // never a reason to give up
  for (const int first :
       {integrals + StateLayout::impulse, integrals + StateLayout::angular_impulse}) {
    const double force =
        std::max(step.rate_old.segment<3>(first).norm(), step.rate_new.segment<3>(first).norm());
    const double allowed =
        kSupportFactor * (options_.relative_tolerance * h * force +
                          supported_mass_ * options_.absolute_tolerance.linear_velocity);
    const double ratio = step.error.segment<3>(first).norm() / allowed;
    if (ratio > error_.value) error_ = {ratio, first};
  }
}

void Advancer::watch_progress(const EquationsOfMotion& equations, const Step& step) {
  if (++attempts_ < kWatchedAttempts) return;
  if (step.t_old - mark_ < kLeastProgress * duration_) give_up(equations, step);
  attempts_ = 0;
  mark_ = step.t_old;
}

void Advancer::give_up(const EquationsOfMotion& equations, const Step& step) {
  Failure failure = equations.failure();
  if (!failure) failure = {Failure::Cause::step_too_small, error_.component};
  throw numerical_error(equations.model(), equations.layout(), failure, step.t_old,
                        statistics_.steps);
}

}  // namespace spacedyn
