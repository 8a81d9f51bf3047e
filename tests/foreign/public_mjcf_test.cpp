// What MJCF files of public robots have besides bodies and joints.
#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/recorders.hpp"

namespace spacedyn::public_mjcf_test {
namespace {

using testing::errors_of;
using testing::has_warning;
using testing::kPit;
using testing::TemporaryFolder;

/// A free-flyer above a landing place, in pieces: settings and classes of other files, meshes that
/// did not come along, a target that a hand moves, things for pictures, for contacts and for
/// motors.
const std::string kLander = R"(<!-- a lander -->
<mujoco model="lander">
  <compiler angle="radian" coordinate="local" meshdir="assets" texturedir="assets" autolimits="true"
    strippath="false" fusestatic="true" discardvisual="true" convexhull="true" usethread="true"/>
  <include file="settings.xml"/>
  <size njmax="100" nconmax="10"/>
  <statistic center="0 0 1" extent="3"/>
  <visual><headlight diffuse="1 1 1"/></visual>
  <custom><numeric name="n" data="1"/></custom>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1="0 0 0" rgb2="1 1 1" width="8" height="8"/>
    <material name="metal" texture="steel" rgba="0.5 0.5 0.5 1"/>
    <mesh file="hull_1.obj"/>
    <mesh name="hull" class="lander" file="hull.stl" scale="1 -1 1"/>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="ground" nrow="2" ncol="2" size="1 1 1 1"/>
  </asset>
  <worldbody>
    <light name="sun" mode="targetbodycom" target="lander" pos="0 -1 2"/>
    <camera name="track" pos="0 -3 1" zaxis="0 -1 0.5"/>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <frame pos="0 0 5" euler="0 0 1">
      <body name="lander" childclass="lander">
        <freejoint name="lander/root" align="false"/>
        <inertial pos="0 0 0.2" mass="1200" diaginertia="900 800 700"/>
        <geom class="visual" mesh="hull" material="metal"/>
        <geom class="visual" mesh="hull_1"/>
        <geom class="collision" type="capsule" fromto="0 0 -1 0 0 1" size=".4"/>
        <geom class="collision" type="box" mesh="hull"/>
        <geom type="mesh" mesh="wedge" mass="0"/>
        <site name="imu" size="0.01" pos="0 0 0.1"/>
        <body name="gimbal" pos="0 0 -1" gravcomp="1">
          <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
          <joint name="yaw" class="gimbal" axis="1 0 0" actuatorfrcrange="-87 87" user="1"/>
          <body name="nozzle">
            <inertial pos="0 0 -0.1" mass="2" diaginertia="0.2 0.2 0.1"/>
            <joint name="pitch" class="gimbal" axis="0 1 0" rnage="0 1"/>
            <geom type="cylinder" fromto="0 0 0 0 0 -1" size="0.3" contype="0" conaffinity="0"/>
          </body>
        </body>
      </body>
    </frame>
    <body name="target" mocap="true" pos="1 0 0"><geom size="0.1"/><site name="dock"/></body>
  </worldbody>
  <contact><exclude body1="lander" body2="gimbal"/></contact>
  <equality><weld name="grab" body1="target" body2="lander"/></equality>
  <tendon><fixed name="sum"><joint joint="yaw" coef="1"/></fixed></tendon>
  <actuator><position name="servo" class="gimbal" joint="yaw" inheritrange="1"/></actuator>
  <sensor><gyro name="gyro" site="imu"/></sensor>
  <keyframe><key name="home" qpos="0 0 5 1 0 0 0 0 0"/></keyframe>
</mujoco>
)";

const std::string kSettings = R"(<mujocoinclude>
  <option timestep="0.002" gravity="0 0 -1.62" integrator="RK4"><flag gravity="disable"/></option>
  <default>
    <joint damping="0.1"/>
    <default class="lander">
      <site rgba="1 0 0 1"/>
      <default class="visual"><geom type="mesh" group="2" contype="0" conaffinity="0"/></default>
      <default class="collision"><geom group="3"/></default>
      <default class="gimbal">
        <joint limited="true" range="-.5 .5" armature="0.01" frictionloss="0.2"/>
        <position kp="10" ctrlrange="-1 1"/>
      </default>
    </default>
  </default>
</mujocoinclude>
)";

class Lander : public ::testing::Test {
 protected:
  Lander() : path_(folder_.write("lander.xml", kLander)) {
    folder_.write("settings.xml", kSettings);
  }
  const TemporaryFolder folder_;
  const std::string path_;
};

TEST_F(Lander, FliesAsItIs) {
  const Scenario flight = open_scenario(path_, {{"duration", "0.5"}});
  const Model& model = *flight.setup.model;
  EXPECT_FALSE(model.has_fixed_base());
  EXPECT_EQ(model.total_mass(), 1203.0);
  EXPECT_EQ(model.joint_count(), 2);
  EXPECT_EQ(model.description().links.at(1).joint.position_upper, 0.5);
  EXPECT_EQ(collision_shapes(model).size(), 1u);
  const SimulationResult result = testing::simulate(flight.setup, flight.initial, 0.5);
  // nothing acts from outside; the flight has a relative tolerance of 1e-8
  EXPECT_LT(result.audit.momentum_drift(), 1e-8);
}

