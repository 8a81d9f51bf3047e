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

/// A force element whose ż, stored and dissipated power follow from the same evaluation as its
/// forces; a simulation asks it once for all of them.
class SPACEDYN_EXPORT EnergyRateElement : public ForceElement {
 public:
  using ForceElement::ForceElement;

  /// Must not allocate.
  virtual EnergyRates energy_rates(const EvaluationContext& context) const = 0;
  /// apply(), auxiliary_rate() and energy_rates() of one instant, for the price of one. Must not
  /// allocate.
  /// @param rate  out: ż, of auxiliary_size()
  virtual EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef rate) const = 0;
  double stored_power(const EvaluationContext& context) const final {
    return energy_rates(context).stored;
  }
  double dissipated_power(const EvaluationContext& context) const final {
    return energy_rates(context).dissipated;
  }
};

}  // namespace spacedyn
