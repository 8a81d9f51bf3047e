#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "integration/contacts/loop_closure.hpp"
#include "integration/run/setup_checks.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "system/motion_of.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

/// Passes of Newton's method over loops and motion constraints in turn: each opens the other to
/// second order.
constexpr int kPasses = 4;

}  // namespace

MotionResidual motion_residual(const ForcedSystem& system, const State& start) {
  const Model& model = *system.model;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, start, frames);
  compute_link_velocities(model, start, frames, velocities);
  const VectorX none;
  const EvaluationContext context{0.0, model, start, frames, velocities, none};
  MotionResidual worst;
  for (const MotionConstraint* motion : holding_motions(system, DiscreteState(system))) {
    MotionRows rows;
    motion->rows(context, rows);
    const std::vector<int> bodies = motion->bodies();
    for (int i = 0; i < motion->row_count(); ++i) {
      const MotionRow& row = rows.rows[static_cast<std::size_t>(i)];
      double place = 0.0, speed = 0.0;
      for (std::size_t p = 0; p < bodies.size(); ++p) {
        const double weight = row.directions[p].norm();
        const auto body = static_cast<std::size_t>(bodies[p]);
        place += weight * rows.points[p].norm();
        speed +=
            weight * (velocities.v[body].norm() +
                      velocities.omega[body].norm() * (rows.points[p] - frames.r[body]).norm());
      }
      worst.gap.take({std::abs(row.gap.value_or(0.0)), motion->name(), false,
                      kLoopTolerance + kPlaceRounding * place});
      worst.rate.take(
          {std::abs(row.rate), motion->name(), false, kLoopTolerance + kPlaceRounding * speed});
    }
  }
  return worst;
}

State closed_start(const SimulationSetup& setup, const State& start) {
  EquationsOfMotion equations(setup);
  LoopClosure closure(setup, 1.0, equations);
  VectorX x(equations.layout().size());
  equations.start(start, x);
  for (int pass = 0; pass < kPasses; ++pass) {
    if (closure.close(equations, x, 0.0)) continue;
    throw numerical_error(equations.model(), equations.layout(), equations.failure(), 0.0, 0);
  }
  State closed = equations.state();
  closed.z = start.z;
  return closed;
}

void check_motions(const SimulationSetup& setup) {
  const MethodTraits method = method_traits(setup.integrator);
  for (const MotionConstraint* motion : holding_motions(setup, DiscreteState(setup))) {
    if (!method.closes_loops) {
      throw DomainError(fmt::format("{} cannot keep motion constraints; '{}' needs another method",
                                    method.name, motion->name()));
    }
    if (!setup.integrator.project_momentum) continue;
    throw DomainError(
        fmt::format("project_momentum contradicts motion constraint '{}'", motion->name()));
  }
}

void check_start_on_motions(const SimulationSetup& setup, const State& start) {
  const MotionResidual open = motion_residual(setup, start);
  const auto refuse = [](const LoopResidual& residual, const char* unit) {
    if (residual.is_closed()) return;
    throw DomainError(fmt::format("the start violates constraint '{}' by {:.3g} {}; assemble it",
                                  residual.loop, residual.value, unit));
  };
  refuse(open.gap, "m");
  refuse(open.rate, "m/s");
}

namespace {

/// Part of what a motion does at most that counts as rounding, and how often it is looked at.
constexpr double kRounding = 1e-9;
constexpr int kSamples = 32;
constexpr double kGoldenSection = 0.6180339887498949;  // has no period in common with a motion

/// How a component may go on: a rotation vector turns over at half a turn.
enum class Position { continuous, may_turn_over };

/// A reference while it is imposed.
class ImposedMotion {
 public:
  /// @param begin, duration  of the flight, s
  /// @param last             bend, which may come long before the end, s
  ImposedMotion(const Reference& reference, double begin, double duration, double last,
                const EventTimes* events = nullptr)
      : reference_(reference), events_(events), sizes_(static_cast<std::size_t>(reference.size())) {
    for (int i = 0; i < reference.size(); ++i) {
      for (const double span : {duration, last - begin}) {
        for (int k = 0; k < kSamples; ++k) {
          size_of(i).see(at(i, begin + span * std::fmod(k * kGoldenSection, 1.0)));
        }
      }
    }
  }

  bool jumps(double time, Position position) const {
    for (int i = 0; i < reference_.size(); ++i) {
      const ReferenceValue left = at(i, std::nextafter(time, 0.0)), right = at(i, time);
      Size size = sizes_[static_cast<std::size_t>(i)];
      size.see(left);
      size.see(right);
      if ((position == Position::continuous &&
           std::abs(right.position - left.position) > kRounding * size.position) ||
          std::abs(right.velocity - left.velocity) > kRounding * size.velocity) {
        return true;
      }
    }
    return false;
  }

 private:
  /// The most that a component reaches.
  struct Size {
    double position = 0.0, velocity = 0.0;
    void see(const ReferenceValue& value) {
      position = std::max(position, std::abs(value.position));
      velocity = std::max(velocity, std::abs(value.velocity));
    }
  };

  Size& size_of(int component) { return sizes_[static_cast<std::size_t>(component)]; }
  ReferenceValue at(int component, double time) const {
    return reference_.at(component, {time, events_});
  }

