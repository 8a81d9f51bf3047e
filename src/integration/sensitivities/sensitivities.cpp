#include "spacedyn/integration/sensitivities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "collision/contact_gradient.hpp"
#include "integration/equations/run_memory.hpp"
#include "integration/run/setup_checks.hpp"
#include "integration/sensitivities/flight_adjoint.hpp"
#include "integration/sensitivities/flight_tangents.hpp"
#include "math/rotation_vectors.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

constexpr double kInitialStep = 1e-5;  // m, rad, m/s, rad/s

/// @throws NotDifferentiableError
void check_method(const IntegratorOptions& options) {
  using Method = IntegrationMethod;
  static constexpr Method kKnown[] = {Method::dop853,     Method::dopri5, Method::euler,
                                      Method::midpoint,   Method::rk4,    Method::cash_karp54,
                                      Method::fehlberg78, Method::simpson};
  if (options.stepper || std::count(std::begin(kKnown), std::end(kKnown), options.method) > 0) {
    return;
  }
  std::string known;
  for (const Method method : kKnown) {
    known += (known.empty() ? "" : ", ") + std::string(to_string(method));
  }
  throw NotDifferentiableError(
      fmt::format("flights of method {} have no derivatives here; those of explicit Runge-Kutta "
                  "methods have: {}",
                  to_string(options.method), known));
}

[[noreturn]] void refuse_element(const std::string& kind, const std::string& name) {
  throw NotDifferentiableError(fmt::format("{} '{}' cannot be differentiated", kind, name));
}

/// @throws NotDifferentiableError
void check_elements(const SimulationSetup& setup, Run& run) {
  // of patches there are differences alone, which see the pull of trials beyond the surface
  for (const SystemElements::Slot& slot : run.parts().equations.elements().slots()) {
    if (slot.declared.contact == nullptr) continue;
    for (const ContactPair& pair : slot.declared.contact->settings().pairs) {
      if (pair.on_ground || has_gradient(pair.a.type, pair.b.type)) continue;
      refuse_element("the contact along patches", slot.element().name());
    }
  }
  for (const auto& controller : setup.controllers) {
    const Digitization digital = controller->digitization();
    if (digital.position_resolution != 0.0 || digital.velocity_resolution != 0.0 ||
        digital.command_resolution != 0.0) {
      refuse_element("the quantization of controller", controller->name());
    }
  }
  for (const Sensor& sensor : setup.sensors) {
    if (!sensor.errors.quantization.isZero(0.0)) {
      refuse_element("the quantization of sensor", sensor.name);
    }
  }
}

SimulationSetup prepared(const SimulationSetup& setup) {
  check_setup(setup);
  SimulationSetup whole = setup;
  whole.events = all_events(setup);
  return whole;
}

/// @throws NotDifferentiableError if a side is another system
void check_side(const SimulationSetup& setup, const SimulationSetup& side,
                const std::string& name) {
  const auto periods = [](const SimulationSetup& own) {
    std::vector<double> all;
    for (const auto& controller : own.controllers) {
      all.push_back(controller->sample_period());
      all.push_back(controller->digitization().delay);
    }
    for (const Sensor& sensor : own.sensors) {
      all.push_back(sensor.sample_period);
      all.push_back(sensor.delay);
    }
    return all;
  };
  const char* why = nullptr;
  if (bytes_of(side.integrator) != bytes_of(setup.integrator)) why = "how the flight is integrated";
  if (side.controllers.size() != setup.controllers.size() ||
      side.sensors.size() != setup.sensors.size() || side.forces.size() != setup.forces.size() ||
      side.events.size() != setup.events.size() ||
      side.model->joint_count() != setup.model->joint_count() ||
      side.connections.size() != setup.connections.size()) {
    why = "what the system consists of";
  } else if (periods(side) != periods(setup)) {
    why = "when controllers or sensors sample";
  }
  if (why == nullptr) return;
  throw NotDifferentiableError(
      fmt::format("{} decides {}: flights have no derivative by it", name, why));
}

/// A flight with the sides of its numbers, about to begin.
struct Departure {
  Departure(const SimulationSetup& setup, const State& initial, const OutputTimes& times,
            const std::vector<FlightVariation>& variations, SimulationObserver& observer);

  const SimulationSetup whole;
  std::vector<std::unique_ptr<const SimulationSetup>> setups;
  SimulationObserver silent;
  std::vector<TangentColumn> columns;
  std::unique_ptr<Run> run;
};

