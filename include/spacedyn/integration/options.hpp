/// @file
/// How a simulation is integrated.
#pragma once

#include <limits>

namespace spacedyn {

enum class IntegrationMethod {
  dopri5,  ///< Dormand–Prince 5(4), adaptive, dense output
  rk4      ///< classical Runge–Kutta, fixed step
};

/// Absolute tolerance of each group of components; SI units of the group.
struct AbsoluteTolerance {
  double position = 1.0e-10;          ///< m
  double attitude = 1.0e-10;          ///< rad
  double joint = 1.0e-10;             ///< rad or m
  double linear_velocity = 1.0e-10;   ///< m/s
  double angular_velocity = 1.0e-10;  ///< rad/s
  double joint_velocity = 1.0e-10;    ///< rad/s or m/s
  double auxiliary = 1.0e-10;         ///< of states owned by force elements and controllers
};

struct IntegratorOptions {
  IntegrationMethod method = IntegrationMethod::dopri5;
  double step = 0.0;  ///< s, of fixed-step methods
  double relative_tolerance = 1.0e-9;
  AbsoluteTolerance absolute_tolerance;
  double max_step = std::numeric_limits<double>::infinity();  ///< s, of adaptive methods
};

/// What an integration cost.
struct IntegratorStatistics {
  long steps = 0;  ///< accepted
  long rejected = 0;
  long evaluations = 0;  ///< of the equations of motion
};

}  // namespace spacedyn
