// Model files: every key of the format reaches the model.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::model_file_test {
namespace {

const char* kComplete = R"(spacedyn: 1
description: a file
model:
  name: robot
  description: an arm on a satellite
  source: invented
  base:
    name: chaser
    mass: 2.55 t
    center_of_mass: [10 cm, 20 mm, 0.003 km]
    inertia: {xx: 6200, yy: 3540, zz: 7090, xy: 48, xz: 79, yz: -29, source: measured}
  links:
    - name: slider
      parent: arm
      joint:
        name: rail
        type: prismatic
        origin: {xyz: [1, 0, 0], rpy: [0.1, 0.2, 0.3]}
        axis: [1, 0, 0]
        position_limits: [-10 cm, .inf]
        velocity_limit: 0.5
        effort_limit: 2 kN
        stiffness: 30 N/m
        damping: 1.5
        rest_position: 5 mm
      mass: 500 g
      inertia: [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]]
      unphysical_inertia: false
    - name: arm
      parent: chaser
      source: data sheet
      joint:
        type: revolute
        origin: {xyz: [0, 0, 1], twist: [10 deg, 20 deg, 0.25 rev]}
        position_limits: [-90 deg, 90 deg]
        velocity_limit: 6 rpm
        effort_limit: 50 N*m
        stiffness: 2 N*m/deg
        damping: 0.1
        rest_position: 3 deg
      mass: 35.0
      center_of_mass: [0.5, 0, 0]
      inertia: [0.5, 3.1, 3.1]
      visual:
        - {shape: cylinder, radius: 8 cm, length: 1, color: "#c8ccd4"}
        - {shape: box, size: [1, 2, 3], origin: {xyz: [0, 0, 1]}}
        - {shape: sphere, radius: 2}
        - {shape: mesh, file: arm.stl}
  frames:
    - {name: hand, link: slider, xyz: [0.1, 0, 0], quaternion: [0.707, 0, 0, 0.707]}
    - {name: port, link: chaser, matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}
)";

TEST(ModelFile, ReadsNamesAndNotes) {
  const auto model = parse_model(kComplete, "robot.yaml").model;
  const ModelDescription& robot = model->description();
  EXPECT_EQ(robot.name, "robot");
  EXPECT_EQ(robot.notes.description, "an arm on a satellite");
  EXPECT_EQ(robot.notes.source, "invented");
  EXPECT_EQ(robot.notes.details.at("file.description"), "a file");
  EXPECT_EQ(robot.base.notes.details.at("inertia.source"), "measured");
  EXPECT_EQ(robot.links[1].notes.source, "data sheet");
  // the slider comes first in the file, but its parent has the lower index
  EXPECT_EQ(model->find_body("arm"), 1);
  EXPECT_EQ(model->find_body("slider"), 2);
  EXPECT_EQ(model->find_joint("rail"), 2);
}

TEST(ModelFile, ReadsMassProperties) {
  const ModelDescription robot = parse_model(kComplete, "robot.yaml").model->description();
  EXPECT_EQ(robot.base.mass, 2550.0);
  EXPECT_EQ(robot.base.center_of_mass, Vector3(0.1, 0.02, 3.0));
  Matrix3 tensor;
  tensor << 6200, 48, 79, 48, 3540, -29, 79, -29, 7090;
  EXPECT_EQ(robot.base.inertia, tensor);
  tensor << 1, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 2.5;
  EXPECT_EQ(robot.links[0].inertia, tensor);
  EXPECT_EQ(robot.links[0].mass, 0.5);
  EXPECT_EQ(robot.links[1].inertia, Matrix3(Vector3(0.5, 3.1, 3.1).asDiagonal()));
}

