/// @file
/// How reaction wheels that are more than the axes they turn a body about share their momentum.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Torques that turn no body, with the axes A = [a_i] of the wheels, h_i = J_i Ω_i and h_d those of
/// the speeds that are wanted:
///   τ = −k (E − A⁺A)(h − h_d).
/// While the body rests, (E − A⁺A)(h − h_d) decays as e^{−kt}. Without wanted speeds the wheels
/// come to the least speeds that have their momentum; with them they keep away from zero.
class SPACEDYN_EXPORT WheelNullSpace {
 public:
  struct Settings {
    double gain = 0.0;  ///< k, 1/s; 0: none
    VectorX speeds;     ///< of each wheel, rad/s; empty: zero
  };

  /// @throws DomainError, its text beginning with @p owner, if the gain is not positive and finite,
  /// speeds are not finite, or the wheels have no null space; DimensionError if there are not as
  /// many speeds as wheels
  WheelNullSpace(const std::string& owner, const Model& model, std::vector<int> wheels,
                 const Settings& settings);

  /// Adds the torques of the wheels, N m. Allocates nothing.
  void add(const EvaluationContext& context, VectorRef torques) const;

 private:
  std::vector<int> wheels_;
  MatrixX projector_;  // k (E − A⁺A)
  VectorX inertia_;    // J
  VectorX wanted_;     // h_d
};

/// Dimension of the null space of wheels with these axes (columns).
SPACEDYN_EXPORT int null_space_dimension(const Matrix3X& wheel_axes);

}  // namespace spacedyn