  const Reference& reference_;
  const EventTimes* events_;
  std::vector<Size> sizes_;
};

/// @param awaited  number of events at which references begin
void check_reference(const Reference& reference, const std::string& what, double duration,
                     std::size_t awaited, Position position = Position::continuous) {
  const auto refuse = [&](const std::string& when) {
    throw DomainError(
        fmt::format("the {} jumps in position or velocity {}; imposed motion needs a continuous "
                    "velocity, for instance a cubic table with ends at rest",
                    what, when));
  };
  std::vector<double> times;
  const double some_time = duration;  // what begins at events does so from rest whenever it does
  const EventTimes events{std::vector<std::vector<double>>(awaited, {some_time}), {}};
  const auto last = [&times](double begin) {
    return std::max(begin, *std::max_element(times.begin(), times.end()));
  };
  reference.append_event_discontinuities(events, times);
  if (!times.empty()) {
    const ImposedMotion motion(reference, some_time, duration, last(some_time), &events);
    for (const double time : times) {
      if (motion.jumps(time, position))
        refuse(fmt::format("{:.9g} s after its event", time - some_time));
    }
  }
  times.clear();
  reference.append_discontinuities(times);
  if (times.empty()) return;
  const ImposedMotion motion(reference, 0.0, duration, last(0.0));
  for (const double time : times) {
    if (!(time > 0.0) || time >= duration) continue;
    if (motion.jumps(time, position)) {
      refuse(fmt::format("at t = {:.9g} s", time));
    }
  }
}

}  // namespace

void check_imposed_motion(const SimulationSetup& setup, double duration) {
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    const Joint& joint = setup.model->joint(prescribed.joint);
    check_reference(*prescribed.reference, fmt::format("prescribed joint '{}'", joint.name),
                    duration, setup.awaited.size(),
                    joint.spherical != 0 ? Position::may_turn_over : Position::continuous);
  }
  if (!setup.prescribed_base) return;
  const PrescribedBase& base = *setup.prescribed_base;
  if (base.position)
    check_reference(*base.position, "position of the prescribed base", duration,
                    setup.awaited.size());
  if (base.angle)
    check_reference(*base.angle, "angle of the prescribed base", duration, setup.awaited.size());
}

// Whether controllers can be sampled and drive their joints side by side.

namespace {

void check_digitization(const Controller& controller) {
  const Digitization digital = controller.digitization();
  if (digital.is_ideal()) return;
  if (controller.sample_period() == 0.0) {
    throw DomainError(
        fmt::format("delay and resolutions of '{}' need a sample period", controller.name()));
  }
  for (const double value : {digital.delay, digital.position_resolution,
                             digital.velocity_resolution, digital.command_resolution}) {
    if (value >= 0.0 && std::isfinite(value)) continue;
    throw DomainError(fmt::format("delay and resolutions of '{}' must be finite and not negative",
                                  controller.name()));
  }
  if (controller.digitization().delay <= 1000.0 * controller.sample_period()) return;
  throw DomainError(
      fmt::format("the delay of '{}' is longer than 1000 sample periods", controller.name()));
}

void check_sample_periods(const SimulationSetup& setup) {
  for (const auto& controller : setup.controllers) {
    const double period = controller->sample_period();
    if (!(period >= 0.0) || !std::isfinite(period)) {
      throw DomainError(fmt::format("the sample period of '{}' must be finite and not negative",
                                    controller->name()));
    }
    check_digitization(*controller);
  }
}

/// Whether events turn a controller on or off.
bool is_switched(const SimulationSetup& setup, const Controller& controller) {
  return std::any_of(setup.events.begin(), setup.events.end(), [&](const Event& event) {
    return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
      const auto* turns = std::get_if<SwitchAction>(&action);
      return turns != nullptr && turns->controller == controller.name();
    });
  });
}

/// A joint that one of two controllers drives alone, and the other, too; 0: none.
int contested_joint(const Controller& one, const Controller& other) {
  const DrivenJoints own = one.driven_joints(), others = other.driven_joints();
  if (!own.alone && !others.alone) return 0;
  const auto contested = std::find_first_of(own.joints.begin(), own.joints.end(),
                                            others.joints.begin(), others.joints.end());
  return contested == own.joints.end() ? 0 : *contested;
}

void check_drivers(const SimulationSetup& setup) {
  for (std::size_t i = 0; i < setup.controllers.size(); ++i) {
    const Controller& one = *setup.controllers[i];
    for (std::size_t j = i + 1; j < setup.controllers.size(); ++j) {
      const Controller& other = *setup.controllers[j];
      const int joint = contested_joint(one, other);
      if (joint == 0 || is_switched(setup, one) || is_switched(setup, other)) continue;
      throw DomainError(
          fmt::format("'{}' and '{}' both drive joint '{}': controllers that events turn on and "
                      "off may share it",
                      one.name(), other.name(), setup.model->joint(joint).name));
    }
  }
}

}  // namespace

void check_controllers(const SimulationSetup& setup) {
  check_sample_periods(setup);
  check_drivers(setup);
}

// What systems whose tanks empty cannot do.

void check_tanks(const SimulationSetup& setup) {
  if (!draws_from_tanks(setup)) return;
  const IntegrationMethod method = setup.integrator.method;
  if (method == IntegrationMethod::rodas || method == IntegrationMethod::newmark ||
      method == IntegrationMethod::variational) {
    throw DomainError(
        fmt::format("{} cannot let tanks empty; thrusters that draw from tanks need another method",
                    method_traits(method).name));
  }
  if (setup.integrator.project_momentum) {
    throw DomainError("project_momentum cannot be used where tanks empty");
  }
  if (setup.base_mode == BaseMode::floating) return;
  for (const Tank& tank : setup.model->tanks()) {
    if (tank.body != 0) continue;
    throw DomainError(fmt::format(
        "tank '{}' is on a base that is held or moved, where it cannot empty", tank.name));
  }
}

}  // namespace spacedyn
