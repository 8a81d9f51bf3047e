#include "spacedyn/control/winch_tether.hpp"

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

WinchTether::WinchTether(std::string name, Settings settings,
                         std::shared_ptr<const Reference> rest_length)
    : Tether(std::move(name), std::move(settings)), rest_length_(std::move(rest_length)) {
  if (rest_length_ == nullptr)
    throw DomainError(owner_prefix(*this) + "its winch has no reference");
  if (rest_length_->size() == 1) return;
  throw DimensionError(owner_prefix(*this) + "the reference of its winch has " +
                       std::to_string(rest_length_->size()) + " components, expected 1");
}

Tether::Rest WinchTether::rest(const Instant& now) const {
  const ReferenceValue value = rest_length_->at(0, now);
  if (value.position < 0.0) return {0.0, 0.0, true};
  return {value.position, value.velocity, true};
}

bool WinchTether::differentiate(const EvaluationContext& /*context*/,
                                LoadDerivatives& /*derivatives*/) const {
  return false;  // in time, too: by differences
}

}  // namespace spacedyn
