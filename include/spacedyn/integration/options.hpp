/// @file
/// How a simulation is integrated.
#pragma once

#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

class OneStepMethod;

enum class IntegrationMethod {
  dop853,                   ///< Dormand–Prince 8(5,3), adaptive, dense output of order 7
  dopri5,                   ///< Dormand–Prince 5(4), adaptive, dense output
  euler,                    ///< explicit Euler, order 1
  midpoint,                 ///< explicit midpoint rule, order 2
  rk4,                      ///< classical Runge–Kutta of order 4, fixed step
  cash_karp54,              ///< Cash–Karp 5(4), adaptive
  fehlberg78,               ///< Fehlberg 7(8), adaptive, continues with order 8
  bulirsch_stoer,           ///< Gragg–Bulirsch–Stoer extrapolation, adaptive in step and order
  adams_bashforth_moulton,  ///< predictor-corrector multistep method, order 6, fixed step
  rodas,            ///< Rosenbrock method 4(3) for stiff systems, adaptive, implicit, dense output
  variational,      ///< symplectic midpoint rule on SO(3) × R^{3+n}, order 2, fixed step, implicit
  euler_rodrigues,  ///< explicit Euler with Rodrigues' formula, order 1: SpaceDyn's `int_eu2`
  rk4_quaternion,   ///< order 4 on the base's unit quaternion: SpaceDyn's `f_dyn_rk2`
  simpson,          ///< Kutta's rule with Simpson's weights, order 3, in place of `int_sr`
  newmark,          ///< Newmark's β and γ, implicit, order 2: SpaceDyn's `f_dyn_nb`
  time_stepping     ///< midpoint rule with the impulses of rigid contacts, order 2 in flight
};

/// All methods, in the order above.
SPACEDYN_EXPORT const std::vector<IntegrationMethod>& all_integration_methods();

/// What happens to the path of the system centroid while no external force acts.
enum class CentroidPathRule {
  corrected,   ///< each step is moved onto the straight path
  exact,       ///< the method keeps to it by itself
  as_computed  ///< left as the method gives it, to be compared with the original's
};

/// How loops are kept closed while the system moves; accelerations always satisfy K u̇ = k.
enum class LoopStabilization {
  projection,  ///< each step ends on the loops, in position and velocity
  baumgarte,   ///< K u̇ = k − 2 α K u − α² φ, α from the step or the duration
  none         ///< errors of the method add up
};
SPACEDYN_EXPORT const std::vector<LoopStabilization>& all_loop_stabilizations();
/// The name used in files, for instance `projection`.
SPACEDYN_EXPORT std::string_view to_string(LoopStabilization stabilization);

/// What a method is, and what it can do.
struct MethodTraits {
  std::string_view name;        ///< in files
  int order;                    ///< of its steps
  bool adaptive;                ///< chooses its steps; others keep to IntegratorOptions::step
  bool imposes_motion;          ///< prescribes and locks joints, lets them rest on stops
  bool turns_spherical_joints;  ///< moves joints whose positions are a rotation vector
  bool has_newmark_parameters;  ///< β and γ
  CentroidPathRule centroid_path;
  bool closes_loops;  ///< moves systems with loops
  /// Finds the impulses of rigid contacts step by step; others go from event to event.
  bool steps_contacts = false;
};
SPACEDYN_EXPORT const MethodTraits& method_traits(IntegrationMethod method);

/// The name used in files, for instance `dopri5`.
SPACEDYN_EXPORT std::string_view to_string(IntegrationMethod method);
/// Whether a method chooses its steps itself; all others keep to IntegratorOptions::step.
SPACEDYN_EXPORT bool is_adaptive(IntegrationMethod method);

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

/// A step of an adaptive method is accepted if the estimated error of each vector (of the base) and
/// each number (joints, auxiliary states) is at most absolute + relative · magnitude; attitudes
/// have magnitude 1 rad. Of audit integrals only the impulse of a base's support counts, a little.
struct IntegratorOptions {
  IntegrationMethod method = IntegrationMethod::dop853;
  double step = 0.0;  ///< s; of fixed-step methods the step, of adaptive ones the first step to try
                      ///< (0: found by itself)
  double relative_tolerance = 1.0e-9;
  AbsoluteTolerance absolute_tolerance;
  double max_step = std::numeric_limits<double>::infinity();  ///< s, of adaptive methods
  long max_steps = std::numeric_limits<long>::max();  ///< after so many accepted steps a run fails
  bool project_momentum = false;  ///< of a floating base: after each step the base twist is set so
                                  ///< that momentum is exact; the drift is reported all the same
  LoopStabilization constraints = LoopStabilization::projection;  ///< of systems with loops
  double newmark_beta = 0.25;  ///< β of newmark, in [0, ½]; ¼ with γ = ½ is unconditionally stable
  double newmark_gamma = 0.5;         ///< γ of newmark, in [½, 1]; beyond ½ it damps, at order 1
  double contact_tolerance = 1.0e-6;  ///< m/s, of time_stepping: conditions of contacts hold to it
  int contact_iterations = 200;       ///< of time_stepping: most sweeps over the contacts in a step
  /// A method of one's own in place of `method`, which is left at its default then, for instance
  /// `make_stepper(odeint::runge_kutta_fehlberg78<VectorX>())`; see OneStepMethod. Null: `method`.
  std::shared_ptr<const OneStepMethod> stepper;
};
/// Of the method that these options stand for. The name is valid as long as the options.
SPACEDYN_EXPORT MethodTraits method_traits(const IntegratorOptions& options);
inline bool is_adaptive(const IntegratorOptions& options) {
  return method_traits(options).adaptive;
}

/// What an integration cost.
struct IntegratorStatistics {
  long steps = 0;  ///< accepted
  long rejected = 0;
  long evaluations = 0;  ///< of the equations of motion; those for output points not counted
};

}  // namespace spacedyn
