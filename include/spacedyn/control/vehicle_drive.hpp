/// @file
/// Drives and steers a vehicle: Ackermann, crab, on the spot, along a path, with bounded slip.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// What a vehicle should do in the plane of its frame: the velocity of a point (x, y) there is
/// speed · (direction + rotation · (−y, x)).
struct PlanarMotion {
  double direction_x = 1.0, direction_y = 0.0;
  double rotation = 0.0;  ///< curvature of the path of the frame's origin, 1/m
  double speed = 0.0;     ///< m/s, or rad/s where the direction is zero
};

/// Points of a path in the x-y plane, joined by straight lines, and how to stay on it.
struct SPACEDYN_EXPORT GuidePath {
  std::vector<double> x, y;  ///< m, inertial
  double lookahead = 0.0;    ///< L, m

  /// @throws DomainError unless there are two points, none twice in a row, and L > 0
  void check() const;
  /// Pure pursuit: with the point of the path that is L ahead of the nearest one at a distance d
  /// and y_p to the left of the heading, curvature 2 y_p/d². Within L of the end the factor for the
  /// speed falls from 1 to 0. Beyond its ends the path goes on straight.
  /// @param heading  unit vector
  /// @returns {curvature, factor}
  std::array<double, 2> pursue(double at_x, double at_y,
                               const std::array<double, 2>& heading) const;
};

/// A controller of driven and steered wheels.
///
/// With x_i, y_i the place of wheel i in the vehicle's frame and u_i its velocity after
/// PlanarMotion, steering turns the wheel into the line of u_i, by at most 90°, and the drive turns
/// it at Ω_i = h_i · u_i / r, h_i the heading that it has:
///   τ = K (δ_i − q) − D q̇ for steering, τ = D_w (Ω_i − q̇) for drives, limited to the joints'
///   efforts.
/// That is Ackermann's geometry for any number of wheels; wheels that are not steered only turn.
/// A slip limit s bounds |Ω_i| r by v_i/(1 − s), v_i the speed of the wheel's centre along its
/// heading, at least 5 % of what is asked for, so that it can start. Guidance may be sampled; the
/// torques follow it continuously. It starts at `from` and reaches its speed after `ramp`.
class SPACEDYN_EXPORT VehicleDrive final : public Controller {
 public:
  struct Wheel {
    int link = 0;         ///< on a revolute joint
    double radius = 0.0;  ///< m
    int steering = 0;     ///< joint that steers it; 0: none
  };
  struct Settings {
    std::vector<Wheel> wheels;
    Frame at;              ///< of the vehicle, x ahead, z up
    PlanarMotion motion;   ///< with a path its rotation is not used
    GuidePath path;        ///< without points: none
    double from = 0.0;     ///< s
    double ramp = 1.0;     ///< s
    double damping = 0.0;  ///< D_w of drives, N m s/rad
    double steering_stiffness = 0.0, steering_damping = 0.0;      ///< K, D
    double slip_limit = std::numeric_limits<double>::infinity();  ///< s < 1; infinite: none
    double sample_period = 0.0;                                   ///< s; 0: continuous
  };

  /// @throws DomainError if a number has no meaning, there are no wheels or one is named twice
  VehicleDrive(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  double sample_period() const override { return settings_.sample_period; }
  /// Direction, rotation and speed.
  int command_size() const override { return 4; }
  /// @throws DomainError if a joint is not revolute, or steering does not carry its wheel
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  void apply(const EvaluationContext& context, const PlanarMotion& motion, const Wheel& wheel,
             Loads& loads) const;

  Settings settings_;
};

}  // namespace spacedyn
