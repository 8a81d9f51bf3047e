/// @file
/// Reference trajectories: positions, velocities and accelerations as functions of time.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/event_times.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// One component of a reference at one time.
struct ReferenceValue {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

/// A vector function of time with two derivatives.
class SPACEDYN_EXPORT Reference : public Schedule {
 public:
  /// Number of components.
  virtual int size() const = 0;
  /// Component 0 … size() − 1 at a time. At a discontinuity of a derivative its limit from the
  /// right. Must not allocate and must not depend on anything but its arguments.
  virtual ReferenceValue evaluate(int component, double time) const = 0;
  /// evaluate() at an instant of a run: what controllers and imposed motions call. References that
  /// depend on events override it.
  virtual ReferenceValue at(int component, const Instant& now) const;
};

/// Joints that follow a reference.
struct JointMotion {
  std::vector<int> joints;                     ///< 1…n
  std::shared_ptr<const Reference> reference;  ///< one component per joint
};

/// One component of another reference.
class SPACEDYN_EXPORT ReferenceComponent final : public Reference {
 public:
  /// @throws DomainError without a reference; DimensionError if it has no such component
  ReferenceComponent(std::shared_ptr<const Reference> whole, int component);
  int size() const override { return 1; }
  ReferenceValue evaluate(int component, double time) const override;
  ReferenceValue at(int component, const Instant& now) const override;
  std::vector<const Schedule*> schedules() const override { return {whole_.get()}; }

 private:
  std::shared_ptr<const Reference> whole_;
  int component_;
};

/// A position held for ever.
class SPACEDYN_EXPORT ConstantReference final : public Reference {
 public:
  explicit ConstantReference(VectorX position) : position_(std::move(position)) {}
  int size() const override { return static_cast<int>(position_.size()); }
  ReferenceValue evaluate(int component, double time) const override;

 private:
  VectorX position_;
};

/// From rest to rest by the polynomial 10 s³ − 15 s⁴ + 6 s⁵, s = (t − from_time) / duration.
class SPACEDYN_EXPORT QuinticReference final : public Reference {
 public:
  /// @throws DomainError if duration is not positive or a number is not finite; DimensionError if
  /// sizes differ
  QuinticReference(VectorX from, VectorX to, double from_time, double duration);
  int size() const override { return static_cast<int>(from_.size()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  VectorX from_, to_;
  double from_time_, duration_;
};

/// From rest to rest with limited velocity and acceleration; each component takes its own time.
class SPACEDYN_EXPORT TrapezoidReference final : public Reference {
 public:
  /// @param velocity, acceleration  limits per component, positive
  /// @throws DomainError if a limit is not positive or a number not finite; DimensionError if
  /// sizes differ
  TrapezoidReference(VectorX from, VectorX to, double from_time, VectorX velocity,
                     VectorX acceleration);
  int size() const override { return static_cast<int>(from_.size()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  VectorX from_, to_;
  double from_time_;
  VectorX ramp_time_, cruise_time_, acceleration_;  // per component; acceleration signed
};

/// Interpolation between rows; held at rest at the first and last row outside.
class SPACEDYN_EXPORT TableReference final : public Reference {
 public:
  /// linear: velocity jumps at the rows. cubic: the natural C² spline, without acceleration at both
  /// ends, so that rows on a straight line stay on it; RestingTable has the one at rest there.
  enum class Interpolation { linear, cubic };

  /// @param times      s, strictly increasing, at least two
  /// @param positions  one column per time
  /// @throws DomainError, DimensionError if a rule is broken or a number is not finite
  TableReference(std::vector<double> times, MatrixX positions, Interpolation interpolation);
  int size() const override { return static_cast<int>(positions_.rows()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  std::vector<double> times_;
  MatrixX positions_;
  MatrixX curvatures_;  // second derivative at each row; zero if linear
  Interpolation interpolation_;
};

}  // namespace spacedyn
