/// @file
/// Reference trajectories: positions, velocities and accelerations as functions of time.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// A vector function of time with two derivatives.
class SPACEDYN_EXPORT Reference {
 public:
  virtual ~Reference();

  /// Number of components.
  virtual int size() const = 0;
  /// Value and derivatives at a time, each of size(); allocates nothing. At a discontinuity of a
  /// derivative its limit from the right is given.
  virtual void evaluate(double time, VectorRef position, VectorRef velocity,
                        VectorRef acceleration) const = 0;
  /// Appends the times at which a derivative up to the second is not continuous.
  virtual void append_discontinuities(std::vector<double>& times) const;
};

/// A position held for ever.
class SPACEDYN_EXPORT ConstantReference final : public Reference {
 public:
  explicit ConstantReference(VectorX position) : position_(std::move(position)) {}
  int size() const override { return static_cast<int>(position_.size()); }
  void evaluate(double time, VectorRef position, VectorRef velocity,
                VectorRef acceleration) const override;

 private:
  VectorX position_;
};

/// From rest to rest by the polynomial 10 s³ − 15 s⁴ + 6 s⁵, s = (t − from_time) / duration.
class SPACEDYN_EXPORT QuinticReference final : public Reference {
 public:
  /// @throws DomainError if duration is not positive; DimensionError if sizes differ
  QuinticReference(VectorX from, VectorX to, double from_time, double duration);
  int size() const override { return static_cast<int>(from_.size()); }
  void evaluate(double time, VectorRef position, VectorRef velocity,
                VectorRef acceleration) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  VectorX from_, to_;
  double from_time_, duration_;
};

/// From rest to rest with limited velocity and acceleration; each component takes its own time.
class SPACEDYN_EXPORT TrapezoidReference final : public Reference {
 public:
  /// @param velocity, acceleration  limits per component, positive
  TrapezoidReference(VectorX from, VectorX to, double from_time, VectorX velocity,
                     VectorX acceleration);
  int size() const override { return static_cast<int>(from_.size()); }
  void evaluate(double time, VectorRef position, VectorRef velocity,
                VectorRef acceleration) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  VectorX from_, to_;
  double from_time_;
  VectorX ramp_time_, cruise_time_, acceleration_;  // per component; acceleration signed
};

/// Interpolation between rows; held at the first and last row outside.
class SPACEDYN_EXPORT TableReference final : public Reference {
 public:
  enum class Interpolation { linear, cubic };  ///< cubic: natural in the ends' rest, C² spline

  /// @param times      strictly increasing, at least two
  /// @param positions  one column per time
  TableReference(std::vector<double> times, MatrixX positions, Interpolation interpolation);
  int size() const override { return static_cast<int>(positions_.rows()); }
  void evaluate(double time, VectorRef position, VectorRef velocity,
                VectorRef acceleration) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  std::vector<double> times_;
  MatrixX positions_;
  MatrixX curvatures_;  // second derivative at each row
  Interpolation interpolation_;
};

}  // namespace spacedyn
