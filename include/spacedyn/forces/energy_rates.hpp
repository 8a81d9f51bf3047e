/// @file
/// Elements that find out in one evaluation what they store and what they lose.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// How the energy of an element changes, W.
struct EnergyRates {
  double stored = 0.0;      ///< dV/dt
  double dissipated = 0.0;  ///< ≥ 0
};

/// A force element whose stored and dissipated power follow from the same evaluation of its forces;
/// a simulation asks it once for both.
class SPACEDYN_EXPORT EnergyRateElement : public ForceElement {
 public:
  using ForceElement::ForceElement;

  /// Must not allocate.
  virtual EnergyRates energy_rates(const EvaluationContext& context) const = 0;
  double stored_power(const EvaluationContext& context) const final {
    return energy_rates(context).stored;
  }
  double dissipated_power(const EvaluationContext& context) const final {
    return energy_rates(context).dissipated;
  }
};

}  // namespace spacedyn
