// What URDF files of public robots have besides links and joints: none of it keeps them from
// flying.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"

namespace spacedyn::public_urdf_test {
namespace {

using testing::errors_of;
using testing::has_warning;
using testing::kServicerUrdf;
using testing::replaced;
using testing::TemporaryFolder;

const std::string kShoulderLimit = R"(<limit lower="-2" upper="1.5" effort="40" velocity="0.5"/>)";
const std::string kElbow = R"(<axis xyz="0 3 4"/>)";

/// A free-flying camera: its root is empty, its mass on a link fixed to it, an arm that folds out
/// with a gripper of two fingers, one of which follows the other; sensors, controllers, colors that
/// one link lends another, numbers as people write them, a tag that ends in the open.
const std::string kFlyer = R"(<!-- before the declaration --><?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE robot>
<robot name="flyer" xmlns:xacro="http://www.ros.org/wiki/xacro" version="1.0">
  <ros2_control name="system" type="system">
    <joint name="fold"><command_interface name="effort"/></joint>
  </ros2_control>
  <link name="flyer_body">
    <self_collide>false</self_collide>
    <visual name="shell">
      <origin rpy="0 3.14 3.14" xyz=" 0 0	0 "/>
      <geometry><mesh filename="package://flyer_media/meshes/body.dae"/></geometry>
    </visual>
    <visual name="skin">
      <geometry><mesh filename="file:///$(find flyer)/media/skin.stl" scale="1.0 1.0 1.0"/></geometry>
    </visual>
    <collision><geometry><mesh filename="file:///$(find flyer)/media/skin.stl"/></geometry></collision>
    <visual><geometry><box size="0.3 0.3 0.3"/></geometry>
      <material name="foil"><color rgba="1 0.8 0 1"/></material></visual>
    <visual name="forgotten"/>
  </link>
  <link name="flyer_inertia">
    <inertial><mass value=" 9.5 "/><origin xyz="0 0 0"/>
      <inertia ixx="1.5E-01" ixy="0.0" ixz="0.0" iyy=".14" iyz="-0.0" izz="+0.16"/></inertial>
  </link>
  <joint name="inertia_joint" type="fixed">
    <parent link="flyer_body"/><child link="flyer_inertia"/><axis xyz="0 0 0"/>
    <limit lower="0" upper="0" effort="0" velocity="0"/>
  </joint>
  <link name="arm/upper">
    <inertial><mass value="0.5"/><inertia ixx="0.004" iyy="0.004" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><capsule radius="0.02" length="0.2"/></geometry><material name="foil"/></visual>
  </link>
  <joint name="fold" type="revolute">
    <parent link="flyer_body"/><child link="arm/upper"/>
    <origin xyz="0.15 0 0" rpy="0 1.5708 0"/><axis xyz="0 -1 0"/>
    <limit effort="-1" lower="-inf" upper="inf" velocity="-1"/>
    <safety_controller k_velocity="10" soft_lower_limit="-1"/><calibration rising="0"/>
    <dynamics damping="1e-3" friction="0."/>
  </joint>
  <link name="finger 1">
    <inertial><mass value="0.02"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="http://example.org/finger.stl"/></geometry></visual>
  </link>
  <joint name="grip" type="prismatic">
    <parent link="arm/upper"/><child link="finger 1"/><origin xyz="0 0.02 0.2"/>
    <limit lower="0.001" upper="0.03" effort="inf" velocity="1e10"/>
  </joint>
  <link name="finger 2"/>
  <joint name="grip 2" type="prismatic">
    <parent link="arm/upper"/><child link="finger 2"/><origin xyz="0 -0.02 0.2"/>
    <limit lower="-0.03" upper="0" effort="1" velocity="1"/><mimic joint="grip" multiplier="-1"/>
  </joint>
  <link name="imu.link"/>
  <joint name="imu" type="fixed"><parent link="flyer_body"/><child link="imu.link"/></joint>
  <transmission name="t"><type>simple</type><joint name="fold"><hardwareInterface/></joint></transmission>
  <gazebo reference="imu.link"><sensor name="imu" type="imu"><rate>100</rate></sensor></gazebo>
  <gazebo><plugin name="p" filename="libp.so">><bay>top</bay></plugin></gazebo>
  -->
</robot>
)";

TEST(PublicUrdf, AFreeFlyerFliesAsItIs) {
  const TemporaryFolder folder;
  const std::string path = folder.write("flyer.urdf", kFlyer);
  const Scenario flight = open_scenario(path, {{"duration", "0.5"}});
  const Model& model = *flight.setup.model;
  EXPECT_FALSE(model.has_fixed_base());
  EXPECT_DOUBLE_EQ(model.total_mass(), 10.02);
  EXPECT_EQ(model.joint_count(), 2);
  EXPECT_EQ(model.description().links.at(1).visuals.at(0).color, "#ffcc00")
      << "the color of another link";
  const SimulationResult result = testing::simulate(flight.setup, flight.initial, 0.5);
  // nothing acts from outside; the flight has a relative tolerance of 1e-8
  EXPECT_LT(result.audit.momentum_drift(), 1e-8);
}

TEST(PublicUrdf, WhatDoesNotCountIsSaid) {
  const TemporaryFolder folder;
  const std::vector<Diagnostic> warnings = load_model(folder.write("flyer.urdf", kFlyer)).warnings;
  for (const char* part :
       {"the root has no mass; with what is fixed on it, it is the base",
        "the package 'flyer_media' of its meshes is not found: a mesh is left out",
        "of its meshes is not here: a mesh is left out", "meshes are not fetched from",
        "a picture without geometry is left out",
        "a limit of -1 leaves nothing: no limit of effort",
        "a limit of -1 leaves nothing: no limit of velocity",
        "joint 'grip 2': it moves nothing that has mass",
        "joint 'grip 2': it does not follow 'grip', because 'grip 2' is held",
        "called 'imu_link'"}) {
    EXPECT_TRUE(has_warning(warnings, part)) << part;
  }
}

TEST(PublicUrdf, OfElementsThatShouldStandOnceTheFirstCounts) {
  const std::string text =
      replaced(kServicerUrdf, R"(<mass value="250"/>)", R"(<mass value="250"/><mass value="7"/>)");
  const LoadedModel loaded =
      parse_model(replaced(text, kElbow, R"(<axis xyz="0 0 1"/>)" + kElbow), "r.urdf");
  EXPECT_TRUE(has_warning(loaded.warnings, "link 'bus': a further <mass> is ignored"));
  EXPECT_TRUE(has_warning(loaded.warnings, "joint 'elbow': a further <axis> is ignored"));
  EXPECT_FALSE(has_warning(parse_model(kServicerUrdf, "r.urdf").warnings, "a further"));
}

TEST(PublicUrdf, AFollowerWithoutItsLeaderMovesByItself) {
  std::string text =
      replaced(kServicerUrdf, kElbow, kElbow + R"(<mimic joint="dial" multiplier="2"/>)");
  text = replaced(text, "</robot>",
                  R"(<link name="needle"/><joint name="dial" type="continuous"><parent link="bus"/>
                  <child link="needle"/></joint></robot>)");
  const LoadedModel loaded = parse_model(text, "r.urdf");
  EXPECT_TRUE(loaded.model->loops().empty());
  EXPECT_TRUE(has_warning(loaded.warnings,
                          "joint 'elbow': it does not follow 'dial', because 'dial' is held: "
                          "'elbow' moves by itself"));
}

TEST(PublicUrdf, AFirstFlightPutsFollowersInTheirPlaces) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "r.urdf", replaced(kServicerUrdf, kElbow,
                         kElbow + R"(<mimic joint="shoulder" multiplier="-1" offset="0.2"/>)"));
  const Scenario flight = open_scenario(path, {});
  EXPECT_NEAR(flight.initial.q(1), 0.2 - flight.initial.q(0), 1e-9);
}

