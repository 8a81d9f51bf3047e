// Rotors, friction, couplings and transmissions of model files.
#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::drive_train_file_test {
namespace {

const std::string kRobot = R"(spacedyn: 1
model:
  name: robot
  base: {name: bus, mass: 100, inertia: [10, 10, 10]}
  links:
    - name: upper
      parent: bus
      joint:
        name: shoulder
        type: revolute
        axis: [0, 1, 0]
        rotor_inertia: 1.0e-4
        gear_ratio: -80
        rotor_coupling: full
        friction: {coulomb: 2, static: 3 N*m, stribeck_velocity: 1 deg/s, presliding: 0.1 deg}
      mass: 10
      inertia: [1, 1, 1]
    - name: lower
      parent: upper
      joint:
        name: elbow
        type: revolute
        origin: {xyz: [1, 0, 0]}
        effort_limit: 50
        velocity_limit: 0.5
        rotor_inertia: 2.0e-4
        gear_ratio: 100
        transmission: {stiffness: 3000, damping: 4, backlash: 0.2 deg, source: trust E}
      mass: 5
      inertia: [0.5, 0.5, 0.5]
  couplings:
    - name: wires
      joints: [shoulder, elbow]
      stiffness: [[30, -10], [-10, 20]]
      damping: [[3, -1], [-1, 2]]
      rest_position: [0.1, -0.2]
      source: trust E
)";

TEST(DriveTrainFile, DescribesRotorsFrictionCouplingsAndTransmissions) {
  const std::shared_ptr<const Model> loaded = parse_model(kRobot, "robot.yaml").model;
  const Model& model = *loaded;
  ASSERT_EQ(model.joint_count(), 3);
  const Joint& shoulder = model.joint(1);
  EXPECT_DOUBLE_EQ(shoulder.armature, 80.0 * 80.0 * 1e-4 + 80.0 * 1e-4);
  EXPECT_EQ(shoulder.friction.coulomb, 2.0);
  EXPECT_EQ(shoulder.friction.breakaway, 3.0);
  EXPECT_NEAR(shoulder.friction.stribeck_velocity, 0.017453292519943, 1e-15);

  const int motor = *model.find_joint("elbow_motor");
  EXPECT_EQ(model.body(motor).name, "lower_rotor");
  EXPECT_EQ(model.topology().connection(motor), *model.find_body("upper"));
  EXPECT_DOUBLE_EQ(model.joint(motor).effort_limit, 0.5);
  EXPECT_DOUBLE_EQ(model.joint(motor).velocity_limit, 50.0);
  ASSERT_EQ(model.transmissions().size(), 1u);
  const Transmission& drive = model.transmissions()[0];
  EXPECT_EQ(drive.motor, motor);
  EXPECT_EQ(drive.joint, *model.find_joint("elbow"));
  EXPECT_EQ(drive.gear_ratio, 100.0);
  EXPECT_NEAR(drive.backlash, 0.2 * 0.017453292519943, 1e-15);

  ASSERT_EQ(model.couplings().size(), 1u);
  EXPECT_EQ(model.couplings()[0].joints, (std::vector<int>{1, *model.find_joint("elbow")}));
  EXPECT_EQ(model.couplings()[0].stiffness(0, 1), -10.0);
}

/// The geared robot above, its elbow rigid with a coupled rotor or elastic.
std::string geared(const std::string& drive) {
  std::string text = kRobot;
  const std::string elastic =
      "transmission: {stiffness: 3000, damping: 4, backlash: 0.2 deg, "
      "source: trust E}";
  text.replace(text.find(elastic), elastic.size(), drive);
  return text;
}

TEST(DriveTrainFile, TransmissionTakesTheRotorOutOfItsParent) {
  const auto rigid = parse_model(geared("rotor_coupling: full"), "robot.yaml").model;
  const auto elastic = parse_model(geared("transmission: {stiffness: 3000}"), "robot.yaml").model;
  const int elbow = *elastic->find_joint("elbow"), motor = *elastic->find_joint("elbow_motor");
  // θ = N q: then the elastic robot moves as the rigid one
  State still(*rigid), turned(*elastic);
  still.q << 0.4, -0.7;
  turned.q(*elastic->find_joint("shoulder") - 1) = 0.4;
  turned.q(elbow - 1) = -0.7;
  turned.q(motor - 1) = 100.0 * -0.7;
  MatrixX S = MatrixX::Zero(elastic->velocity_size(), rigid->velocity_size());
  S.topLeftCorner<6, 6>().setIdentity();
  S(5 + *elastic->find_joint("shoulder"), 5 + *rigid->find_joint("shoulder")) = 1.0;
  S(5 + elbow, 5 + *rigid->find_joint("elbow")) = 1.0;
  S(5 + motor, 5 + *rigid->find_joint("elbow")) = 100.0;
  const MatrixX expected = inertia_matrix(*rigid, still);
  const MatrixX found = S.transpose() * inertia_matrix(*elastic, turned) * S;
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
}

TEST(DriveTrainFile, TransmissionNeedsAParentThatCanIncludeItsRotor) {
  std::string text = geared("transmission: {stiffness: 3000}");
  const std::string inertia = "mass: 10\n      inertia: [1, 1, 1]";
  text.replace(text.find(inertia), inertia.size(), "mass: 10\n      inertia: [1, 1, 1.0e-4]");
  try {
    parse_model(text, "robot.yaml");
    FAIL() << "accepted";
  } catch (const ParseError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("expected a parent whose inertia includes the rotor at rest, got one that "
                        "cannot: the inertia of 'upper' is smaller than that of the rotor "
                        "'lower_rotor', which it should include at rest"),
              std::string::npos)
        << error.what();
  }
}

TEST(DriveTrainFile, IsWrittenAsItIsRead) {
  const auto model = parse_model(kRobot, "robot.yaml").model;
  const std::string text = write_model(*model);
  const auto again = parse_model(text, "again.yaml").model;
  EXPECT_EQ(write_model(*again), text);
  EXPECT_EQ(again->joint(1).armature, model->joint(1).armature);
  EXPECT_EQ(again->body(1).inertia_L, model->body(1).inertia_L);
  EXPECT_EQ(again->body(0).inertia_L, model->body(0).inertia_L);
  EXPECT_EQ(again->joint(1).friction.presliding, model->joint(1).friction.presliding);
  EXPECT_EQ(again->couplings()[0].damping, model->couplings()[0].damping);
  EXPECT_EQ(again->couplings()[0].rest_position, model->couplings()[0].rest_position);
  EXPECT_EQ(again->transmissions()[0].stiffness, 3000.0);
  EXPECT_NE(text.find("trust E"), std::string::npos);
}

TEST(DriveTrainFile, GetsThePrefixOfItsInclude) {
  const testing::TemporaryFolder folder;
  folder.write("robot.yaml", kRobot);
  const std::string whole = folder.write("whole.yaml", R"(spacedyn: 1
model:
  name: whole
  base: {name: station, mass: 1000, inertia: [100, 100, 100]}
  include:
    - {file: robot.yaml, prefix: left_, parent: station}
    - {file: robot.yaml, prefix: right_, parent: station, origin: {xyz: [0, 5, 0]}}
)");
  const auto model = load_model(whole).model;
  ASSERT_EQ(model->couplings().size(), 2u);
  EXPECT_EQ(model->couplings()[1].name, "right_wires");
  EXPECT_EQ(model->transmissions()[1].motor, *model->find_joint("right_elbow_motor"));
}

}  // namespace
}  // namespace spacedyn::drive_train_file_test
