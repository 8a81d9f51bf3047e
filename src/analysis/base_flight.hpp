/// @file
/// The motion of a floating base while its joints move straight.
#pragma once

#include <functional>

#include "analysis/frame_task.hpp"
#include "spacedyn/analysis/free_floating_path.hpp"
#include "spacedyn/inertia/base_response.hpp"

namespace spacedyn {

/// Flies a system whose momentum is conserved.
class BaseFlight {
 public:
  /// @param start  where the momentum is given
  /// @throws DomainError for a fixed base or options out of range, NumericalError if H_b is
  /// singular.
  BaseFlight(const Model& model, const State& start, const FlightOptions& options);

  /// Called with the time since the start of the flight and the state after each step.
  using OnStep = std::function<void(double time, const State& state)>;

  /// Where the system is after its joints have moved straight to q.
  State fly(const State& from, const VectorX& q, double duration, const OnStep& on_step) const;

  /// Linear and angular momentum (about the system centroid), both constant.
  const Vector6& momentum() const { return momentum_; }

 private:
  struct Workspace;
  void set_velocity(State& state, const VectorX& qd, Workspace& workspace) const;
  double turn_over(const State& now, const VectorX& qd, double h, Vector3& turn,
                   Workspace& workspace) const;
  Vector3 centroid_offset(const State& state, Workspace& workspace) const;

  const Model& model_;
  FlightOptions options_;
  Vector6 momentum_;
};

/// A floating base as the searches see it.
class FloatingBase : public Mover {
 public:
  FloatingBase(const Model& model, const State& start, const FlightOptions& options,
               double joint_speed);

  void update(const LinkFrames& frames) override;
  void frame_jacobian(const LinkFrames& frames, const Frame& frame,
                      Eigen::Ref<Matrix6X> J) const override;
  Vector6 drift(const LinkFrames& frames, const Frame& frame) const override;
  double duration(const VectorX& displacement) const override;
  State move(const State& from, const VectorX& q) const override;

 private:
  const Model& model_;
  BaseFlight flight_;
  VectorX speed_;  // of each joint, rad/s or m/s
  JacobianWorkspace jacobians_;
  InertiaBlocks blocks_;
  BaseResponse response_;
  Vector6 momentum_about_base_ = Vector6::Zero();
};

}  // namespace spacedyn