TEST(PublicUrdf, BoundsMayBeInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string text =
      replaced(kServicerUrdf, kShoulderLimit,
               R"(<limit lower="-inf" upper="1.5" effort="inf" velocity="+inf"/>)");
  const JointDescription joint = parse_model(text, "r.urdf").model->description().links.at(1).joint;
  EXPECT_EQ(joint.position_lower, -infinity);
  EXPECT_EQ(joint.position_upper, 1.5);
  EXPECT_EQ(joint.effort_limit, infinity);
  const std::string errors = errors_of(
      replaced(kServicerUrdf, kShoulderLimit, R"(<limit lower="nan" upper="1"/>)"), "r.urdf");
  EXPECT_NE(errors.find("joint 'shoulder': expected 1 number, got 'nan'"), std::string::npos)
      << errors;
}

TEST(PublicUrdf, MisspeltAttributesAreNamed) {
  const LoadedModel loaded = parse_model(
      replaced(kServicerUrdf, kShoulderLimit, R"(<limit loewr="-2" upper="1" sofft="3"/>)"),
      "r.urdf");
  EXPECT_TRUE(has_warning(loaded.warnings,
                          "joint 'shoulder': the unknown attribute 'loewr' is ignored, did you "
                          "mean 'lower'?"));
  EXPECT_FALSE(has_warning(loaded.warnings, "sofft"));
}

TEST(PublicUrdf, MacrosLeftInNumbersHaveAHint) {
  try {
    parse_model(replaced(kServicerUrdf, R"(effort="40")", R"(effort="${effort}")"), "r.urdf");
    ADD_FAILURE();
  } catch (const ParseError& error) {
    const Diagnostic& first = error.diagnostics().at(0);
    EXPECT_EQ(first.message, "expected 1 number, got '${effort}'");
    EXPECT_EQ(first.hint, "this is xacro; expand the file first: xacro FILE > robot.urdf");
  }
}

}  // namespace
}  // namespace spacedyn::public_urdf_test
