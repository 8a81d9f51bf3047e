/// @file
/// What controllers of joints have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Joints that follow a reference.
struct JointTracking {
  std::vector<int> joints;  ///< 1…n, each once
  VectorX stiffness;        ///< K per joint
  VectorX damping;          ///< D per joint
  VectorX effort_limit;     ///< L per joint, infinite: no limit; empty: those of the joints
  double sample_period = 0.0;
  std::shared_ptr<const Reference> reference;  ///< one component per joint; null: none is followed
  Digitization digitization = {};              ///< with a sample period
};

/// A controller whose command are torques of joints that follow a reference.
class SPACEDYN_EXPORT JointController : public Controller {
 public:
  virtual const JointTracking& tracking() const = 0;
  bool uses_links() const override { return false; }
  double sample_period() const override { return tracking().sample_period; }
  Digitization digitization() const override { return tracking().digitization; }
  int command_size() const override { return static_cast<int>(tracking().joints.size()); }
  /// @throws DomainError if a joint is not of the model
  void check(const Model& model) const override;
  /// L of component i (0…) on a model: as set, or that of the joint.
  double effort_limit(const Model& model, Eigen::Index i) const;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  std::vector<const Schedule*> schedules() const override { return {tracking().reference.get()}; }
  DrivenJoints driven_joints() const override { return {tracking().joints}; }
  JointMotion joint_motion() const override { return {tracking().joints, tracking().reference}; }

 protected:
  using Controller::Controller;
  /// Cuts torques at their effort limits; what is not a number stays.
  void limit(const Model& model, VectorRef command) const;
  /// @throws DimensionError if sizes differ; DomainError if a gain is negative or not finite, a
  /// limit not positive, the period negative or not finite, the reference missing, or a joint named
  /// twice
  void check_tracking() const;
  /// The part of it about joints, limits and sampling.
  void check_drives() const;
  /// For further settings with a value per joint. @throws DimensionError, DomainError
  void check_size(const char* what, Eigen::Index size) const;
  void check_gain(const char* what, const VectorX& gain) const;
  void check_limit(const char* what, const VectorX& limit) const;
};

}  // namespace spacedyn
