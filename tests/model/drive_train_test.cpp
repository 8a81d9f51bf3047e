// What acts between joints when robots are built, put together and taken apart.
#include "spacedyn/model/drive_train.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "spacedyn/model/submodel.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::drive_train_test {
namespace {

ModelDescription robot() {
  ModelBuilder builder("robot");
  builder.set_base(base_body(10.0, {1.0, 1.0, 1.0}));
  std::string parent = "base";
  for (const std::string name : {"a", "b", "c"}) {
    builder.add_link(link_body(name, parent, 1.0, {1, 1, 1}, {1, 0, 0}, {0.5, 0, 0}));
    parent = name;
  }
  ModelDescription description = builder.description();
  JointCouplingDescription coupling;
  coupling.name = "wires";
  coupling.joints = {"b", "c"};
  coupling.stiffness = (MatrixX(2, 2) << 2, -1, -1, 2).finished();
  description.couplings.push_back(coupling);
  description.transmissions.push_back({"gear", "c", "b", 3.0, 10.0, 0.1, 0.0, {}});
  return description;
}

std::string message_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const DomainError& error) {
    return error.what();
  }
  return "no exception";
}

struct BadDrive {
  const char* name;
  void (*spoil)(ModelDescription&);
  const char* path;
  const char* message;
};

void PrintTo(const BadDrive& bad, std::ostream* stream) { *stream << bad.name; }

class DriveTrainRule : public ::testing::TestWithParam<BadDrive> {};

TEST_P(DriveTrainRule, IsKept) {
  ModelDescription description = robot();
  EXPECT_TRUE(ModelBuilder(description).validate().empty());
  GetParam().spoil(description);
  const std::vector<Problem> problems = ModelBuilder(description).validate();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, GetParam().path);
  EXPECT_EQ(problems[0].message, GetParam().message);
  EXPECT_EQ(problems[0].severity, Severity::error);
}

const BadDrive kBadDrives[] = {
    {"Asymmetric", [](auto& robot) { robot.couplings[0].stiffness(0, 1) = 1; },
     "couplings.0.stiffness", "expected a symmetric matrix, got elements that differ by 2"},
    {"Indefinite", [](auto& robot) { robot.couplings[0].stiffness.diagonal().setZero(); },
     "couplings.0.stiffness",
     "expected a positive semidefinite matrix, got the eigenvalue -1: a stiffness that pulls away "
     "from rest"},
    {"Pumping", [](auto& robot) { robot.couplings[0].damping = -MatrixX::Identity(2, 2); },
     "couplings.0.damping",
     "expected a positive semidefinite matrix, got the eigenvalue -1: a damping that puts energy "
     "in"},
    {"WrongSize", [](auto& robot) { robot.couplings[0].stiffness = MatrixX::Identity(3, 3); },
     "couplings.0.stiffness", "expected 2×2 numbers, got 3×3"},
    {"WrongRest", [](auto& robot) { robot.couplings[0].rest_position = VectorX::Zero(1); },
     "couplings.0.rest_position", "expected 2 numbers, got 1"},
    {"UnknownJoint", [](auto& robot) { robot.transmissions[0].motor = "gearbox"; },
     "transmissions.0.motor", "expected the name of a moving joint, got 'gearbox'"},
    {"OneJoint", [](auto& robot) { robot.transmissions[0].motor = "b"; }, "transmissions.0.joint",
     "expected another joint than that of the motor"},
    {"NoGear", [](auto& robot) { robot.transmissions[0].gear_ratio = 0; },
     "transmissions.0.gear_ratio", "expected a finite number other than 0"},
    {"Slack", [](auto& robot) { robot.transmissions[0].stiffness = 0; },
     "transmissions.0.stiffness", "expected a finite, positive stiffness"},
    {"NegativePlay", [](auto& robot) { robot.transmissions[0].backlash = -1; },
     "transmissions.0.backlash", "expected a finite number of at least 0"},
    {"MasslessRotor",
     [](auto& robot) {
       robot.links[2].inertia.setZero();
       robot.links[2].center_of_mass.setZero();
     },
     "transmissions.0.motor",
     "expected a rotor with inertia about its axis, got 'c' without any: an elastic transmission "
     "would let it move without resistance"},
    {"NegativeRotor", [](auto& robot) { robot.links[0].joint.rotor_inertia = -1; },
     "links.0.joint.rotor_inertia", "expected a finite number of at least 0"},
    {"FrictionAtRestAlone", [](auto& robot) { robot.links[0].joint.friction.breakaway = 1; },
     "links.0.joint.friction.coulomb", "expected Coulomb friction beside the friction at rest"},
};

INSTANTIATE_TEST_SUITE_P(Drives, DriveTrainRule, ::testing::ValuesIn(kBadDrives),
                         [](const auto& instance) { return instance.param.name; });

TEST(DriveTrain, GetsThePrefixOfAnAttachment) {
  Attachment attachment;
  attachment.parent = "c";
  attachment.prefix = "second_";
  const Model model = ModelBuilder(attach(robot(), robot(), attachment)).build();
  ASSERT_EQ(model.couplings().size(), 2u);
  EXPECT_EQ(model.couplings()[1].name, "second_wires");
  EXPECT_EQ(model.couplings()[1].joints, (std::vector<int>{5, 6}));
  EXPECT_EQ(model.transmissions()[1].motor, 6);
}

TEST(DriveTrain, StaysWithThePartThatHasAllItsJoints) {
  ModelDescription whole = robot();
  EXPECT_EQ(detach(whole, "a").remaining.couplings.size(), 0u);
  EXPECT_EQ(submodel(whole, "a").couplings.size(), 1u);
  EXPECT_EQ(message_of([&] { submodel(whole, "b"); }),
            "cannot cut 'wires', which acts between joints of both parts");
}

TEST(DriveTrain, RefusesToLoseAJoint) {
  EXPECT_EQ(message_of([] {
              lock_joints(robot(), {{"b", 0.0}});
            }),
            "cannot lock joint 'b': 'wires' acts between it and others; remove that first");
}

TEST(DriveTrain, RefusesToTurnRoundACoupledRotor) {
  ModelDescription geared = robot();
  geared.links[0].joint.rotor_inertia = 0.1;
  EXPECT_EQ(rerooted(geared, "a").links[0].joint.rotor_inertia, 0.1);
  geared.links[0].joint.rotor_coupling = RotorCoupling::full;
  EXPECT_EQ(message_of([&] { rerooted(geared, "a"); }),
            "cannot turn round joint 'a': its rotor is fully coupled to the link that carries it");
}

}  // namespace
}  // namespace spacedyn::testing::drive_train_test
