// Overrides: single values of a scenario and its model changed before they are interpreted.
#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::overrides_test {
namespace {

using testing::TemporaryFolder;

const char* kRobot = R"(spacedyn: 1
model:
  name: robot
  base: {name: body, mass: 10, inertia: [5, 5, 5]}
  links:
    - {name: arm, parent: body, joint: {type: revolute}, mass: 2, inertia: [1, 1, 1]}
)";

const char* kScenario = R"(spacedyn: 1
scenario:
  name: push
  model: robot.yaml
  duration: 10
  forces:
    - {type: wrench, at: arm, force: [1, 0, 0]}
  integrator: {relative_tolerance: 1.0e-6}
)";

class Overrides : public ::testing::Test {
 protected:
  Overrides() { folder_.write("robot.yaml", kRobot); }

  Scenario load(const std::vector<Override>& overrides, const char* text = kScenario) const {
    return load_scenario(folder_.write("scenario.yaml", text), overrides);
  }
  std::string error_of(const Override& change) const {
    try {
      load({change});
    } catch (const OverrideError& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

TEST_F(Overrides, ReplaceValues) {
  EXPECT_EQ(load({{"duration", "2 min"}}).duration, 120.0);
  EXPECT_EQ(load({{"scenario.duration", "3"}}).duration, 3.0);
  EXPECT_EQ(load({{"duration", "3"}, {"duration", "4"}}).duration, 4.0) << "the last one holds";
}

TEST_F(Overrides, AddKeysThatAreAllowed) {
  EXPECT_EQ(load({{"initial.joints.arm.position", "0.5"}}).initial.q(0), 0.5);
  EXPECT_EQ(load({{"output.interval", "0.5"}}).output_interval, 0.5);
  EXPECT_EQ(load({{"environment", "{gravity: [0, 0, -1]}"}}).setup.gravity.z(), -1.0);
}

TEST_F(Overrides, ReachIntoListsByPosition) {
  EXPECT_EQ(load({{"forces.0.name", "shove"}}).setup.forces[0]->name(), "shove");
  EXPECT_NO_THROW(load({{"forces.0.force.1", "2 kN"}}));
}

TEST_F(Overrides, ReachIntoListsByName) {
  const std::string text = std::string(kScenario) +
                           "  control:\n"
                           "    - {type: joint_pd, name: slew, joints: [arm], stiffness: 1,\n"
                           "       damping: 1, reference: {type: constant, position: 0}}\n";
  EXPECT_NO_THROW(load({{"control.slew.stiffness", "2"}}, text.c_str()));
  EXPECT_EQ(load({{"control.slew.name", "turn"}}, text.c_str()).setup.controllers[0]->name(),
            "turn");
  EXPECT_EQ(load({{"model.links.arm.mass", "3"}}).setup.model->body(1).mass, 3.0);
  EXPECT_EQ(load({{"links.arm.mass", "3"}}).setup.model->body(1).mass, 3.0);
  // what has no name of its own is called by its type and place, as in results
  EXPECT_EQ(load({{"forces.wrench_0.name", "shove"}}).setup.forces[0]->name(), "shove");
}

TEST_F(Overrides, NeedNamesThatMeanOneItem) {
  const std::string twice =
      "spacedyn: 1\nscenario:\n  name: push\n  model: robot.yaml\n  duration: 10\n  forces:\n"
      "    - {type: wrench, name: push, at: arm, force: [1, 0, 0]}\n"
      "    - {type: wrench, name: push, at: arm, force: [1, 0, 0]}\n"
      "    - {type: wrench, name: '1', at: arm, force: [1, 0, 0]}\n";
  const auto error = [&](const Override& change) -> std::string {
    try {
      load({change}, twice.c_str());
    } catch (const Error& found) {
      return found.what();
    }
    return "no error";
  };
  EXPECT_NE(error({"forces.push.at", "body"})
                .find("scenario.forces.push: expected a position, got 'push', which is ambiguous: "
                      "it means the items 0 and 1"),
            std::string::npos);
  EXPECT_NE(error({"forces.1.at", "body"}).find("ambiguous: it means the items 1 and 2"),
            std::string::npos);
  EXPECT_EQ(error_of({"model.links.amr.mass", "1"}),
            "--set model.links.amr.mass=1: error: model.links.amr: expected a position from 0 to 0 "
            "or a name in this list, got 'amr', did you mean 'arm'?");
}

TEST_F(Overrides, ReachIntoTheModelFile) {
  EXPECT_EQ(load({{"model.base.mass", "3"}}).setup.model->body(0).mass, 3.0);
  EXPECT_EQ(load({{"scenario.model.links.0.joint.stiffness", "3"}}).setup.model->joint(1).stiffness,
            3.0);
}

TEST_F(Overrides, ExchangeTheModel) {
  folder_.write("other.yaml",
                "spacedyn: 1\nmodel: {name: other, base: {name: b, mass: 1, inertia: [1, 1, 1]}}");
  const auto scenario = load({{"model", "other.yaml"}, {"forces", "[]"}, {"model.name", "third"}});
  EXPECT_EQ(scenario.setup.model->name(), "third");
}

TEST_F(Overrides, LeaveTheTextOfTheFileAlone) {
  const Scenario scenario = load({{"duration", "3"}});
  EXPECT_EQ(scenario.sources.size(), 2U);
  EXPECT_EQ(scenario.sources.at(scenario.file), kScenario);
}

TEST_F(Overrides, AreNamedInErrors) {
  EXPECT_EQ(error_of({"duration", "long"}),
            "--set duration=long: error: scenario.duration: expected a positive time (s, ms, min, "
            "h), got 'long'");
  EXPECT_EQ(error_of({"model.base.mass", "-1"}),
            "--set model.base.mass=-1: error: model.base.mass: expected a mass of at least 0 (kg, "
            "g, t), got '-1'");
  EXPECT_EQ(error_of({"integrator.methd", "rk4"}),
            "--set integrator.methd=rk4: error: scenario.integrator.methd: expected the key "
            "'method', got the unknown key 'methd'");
  EXPECT_EQ(error_of({"model.bse.mass", "1"}),
            "--set model.bse.mass=1: error: model.bse: expected the key 'base', got the unknown "
            "key 'bse'");
}

TEST_F(Overrides, KeepHintsAndPlacesOfWhatTheyBreak) {
  const auto found = [&](const Override& change) {
    try {
      load({change});
    } catch (const OverrideError& error) {
      return error.diagnostics();
    }
    return std::vector<Diagnostic>();
  };
  const auto misspelt = found({"integrator.methd", "rk4"});
  ASSERT_EQ(misspelt.size(), 1U);
  EXPECT_EQ(misspelt[0].file, "--set integrator.methd=rk4");
  EXPECT_EQ(misspelt[0].line, 0);
  EXPECT_EQ(misspelt[0].hint, "did you mean 'method'?");
  // the wrench of the file is at a link that is gone
  const auto far = found({"model.links.arm.name", "limb"});
  ASSERT_EQ(far.size(), 1U);
  EXPECT_EQ(far[0].file, folder_.path("scenario.yaml"));
  EXPECT_EQ(far[0].line, 7);
}

TEST_F(Overrides, MustFollowTheStructureOfTheFile) {
  EXPECT_EQ(error_of({"forces.1.name", "a"}),
            "--set forces.1.name=a: error: scenario.forces.1: expected a position from 0 to 0 or "
            "a name in this list, got '1'");
  EXPECT_EQ(error_of({"forces.first", "a"}),
            "--set forces.first=a: error: scenario.forces.first: expected a position from 0 to 0 "
            "or a name in this list, got 'first'");
  EXPECT_EQ(error_of({"duration.value", "1"}),
            "--set duration.value=1: error: scenario.duration.value: expected a key path of the "
            "file, got one through scenario.duration, which is '10'");
}

TEST_F(Overrides, CannotSetAnElementOfAListThatIsNotThere) {
  const std::string expected =
      "expected a list of 3 numbers, got single elements of a list that the file does not have; "
      "set "
      "the whole list";
  EXPECT_EQ(
      error_of({"initial.base.velocity.0", "0.1"}),
      "--set initial.base.velocity.0=0.1: error: scenario.initial.base.velocity: " + expected);
  EXPECT_EQ(error_of({"environment.gravity.2", "-1"}),
            "--set environment.gravity.2=-1: error: scenario.environment.gravity: " + expected);
  EXPECT_EQ(load({{"initial.base.velocity", "[0, 1, 0]"}, {"initial.base.velocity.0", "0.1"}})
                .initial.v_0.x(),
            0.1);
}

TEST_F(Overrides, MustBeYaml) {
  EXPECT_EQ(error_of({"duration", ""}), "--set duration=: error: expected a value, got nothing");
  EXPECT_EQ(error_of({"base", "{mode: fixed"}),
            "--set base={mode: fixed: error: expected ',' or '}' in this mapping, got the end "
            "of the text");
  EXPECT_EQ(error_of({"base..mode", "fixed"}),
            "--set base..mode=fixed: error: expected a key path such as 'integrator.method', got "
            "'base..mode'");
}

TEST_F(Overrides, OfTheMethodLeaveOutWhatDoesNotFitIt) {
  const Scenario slow = load({{"integrator.method", "rk4"}, {"integrator.step", "0.01"}});
  EXPECT_EQ(slow.setup.integrator.method, IntegrationMethod::rk4);
  EXPECT_EQ(slow.setup.integrator.step, 0.01);
  ASSERT_EQ(slow.remarks.size(), 1U);
  EXPECT_EQ(to_string(slow.remarks[0]),
            folder_.path("scenario.yaml") +
                ":8:16: note: scenario.integrator.relative_tolerance: left out: rk4 keeps to its "
                "step");
  EXPECT_TRUE(slow.warnings.empty());
  EXPECT_TRUE(load({{"integrator.method", "dopri5"}}).remarks.empty());

  const std::string stiff =
      "spacedyn: 1\nscenario: {name: a, model: robot.yaml, duration: 2,\n"
      "  integrator: {method: newmark, step: 0.1, beta: 0.3, gamma: 0.6, max_steps: 50}}";
  const Scenario free = load({{"integrator.method", "dop853"}}, stiff.c_str());
  EXPECT_EQ(free.setup.integrator.max_steps, 50);
  EXPECT_EQ(free.setup.integrator.step, 0.0);
  ASSERT_EQ(free.remarks.size(), 3U);
  const Scenario fixed = load({{"integrator.method", "rk4"}}, stiff.c_str());
  EXPECT_EQ(fixed.setup.integrator.step, 0.1);
  EXPECT_EQ(fixed.remarks.size(), 2U);
}

TEST_F(Overrides, AreBlamedForWhatTheyBreakElsewhere) {
  EXPECT_EQ(error_of({"integrator.method", "rk4"}),
            folder_.path("scenario.yaml") +
                ":8:15: error: scenario.integrator.step: expected a positive time (s, ms, min, h), "
                "got nothing: this key is required");
  // what an override sets is not left out
  const std::string both = error_of({"integrator", "{method: rk4, step: 0.1, max_step: 1}"});
  EXPECT_NE(both.find("expected no 'max_step' here"), std::string::npos) << both;
}

TEST_F(Overrides, DoNotHideProblemsOfTheFile) {
  EXPECT_THROW(load({{"duration", "1"}}, "spacedyn: 1\nscenario: {name: a, duration: 2}"),
               ParseError);
}

}  // namespace
}  // namespace spacedyn::overrides_test
