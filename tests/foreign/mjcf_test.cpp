// MJCF files: masses of shapes, defaults, includes, and which body is the base.
#include <cmath>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"

namespace spacedyn::mjcf_test {
namespace {

using testing::has_warning;
using testing::kSatelliteMjcf;
using testing::replaced;
using testing::TemporaryFolder;

constexpr double kPi = 3.14159265358979323846;

/// A floating body of one geom.
BaseDescription body_of(const std::string& geom) {
  const std::string text =
      "<mujoco><worldbody><body name='b'><freejoint/>" + geom + "</body></worldbody></mujoco>";
  return parse_model(text, "b.xml").model->description().base;
}

TEST(Mjcf, ShapesWeighWhatTheyHold) {
  EXPECT_NEAR(body_of("<geom size='0.2'/>").mass, 1000 * 4.0 / 3.0 * kPi * 0.008, 1e-12);
  EXPECT_NEAR(body_of("<geom type='box' size='1 2 3' density='10'/>").mass, 480, 1e-12);
  EXPECT_NEAR(body_of("<geom type='cylinder' size='0.5 2' density='1'/>").mass, kPi, 1e-14);
  EXPECT_NEAR(body_of("<geom type='ellipsoid' size='1 2 3' density='1'/>").mass, 8 * kPi, 1e-13);
  EXPECT_EQ(body_of("<geom type='capsule' size='1 2' mass='7'/>").mass, 7);
  const BaseDescription box = body_of("<geom type='box' size='1 2 3' mass='3'/>");
  EXPECT_LT((box.inertia.diagonal() - Vector3(13, 10, 5)).norm(), 1e-14);
}

TEST(Mjcf, ACapsuleHasTheMomentsOfItsSlices) {
  const double r = 0.3, h = 0.7;
  const BaseDescription capsule =
      body_of("<geom type='capsule' size='0.3 0.7' density='2' pos='1 2 3'/>");
  EXPECT_EQ(capsule.center_of_mass, Vector3(1, 2, 3));
  // discs along the axis, by the midpoint rule
  double mass = 0, across = 0, along = 0;
  const int slices = 200000;
  const double step = 2 * (h + r) / slices;
  for (int k = 0; k < slices; ++k) {
    const double z = -(h + r) + (k + 0.5) * step;
    const double over = std::max(0.0, std::abs(z) - h);
    const double square = r * r - over * over;
    const double disc = 2 * kPi * square * step;
    mass += disc;
    along += disc * square / 2;
    across += disc * (square / 4 + z * z);
  }
  // the rule converges with the square of the step, and its rounding is of 2e5 terms
  EXPECT_NEAR(capsule.mass, mass, 1e-9);
  EXPECT_NEAR(capsule.inertia(0, 0), across, 1e-9);
  EXPECT_NEAR(capsule.inertia(2, 2), along, 1e-9);
}

TEST(Mjcf, JointsHaveTheirUnitsAndDefaults) {
  const LoadedModel loaded = parse_model(kSatelliteMjcf, "satellite.xml");
  const Model& model = *loaded.model;
  ASSERT_EQ(model.joint_count(), 5);
  EXPECT_FALSE(model.has_fixed_base());
  const char* names[] = {"shoulder", "elbow_roll", "elbow_pitch", "reach", "hinge"};
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(model.joint(i).name, names[i - 1]);
  for (const LinkDescription& link : model.description().links) {
    const JointDescription& joint = link.joint;
    if (joint.type == JointType::fixed) continue;
    EXPECT_EQ(joint.rotor_inertia, 0.05);
    EXPECT_EQ(joint.damping, joint.name == "reach" ? 3.0 : 0.2);
    const bool is_shoulder = joint.name == "shoulder", is_pitch = joint.name == "elbow_pitch";
    if (is_shoulder) {
      EXPECT_DOUBLE_EQ(joint.position_lower, -120 * kPi / 180);
    }
    EXPECT_DOUBLE_EQ(joint.rest_position, is_pitch ? 15 * kPi / 180 : 0.0);
    EXPECT_EQ(joint.friction.coulomb, joint.name == "hinge" ? 0.3 : 0.0);
    if (joint.name != "reach") continue;
    EXPECT_EQ(joint.type, JointType::prismatic);
    EXPECT_EQ(joint.position_upper, 0.3) << "metres, whatever the unit of angles";
  }
}

TEST(Mjcf, WhatIsIgnoredIsNamed) {
  const LoadedModel loaded = parse_model(kSatelliteMjcf, "satellite.xml");
  EXPECT_TRUE(has_warning(loaded.warnings, "warning: ignored, of <actuator>: 'm1'"));
  EXPECT_TRUE(has_warning(loaded.warnings, "note: ignored, of <sensor>: 's1'"));
  EXPECT_TRUE(has_warning(loaded.warnings, "note: of no effect here: <option>"));
  const std::string loop =
      "<equality><connect name='close' body1='hand' anchor='0 0 0'/></equality></mujoco>";
  EXPECT_TRUE(
      has_warning(parse_model(replaced(kSatelliteMjcf, "</mujoco>", loop), "s.xml").warnings,
                  "warning: ignored, of <equality>: 'close'"));
}

TEST(Mjcf, ImportedYamlComputesTheSameBits) {
  const TemporaryFolder folder;
  const std::string path = folder.write("satellite.xml", kSatelliteMjcf);
  const auto direct = load_model(path).model;
  const auto written = parse_model(import_model(path).yaml, "s.yaml").model;
  EXPECT_EQ(inertia_matrix(*direct, testing::bent_state(*direct)),
            inertia_matrix(*written, testing::bent_state(*written)));
}

TEST(Mjcf, IncludesAndFramesAndReferencePositions) {
  const TemporaryFolder folder;
  folder.write("parts/arm.xml", R"(<mujocoinclude>
  <frame pos="0 0 1" euler="0 0 90">
    <body name="arm" pos="1 0 0">
      <joint name="j" axis="0 1 0" ref="20" range="-10 50"/>
      <geom size="0.1" mass="2"/>
    </body>
  </frame>
</mujocoinclude>)");
  const std::string path = folder.write("r.xml", R"(<mujoco>
  <include file="parts/common.xml"/>
  <worldbody><body name="b"><freejoint/><geom size="0.3"/><include file="parts/arm.xml"/></body></worldbody>
</mujoco>)");
  folder.write("parts/common.xml", "<mujoco><compiler autolimits='true'/></mujoco>");
  const LoadedModel loaded = load_model(path);
  EXPECT_EQ(loaded.sources.size(), 3u);
  const LinkDescription& arm = loaded.model->description().links.at(0);
  EXPECT_LT((arm.joint.origin.position - Vector3(0, 1, 1)).norm(), 1e-15);
  EXPECT_NEAR(arm.joint.position_lower, -30 * kPi / 180, 1e-15) << "counted from ref";
  EXPECT_TRUE(
      has_warning(loaded.warnings, "arm.xml:4:36: warning: joint 'j': positions count from"))
      << to_string(loaded.warnings.front());
  const Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario: {name: s, model: r.xml, duration: 1.0, integrator: {method: rk4, "
      "step: "
      "0.1}, output: {interval: 0.1}}\n",
      folder.path("s.yaml"));
  EXPECT_EQ(reload_scenario(scenario.sources).setup.model->total_mass(),
            loaded.model->total_mass());
}

TEST(Mjcf, WithoutAFreeJointTheWorldIsTheBase) {
  const std::string text = replaced(kSatelliteMjcf, "<freejoint name=\"root\"/>", "");
  const LoadedModel loaded = parse_model(text, "s.xml");
  EXPECT_TRUE(loaded.model->has_fixed_base());
  EXPECT_EQ(loaded.model->joint_count(), 5);
  EXPECT_TRUE(has_warning(loaded.warnings, "no body has a free joint: the base is the world"));
}

TEST(Mjcf, PicturesOfGeomsAreDrawn) {
  const LoadedModel loaded = parse_model(kSatelliteMjcf, "satellite.xml");
  const auto& visuals = loaded.model->description().base.visuals;
  ASSERT_EQ(visuals.size(), 2u);
  EXPECT_EQ(visuals[0].size, Vector3(1.0, 0.8, 0.6)) << "whole edges, not halves";
  EXPECT_EQ(visuals[0].color, "#1a334d");
}

TEST(Mjcf, GeomsTouchWhereTheirBitsSaySo) {
  const std::string bits =
      "<default><geom density='10'/><default class='visual'>"
      "<geom contype='0' conaffinity='0'/></default></default>";
  const std::string text = "<mujoco>" + bits + R"(<worldbody><body name='b'><freejoint/>
  <geom type='capsule' size='0.1 0.2' group='3'/>
  <geom type='ellipsoid' size='0.1 0.2 0.3' contype='0'/>
  <geom type='box' size='1 2 3' class='visual'/>
  <geom type='cylinder' size='0.1' fromto='0 0 0 1 0 0' conaffinity='0'/>
</body></worldbody></mujoco>)";
  const auto model = parse_model(text, "b.xml").model;
  const auto& shapes = model->description().base.collisions;
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0].type, CollisionType::capsule);
  EXPECT_EQ(shapes[0].size.head<2>(), Eigen::Vector2d(0.1, 0.4)) << "between the centres";
  EXPECT_EQ(shapes[1].type, CollisionType::ellipsoid);
  EXPECT_EQ(shapes[1].size, Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(shapes[2].type, CollisionType::cylinder);
  EXPECT_LT((shapes[2].origin.position - Vector3(0.5, 0, 0)).norm(), 1e-15);
  // the box and the group of collisions are not drawn alike
  EXPECT_EQ(model->description().base.visuals.size(), 3u);
}

TEST(Mjcf, BoundsAndBalanceMendMasses) {
  const std::string body =
      "<worldbody><body name='b'><freejoint/><inertial pos='0 0 0' mass='0.1' diaginertia='1 1 9'/>"
      "</body></worldbody></mujoco>";
  const auto base = [&](const std::string& compiler) {
    return parse_model("<mujoco><compiler " + compiler + "/>" + body, "b.xml")
        .model->description()
        .base;
  };
  EXPECT_EQ(base("boundmass='2'").mass, 2.0);
  EXPECT_LT((base("boundinertia='4'").inertia.diagonal() - Vector3(4, 4, 9)).norm(), 1e-13);
  EXPECT_LT((base("balanceinertia='true'").inertia.diagonal() - Vector3::Constant(11.0 / 3)).norm(),
            1e-13);
}

}  // namespace
}  // namespace spacedyn::mjcf_test
