/// @file
/// Constraints on velocities: rows K u = b(t), holonomic or not, against the inertial frame or
/// between two bodies.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

class Terrain;

/// One row at an instant: Σ e_i · v_i = b, v_i the velocities of the constrained points.
struct MotionRow {
  static constexpr std::size_t kMostPoints = 4;
  std::array<Vector3, kMostPoints> directions;  ///< e_i, inertial axes, of any length
  double rate = 0.0;          ///< Σ e_i · v_i − b: what the row is violated by
  double bias = 0.0;          ///< d(Σ e_i · v_i − b)/dt while u̇ = 0
  double imposed = 0.0;       ///< b: velocity at which a force λ does work
  std::optional<double> gap;  ///< φ of a row that is φ̇ = 0; none of others
};

/// All rows of a constraint: velocities of material points of its bodies.
struct MotionRows {
  static constexpr std::size_t kMost = 3;
  std::array<Vector3, MotionRow::kMostPoints> points;  ///< where the forces λ e_i act, m
  std::array<MotionRow, kMost> rows;
};

/// A constraint on the velocities of points of bodies, [RBDA] (3.1): K u = b(t), K u̇ = k.
///
/// Its forces follow from the motion of the whole system, so apply() adds none: a simulation finds
/// them with the accelerations. It counts as an element in everything else: it has a name, and what
/// its forces do at the velocities that it imposes stands in the energy balance under it.
class SPACEDYN_EXPORT MotionConstraint : public ForceElement {
 public:
  using ForceElement::ForceElement;

  virtual int row_count() const = 0;  ///< at most MotionRows::kMost
  /// The bodies of its points, at most MotionRow::kMostPoints.
  virtual std::vector<int> bodies() const = 0;
  /// Whether its forces need not cancel: it acts against the inertial frame.
  virtual bool is_on_ground() const { return true; }
  /// The rows at an instant. Must not allocate. @pre frames and velocities are up to date
  virtual void rows(const EvaluationContext& context, MotionRows& rows) const = 0;

  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  bool uses_links() const override { return false; }
};

/// A ball or a thin disc that rolls on a plane: the material point at the contact is at rest.
///
/// With p the centre, N the normal of the plane and d from p to the contact, d = −r N of a ball
/// and, of a disc with unit axis a, d = −r w/|w|, w = N − (N·a) a: v_p + ω × d = 0. The row along N
/// is the rate of the height of the contact, so the body neither lifts nor sinks. A disc that lies
/// flat has no such point.
class SPACEDYN_EXPORT RollingConstraint final : public MotionConstraint {
 public:
  struct Settings {
    Frame center;                            ///< of the ball or of the disc
    double radius = 0.0;                     ///< r, m, positive
    std::optional<Vector3> axis;             ///< of a disc, in the axes of `center`; none: a ball
    std::shared_ptr<const Terrain> terrain;  ///< a PlaneTerrain
  };

  /// @throws DomainError unless the radius is positive, an axis finite and not zero, and the
  /// terrain a plane
  RollingConstraint(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  int row_count() const override { return 3; }
  std::vector<int> bodies() const override { return {settings_.center.body}; }
  void rows(const EvaluationContext& context, MotionRows& rows) const override;

 private:
  Settings settings_;
  Matrix3 axes_ = Matrix3::Identity();  // two tangents of the plane and N
  double height_ = 0.0;                 // of the plane along N
};

/// A point without velocity along a direction that is fixed in its body: a blade, a skate or the
/// wheel of a cart. n · v_p = 0.
class SPACEDYN_EXPORT KnifeEdge final : public MotionConstraint {
 public:
  struct Settings {
    Frame at;
    Vector3 normal = Vector3::UnitY();  ///< in the axes of `at`, of any length
  };

  /// @throws DomainError unless the normal is finite and not zero
  KnifeEdge(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  void check(const Model& model) const override;
  int row_count() const override { return 1; }
  std::vector<int> bodies() const override { return {settings_.at.body}; }
  void rows(const EvaluationContext& context, MotionRows& rows) const override;

 private:
  Settings settings_;
};

}  // namespace spacedyn
