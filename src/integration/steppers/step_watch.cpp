#include "integration/steppers/step_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace spacedyn {
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
    const std::string text = fmt::format("loads did not settle in {} steps, first at {:.6g} s",
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
    const std::string text = fmt::format("states of {} are faster than the steps, most at {:.6g} s",
                                         slot.element().name(), time_(slot.slice.offset + worst));
    list.push_back({end, text, true});
  }
  return list;
}

}  // namespace spacedyn