TEST_F(Lander, SaysWhatDoesNotCount) {
  const std::vector<Diagnostic> warnings = load_model(path_).warnings;
  for (const char* part :
       {"the folder 'assets' of its meshes is not here: 2 meshes are left out",
        "a mesh without a file is left out: 'wedge'", "a box fitted to a mesh is left out",
        "the compensation of gravity is ignored", "ignored, of <equality>: 'grab'",
        "ignored, of <tendon>: 'sum'", "ignored, of <actuator>: 'servo'",
        "ignored, of <bodies fixed in the world>: 'target'",
        "joint 'pitch': the unknown attribute 'rnage' is ignored, did you mean 'range'?"}) {
    EXPECT_TRUE(has_warning(warnings, part)) << part;
  }
}

TEST(PublicMjcf, AClassMayMakeAJointFree) {
  const LoadedModel loaded = parse_model(
      "<mujoco><default><default class='base'><joint type='free'/></default></default><worldbody>"
      "<body name='b' childclass='base'><joint/><geom size='1'/></body></worldbody></mujoco>",
      "b.xml");
  EXPECT_FALSE(loaded.model->has_fixed_base());
}

std::string body_of(const std::string& mesh, const std::string& geom) {
  return "<mujoco><compiler strippath='true'/><asset><mesh name='m' file='far/away/pit.obj' " +
         mesh + "/></asset><worldbody><body name='b'><freejoint/><geom " + geom +
         "/></body></worldbody></mujoco>";
}

TEST(PublicMjcf, MeshesAreSeenFromTheirReference) {
  const TemporaryFolder folder;
  folder.write("pit.obj", kPit);
  // a quarter turn about z: the frame of the mesh has its x along y of the file
  const std::string reference = "refpos='1 0 0' refquat='1 0 0 1' scale='2 2 2'";
  const auto model =
      load_model(folder.write("b.xml", body_of(reference, "type='mesh' mesh='m'"))).model;
  const BaseDescription& base = model->description().base;
  const Visual& picture = base.visuals.at(0);
  EXPECT_LT((picture.origin.position - Vector3(0, 2, 0)).norm(), 1e-15);
  EXPECT_LT((picture.origin.rotation.col(0) + Vector3::UnitY()).norm(), 1e-15);
  // the cube with its pit about the origin of the file, a pyramid of 0.125 × 0.5 below less
  EXPECT_NEAR(base.mass, 1000.0 * 8.0 * (1.0 - 0.625 / 3.0), 1e-3);
  EXPECT_EQ(collision_shapes(*model).size(), 1u);
}

TEST(PublicMjcf, MeshesThatAreTurnedAndStretchedHaveNoPicture) {
  const TemporaryFolder folder;
  folder.write("pit.obj", kPit);
  const LoadedModel loaded = load_model(folder.write(
      "b.xml", body_of("refquat='0.8 0.3 -0.4 0.2' scale='1 2 3'", "type='mesh' mesh='m'")));
  EXPECT_TRUE(loaded.model->description().base.visuals.empty());
  EXPECT_TRUE(
      has_warning(loaded.warnings, "a mesh that is turned by 'refquat' and stretched is left out"));
}

TEST(PublicMjcf, AShellHasItsMassOnItsSurface) {
  const TemporaryFolder folder;
  // a cube without its pit: of a shell of a cube with sides a, I = 5/18 m a²
  std::string cube = kPit.substr(0, kPit.find("f 5 6 9")) + "f 5 6 7\nf 5 7 8\n";
  folder.write("pit.obj", cube);
  for (const char* geom :
       {"type='mesh' mesh='m' density='3' shellinertia='true'", "type='mesh' mesh='m' mass='18'"}) {
    const std::string mesh = std::string(geom).find("mass=") == std::string::npos
                                 ? "refpos='-1 0 0'"
                                 : "refpos='-1 0 0' inertia='shell'";
    const auto model = load_model(folder.write("b.xml", body_of(mesh, geom))).model;
    const BaseDescription& base = model->description().base;
    EXPECT_NEAR(base.mass, 18.0, 1e-12);
    EXPECT_LT((base.center_of_mass - Vector3::UnitX()).norm(), 1e-12);
    EXPECT_LT((base.inertia - 5.0 * Matrix3::Identity()).norm(), 1e-12);
  }
}

TEST(PublicMjcf, WhatWouldGiveAWrongMassIsRefused) {
  const auto errors = [](const std::string& geom) {
    return errors_of(
        "<mujoco><asset><mesh name='m' vertex='0 0 0'/></asset><worldbody><body name='b'>"
        "<freejoint/><geom " +
            geom + "/></body></worldbody></mujoco>",
        "b.xml");
  };
  EXPECT_NE(errors("type='box' size='1 1 1' shellinertia='true'")
                .find("a box as a shell is not supported; meshes are"),
            std::string::npos);
  EXPECT_NE(errors("type='box' mesh='m'")
                .find("expected the size of a box, because it gives the body its mass"),
            std::string::npos);
  EXPECT_NE(errors("type='mesh' mesh='m'").find("expected a mesh that is here"), std::string::npos);
}

}  // namespace
}  // namespace spacedyn::public_mjcf_test
