/// @file
/// How a simulation is integrated.
#pragma once

#include <limits>

namespace spacedyn {

enum class IntegrationMethod {
  dopri5,  ///< Dormand–Prince 5(4), adaptive, dense output
  rk4      ///< classical Runge–Kutta, fixed step
};

/// Absolute tolerance of each group of components, positive; SI units of the group.
struct AbsoluteTolerance {
  double position = 1.0e-10;          ///< m
  double attitude = 1.0e-10;          ///< rad
  double joint = 1.0e-10;             ///< rad or m
  double linear_velocity = 1.0e-10;   ///< m/s
  double angular_velocity = 1.0e-10;  ///< rad/s
  double joint_velocity = 1.0e-10;    ///< rad/s or m/s
  double auxiliary = 1.0e-10;         ///< of states owned by force elements and controllers
};

/// A step of dopri5 is accepted if the estimated error of each vector (of the base) and each number
/// (joints, auxiliary states) is at most absolute + relative · magnitude; attitudes have magnitude
/// 1 rad. Audit integrals do not count, so auditing never changes the motion.
struct IntegratorOptions {
  IntegrationMethod method = IntegrationMethod::dopri5;
  double step = 0.0;  ///< s; of rk4 the step, of dopri5 the first step to try (0: found by itself)
  double relative_tolerance = 1.0e-9;
  AbsoluteTolerance absolute_tolerance;
  double max_step = std::numeric_limits<double>::infinity();  ///< s, of adaptive methods
};

/// What an integration cost.
struct IntegratorStatistics {
  long steps = 0;  ///< accepted
  long rejected = 0;
  long evaluations = 0;  ///< of the equations of motion; those for output points not counted
};

}  // namespace spacedyn
