/// @file
/// References that leave no vibration of a known frequency behind.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// One impulse of an input shaper: its share of the motion and its delay.
struct ShaperImpulse {
  double share = 0.0;
  double delay = 0.0;  ///< s
};

/// zv: no vibration at the frequency itself [Singer & Seering 1990]; zvd: nor in first order beside
/// it; ei: a stated one at the frequency itself, less beside it [Singhose et al. 1994].
enum class Shaper { zv, zvd, ei };

/// What is to be left without vibration.
struct ShapedMode {
  double frequency = 0.0;      ///< undamped, Hz, positive
  double damping_ratio = 0.0;  ///< ζ, 0 ≤ ζ < 1
  double vibration = 0.05;     ///< V of ei, 0 ≤ V < 1: what it leaves, as a part
};

/// Impulses of a shaper, shares Σ a = 1, with K = exp(−π ζ/√(1 − ζ²)), T = 1/(f √(1 − ζ²)):
/// zv ∝ 1, K at 0, T/2; zvd ∝ 1, 2 K, K² and ei ∝ 1 + V, 2 (1 − V) K, (1 + V) K² at 0, T/2, T.
/// @throws DomainError if a number is out of its range
SPACEDYN_EXPORT std::vector<ShaperImpulse> shaper_impulses(Shaper shaper, const ShapedMode& mode);

/// Σ a_k r(t − t_k) of another reference r: input shaping.
class SPACEDYN_EXPORT ShapedReference final : public Reference {
 public:
  /// @param modes  one for each component of the reference
  /// @throws DomainError without a reference or if a number is out of its range; DimensionError
  /// unless there is a mode for each component
  ShapedReference(std::shared_ptr<const Reference> reference, Shaper shaper,
                  const std::vector<ShapedMode>& modes);

  int size() const override { return reference_->size(); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  struct DelayedCopy {
    ShaperImpulse impulse;
    std::vector<double> breaks;  // where the copy is not smooth, ascending
    /// The time at which the reference itself is taken, on the side of its discontinuities on
    /// which the sum is: t − t_k may be rounded across one.
    double source_time(double time, const std::vector<double>& source_breaks) const;
  };

  std::shared_ptr<const Reference> reference_;
  std::vector<double> breaks_;                    // of the reference, ascending
  std::vector<std::vector<DelayedCopy>> copies_;  // per component
};

}  // namespace spacedyn
