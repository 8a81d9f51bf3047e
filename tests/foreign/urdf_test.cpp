// URDF files: every part of them reaches the model.
#include <algorithm>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::urdf_test {
namespace {

using testing::bent_state;
using testing::has_warning;
using testing::kServicerUrdf;
using testing::replaced;
using testing::TemporaryFolder;

LoadedModel servicer() { return parse_model(kServicerUrdf, "servicer.urdf"); }

const LinkDescription& link_of(const LoadedModel& loaded, const std::string& name) {
  for (const LinkDescription& link : loaded.model->description().links) {
    if (link.name == name) return link;
  }
  throw std::runtime_error("no link " + name);
}

TEST(Urdf, BodiesHaveTheirMassAndTheirTensorInTheAxesOfTheLink) {
  const LoadedModel loaded = servicer();
  const BaseDescription& bus = loaded.model->description().base;
  EXPECT_EQ(bus.name, "bus");
  EXPECT_FALSE(bus.fixed);
  EXPECT_EQ(bus.mass, 250.0);
  EXPECT_EQ(bus.center_of_mass, Vector3(0.1, -0.2, 0.3));
  // a quarter turn about z: x of the tensor is along y of the link
  Matrix3 expected;
  expected << 40, -1, 0, -1, 30, 0, 0, 0, 50;
  EXPECT_LT((bus.inertia - expected).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(link_of(loaded, "forearm").inertia(0, 2), 0.05);
}

TEST(Urdf, JointsHaveTheirKindAxisLimitsAndLosses) {
  const LoadedModel loaded = servicer();
  const JointDescription& shoulder = link_of(loaded, "upper arm").joint;
  EXPECT_EQ(shoulder.name, "shoulder");
  EXPECT_EQ(shoulder.type, JointType::revolute);
  EXPECT_EQ(shoulder.axis, Vector3::UnitX()) << "the default of URDF";
  EXPECT_EQ(shoulder.position_lower, -2.0);
  EXPECT_EQ(shoulder.position_upper, 1.5);
  EXPECT_EQ(shoulder.effort_limit, 40.0);
  EXPECT_EQ(shoulder.velocity_limit, 0.5);
  EXPECT_EQ(shoulder.damping, 0.7);
  EXPECT_EQ(shoulder.friction.coulomb, 0.25);
  const JointDescription& elbow = link_of(loaded, "forearm").joint;
  EXPECT_EQ(elbow.type, JointType::revolute);
  EXPECT_EQ(elbow.position_upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(elbow.origin.rotation, matrix_from_rpy({0, -1.5707963267948966, 0.2}));
  EXPECT_EQ(link_of(loaded, "probe").joint.type, JointType::prismatic);
  EXPECT_EQ(link_of(loaded, "mount").joint.type, JointType::fixed);
}

TEST(Urdf, PicturesHaveTheirShapeAndColor) {
  const LoadedModel loaded = servicer();
  const Visual& box = loaded.model->description().base.visuals.at(0);
  EXPECT_EQ(box.shape, "box");
  EXPECT_EQ(box.size, Vector3(1, 2, 3));
  EXPECT_EQ(box.color, "#336699");
  const Visual& tube = link_of(loaded, "upper arm").visuals.at(0);
  EXPECT_EQ(tube.size.head<2>(), Eigen::Vector2d(0.05, 0.8));
  EXPECT_EQ(tube.origin.rotation, matrix_from_rpy({0, 1.57, 0}));
  EXPECT_EQ(tube.color, "#ff0000");
}

TEST(Urdf, FixedLinksAreMergedAndKeptAsFrames) {
  const LoadedModel loaded = servicer();
  const Model& model = *loaded.model;
  EXPECT_EQ(model.joint_count(), 3);
  EXPECT_EQ(model.total_mass(), 277.5);
  EXPECT_EQ(model.body(0).mass, 255.0);
  const Frame tip = model.frame("tip");
  EXPECT_EQ(tip.body, 3);
}

TEST(Urdf, WhatHasNoEffectIsNoted) {
  const LoadedModel loaded = servicer();
  EXPECT_TRUE(has_warning(
      loaded.warnings, "servicer.urdf:3:1: note: of no effect here: 1 <gazebo>, 1 <transmission>"));
  EXPECT_TRUE(has_warning(loaded.warnings, "links without mass on fixed joints are frames: 'tip'"));
}

TEST(Urdf, CollisionsAreShapesOfTheirLinks) {
  const auto model = servicer().model;
  const std::vector<BodyShape> shapes = collision_shapes(*model);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0].link, "upper arm");
  EXPECT_EQ(shapes[0].type, CollisionType::box);
  EXPECT_EQ(shapes[0].size, Vector3::Ones());
}

/// The servicer with a mesh that touches.
std::string with_collision_mesh(const std::string& mesh) {
  return replaced(kServicerUrdf,
                  "<collision><geometry><box size=\"1 1 1\"/></geometry></collision>",
                  "<collision><origin xyz=\"1 2 3\"/><geometry><mesh filename=\"" + mesh +
                      "\" scale=\"1 2 -1\"/></geometry></collision>");
}

TEST(Urdf, CollisionMeshesTouchWithTheirConvexHull) {
  const TemporaryFolder folder;
  // a tetrahedron with a triangle without area, as exporters write them
  folder.write("part.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 1 1 2\n");
  const std::string path = folder.write("robot.urdf", with_collision_mesh("part.obj"));
  const LoadedModel loaded = load_model(path);
  const std::vector<BodyShape> shapes = collision_shapes(*loaded.model);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0].type, CollisionType::mesh);
  const CollisionShape& shape = loaded.model->description().links.at(1).collisions.at(0);
  EXPECT_EQ(shape.origin.position, Vector3(1, 2, 3));
  ASSERT_EQ(shape.hull->corners().size(), 4u);
  double highest = 0.0, lowest = 0.0;
  for (const Vector3& corner : shape.hull->corners()) {
    highest = std::max(highest, corner.y());
    lowest = std::min(lowest, corner.z());
  }
  EXPECT_EQ(highest, 2.0);
  EXPECT_EQ(lowest, -1.0);
  const ImportedModel imported = import_model(path, folder.path("robots"));
  EXPECT_NE(imported.yaml.find("file: \"../part.obj\", scale: [1.0, 2.0, -1.0]"), std::string::npos)
      << imported.yaml;
  const std::string exported = export_urdf(*loaded.model).urdf;
  EXPECT_NE(exported.find("<mesh filename=\"part.obj\" scale=\"1.0 2.0 -1.0\"/>"),
            std::string::npos)
      << exported;
  EXPECT_EQ(export_urdf(*load_model(folder.write("back.urdf", exported)).model).urdf, exported);
}