TEST(ModelFile, ReadsPrismaticJoint) {
  const JointDescription joint =
      parse_model(kComplete, "robot.yaml").model->description().links[0].joint;
  EXPECT_EQ(joint.type, JointType::prismatic);
  EXPECT_EQ(joint.axis, Vector3::UnitX());
  EXPECT_EQ(joint.origin.rotation, matrix_from_rpy({0.1, 0.2, 0.3}));
  EXPECT_EQ(joint.position_lower, -0.1);
  EXPECT_TRUE(std::isinf(joint.position_upper));
  EXPECT_EQ(joint.velocity_limit, 0.5);
  EXPECT_EQ(joint.effort_limit, 2000.0);
  EXPECT_EQ(joint.stiffness, 30.0);
  EXPECT_EQ(joint.damping, 1.5);
  EXPECT_EQ(joint.rest_position, 0.005);
}

TEST(ModelFile, ReadsRevoluteJointInDegrees) {
  const JointDescription joint =
      parse_model(kComplete, "robot.yaml").model->description().links[1].joint;
  EXPECT_EQ(joint.type, JointType::revolute);
  EXPECT_EQ(joint.axis, Vector3::UnitZ());
  // two roundings, of the unit and of the product
  EXPECT_NEAR(joint.position_upper, kPi / 2, 4e-16);
  EXPECT_NEAR(joint.velocity_limit, 0.2 * kPi, 4e-16);
  EXPECT_NEAR(joint.stiffness, 360.0 / kPi, 4e-14);
  EXPECT_EQ(joint.effort_limit, 50.0);
  const Matrix3 twist = matrix_from_twist({kPi / 18, kPi / 9, kPi / 2});
  EXPECT_LT((joint.origin.rotation - twist).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(ModelFile, ReadsVisuals) {
  const auto visuals = parse_model(kComplete, "robot.yaml").model->description().links[1].visuals;
  ASSERT_EQ(visuals.size(), 4U);
  EXPECT_EQ(visuals[0].size, Vector3(0.08, 1.0, 0.0));
  EXPECT_EQ(visuals[0].color, "#c8ccd4");
  EXPECT_EQ(visuals[1].size, Vector3(1.0, 2.0, 3.0));
  EXPECT_EQ(visuals[1].origin.position, Vector3::UnitZ());
  EXPECT_EQ(visuals[2].size.x(), 2.0);
  EXPECT_EQ(visuals[3].mesh, "arm.stl");
}

TEST(ModelFile, ReadsFramesAndNormalizesQuaternions) {
  const auto frames = parse_model(kComplete, "robot.yaml").model->description().frames;
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_LT(orthogonality_error(frames[0].origin.rotation), 1e-15);
  EXPECT_LT((frames[0].origin.rotation - rotation_z(kPi / 2)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(frames[1].origin.rotation, frames[1].origin.rotation.array().round().matrix());
}

TEST(ModelFile, KeepsItsTextForMessages) {
  const LoadedModel loaded = parse_model(kComplete, "robot.yaml");
  ASSERT_EQ(loaded.sources.size(), 1U);
  EXPECT_EQ(loaded.sources.at("robot.yaml"), kComplete);
}

TEST(ModelFile, FixedBaseMayOmitMass) {
  const auto model =
      parse_model("spacedyn: 1\nmodel: {name: a, base: {name: b, fixed: true}}", "a.yaml").model;
  EXPECT_TRUE(model->has_fixed_base());
  EXPECT_EQ(model->joint_count(), 0);
}

TEST(ModelFile, WarnsOfTensorsThatNoBodyHas) {
  const LoadedModel loaded = parse_model(
      "spacedyn: 1\nmodel:\n  name: a\n  base: {name: b, mass: 1, inertia: [1, 1, 3]}", "a.yaml");
  ASSERT_EQ(loaded.warnings.size(), 1U);
  EXPECT_EQ(to_string(loaded.warnings[0]),
            "a.yaml:4:37: warning: model.base.inertia: no rigid body has these principal moments: "
            "1 + 1 < 3 kg m²");
}

}  // namespace
}  // namespace spacedyn::model_file_test
