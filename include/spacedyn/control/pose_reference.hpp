/// @file
/// Poses as functions of time, for frames to follow.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// A pose and how it moves, in the axes in which the reference is given.
struct PoseMotion {
  Vector3 position = Vector3::Zero();      ///< p, m
  Matrix3 rotation = Matrix3::Identity();  ///< A
  Vector6 velocity = Vector6::Zero();      ///< ẋ = [ṗ; ω]
  Vector6 acceleration = Vector6::Zero();  ///< ẍ = [p̈; ω̇]
};

/// A pose as a function of time.
class SPACEDYN_EXPORT PoseReference : public Schedule {
 public:
  /// At a discontinuity of a derivative its limit from the right. Must not allocate and must not
  /// depend on anything but its arguments.
  /// @param start  pose of the frame when it begins, before that the one at the start of the run;
  /// read where takes_start() says so
  virtual PoseMotion evaluate(const Instant& now, const Pose& start) const = 0;
  /// Whether it begins where the frame is.
  virtual bool takes_start() const { return false; }
  /// s since it has begun; negative, or −∞, before.
  virtual double since_start(const Instant& now) const;
};

/// A pose held for ever.
class SPACEDYN_EXPORT HeldPose final : public PoseReference {
 public:
  /// @throws DomainError if a number is not finite or the rotation is none
  explicit HeldPose(const Pose& pose);
  PoseMotion evaluate(const Instant& now, const Pose& start) const override;

 private:
  Pose pose_;
};

/// Three components for the position, at an attitude that is held.
class SPACEDYN_EXPORT PointPath final : public PoseReference {
 public:
  /// @throws DomainError without a reference or if the rotation is none; DimensionError unless it
  /// has three components
  PointPath(std::shared_ptr<const Reference> position, const Matrix3& rotation);
  PoseMotion evaluate(const Instant& now, const Pose& start) const override;
  std::vector<const Schedule*> schedules() const override { return {position_.get()}; }

 private:
  std::shared_ptr<const Reference> position_;
  Matrix3 rotation_;
};

/// From rest to rest, from one pose to the next:
///   p = p_0 + σ (p_1 − p_0),  A = Exp(σ log(A_1 A_0ᵀ)) A_0,  σ = 10 s³ − 15 s⁴ + 6 s⁵.
class SPACEDYN_EXPORT PosePath final : public PoseReference {
 public:
  /// Where a leg ends; what is left out stays as it was.
  struct Stop {
    double at = 0.0;  ///< s after the start
    std::optional<Vector3> position;
    std::optional<Matrix3> rotation;
  };
  /// @param from  none: it begins where the frame is
  /// @param event  in ForcedSystem::awaited, at which it begins; negative: at from_time
  /// @throws DomainError without stops, if their times are not positive and ascending, or a number
  /// is not finite or a rotation is none
  PosePath(std::optional<Pose> from, std::vector<Stop> stops, double from_time, int event = -1);

  PoseMotion evaluate(const Instant& now, const Pose& start) const override;
  bool takes_start() const override { return !from_.has_value(); }
  double since_start(const Instant& now) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;

 private:
  std::optional<Pose> from_;
  std::vector<Stop> stops_;
  double from_time_;
  EventStart event_;
};

}  // namespace spacedyn
