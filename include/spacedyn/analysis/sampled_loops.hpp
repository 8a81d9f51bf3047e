/// @file
/// Linear loops that are closed at samples: whether a sample period is short enough.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {

/// The loop of controllers with one sample period and delay, as linearize() has it, sampled and
/// held; controllers with other periods count as continuous ones.
struct SampledLoop {
  std::vector<std::string> controllers;
  double sample_period = 0.0;  ///< s
  double delay = 0.0;          ///< s
  /// Of what a state becomes over a period: the one of largest modulus, Im ≥ 0.
  std::complex<double> eigenvalue;
  /// Whether it grows where the same loop grows less without sampling and delay.
  bool is_unstable = false;
};

/// With ẋ = A x + F x of the plant and the feedback F of the controllers, held from sample to
/// sample and delayed by d < h, x_{k+1} = Φ(h) x_k + Γ(h − d) F x_k + Φ(h − d) Γ(d) F x_{k−1} with
/// Φ(t) = exp(A t) and Γ(t) = ∫ Φ; longer delays likewise. Controllers that hold other commands
/// than torques of joints, and loops of more than some hundred states, are left out. Allocates.
/// @throws as linearize()
SPACEDYN_EXPORT std::vector<SampledLoop> sampled_loops(const ForcedSystem& system,
                                                       const State& state);

}  // namespace spacedyn
