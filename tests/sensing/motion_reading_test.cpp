// What force_torque sensors read where motion constraints hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::motion_reading_test {
namespace {

using ::testing::HasSubstr;

/// A sleigh in the plane whose two parts turn against each other about an axis across.
/// @param blades  loops of type knife_edge
std::string sleigh(const std::string& blades, const std::string& axis = "[0, 1, 0]",
                   const std::string& rate = "0.3") {
  return R"(
spacedyn: 1
scenario:
  name: sleigh
  model:
    name: sleigh
    base: {name: front, mass: 4, inertia: [0.2, 0.3, 0.4]}
    links:
      - {name: rear, parent: front, mass: 2, center_of_mass: [-0.3, 0, 0], inertia: [0.1, 0.2, 0.3], joint: {name: hinge, type: revolute, axis: )" +
         axis + R"(, origin: {xyz: [-0.4, 0, 0]}}}
    frames:
      - {name: fore, link: front, xyz: [0.3, 0, 0]}
      - {name: mid, link: front, xyz: [-0.1, 0, 0]}
      - {name: aft, link: rear, xyz: [-0.5, 0, 0]}
    loops:
)" + blades +
         R"(
  initial: {base: {velocity: [1, 0, 0.2], angular_velocity: [0, 0.4, 0]}, joints: {hinge: {velocity: )" +
         rate + R"(}}}
  forces: [{type: wrench, name: push, at: rear.com, force: [0.5, 3, 0.2]}]
  sensors: [{type: force_torque, name: wrist, joint: hinge, sample_period: 0.1}]
  duration: 1
  integrator: {method: dop853, relative_tolerance: 1.0e-10, absolute_tolerance: 1.0e-10}
)";
}

const char* const kFore =
    "      - {name: fore_blade, type: knife_edge, at: fore, normal: [0, 1, 0]}\n";
const char* const kMid =
    "      - {name: mid_blade, type: knife_edge, at: mid, normal: [0, 1, 0]}\n";
const char* const kAft =
    "      - {name: aft_blade, type: knife_edge, at: aft, normal: [0, 1, 0]}\n";

/// Compares each reading with what the link beyond the joint needs, its blade's force taken off.
class Balance final : public SimulationObserver {
 public:
  explicit Balance(Eigen::Index blade) : blade_(blade) {}
  void on_output(const SimulationPoint& at) override {
    LinkAccelerations accelerations(at.model);
    compute_link_accelerations(at.model, at.state, at.frames, at.velocities, at.acceleration,
                               accelerations);
    const Matrix3 axes = frame_orientation(at.frames, at.model.frame("rear"));
    Vector3 force = 2.0 * accelerations.vd[1] - Vector3(0.5, 3, 0.2);
    if (blade_ >= 0) force -= at.multipliers(blade_) * axes.col(1);
    const VectorX& reading = at.discrete.sensors.at(0).reading;
    EXPECT_LT((axes * reading.head<3>() - force).norm(), 1e-9) << at.time;
    largest = std::max(largest, at.multipliers.cwiseAbs().maxCoeff());
  }
  double largest = 0.0;

 private:
  Eigen::Index blade_;
};

TEST(ForceTorqueSensors, ReadWhatBladesLeaveToAJoint) {
  for (const auto& [blades, own] :
       {std::pair(std::string(kAft), 0), std::pair(std::string(kFore), -1),
        std::pair(std::string(kFore) + kAft, 1)}) {
    const Scenario scenario = parse_scenario(sleigh(blades), "sleigh.yaml");
    Balance balance(own);
    Simulator(scenario.setup).run(scenario.initial, 1.0, 0.1, balance);
    EXPECT_GT(balance.largest, 0.5);
  }
}

TEST(ForceTorqueSensors, RefuseReactionsThatBladesLeaveOpen) {
  // three blades along one line have two rows; the force across may pass the hinge or not
  const auto load = [](const std::string& text) { parse_scenario(text, "sleigh.yaml"); };
  EXPECT_THAT(message_of<ParseError>([&] { load(sleigh(std::string(kFore) + kMid + kAft)); }),
              HasSubstr("expected a joint whose reaction is unique: rows of constraint '"));
  // of one body alone forces go round in the body
  const std::string third =
      "      - {name: third, type: knife_edge, at: front, normal: [0, 1, 0]}\n";
  EXPECT_NO_THROW(load(sleigh(std::string(kFore) + kMid + third)));
  // a hinge upright lets the blades find their own forces
  EXPECT_NO_THROW(load(sleigh(std::string(kFore) + kAft, "[0, 0, 1]", "0")));
}

}  // namespace
}  // namespace spacedyn::testing::motion_reading_test
