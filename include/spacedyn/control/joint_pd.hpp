/// @file
/// Joint-space proportional-derivative control, with an integral term.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// τ = K e + D ė + I z, ż = e = q_ref − q, each joint limited to what its drive can do.
///
/// −L (1 + q̇/v_0) ≤ τ ≤ L (1 − q̇/v_0), both ends kept within [−L, 0] and [0, L], L being the effort
/// limit and v_0 the speed limit: the straight line of a motor on a constant supply, which pushes
/// less the faster it turns and nothing at v_0. Braking is limited by L alone. "No limit" is an
/// infinite value here as in models and their descriptions; YAML files write `.inf` or leave it
/// out.
///
/// z begins at zero whenever the controller is switched on. It stops where |I z| has reached its
/// limit and e has the sign of z, and where τ before limiting is beyond a limit of the drive and e
/// has the sign of the excess. Where z would enter and leave the latter at once it moves so that τ
/// stays at the limit. It is an auxiliary state of a continuous controller; a sampled one of period
/// h remembers z_k, z_{k+1} = z_k + h e_k by the same rules.
class SPACEDYN_EXPORT JointPd final : public JointController {
 public:
  struct Settings : JointTracking {  ///< K in N m/rad or N/m
    VectorX velocity_limit;          ///< v_0 per joint, infinite: no limit; empty: none
    VectorX integral;                ///< I per joint, N m/(rad s) or N/(m s); empty: none
    VectorX integral_limit;          ///< of |I z| per joint; empty: the effort limit
  };

  /// All messages begin with the name of the controller.
  /// @throws DimensionError if sizes differ; DomainError if a gain is negative or not finite, a
  /// limit not positive, a velocity limit without an effort limit, a limit of an integral that is
  /// not there, the period negative or not finite, the reference missing, or a joint named twice
  JointPd(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  void declare(Declarations& declared) const override;
  const JointTracking& tracking() const override { return settings_; }
  /// z of a continuous controller with an integral term.
  int auxiliary_size() const override;
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  /// z of a sampled one.
  int memory_size() const override;
  void advance(const EvaluationContext& context, VectorRef memory) const override;
  /// @throws DomainError if a joint is not of the model, or has a velocity limit here and no finite
  /// effort limit
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  bool differentiate(const EvaluationContext& context, ConstVectorRef command, CommandMode mode,
                     LoadDerivatives& derivatives) const override;
  /// Where z stops.
  void append_events(std::vector<ElementEvent>& events) const override;

 private:
  struct Drive;
  Drive drive(const EvaluationContext& context, Eigen::Index i) const;
  bool has_integral() const { return settings_.integral.size() > 0; }
  /// Of |z| of component i.
  double greatest_integral(const Model& model, Eigen::Index i) const;
  double integral_rate(const EvaluationContext& context, const Drive& drive, Eigen::Index i) const;

  Settings settings_;
};

}  // namespace spacedyn
