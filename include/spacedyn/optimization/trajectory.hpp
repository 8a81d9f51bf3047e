/// @file
/// Plans of joint motion between postures: in the shortest time or of least jerk within limits,
/// with a turn of the base that it shall make, or without any reaction on it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// What a planned motion keeps, a number for each of its joints; infinite: no limit.
struct TrajectoryLimits {
  VectorX lower, upper;  ///< positions, rad or m
  VectorX rate;          ///< rad/s or m/s
  VectorX effort;        ///< of the drives, beside springs and dampers of the joints, N m or N
  double base_rate;      ///< |ω_0| of a base that floats, rad/s
};

/// Those of the model, base_rate infinite.
SPACEDYN_EXPORT TrajectoryLimits trajectory_limits(const Model& model,
                                                   const std::vector<int>& joints);

/// What is asked of a motion.
struct TrajectoryGoal {
  std::vector<int> joints;                   ///< 1…n, that move; the others stay
  VectorX to;                                ///< their posture at the end; at first that of the
                                             ///< state
  std::optional<double> duration{};          ///< s; nothing: as short as limits let it be
  std::optional<TrajectoryLimits> limits{};  ///< nothing: those of the model
  Vector3 gravity = Vector3::Zero();         ///< m/s², on a base that does not float
  std::optional<Vector3> base_turn{};        ///< of a base that floats, rotation vector in its
                                             ///< axes, rad; nothing: any
  /// Least distance, m, of collision shapes that the joints move against each other, those of
  /// bodies that a joint joins apart; nothing: shapes are not looked at.
  std::optional<double> clearance{};
  int knots = 6;              ///< inner rows of the spline
  int max_evaluations = 300;  ///< of each search
};

/// A motion through rows, to be flown as a SplineReference or a reference of type `spline`.
struct JointTrajectory {
  std::vector<int> joints;
  std::vector<double> time;  ///< s, of the rows
  MatrixX position;          ///< a column for each row
  bool feasible = false;     ///< whether goal and limits are met, between the rows, too
  /// Largest parts of the limits that are used, 1: all.
  struct {
    double position = 0.0, rate = 0.0, effort = 0.0, base_rate = 0.0;
  } used;
  Vector3 base_turn = Vector3::Zero();  ///< that the motion gives the base, in its axes before, rad
  double base_rate = 0.0;               ///< largest |ω_0|, rad/s
  double clearance = std::numeric_limits<double>::infinity();  ///< least, m, if it was asked for
  std::string message;  ///< how the search ended, and what is not met
  int evaluations = 0;

  double duration() const { return time.empty() ? 0.0 : time.back(); }
};

/// The quintic spline from rest to rest that takes the least time T, or, with a duration, has the
/// least Σ ∫ q⃛² dt, by sequential quadratic programming over its inner rows and T.
///
/// A base that floats has no momentum: ω_0 = D_ω q̇, and the torques are those of inverse dynamics
/// with F_b = 0, u̇_b solved for. Limits are rows at four points between neighbouring knots, with
/// exact derivatives from inverse_dynamics_derivatives(), and distances of shapes, which change
/// with n · (v_a − v_b) of the material points where they are nearest. The result is then evaluated
/// at fifty points between them: a free T is stretched until rates and torques keep their limits,
/// and searched again until it gets no shorter; other limits are made tighter. The minimum is a
/// local one, near the straight line in joint space; with a turn of the base, for which there is no
/// straight line, near one of several loops, and so where shapes are in the way of the line.
/// @throws DomainError if the model has several robots or loops, a joint is none of it or no scalar
/// one, start or goal are outside of the limits or nearer than the clearance, a number has no
/// meaning, or the library was built without NLopt; DimensionError if sizes do not fit
SPACEDYN_EXPORT JointTrajectory plan_trajectory(const Model& model, const State& state,
                                                const TrajectoryGoal& goal);

/// A path that does not turn the base: q̇ = N(q) (q_to − q) from the posture of the state on, N the
/// projector on the kernel of the angular rows of D. It ends where N (q_to − q) = 0, at the goal or
/// at a posture that is no farther from it than those around which such motion reaches; `message`
/// then says how far. Rows are spread along the path by 10 s³ − 15 s⁴ + 6 s⁵; `base_turn` is that
/// of the spline through them. It stops where a joint would leave its limits; a clearance is looked
/// at, not sought.
/// @param rows  of the spline
/// @throws as plan_trajectory(); DomainError if the base does not float or base_turn is asked for
SPACEDYN_EXPORT JointTrajectory plan_reactionless_path(const Model& model, const State& state,
                                                       const TrajectoryGoal& goal, int rows = 61);

}  // namespace spacedyn