TEST(Urdf, CollisionMeshesWithoutAHullAreLeftOut) {
  const TemporaryFolder folder;
  const std::string text = with_collision_mesh("part.obj");
  const auto warned = [&](const std::string& mesh, const std::string& why) {
    folder.write("part.obj", mesh);
    const LoadedModel loaded = load_model(folder.write("robot.urdf", text));
    EXPECT_TRUE(collision_shapes(*loaded.model).empty());
    EXPECT_TRUE(has_warning(loaded.warnings, "a shape for contacts is left out: ")) << why;
    EXPECT_TRUE(has_warning(loaded.warnings, why)) << to_string(loaded.warnings.front());
  };
  warned("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "plane");
  warned("v 0 0 0\nf 1 2 3\n", "is damaged: line 2: expected numbers of the 1 vertices before it");
}

TEST(Urdf, ImportedYamlComputesTheSameBits) {
  const TemporaryFolder folder;
  const std::string path = folder.write("servicer.urdf", kServicerUrdf);
  const ImportedModel imported = import_model(path);
  const auto direct = load_model(path).model;
  const auto written = parse_model(imported.yaml, "servicer.yaml").model;
  const State state = bent_state(*direct);
  EXPECT_EQ(inertia_matrix(*direct, state), inertia_matrix(*written, bent_state(*written)));
  EXPECT_NE(imported.yaml.find("rpy: [0.1, 0.2, 0.3]"), std::string::npos) << "as the file has it";
  EXPECT_NE(imported.yaml.find("source: \"servicer.urdf, line 35\""), std::string::npos)
      << imported.yaml;
}

TEST(Urdf, FliesInAScenarioWithOverridesAndIsReadAgainFromItsText) {
  const TemporaryFolder folder;
  folder.write("servicer.urdf", kServicerUrdf);
  const std::string path =
      folder.write("run.yaml",
                   "spacedyn: 1\nscenario:\n  name: run\n  model: servicer.urdf\n  duration: 1.0\n"
                   "  initial: {joints: {elbow: {velocity: 0.2}}}\n"
                   "  integrator: {method: rk4, step: 0.01}\n  output: {interval: 0.1}\n");
  const std::vector<Override> overrides{{"model.links.probe.mass", "3.5"}};
  const Scenario scenario = load_scenario(path, overrides);
  EXPECT_EQ(scenario.setup.model->total_mass(), 279.0);
  std::filesystem::remove(folder.path("servicer.urdf"));
  const Scenario again = reload_scenario(scenario.sources, overrides);
  EXPECT_EQ(again.setup.model->total_mass(), 279.0);
}

TEST(Urdf, IsIncludedInAYamlModel) {
  const TemporaryFolder folder;
  folder.write("servicer.urdf", kServicerUrdf);
  const std::string path =
      folder.write("whole.yaml",
                   "spacedyn: 1\nmodel:\n  name: whole\n  base: {name: station, mass: 1000, "
                   "inertia: [1, 1, 1]}\n"
                   "  include:\n    - {file: servicer.urdf, prefix: s_, parent: station}\n");
  const LoadedModel loaded = load_model(path);
  EXPECT_EQ(loaded.model->total_mass(), 1277.5);
  EXPECT_EQ(loaded.model->find_joint("s_elbow"), 2);
}

TEST(Urdf, JointsWithoutLimitsMoveFreelyAndAreNamed) {
  std::string text =
      replaced(kServicerUrdf, R"(<limit lower="-2" upper="1.5" effort="40" velocity="0.5"/>)", "");
  text =
      replaced(text, R"(lower="0" upper="0.3" effort="100")", R"(lower="0" upper="0" effort="0")");
  const LoadedModel loaded = parse_model(text, "r.urdf");
  const double unlimited = std::numeric_limits<double>::infinity();
  EXPECT_EQ(link_of(loaded, "upper arm").joint.position_upper, unlimited);
  EXPECT_EQ(link_of(loaded, "probe").joint.position_lower, -unlimited);
  EXPECT_EQ(link_of(loaded, "probe").joint.effort_limit, unlimited);
  EXPECT_TRUE(has_warning(loaded.warnings, "joint 'shoulder': expected <limit>, got nothing"));
  EXPECT_TRUE(has_warning(loaded.warnings, "joint 'slide': lower = upper leaves no motion"));
}

TEST(Urdf, NamesWithDotsAndIndefiniteTensorsAreTakenWithAWarning) {
  std::string text = kServicerUrdf;
  for (std::size_t at = text.find("forearm"); at != std::string::npos; at = text.find("forearm")) {
    text.replace(at, 7, "fore.1");
  }
  text = replaced(text, R"(ixx="0.7" iyy="0.6" izz="0.15")", R"(ixx="0.7" iyy="0.6" izz="-0.15")");
  const LoadedModel loaded = parse_model(text, "r.urdf");
  EXPECT_TRUE(has_warning(loaded.warnings, "called 'fore_1' here"));
  EXPECT_TRUE(
      has_warning(loaded.warnings, "warning: link 'fore_1': expected a positive semidefinite"));
  EXPECT_TRUE(link_of(loaded, "fore_1").unphysical_inertia);
}

TEST(Urdf, AMeshHasAScale) {
  const TemporaryFolder folder;
  folder.write("part.stl", "solid\nendsolid\n");
  const std::string path =
      folder.write("r.urdf", replaced(kServicerUrdf, R"(<box size="1 2 3"/>)",
                                      R"(<mesh filename="part.stl" scale="0.001 0.001 0.001"/>)"));
  const Visual mesh = load_model(path).model->description().base.visuals.at(0);
  EXPECT_EQ(mesh.mesh, "part.stl");
  EXPECT_EQ(mesh.size, Vector3::Constant(0.001));
  const ImportedModel imported = import_model(path, folder.path("elsewhere"));
  EXPECT_NE(imported.yaml.find("file: \"../part.stl\", scale: [0.001, 0.001, 0.001]"),
            std::string::npos)
      << imported.yaml;
}

TEST(Urdf, PlanarAndFloatingJointsHaveTheirCoordinates) {
  const std::string planar = replaced(kServicerUrdf, R"(type="prismatic")", R"(type="planar")");
  const LoadedModel slides = parse_model(planar, "r.urdf");
  ASSERT_TRUE(slides.model->find_compound_joint("slide"));
  EXPECT_EQ(slides.model->find_compound_joint("slide")->type, JointType::planar);
  const std::string floating = replaced(kServicerUrdf, R"(type="prismatic")", R"(type="floating")");
  const LoadedModel flies = parse_model(floating, "r.urdf");
  ASSERT_TRUE(flies.model->find_compound_joint("slide"));
  EXPECT_EQ(flies.model->find_compound_joint("slide")->type, JointType::free);
}

TEST(Urdf, MimicJointsFollow) {
  const std::string text =
      replaced(kServicerUrdf, R"(<axis xyz="0 3 4"/>)",
               R"(<axis xyz="0 3 4"/><mimic joint="shoulder" multiplier="-0.5" offset="0.1"/>)");
  const LoadedModel loaded = parse_model(text, "r.urdf");
  EXPECT_FALSE(loaded.model->has_loops());
  ASSERT_EQ(loaded.model->followers().size(), 1u);
  const Follower& elbow = loaded.model->followers()[0];
  EXPECT_EQ(loaded.model->joint(elbow.joint).name, "elbow");
  EXPECT_EQ(loaded.model->joint(elbow.followed).name, "shoulder");
  EXPECT_EQ(elbow.ratio, -0.5);
  EXPECT_EQ(elbow.offset, 0.1);
}

}  // namespace
}  // namespace spacedyn::urdf_test
