/// @file
/// How reaction wheels share a torque and their momentum.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spacedyn/control/allocation.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Torques of least squares of wheels with axes A = [a_i] in the body, for a torque N on it:
///   τ = −A⁺ N − k (E − A⁺A)(h − h_d),  h_i = J_i Ω_i, h_d those of wanted speeds.
/// The second part turns no body: while the body rests, (E − A⁺A)(h − h_d) decays as e^{−kt}.
/// Without wanted speeds the wheels come to the least speeds that have their momentum; with them
/// they keep away from zero. Limits are those of the wheels, see ReactionWheels.
class SPACEDYN_EXPORT WheelAllocation final : public Allocation {
 public:
  struct NullSpace {
    double gain = 0.0;  ///< k, 1/s; 0: none
    VectorX speeds;     ///< of each wheel, rad/s; empty: zero
  };

  /// @throws DomainError, its text beginning with @p owner, if there are no wheels, a joint has
  /// none, they are named twice or on several bodies, the gain is negative or not finite, speeds
  /// are not finite, or there is a gain and no null space; DimensionError if there are not as many
  /// speeds as wheels
  WheelAllocation(const std::string& owner, const Model& model, std::vector<int> wheels,
                  const NullSpace& null_space);
  WheelAllocation(const std::string& owner, const Model& model, std::vector<int> wheels)
      : WheelAllocation(owner, model, std::move(wheels), NullSpace{}) {}

  /// Joints of the wheels.
  const std::vector<int>& wheels() const { return wheels_; }
  int command_size() const override { return static_cast<int>(wheels_.size()); }
  void check(const std::string& owner, const Model& model) const override;
  std::vector<int> idle_axes(const Model& model) const override;
  void allocate(const EvaluationContext& context, const WrenchDemand& demand,
                VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;

 private:
  void take_null_space(const std::string& owner, const Model& model, const Matrix3X& axes,
                       const NullSpace& null_space);

  std::vector<int> wheels_;
  Matrix3X inverse_;   // −(A⁺)ᵀ, a column for each wheel
  MatrixX projector_;  // k (E − A⁺A), empty without a gain
  VectorX inertia_;    // J
  VectorX wanted_;     // h_d
};

/// @throws DomainError, its text beginning with @p owner, if there are no joints or one has no
/// wheel
SPACEDYN_EXPORT void check_wheels(const std::string& owner, const Model& model,
                                  const std::vector<int>& joints);

/// Axes of the body, 0…2, that wheels with these axes (columns, in the body) cannot turn it about.
SPACEDYN_EXPORT std::vector<int> axes_without_command(const Matrix3X& wheel_axes);

/// Axes of wheels on one body in the user frame of the link that carries the first of them.
SPACEDYN_EXPORT Matrix3X wheel_axes(const Model& model, const std::vector<int>& joints);

/// Dimension of the null space of wheels with these axes (columns).
SPACEDYN_EXPORT int null_space_dimension(const Matrix3X& wheel_axes);

}  // namespace spacedyn
