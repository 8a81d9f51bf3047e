#include "spacedyn/control/shaped_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// @throws DomainError unless 0 ≤ value < 1.
void check_below_one(const std::string& name, double value) {
  if (value >= 0.0 && value < 1.0) return;
  throw DomainError(name + " must be at least 0 and below 1");
}

}  // namespace

std::vector<ShaperImpulse> shaper_impulses(Shaper shaper, const ShapedMode& mode) {
  check_positive("frequency", mode.frequency);
  check_below_one("damping_ratio", mode.damping_ratio);
  check_below_one("vibration", mode.vibration);
  const double root = std::sqrt(1.0 - mode.damping_ratio * mode.damping_ratio);
  const double K = std::exp(-kPi * mode.damping_ratio / root);
  const double T = 1.0 / (mode.frequency * root);
  const double V = mode.vibration;
  std::vector<ShaperImpulse> impulses;
  switch (shaper) {
    case Shaper::zv:
      impulses = {{1.0, 0.0}, {K, 0.5 * T}};
      break;
    case Shaper::zvd:
      impulses = {{1.0, 0.0}, {2.0 * K, 0.5 * T}, {K * K, T}};
      break;
    case Shaper::ei:
      impulses = {{1.0 + V, 0.0}, {2.0 * (1.0 - V) * K, 0.5 * T}, {(1.0 + V) * K * K, T}};
      break;
  }
  double sum = 0.0;
  for (const ShaperImpulse& impulse : impulses) sum += impulse.share;
  for (ShaperImpulse& impulse : impulses) impulse.share /= sum;
  return impulses;
}

ShapedReference::ShapedReference(std::shared_ptr<const Reference> reference, Shaper shaper,
                                 const std::vector<ShapedMode>& modes)
    : reference_(std::move(reference)) {
  if (reference_ == nullptr) throw DomainError("a shaped reference needs a reference");
  check_same_size("modes", static_cast<Eigen::Index>(modes.size()), reference_->size());
  reference_->append_discontinuities(breaks_);
  std::sort(breaks_.begin(), breaks_.end());
  breaks_.erase(std::unique(breaks_.begin(), breaks_.end()), breaks_.end());
  for (const ShapedMode& mode : modes) {
    std::vector<DelayedCopy>& copies = copies_.emplace_back();
    for (const ShaperImpulse& impulse : shaper_impulses(shaper, mode)) {
      copies.push_back({impulse, breaks_});
      for (double& time : copies.back().breaks) time += impulse.delay;
    }
  }
}

double ShapedReference::DelayedCopy::source_time(double time,
                                                 const std::vector<double>& source_breaks) const {
  const auto passed = std::upper_bound(breaks.begin(), breaks.end(), time) - breaks.begin();
  double source = time - impulse.delay;
  if (passed > 0) source = std::max(source, source_breaks[static_cast<std::size_t>(passed - 1)]);
  if (passed < static_cast<std::ptrdiff_t>(source_breaks.size())) {
    const double next = source_breaks[static_cast<std::size_t>(passed)];
    source = std::min(source, std::nextafter(next, -std::numeric_limits<double>::infinity()));
  }
  return source;
}

ReferenceValue ShapedReference::evaluate(int component, double time) const {
  const std::vector<DelayedCopy>& copies = copies_[static_cast<std::size_t>(component)];
  const auto value_of = [&](const DelayedCopy& copy) {
    return reference_->evaluate(component, copy.source_time(time, breaks_));
  };
  // shares add up to 1, so differences to the first copy are exactly zero where all copies rest
  const ReferenceValue first = value_of(copies.front());
  ReferenceValue sum = first;
  for (std::size_t k = 1; k < copies.size(); ++k) {
    const double share = copies[k].impulse.share;
    const ReferenceValue value = value_of(copies[k]);
    sum.position += share * (value.position - first.position);
    sum.velocity += share * (value.velocity - first.velocity);
    sum.acceleration += share * (value.acceleration - first.acceleration);
  }
  return sum;
}

void ShapedReference::append_discontinuities(std::vector<double>& times) const {
  for (const std::vector<DelayedCopy>& copies : copies_) {
    for (const DelayedCopy& copy : copies) {
      times.insert(times.end(), copy.breaks.begin(), copy.breaks.end());
    }
  }
}

}  // namespace spacedyn
