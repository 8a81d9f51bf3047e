/// @file
/// Joint-space proportional-derivative control.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// τ = K (q_ref − q) + D (q̇_ref − q̇), each joint limited to what its drive can do.
///
/// −L (1 + q̇/v_0) ≤ τ ≤ L (1 − q̇/v_0), both ends kept within [−L, 0] and [0, L], L being the effort
/// limit and v_0 the speed limit: the straight line of a motor on a constant supply, which pushes
/// less the faster it turns and nothing at v_0. Braking is limited by L alone. "No limit" is an
/// infinite value here as in models and their descriptions; YAML files write `.inf` or leave it
/// out.
class SPACEDYN_EXPORT JointPd final : public Controller {
 public:
  struct Settings {
    std::vector<int> joints;  ///< 1…n, each once
    VectorX stiffness;        ///< K per joint, N m/rad or N/m
    VectorX damping;          ///< D per joint
    VectorX effort_limit;     ///< L per joint, infinite: no limit; empty: those of the joints
    VectorX velocity_limit;   ///< v_0 per joint, infinite: no limit; empty: none
    double sample_period = 0.0;
    std::shared_ptr<const Reference> reference;  ///< one component per joint
    Digitization digitization = {};              ///< with a sample period
  };

  /// All messages begin with the name of the controller.
  /// @throws DimensionError if sizes differ; DomainError if a gain is negative or not finite, a
  /// limit not positive, a velocity limit without an effort limit, the period negative or not
  /// finite, the reference missing, or a joint named twice
  JointPd(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  bool uses_links() const override { return false; }
  double sample_period() const override { return settings_.sample_period; }
  Digitization digitization() const override { return settings_.digitization; }
  int command_size() const override { return static_cast<int>(settings_.joints.size()); }
  /// @throws DomainError if a joint is not of the model, or has a velocity limit here and no finite
  /// effort limit
  void check(const Model& model) const override;
  /// L of component i (0…) on a model: as set, or that of the joint.
  double effort_limit(const Model& model, Eigen::Index i) const;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, ConstVectorRef command, CommandMode mode,
                     LoadDerivatives& derivatives) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  struct Drive;
  Drive drive(const EvaluationContext& context, Eigen::Index i) const;

  Settings settings_;
};

}  // namespace spacedyn
