// Scenario files: every key of the format reaches the set-up.
#include <cmath>

#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::scenario_file_test {
namespace {

using testing::TemporaryFolder;

const char* kRobot = R"(spacedyn: 1
model:
  name: robot
  base: {name: body, mass: 10, inertia: [5, 5, 5]}
  links:
    - {name: arm, parent: body, joint: {name: shoulder, type: revolute, effort_limit: 7},
       mass: 2, inertia: [1, 1, 1]}
    - {name: slider, parent: arm, joint: {name: rail, type: prismatic, axis: [1, 0, 0],
       position_limits: [-1, 1]}, mass: 1, inertia: [1, 1, 1]}
    - {name: hand, parent: slider, joint: {name: wrist, type: revolute}, mass: 1, inertia: [1, 1, 1]}
  frames:
    - {name: tip, link: hand, xyz: [0, 0, 1]}
)";

const char* kComplete = R"(spacedyn: 1
scenario:
  name: everything
  description: all keys
  model: robots/robot.yaml
  duration: 1 min
  base: {mode: floating}
  initial:
    base: {position: [1 m, 20 cm, 0], rpy: [0, 0, 90 deg], velocity: [0, 0.1, 0],
           angular_velocity: [0, 0, 6 rpm]}
    joints:
      shoulder: {position: 10 deg, velocity: 0.5}
      rail: {position: 5 cm}
  environment: {gravity: [0, 0, -9.81], source: WGS84}
  forces:
    - {type: wrench, name: push, at: tip, force: [1, 0, 0], from: 12.0, until: 12.1}
    - {type: wrench, name: profile, at: body.com, frame: body,
       table: {time: [0, 1 s, 2], torque: [[0, 0, 0], [1, 0, 0], [0, 0, 0]]}}
    - {type: joint_torque, name: hum, joint: rail, table: {time: [0, 1], torque: [0, 500 mN]}}
    - {type: joint_torque, joint: shoulder, torque: 2}
  control:
    - type: joint_pd
      name: slew
      joints: [shoulder, rail]
      stiffness: [300 N*m/rad, 200 N/m]
      damping: 120
      sample_period: 10 ms
      reference: {type: quintic, to: [20 deg, 40 cm], from_time: 2, duration: 10}
  prescribed:
    - {joint: wrist, reference: {type: trapezoid, from: 0.2, to: 1, velocity: 1, acceleration: 2}}
  integrator: {method: dopri5, relative_tolerance: 1.0e-6, max_step: 50 ms,
               absolute_tolerance: {position: 1 mm, joint: 1.0e-5}}
  output: {interval: 0.05, channels: [energy, state]}
  checks: {momentum_drift: 1.0e-9, energy_residual: 1.0e-8, attitude_error: 1.0e-12}
)";

class ScenarioFile : public ::testing::Test {
 protected:
  ScenarioFile() { folder_.write("robots/robot.yaml", kRobot); }

  Scenario load(const std::string& text, const std::vector<Override>& overrides = {}) const {
    return load_scenario(folder_.write("scenario.yaml", text), overrides);
  }
  /// A scenario of the robot with some further lines.
  Scenario load_lines(const std::string& lines) const {
    return load("spacedyn: 1\nscenario:\n  name: a\n  model: robots/robot.yaml\n  duration: 10\n" +
                lines);
  }

  TemporaryFolder folder_;
};

TEST_F(ScenarioFile, ReadsFramework) {
  const Scenario scenario = load(kComplete);
  EXPECT_EQ(scenario.name, "everything");
  EXPECT_EQ(scenario.notes.description, "all keys");
  EXPECT_EQ(scenario.notes.details.at("environment.source"), "WGS84");
  EXPECT_EQ(scenario.file, folder_.path("scenario.yaml"));
  EXPECT_EQ(scenario.model_file, folder_.path("robots/robot.yaml"));
  EXPECT_EQ(scenario.sources.size(), 2U);
  EXPECT_EQ(scenario.duration, 60.0);
  EXPECT_EQ(scenario.output_interval, 0.05);
  EXPECT_EQ(scenario.channels, (std::vector<Channel>{Channel::energy, Channel::state}));
  EXPECT_EQ(scenario.checks.momentum_drift, 1e-9);
  EXPECT_EQ(scenario.checks.energy_residual, 1e-8);
  EXPECT_EQ(scenario.checks.attitude_error, 1e-12);
  EXPECT_TRUE(scenario.warnings.empty());
}

