/// @file
/// Proportional-derivative control of a flying base by a force and a torque of its thrusters.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/prescribed_motion.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn {

/// Gains of one half of the base's motion.
struct BaseGains {
  double stiffness = 0.0;                                  ///< K, N/m or N m/rad
  double damping = 0.0;                                    ///< D, N s/m or N m s/rad
  double limit = std::numeric_limits<double>::infinity();  ///< of the vector's length, N or N m
};

/// F_0 = K_p (r_ref − r_0) + D_p (ṙ_ref − v_0), N_0 = K_a log(A_ref A_0ᵀ) + D_a (ω_ref − ω_0),
/// inertial axes, about the base centroid; a vector beyond its limit keeps its direction.
///
/// Both are external: their impulse and work are counted as such.
class SPACEDYN_EXPORT BasePd final : public Controller {
 public:
  struct Settings {
    BaseGains position, attitude;
    PrescribedBase motion;         ///< what the base should do
    double sample_period = 0.0;    ///< s; 0: continuous
    std::optional<Robot> robot{};  ///< whose base it is, one that floats; none: the model's own
  };

  /// @throws DomainError if a gain is negative or not finite, all gains are zero, a limit is not
  /// positive, the period negative or not finite, the axis of the motion no unit vector or the
  /// robot's base does not float;
  /// DimensionError if a reference has the wrong number of components
  BasePd(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  double sample_period() const override { return settings_.sample_period; }
  int command_size() const override { return 6; }
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, ConstVectorRef command, CommandMode mode,
                     LoadDerivatives& derivatives) const override;
  std::vector<const Schedule*> schedules() const override {
    return {settings_.motion.position.get(), settings_.motion.angle.get()};
  }

 private:
  struct Errors;
  BaseMotion base_of(const EvaluationContext& context) const;
  Errors errors(const EvaluationContext& context) const;

  Settings settings_;
};

}  // namespace spacedyn
