// The energy of every kind of element is counted to the tolerance of the integration.
#include <gtest/gtest.h>

#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::energy_balance_test {
namespace {

/// A robot with one kind of element, and what else its scenario needs.
struct Balance {
  const char* name;
  std::string model;     ///< below `model:`
  std::string scenario;  ///< below `scenario:`
};

void PrintTo(const Balance& integrals, std::ostream* stream) { *stream << integrals.name; }

std::string link(const std::string& name, const std::string& parent, const std::string& joint) {
  return "      - {name: " + name + ", parent: " + parent +
         ", mass: 10, inertia: [1, 2, 2], center_of_mass: [0.75, 0, 0], joint: {name: " + name +
         "_joint, origin: {xyz: [0.5, 0, 0]}, " + joint + "}}\n";
}

std::string arm(const std::string& joint) { return "    links:\n" + link("arm", "bus", joint); }

const std::string kBase = "base: {angular_velocity: [0.1, -0.2, 0.3]}";
const std::string kStart = "  initial: {" + kBase + ", joints: {arm_joint: {position: 0.5}}}\n";
const std::string kSpring = "type: revolute, stiffness: 50";

std::vector<Balance> all_balances() {
  const std::string two = arm("type: revolute") + link("hand", "arm", kSpring);
  const std::string geared = "type: revolute, rotor_inertia: 1.0e-3, gear_ratio: 50, ";
  return {
      {"Spring", arm(kSpring), kStart},
      {"DampedSpring", arm(kSpring + ", damping: 2"), kStart},
      {"Slider", arm("type: prismatic, stiffness: 50"), kStart},
      {"CoupledRotor", arm(geared + "stiffness: 50, rotor_coupling: full"), kStart},
      {"Transmission", arm(geared + "transmission: {stiffness: 500, damping: 2}"), kStart},
      {"Backlash", arm(geared + "transmission: {stiffness: 500, damping: 2, backlash: 1 deg}"),
       kStart},
      {"Friction",
       arm(kSpring + ", friction: {coulomb: 1, static: 1.5, stribeck_velocity: 0.1, presliding: "
                     "1.0e-2}"),
       kStart},
      {"Coupling",
       two + "    couplings:\n      - {name: wires, joints: [arm_joint, hand_joint], stiffness: "
             "[[50, -20], [-20, 40]], damping: [[1, -0.5], [-0.5, 1]]}\n",
       kStart},
      {"FlexibleLink",
       "    flexible_links:\n      - {name: boom, parent: bus, length: 5, mass: 10, "
       "bending_stiffness: {y: 300, z: 400}, torsional_stiffness: 200, cross_section: [0.2, 0.1], "
       "segments: 3}\n",
       "  initial: {" + kBase +
           ", joints: {boom_1_y: {position: 0.2}, boom_2_z: {position: -0.1}}}\n"},
      {"ModalAppendage",
       "    modal_appendages:\n      - {name: panel, parent: bus, mass: 4, center_of_mass: [1, 0, "
       "0], "
       "inertia: [0.1, 1, 1], modes: [{frequency: 0.5 Hz, translation: [0, 0, 1.5], rotation: "
       "[0, -1.6, 0]}]}\n",
       "  initial: {" + kBase + ", joints: {panel_mode_1: {position: 0.1}}}\n"},
      {"Wrench", arm(kSpring),
       kStart + "  forces: [{type: wrench, at: arm.com, frame: body, force: [1, 2, 3]}]\n"},
      {"JointTorque", arm(kSpring),
       kStart + "  forces: [{type: joint_torque, joint: arm_joint, table: {time: [0, 0.5, 20], "
                "torque: [0, 3, 1]}}]\n"},
      {"JointPd", arm("type: revolute"),
       kStart + "  control: [{type: joint_pd, joints: [arm_joint], stiffness: 30, damping: 5, "
                "reference: {type: quintic, to: 1.5, duration: 5}}]\n"},
      {"SampledJointPd", arm("type: revolute"),
       kStart + "  control: [{type: joint_pd, joints: [arm_joint], stiffness: 30, damping: 5, "
                "sample_period: 0.1, reference: {type: constant, position: 1}}]\n"},
      {"Bushing", arm(kSpring),
       kStart + "  forces: [{type: bushing, from: bus, to: arm, stiffness: [50, 20, 30, 9, 5, 2], "
                "damping: [1, 2, 3, 0.1, 0.2, 0.3]}]\n"},
      {"SpringDamper", arm(kSpring),
       kStart + "  forces: [{type: spring_damper, from: bus, to: arm.com, stiffness: 50, damping: "
                "2, rest_length: 1}]\n"},
      {"FlyingBase", arm(kSpring),
       kStart + "  base: {mode: flying, position: {stiffness: 20, damping: 60}, attitude: "
                "{stiffness: 20, damping: 30}}\n"},
      {"PrescribedJoint", two,
       "  initial: {" + kBase +
           ", joints: {hand_joint: {position: 0.5}}}\n"
           "  prescribed: [{joint: arm_joint, reference: {type: quintic, to: 1, duration: 5}}]\n"},
  };
}

class EnergyBalance : public ::testing::TestWithParam<Balance> {
 protected:
  static double residual(double duration, double tolerance) {
    Scenario scenario = parse_scenario(
        "spacedyn: 1\nscenario:\n  name: integrals\n  duration: 1\n  model:\n    name: robot\n"
        "    base: {name: bus, mass: 100, inertia: [20, 25, 30]}\n" +
            GetParam().model + GetParam().scenario,
        "integrals.yaml");
    scenario.setup.integrator = dopri5(tolerance);
    const SimulationResult result = simulate(scenario.setup, scenario.initial, duration);
    EXPECT_GT(result.integrals.throughput, 0.1);  // J: the element does something
    for (const SourceBudget& source : result.sources) {
      if (source.name != "passive_joints" && source.name != "dry_friction") continue;
      // what they do, store and dissipate is nothing together at each instant: rounding is left
      EXPECT_NEAR(source.end.work, 0.0, 1e-13 * result.integrals.throughput) << source.name;
    }
    return result.audit.energy_residual();
  }
};

TEST_P(EnergyBalance, HoldWithinTheTolerance) {
  EXPECT_LE(residual(10.0, 1e-9), 1e-8);
  EXPECT_LE(residual(100.0, 1e-9), 1e-8);
}

TEST_P(EnergyBalance, HoldTo1em12) { EXPECT_LE(residual(5.0, 1e-13), 1e-12); }

INSTANTIATE_TEST_SUITE_P(Element, EnergyBalance, ::testing::ValuesIn(all_balances()),
                         [](const auto& integrals) { return std::string(integrals.param.name); });

}  // namespace
}  // namespace spacedyn::testing::energy_balance_test