TEST_F(ScenarioFile, ReadsStart) {
  const State start = load(kComplete).initial;
  EXPECT_EQ(start.r_0, Vector3(1.0, 0.2, 0.0));
  EXPECT_LT((start.A_0 - rotation_z(std::acos(0.0))).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(start.v_0, Vector3(0.0, 0.1, 0.0));
  EXPECT_NEAR(start.omega_0.z(), 0.2 * std::acos(-1.0), 1e-15);
  EXPECT_NEAR(start.q(0), std::acos(-1.0) / 18.0, 1e-15);
  EXPECT_EQ(start.q(1), 0.05);
  EXPECT_EQ(start.q(2), 0.2) << "where the prescribed motion starts";
  EXPECT_EQ(start.qd, VectorX::Unit(3, 0) * 0.5);
}

TEST_F(ScenarioFile, ReadsIntegrator) {
  const IntegratorOptions options = load(kComplete).setup.integrator;
  EXPECT_EQ(options.method, IntegrationMethod::dopri5);
  EXPECT_EQ(options.relative_tolerance, 1e-6);
  EXPECT_EQ(options.max_step, 0.05);
  EXPECT_EQ(options.absolute_tolerance.position, 1e-3);
  EXPECT_EQ(options.absolute_tolerance.joint, 1e-5);
  EXPECT_EQ(options.absolute_tolerance.attitude, AbsoluteTolerance{}.attitude);

  const IntegratorOptions fixed =
      load_lines("  integrator: {method: rk4, step: 2 ms}\n").setup.integrator;
  EXPECT_EQ(fixed.method, IntegrationMethod::rk4);
  EXPECT_EQ(fixed.step, 0.002);

  const IntegratorOptions loose =
      load_lines("  integrator: {absolute_tolerance: 1.0e-3}\n").setup.integrator;
  EXPECT_EQ(loose.absolute_tolerance.joint_velocity, 1e-3);
  EXPECT_EQ(loose.absolute_tolerance.auxiliary, 1e-3);
}

TEST_F(ScenarioFile, ReadsEveryMethodByItsName) {
  for (const IntegrationMethod method : all_integration_methods()) {
    const std::string step = is_adaptive(method) ? "" : ", step: 0.01";
    const Scenario scenario =
        load_lines("  integrator: {method: " + std::string(to_string(method)) + step + "}\n");
    EXPECT_EQ(scenario.setup.integrator.method, method);
  }
  const IntegratorOptions newmark =
      load_lines("  integrator: {method: newmark, step: 0.01, beta: 0.3025, gamma: 0.6}\n")
          .setup.integrator;
  EXPECT_EQ(newmark.newmark_beta, 0.3025);
  EXPECT_EQ(newmark.newmark_gamma, 0.6);
}

TEST_F(ScenarioFile, RefusesParametersOfNewmarkThatDoNotFit) {
  const auto error_of = [&](const std::string& integrator) -> std::string {
    try {
      load_lines("  integrator: " + integrator + "\n");
    } catch (const ParseError& error) {
      const Diagnostic& first = error.diagnostics().front();
      return first.path + ": " + first.message + (first.hint.empty() ? "" : "; " + first.hint);
    }
    return "accepted";
  };
  EXPECT_EQ(error_of("{method: simpson, step: 0.01, beta: 0.25}"),
            "scenario.integrator.beta: expected no 'beta' here, got one: it belongs to newmark");
  EXPECT_EQ(error_of("{method: newmark, step: 0.01, beta: 0.75}"),
            "scenario.integrator.beta: expected a number from 0 to 0.5, got 0.75");
  EXPECT_EQ(error_of("{method: newmark, step: 0.01, gamma: 0.25}"),
            "scenario.integrator.gamma: expected a number from 0.5 to 1, got 0.25");
  EXPECT_EQ(
      error_of("{method: rk4, step: 0.01, max_steps: 2.5}"),
      "scenario.integrator.max_steps: expected a whole number of steps, at least 1, got '2.5'");
  EXPECT_EQ(error_of("{method: newmark, step: 0.01, max_step: 1}"),
            "scenario.integrator.max_step: expected no 'max_step' here, got one: newmark keeps to "
            "its step");
}

TEST_F(ScenarioFile, DefaultsToAllChannelsAndAThousandOutputs) {
  const Scenario scenario = load_lines("");
  EXPECT_EQ(scenario.channels, default_channels());
  EXPECT_EQ(scenario.output_interval, 0.01);
  EXPECT_EQ(scenario.setup.base_mode, BaseMode::floating);
}

TEST_F(ScenarioFile, ReadsForces) {
  const Scenario scenario = load(kComplete);
  const Model& model = *scenario.setup.model;
  ASSERT_EQ(scenario.setup.forces.size(), 4U);
  EXPECT_EQ(scenario.setup.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(scenario.setup.forces[3]->name(), "joint_torque_3");

  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const State start(model);
  compute_link_frames(model, start, frames);
  const auto loads_at = [&](double time) {
    Loads loads(model);
    const EvaluationContext context{time, model, start, frames, velocities, start.z};
    for (const auto& force : scenario.setup.forces) force->apply(context, loads);
    return loads;
  };
  const Loads early = loads_at(0.5);
  EXPECT_EQ(early.moment.col(0), Vector3(0.5, 0, 0));
  EXPECT_EQ(early.tau, Vector3(2.0, 0.25, 0.0));
  EXPECT_EQ(early.force.col(3), Vector3::Zero());
  const Loads late = loads_at(12.05);
  EXPECT_EQ(late.force.col(3), Vector3::UnitX());
  EXPECT_EQ(late.moment.col(3), Vector3::UnitY());
  EXPECT_EQ(late.tau, Vector3(2.0, 0.0, 0.0));
}

TEST_F(ScenarioFile, ReadsController) {
  const Scenario scenario = load(kComplete);
  ASSERT_EQ(scenario.setup.controllers.size(), 1U);
  const auto& pd = dynamic_cast<const JointPd&>(*scenario.setup.controllers[0]);
  EXPECT_EQ(pd.name(), "slew");
  EXPECT_EQ(pd.settings().joints, (std::vector<int>{1, 2}));
  EXPECT_EQ(pd.settings().stiffness, Eigen::Vector2d(300, 200));
  EXPECT_EQ(pd.settings().damping, Eigen::Vector2d(120, 120));
  EXPECT_EQ(pd.settings().effort_limit(0), 7.0) << "the joint's own";
  EXPECT_TRUE(std::isinf(pd.settings().effort_limit(1)));
  EXPECT_EQ(pd.settings().sample_period, 0.01);
  const Reference& reference = *pd.settings().reference;
  EXPECT_EQ(reference.evaluate(1, 0.0).position, 0.05) << "the initial position";
  EXPECT_EQ(reference.evaluate(1, 12.0).position, 0.4);
}

TEST_F(ScenarioFile, ReadsDelayAndQuantization) {
  const Scenario scenario = load_lines(R"(
  control:
    - {type: joint_pd, joints: [shoulder], stiffness: 1, damping: 1, sample_period: 10 ms,
       delay: 25 ms, quantization: {position: 0.1 deg, effort: 0.5},
       reference: {type: constant, position: 0.5}}
)");
  const Digitization digital = scenario.setup.controllers[0]->digitization();
  EXPECT_EQ(digital.delay, 0.025);
  EXPECT_DOUBLE_EQ(digital.position_resolution, 0.1 * M_PI / 180.0);
  EXPECT_EQ(digital.velocity_resolution, 0.0);
  EXPECT_EQ(digital.command_resolution, 0.5);
}

TEST_F(ScenarioFile, RefusesADelayOfContinuousControl) {
  const std::string lines = R"(
  control:
    - {type: joint_pd, joints: [shoulder], stiffness: 1, damping: 1, delay: 25 ms,
       reference: {type: constant, position: 0.5}}
)";
  try {
    load_lines(lines);
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("scenario.control.0.delay: expected no 'delay' here, got one: "
                                     "control without a sample_period is continuous"));
  }
}

