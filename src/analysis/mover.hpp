/// @file
/// How joint motion moves frames: with a base at rest, or with one that answers.
#pragma once

#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// What a search must know about the motion of the base.
class Mover {
 public:
  virtual ~Mover();

  /// Prepares the next two functions for a configuration.
  virtual void update(const LinkFrames& frames) = 0;
  /// Inertial twist of a frame per joint rate, 6×n.
  virtual void frame_jacobian(const LinkFrames& frames, const Frame& frame,
                              Eigen::Ref<Matrix6X> J) const = 0;
  /// Inertial twist of a frame while the joints rest.
  virtual Vector6 drift(const LinkFrames& frames, const Frame& frame) const = 0;

  /// Time that a joint displacement takes, s.
  virtual double duration(const VectorX& displacement) const = 0;
  /// Where the system is when its joints have moved straight to q.
  virtual State move(const State& from, const VectorX& q) const = 0;
};

/// A base that stays where it is.
class RestingBase : public Mover {
 public:
  explicit RestingBase(const Model& model) : model_(model) {}

  void update(const LinkFrames&) override {}
  void frame_jacobian(const LinkFrames& frames, const Frame& frame,
                      Eigen::Ref<Matrix6X> J) const override;
  Vector6 drift(const LinkFrames&, const Frame&) const override { return Vector6::Zero(); }
  double duration(const VectorX&) const override { return 0.0; }
  State move(const State& from, const VectorX& q) const override;

 private:
  const Model& model_;
};

}  // namespace spacedyn
