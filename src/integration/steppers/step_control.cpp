#include "integration/steppers/step_control.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/advancer.hpp"

namespace spacedyn {

ErrorNorm::Result ErrorNorm::operator()(const VectorX& error, const VectorX& magnitude_1,
                                        const VectorX& magnitude_2) const {
  Result largest;
  const auto take = [&](int component, double ratio) {
    if (ratio > largest.value) largest = {ratio, component};
  };
  const auto vector = [&](int first, double absolute) {
    const double magnitude =
        std::max(magnitude_1.segment<3>(first).norm(), magnitude_2.segment<3>(first).norm());
    take(first, error.segment<3>(first).norm() / (absolute + relative_ * magnitude));
  };
  const auto numbers = [&](int first, int count, double absolute) {
    for (int i = first; i < first + count; ++i) {
      const double magnitude = std::max(std::abs(magnitude_1(i)), std::abs(magnitude_2(i)));
      take(i, std::abs(error(i)) / (absolute + relative_ * magnitude));
    }
  };
  vector(StateLayout::r_0, absolute_.position);
  take(StateLayout::theta,
       error.segment<3>(StateLayout::theta).norm() / (absolute_.attitude + relative_));
  numbers(StateLayout::q, layout_.joints, absolute_.joint);
  vector(layout_.v_0(), absolute_.linear_velocity);
  vector(layout_.omega_0(), absolute_.angular_velocity);
  numbers(layout_.qd(), layout_.joints, absolute_.joint_velocity);
  numbers(layout_.z(), layout_.auxiliaries, absolute_.auxiliary);
  const int flow = layout_.integrals() + StateLayout::throughput;
  const double flowed = relative_ * std::max(magnitude_1(flow), magnitude_2(flow));
  if (all_imposed_ && flowed > 0.0) {
    for (int i = flow + 1; i < layout_.size(); ++i) take(i, std::abs(error(i)) / flowed);
  }
  return largest;
}

namespace {

constexpr double kSafety = 0.9;
constexpr double kSmallest = 0.2;  // factor per step
constexpr double kLargest = 10.0;
constexpr double kIntegral = 0.04;
constexpr double kNotFinite = 0.1;  // factor where nothing is known about the error

}  // namespace

StepSizeControl::StepSizeControl(int error_order)
    : proportional_(1.0 / error_order - 0.75 * kIntegral) {}

double StepSizeControl::next_size(double h, double error) {
  return error <= 1.0 ? after_acceptance(h, error) : after_rejection(h, error);
}

double StepSizeControl::after_acceptance(double h, double error) {
  const double wanted =
      kSafety * std::pow(error, -proportional_) * std::pow(last_error_, kIntegral);
  // no growth right after a rejection
  const double factor = std::clamp(wanted, kSmallest, rejected_ ? 1.0 : kLargest);
  last_error_ = std::max(error, 1e-4);
  rejected_ = false;
  return factor * h;
}

double StepSizeControl::after_rejection(double h, double error) {
  rejected_ = true;
  if (!std::isfinite(error)) return kNotFinite * h;
  return std::max(kSmallest, kSafety * std::pow(error, -proportional_)) * h;
}

double guess_first_step(EquationsOfMotion& equations, const ErrorNorm& norm, int error_order,
                        double duration, Step& step) {
  // where the state says nothing about time scales
  const double short_step = 1e-6 * std::min(1.0, duration);  // s
  const auto measure = [&](const VectorX& x) { return norm(x, step.x_old, step.x_old).value; };

  // a step of explicit Euler that changes the state by a hundredth; states of elements that only
  // jump, as whether a point touches, are no sizes
  step.x_new = (step.rate_old.array() == 0.0).select(0.0, step.x_old);
  const StateLayout& layout = equations.layout();
  step.x_new.head(layout.z()) = step.x_old.head(layout.z());
  const double size = measure(step.x_new);
  const double rate = measure(step.rate_old);
  const bool is_known = size >= 1e-5 && rate * duration >= 1e-5;
  const double euler = is_known ? 0.01 * size / rate : short_step;
  step.x_new = step.x_old + euler * step.rate_old;
  equations(step.x_new, step.rate_new, step.t_old + euler);
  if (equations.failure()) {
    equations.failure().clear();
    return short_step;
  }

  // a step whose error, judged by the larger derivative in units of 100 of these, is a hundredth of
  // the tolerance
  const double unit = 100.0 * euler;
  step.error = (step.rate_new - step.rate_old) / euler;
  const double largest = std::max(unit * rate, unit * unit * measure(step.error));
  step.error.setZero();
  if (largest <= 1e-15) return std::min(unit, std::max(short_step, 1e-3 * euler));
  return unit * std::min(1.0, std::pow(0.01 / largest, 1.0 / error_order));
}

namespace {

/// h Δż/2 relative to |z| above which a step does not follow: that of a decay in a time constant.
constexpr double kTooFast = 1.0 / 3.0;
/// States of an element count as no smaller than this part of its largest: one may just have begun
/// to move.
constexpr double kLeastSize = 1e-2;

}  // namespace

void StepWatch::see(const Step& step, Stepper& stepper) {
  if (!stepper.has_settled() && unsettled_++ == 0) first_unsettled_ = step.t_old;
  const double half = 0.5 * (step.t_new - step.t_old);
  // methods that step over contacts have rates of the middle, and take states implicitly
  const bool has_end_rates = stepper.contacts() == nullptr;
  for (Eigen::Index i = 0; i < size_.size() && has_end_rates; ++i) {
    const Eigen::Index row = first_ + i;
    size_(i) = std::max({size_(i), std::abs(step.x_old(row)), std::abs(step.x_new(row))});
    const double turned = half * std::abs(step.rate_new(row) - step.rate_old(row));
    const double trapezoid = half * (step.rate_new(row) + step.rate_old(row));
    const double missed = std::abs(step.x_new(row) - step.x_old(row) - trapezoid);
    const double change = std::max(turned, missed);
    if (!(change > change_(i))) continue;
    change_(i) = change;
    time_(i) = step.t_old;
  }
}

std::vector<EventRecord> StepWatch::warnings(const SystemElements& elements, double end) const {
  std::vector<EventRecord> list;
  if (unsettled_ > 0) {
    const std::string text = fmt::format("loads did not settle in {} steps (first at t = {:.6g} s)",
                                         unsettled_, first_unsettled_);
    list.push_back({end, text, true});
  }
  for (const SystemElements::Slot& slot : elements.slots()) {
    if (slot.slice.size == 0) continue;
    const auto part = Eigen::seqN(slot.slice.offset, slot.slice.size);
    const VectorX sizes = size_(part).cwiseMax(kLeastSize * size_(part).maxCoeff());
    Eigen::Index worst = 0;
    const double most =
        (change_(part).array() - kTooFast * sizes.array()).matrix().maxCoeff(&worst);
    if (!(most > 0.0)) continue;
    const std::string text =
        fmt::format("states of {} were faster than the steps (worst at t = {:.6g} s)",
                    slot.element().name(), time_(slot.slice.offset + worst));
    list.push_back({end, text, true});
  }
  return list;
}

}  // namespace spacedyn