Departure::Departure(const SimulationSetup& setup, const State& initial, const OutputTimes& times,
                     const std::vector<FlightVariation>& variations, SimulationObserver& observer)
    : whole((check_method(setup.integrator), prepared(setup))) {
  for (const FlightVariation& variation : variations) {
    if (!(variation.step > 0.0 && std::isfinite(variation.step))) {
      throw DomainError(fmt::format("the step of {} must be positive", variation.name));
    }
    TangentColumn& column = columns.emplace_back();
    column.name = variation.name;
    column.step = variation.step;
    column.has_setups = variation.above.setup != nullptr || variation.below.setup != nullptr;
    const auto begin = [&](const FlightVariation::Side& side) {
      const SimulationSetup* own = &whole;
      if (side.setup != nullptr) {
        setups.push_back(std::make_unique<const SimulationSetup>(prepared(*side.setup)));
        own = setups.back().get();
        check_side(whole, *own, variation.name);
      }
      return start_run(*own, side.initial, times, times.given(),
                       side.observer != nullptr ? *side.observer : silent);
    };
    column.above = begin(variation.above);
    column.below = begin(variation.below);
  }
  run = start_run(whole, initial, times, times.given(), observer);
  check_elements(whole, *run);
}

}  // namespace

NotDifferentiableError::~NotDifferentiableError() = default;
SensitivityObserver::~SensitivityObserver() = default;
FlightObjectives::~FlightObjectives() = default;

SensitivityResult fly_with_sensitivities(const SimulationSetup& setup, const State& initial,
                                         const FlightOutputs& outputs,
                                         const std::vector<FlightVariation>& variations,
                                         SimulationObserver& observer,
                                         SensitivityObserver* sensitivities) {
  if (outputs.times.empty()) {
    check_times(outputs.duration, outputs.interval);
  } else {
    check_output_times(outputs.times);
  }
  const OutputTimes times = outputs.times.empty() ? OutputTimes(outputs.interval, outputs.duration)
                                                  : OutputTimes(outputs.times);
  Departure departure(setup, initial, times, variations, observer);
  FlightTangents tangents(departure.run->parts(), std::move(departure.columns), sensitivities);
  departure.run->take_along(tangents);
  SensitivityResult result;
  result.flight = departure.run->go();
  tangents.finish(result);
  return result;
}

AdjointResult fly_with_adjoint(const SimulationSetup& setup, const State& initial,
                               const std::vector<double>& times,
                               const std::vector<BoundedVariation>& variations,
                               FlightObjectives& objectives) {
  check_output_times(times);
  if (objectives.count() < 1) throw DomainError("there must be at least one objective");
  Departure departure(setup, initial, OutputTimes(times), {variations.begin(), variations.end()},
                      objectives);
  FlightAdjoint adjoint(departure.run->parts(), std::move(departure.columns), variations,
                        objectives, times);
  departure.run->take_along(adjoint);
  AdjointResult result;
  result.flight = departure.run->go();
  if (!result.flight.interrupted) adjoint.finish(result);
  return result;
}

std::vector<FlightVariation> initial_variations(const Model& model, const State& initial) {
  std::vector<FlightVariation> variations;
  const auto add = [&](const std::string& name, const auto& change) {
    FlightVariation own{name, kInitialStep, {nullptr, initial}, {nullptr, initial}};
    change(own.above.initial, kInitialStep);
    change(own.below.initial, -kInitialStep);
    variations.push_back(std::move(own));
  };
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  for (const bool is_rate : {false, true}) {
    for (int i = 0; i < 3; ++i) {
      add(fmt::format("base.{}.{}", is_rate ? "velocity" : "position", kAxes[i]),
          [=](State& state, double step) { (is_rate ? state.v_0 : state.r_0)(i) += step; });
    }
    for (int i = 0; i < 3; ++i) {
      add(fmt::format("base.{}.{}", is_rate ? "angular_velocity" : "rotation", kAxes[i]),
          [=](State& state, double step) {
            if (is_rate) {
              state.omega_0(i) += step;
            } else {
              state.A_0 = exp_so3(step * Vector3::Unit(i)) * state.A_0;
            }
          });
    }
    for (int i = 1; i <= model.joint_count(); ++i) {
      add(model.joint(i).name + (is_rate ? ".velocity" : ".position"),
          [&model, is_rate, i](State& state, double step) {
            if (is_rate) {
              state.qd(i - 1) += step;
              return;
            }
            for (const int first : model.spherical_joints()) {
              if (i < first || i > first + 2) continue;
              Vector3 turn = Vector3::Zero();
              turn(i - first) = step;
              state.q.segment<3>(first - 1) = rotated(state.q.segment<3>(first - 1), turn);
              return;
            }
            state.q(i - 1) += step;
          });
    }
  }
  return variations;
}

}  // namespace spacedyn