TEST_F(ScenarioFile, ReadsTableAndConstantReferences) {
  const Scenario scenario = load_lines(R"(
  control:
    - {type: joint_pd, joints: [shoulder, rail], stiffness: 1, damping: 1, reference:
        {type: table, time: [0, 1], position: [[0, 0], [1, 2 cm]], interpolation: linear}}
    - {type: joint_pd, joints: [wrist], stiffness: 1, damping: 1, reference:
        {type: constant, position: 0.5}}
)");
  const auto reference = [&](std::size_t i) {
    return dynamic_cast<const JointPd&>(*scenario.setup.controllers[i]).settings().reference;
  };
  EXPECT_EQ(reference(0)->evaluate(0, 0.5).position, 0.5);
  EXPECT_EQ(reference(0)->evaluate(1, 0.5).position, 0.01);
  EXPECT_EQ(reference(1)->evaluate(0, 3.0).position, 0.5);
}

TEST_F(ScenarioFile, ReadsPrescribedBase) {
  const Scenario scenario = load_lines(R"(
  initial: {base: {position: [1, 2, 3], rpy: [0.1, 0, 0]}}
  base:
    mode: prescribed
    motion:
      position: {type: quintic, to: [2, 2, 3], duration: 4}
      rotation: {axis: [0, 0, 2], angle: {type: table, time: [0, 1], position: [0, 90 deg],
                 interpolation: cubic}}
)");
  ASSERT_TRUE(scenario.setup.prescribed_base.has_value());
  EXPECT_EQ(scenario.setup.base_mode, BaseMode::prescribed);
  EXPECT_EQ(scenario.setup.prescribed_base->axis, Vector3::UnitZ());
  State state = scenario.initial;
  EXPECT_EQ(state.r_0, Vector3(1, 2, 3));
  Vector6 acceleration;
  scenario.setup.prescribed_base->evaluate(4.0, state, acceleration);
  EXPECT_EQ(state.r_0, Vector3(2, 2, 3));
  const Matrix3 turned = rotation_z(std::acos(0.0)) * rotation_x(0.1);
  EXPECT_LT((state.A_0 - turned).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(ScenarioFile, TakesAnInlineModel) {
  const Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: a\n  duration: 1\n  model:\n    name: top\n    base: {name: "
      "b, mass: 1, inertia: [1, 2, 2.5]}\n",
      "inline.yaml");
  EXPECT_EQ(scenario.setup.model->name(), "top");
  EXPECT_TRUE(scenario.model_file.empty());
}

TEST_F(ScenarioFile, BaseModeDefaultsToThatOfTheModel) {
  const Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario: {name: a, duration: 1, model: {name: m, base: {name: b, fixed: "
      "true}}}",
      "inline.yaml");
  EXPECT_EQ(scenario.setup.base_mode, BaseMode::fixed);
}

TEST_F(ScenarioFile, WarnsOfAStartOutsideLimits) {
  const Scenario scenario = load_lines("  initial: {joints: {rail: {position: 2}}}\n");
  ASSERT_EQ(scenario.warnings.size(), 1U);
  EXPECT_EQ(to_string(scenario.warnings[0]),
            scenario.file +
                ":6:39: warning: scenario.initial.joints.rail.position: expected a start within "
                "the position limits [-1, 1] m, got 2 m");
}

TEST_F(ScenarioFile, WarnsOfMethodsThatFactorizeLargeMatrices) {
  std::string text =
      "spacedyn: 1\nscenario:\n  name: a\n  duration: 1\n"
      "  integrator: {method: rodas}\n  model:\n    name: chain\n"
      "    base: {name: l0, mass: 1, inertia: [1, 1, 1]}\n    links:\n";
  for (int i = 1; i <= 294; ++i) {
    const std::string number = std::to_string(i);
    text += "      - {name: l" + number + ", parent: l" + std::to_string(i - 1) +
            ", joint: {name: j" + number +
            ", type: revolute, origin: {xyz: [1, 0, 0]}}, mass: 1, inertia: [1, 1, 1]}\n";
  }
  const Scenario scenario = parse_scenario(text, "chain.yaml");
  ASSERT_EQ(scenario.warnings.size(), 1U);
  EXPECT_EQ(to_string(scenario.warnings[0]),
            "chain.yaml:5:24: warning: scenario.integrator.method: expected a method whose cost "
            "grows with the number of coordinates, got rodas, which factorizes a matrix of 300 "
            "rows in each step");
  const auto warnings_with = [&](const std::string& method) {
    std::string other = text;
    other.replace(other.find("method: rodas"), 13, "method: " + method);
    return parse_scenario(other, "chain.yaml").warnings.size();
  };
  EXPECT_EQ(warnings_with("newmark, step: 0.1"), 1U);
  EXPECT_EQ(warnings_with("variational, step: 0.1"), 1U);
  EXPECT_EQ(warnings_with("dop853"), 0U);
}

TEST_F(ScenarioFile, WarnsOfMethodsThatDoNotSeeKinks) {
  const auto warnings_with = [](const std::string& method) {
    return parse_scenario(
               "spacedyn: 1\nscenario:\n  name: a\n  duration: 1\n"
               "  integrator: {method: " +
                   method +
                   "}\n"
                   "  model: {name: m, base: {name: b, mass: 1, inertia: [1, 1, 1]}, links: "
                   "[{name: l, parent: b, joint: {name: j, type: prismatic}, mass: 1, "
                   "inertia: [1, 1, 1]}]}\n"
                   "  forces: [{name: stop, type: joint_stop, joint: j, limits: [-1, 1], "
                   "stiffness: 10}]\n",
               "stop.yaml")
        .warnings;
  };
  const auto warnings = warnings_with("fehlberg78");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(to_string(warnings[0]),
            "stop.yaml:5:24: warning: scenario.integrator.method: expected a method whose error "
            "estimate sees forces begin and end, got fehlberg78 beside 'stop': its error may be a "
            "thousand times the tolerance");
  EXPECT_EQ(warnings_with("bulirsch_stoer").size(), 1U);
  EXPECT_EQ(warnings_with("dop853").size(), 0U);
}

TEST_F(ScenarioFile, TellsKindsOfFilesApart) {
  EXPECT_EQ(file_kind(folder_.path("robots/robot.yaml")), FileKind::model);
  EXPECT_EQ(file_kind(folder_.write("s.yaml", kComplete)), FileKind::scenario);
  EXPECT_THROW(file_kind(folder_.write("n.yaml", "spacedyn: 1\n")), ParseError);
  EXPECT_THROW(file_kind(folder_.path("absent.yaml")), IoError);
}

TEST_F(ScenarioFile, WarnsOfLoadsThatAreNeverFelt) {
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: idle
  model:
    name: box
    base: {name: box, mass: 1, inertia: [1, 1, 1]}
  duration: 10
  forces:
    - {type: wrench, name: late, at: box, force: [1, 0, 0], from: 10, until: 11}
    - {type: wrench, name: nothing, at: box, force: [0, 0, 0], from: 1, until: 2}
    - {type: wrench, name: peak, at: box, table: {time: [-2, 2, 4], force: [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}}
)",
                                           "idle.yaml");
  ASSERT_EQ(scenario.warnings.size(), 2u);
  EXPECT_EQ(
      to_string(scenario.warnings[0]),
      "idle.yaml:9:7: warning: scenario.forces.0: expected a load that acts between 0 and 10 s, "
      "got one that is zero throughout");
  EXPECT_EQ(scenario.warnings[1].path, "scenario.forces.1");
}

}  // namespace
}  // namespace spacedyn::scenario_file_test
