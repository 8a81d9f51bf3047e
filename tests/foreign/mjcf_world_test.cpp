// Files of MuJoCo as people have them: several bodies that float, copies, sites of the world,
// meshes of included files and meshes that are no solids.
#include <cmath>

#include <gtest/gtest.h>

#include "foreign/foreign_texts.hpp"
#include "loading/temporary_folder.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/recorders.hpp"

namespace spacedyn::mjcf_world_test {
namespace {

using testing::has_warning;
using testing::TemporaryFolder;

LoadedModel load(const std::string& content) {
  return parse_model("<mujoco>" + content + "</mujoco>", "m.xml");
}

std::string world(const std::string& content) { return "<worldbody>" + content + "</worldbody>"; }

struct Place {
  Vector3 position;
  Matrix3 axes;
};

Place place_of(const Model& model, const State& state, const std::string& name) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const Frame frame = model.frame(name);
  return {frame_position(frames, frame), frame_orientation(frames, frame)};
}

TEST(MjcfWorld, SeveralBodiesFloatEachFromItsPlace) {
  const TemporaryFolder folder;
  folder.write("w.xml", "<mujoco>" + world(R"(
<geom type="plane" size="1 1 1"/>
<body name="ball" pos="1 2 3"><freejoint name="loose"/><geom size=".1" mass="2"/></body>
<body name="brick" pos="0 0 5" euler="90 0 0"><joint type="free"/><geom type="box" size=".1 .2 .3" pos="0 .1 0" mass="3"/>
  <body name="lid" pos="0 0 1"><joint name="hinge" axis="1 0 0"/><geom size=".1" pos="0 0 .2" mass="1"/></body></body>
<body name="post" pos="0 0 1"><geom size=".1" mass="9"/></body>)") +
                            "</mujoco>");
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: fall
  model: w.xml
  environment: {gravity: [0, 0, -9.81]}
  initial: {joints: {hinge: {velocity: 1}, loose: {velocity: [0.5, 0, 0]}}}
  duration: 1
)",
                                           folder.path("s.yaml"));
  const Model& model = *scenario.setup.model;
  EXPECT_TRUE(model.has_fixed_base());
  EXPECT_EQ(model.joint_count(), 13);
  const Place brick = place_of(model, scenario.initial, "brick");
  EXPECT_LT((brick.position - Vector3(0, 0, 5)).norm(), 1e-14);
  EXPECT_LT((brick.axes - rotation_x(std::acos(0.0))).norm(), 1e-14);
  EXPECT_LT((place_of(model, scenario.initial, "post").position - Vector3(0, 0, 1)).norm(), 1e-14);
  const State end = testing::simulate(scenario.setup, scenario.initial, 1.0).state;
  const Vector3 ball = place_of(model, end, "ball").position;
  EXPECT_LT((ball - Vector3(1.5, 2.0, 3.0 - 0.5 * 9.81)).norm(), 1e-9);
  // brick and lid: their common centroid falls as well, whatever the hinge does
  const auto centroid = [&](const State& state) -> Vector3 {
    return (3.0 * place_of(model, state, "brick.com").position +
            1.0 * place_of(model, state, "lid.com").position) /
           4.0;
  };
  State later = scenario.initial;
  const double step = 1e-6;
  later.q += step * later.qd;
  const Vector3 start = centroid(scenario.initial), rate = (centroid(later) - start) / step;
  const Vector3 fall = start + rate - Vector3(0, 0, 0.5 * 9.81);
  EXPECT_LT((centroid(end) - fall).norm(), 1e-6) << "of the quotient of differences";
}

TEST(MjcfWorld, AFloatingBodyBesideAnArmOfTheWorld) {
  const LoadedModel loaded = load(world(R"(
<body name="crate" pos="1 0 0"><freejoint/><geom size=".1"/></body>
<body name="arm"><joint name="turn"/><geom size=".1" pos="1 0 0"/></body>)"));
  EXPECT_TRUE(loaded.model->has_fixed_base());
  EXPECT_EQ(loaded.model->joint_count(), 7);
}

TEST(MjcfWorld, OfAFreeJointWhatABaseHasNotIsNamed) {
  const std::string defaults = R"(<default><joint armature="0.5" damping="2"/></default>)";
  const std::string rest = R"(<geom size=".1" mass="2"/></body>)";
  for (const std::string& other : {std::string(), "<body name='b'><freejoint/>" + rest}) {
    const LoadedModel typed =
        load(defaults + world("<body name='a'><joint name='root' type='free'/>" + rest + other));
    EXPECT_TRUE(has_warning(typed.warnings, "joint 'root': of a free joint 'armature' is ignored"));
    EXPECT_TRUE(has_warning(typed.warnings, "joint 'root': of a free joint 'damping' is ignored"));
    const LoadedModel plain = load(defaults + world("<body name='a'><freejoint/>" + rest + other));
    EXPECT_FALSE(has_warning(plain.warnings, "of a free joint"));
  }
}

TEST(MjcfWorld, InertiaFromGeomsLeavesWhatHasNone) {
  const LoadedModel loaded =
      load(R"(<compiler inertiafromgeom="true"/>)" + world(R"(<body name="a"><freejoint/>
<inertial pos="0 0 0" mass="9" diaginertia="9 9 9"/><geom size="0.1" mass="1"/>
<body name="b" pos="0 0 1"><joint name="j" axis="0 1 0"/><inertial pos="0.5 0 0" mass="5" diaginertia="0.01 0.4 0.4"/></body></body>)"));
  EXPECT_EQ(loaded.model->body(0).mass, 1.0);
  EXPECT_EQ(loaded.model->body(1).mass, 5.0);
  // joint frames have z along the axis, here y
  EXPECT_NEAR(loaded.model->body(1).inertia_L(2, 2), 0.4, 1e-15);
}

// two rods of half a metre, the second one pinned to the world at its end
TEST(MjcfWorld, ConnectsToASiteOfTheWorld) {
  const std::string rods = R"(
<body name="a"><joint name="j1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/>
<body name="b" pos=".5 0 0"><joint name="j2" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02"/>
<site name="tip" pos="0 0 -.3"/></body></body>)";
  const LoadedModel loaded =
      load(world(R"(<frame pos=".5 0 0"><site name="anchor" pos="0 0 -.3"/></frame>)" + rods) +
           R"(<equality><connect name="pin" site1="anchor" site2="tip"/></equality>)");
  const Model& model = *loaded.model;
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_LT(position_residual(model, State(model)).value, 1e-15);
  EXPECT_LT((place_of(model, State(model), "anchor").position - Vector3(0.5, 0, -0.3)).norm(),
            1e-15);
  // beside a base that floats the world is no body
  const LoadedModel floating =
      load(world("<site name='anchor'/><body name='f'><freejoint/><geom size='.1'/><site "
                 "name='tip'/></body>") +
           R"(<equality><connect name="pin" site1="anchor" site2="tip"/></equality>)");
  EXPECT_TRUE(floating.model->loops().empty());
  EXPECT_TRUE(has_warning(floating.warnings, "ignored, of <equality>: 'pin'"));
}

// the example of MuJoCo's reference
TEST(MjcfWorld, ReplicatesInTurnedFrames) {
  const LoadedModel loaded = load(world(R"(<body name="base"><geom size=".1"/>
<replicate count="2" offset="0 1 0" euler="90 0 0"><replicate count="2" sep="-" offset="1 0 0" euler="0 90 0">
<site name="Alice"/></replicate></replicate></body>)"));
  const auto expect = [&](const std::string& name, const Vector3& position, double w, double x,
                          double y, double z) {
    const Place place = place_of(*loaded.model, State(*loaded.model), name);
    EXPECT_LT((place.position - position).norm(), 1e-15) << name;
    const Matrix3 axes = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
    EXPECT_LT((place.axes - axes).norm(), 1e-15) << name;
  };
  expect("Alice-00", {0, 0, 0}, 1, 0, 0, 0);
  expect("Alice-10", {1, 0, 0}, 1, 0, 1, 0);
  expect("Alice-01", {0, 1, 0}, 1, 1, 0, 0);
  expect("Alice-11", {1, 1, 0}, 0.5, 0.5, 0.5, 0.5);
}

TEST(MjcfWorld, ReplicatesBodiesWithJoints) {
  const LoadedModel loaded = load(world(R"(<body name="hub"><freejoint/><geom size=".1"/>
<replicate count="12" euler="0 0 30"><body name="blade" pos="1 0 0"><joint name="flap" axis="0 1 0"/><geom size=".1" pos=".5 0 0"/></body></replicate></body>)"));
  EXPECT_EQ(loaded.model->joint_count(), 12);
  const Place last = place_of(*loaded.model, State(*loaded.model), "blade11");
  const Vector3 there = rotation_z(11.0 * std::acos(-1.0) / 6.0) * Vector3(1, 0, 0);
  // twelve rotations, one after another
  EXPECT_LT((last.position - there).norm(), 1e-14);
  EXPECT_TRUE(loaded.model->find_joint("flap03"));
  for (const std::string count : {"0", "-1", "2.5", "1e9", "x"}) {
    EXPECT_NE(testing::errors_of("<mujoco>" +
                                     world("<body name='a'><replicate count='" + count +
                                           "'><geom size='1'/></replicate></body>") +
                                     "</mujoco>",
                                 "m.xml")
                  .find("m.xml:1:"),
              std::string::npos)
        << count;
  }
}

TEST(MjcfWorld, MeshesOfIncludedFilesStartFromTheOutermostOne) {
  const TemporaryFolder folder;
  folder.write("robot/meshes/pit.obj", testing::kPit);
  folder.write("robot/assets/assets.xml",
               "<mujocoinclude><asset><mesh name='b' file='meshes/pit.obj' "
               "inertia='exact'/></asset></mujocoinclude>");
  folder.write("robot/assets/chain.xml",
               "<mujocoinclude><body name='b'><freejoint/><geom type='mesh' mesh='b' "
               "density='100'/></body></mujocoinclude>");
  const std::string path =
      folder.write("robot/main.xml",
                   "<mujoco><include file='assets/assets.xml'/><worldbody><include "
                   "file='assets\\chain.xml'/></worldbody></mujoco>");
  const LoadedModel loaded = load_model(path);
  EXPECT_NEAR(loaded.model->total_mass(), 100.0 * (1.0 - 0.625 / 3.0), 1e-12);
  EXPECT_EQ(loaded.model->description().base.collisions.size(), 1u);
  const std::string yaml =
      folder.write("else/deeper/r.yaml", import_model(path, folder.path("else/deeper")).yaml);
  EXPECT_EQ(load_model(yaml).model->description().base.collisions.size(), 1u);
}

/// A cube of edge 1, by two triangles for each face; `skip` faces from the bottom are left out, and
/// one triangle is turned round.
std::string cube(int skip, bool turns) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
  const std::vector<std::string> faces = {"1 4 3\nf 1 3 2", "5 6 7\nf 5 7 8", "1 2 6\nf 1 6 5",
                                          "2 3 7\nf 2 7 6", "3 4 8\nf 3 8 7", "4 1 5\nf 4 5 8"};
  for (std::size_t i = static_cast<std::size_t>(skip); i < faces.size(); ++i)
    text += "f " + faces[i] + '\n';
  if (turns) text = testing::replaced(text, "f 5 6 7\n", "f 5 7 6\n");
  return text;
}

TEST(MjcfWorld, OfMeshesThatAreNoSolidsTheMassIsDoubtfulAndSaidToBeSo) {
  const TemporaryFolder folder;
  const auto load_cube = [&](const std::string& obj, const std::string& rule) {
    folder.write("cube.obj", obj);
    return load_model(folder.write(
        "c.xml",
        "<mujoco><asset><mesh name='m' file='cube.obj'" + rule + "/></asset>" +
            world("<body name='b'><freejoint/><geom type='mesh' mesh='m' density='12'/></body>") +
            "</mujoco>"));
  };
  const LoadedModel whole = load_cube(cube(0, false), "");
  EXPECT_NEAR(whole.model->total_mass(), 12.0, 1e-13);
  EXPECT_FALSE(has_warning(whole.warnings, "encloses no volume"));
  // of a convex body the sum without signs is right, whichever triangles are turned
  const LoadedModel turned = load_cube(cube(0, true), "");
  EXPECT_NEAR(turned.model->total_mass(), 12.0, 1e-13);
  EXPECT_LT((turned.model->body(0).inertia_L - 2.0 * Matrix3::Identity()).norm(), 1e-13);
  EXPECT_TRUE(has_warning(turned.warnings, "encloses no volume: 3 of 18 edges"));
  // without its bottom: pyramids from the centroid at 0.5875 to the top and the four sides
  const LoadedModel open = load_cube(cube(1, false), "");
  EXPECT_NEAR(open.model->total_mass(), 12.0 * ((1.0 - 0.5875) / 3.0 + 4.0 * 0.5 / 3.0), 1e-13);
  EXPECT_TRUE(has_warning(open.warnings, "encloses no volume: 4 of 17 edges"));
  for (const std::string& obj : {cube(0, true), cube(1, false)}) {
    EXPECT_THROW(load_cube(obj, " inertia='exact'"), ParseError);
    EXPECT_NEAR(load_cube(obj, " inertia='convex'").model->total_mass(), 12.0, 1e-13);
  }
  // a tetrahedron beside it or in it
  const auto with_part = [&](double at, double size, bool is_turned) {
    std::string text = cube(0, false);
    for (const Vector3& corner :
         {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)}) {
      const Vector3 point = Vector3::Constant(at) + size * corner;
      text += "v " + std::to_string(point.x()) + ' ' + std::to_string(point.y()) + ' ' +
              std::to_string(point.z()) + '\n';
    }
    return text + (is_turned ? "f 9 10 11\nf 9 12 10\nf 10 12 11\nf 11 12 9\n"
                             : "f 9 11 10\nf 9 10 12\nf 10 11 12\nf 11 9 12\n");
  };
  const std::string exact = " inertia='exact'";
  EXPECT_NEAR(load_cube(with_part(5.0, 1.0, false), exact).model->total_mass(), 14.0, 1e-12);
  EXPECT_NEAR(load_cube(with_part(0.25, 0.5, true), exact).model->total_mass(), 11.75, 1e-12);
  EXPECT_THROW(load_cube(with_part(5.0, 1.0, true), exact), ParseError);
  EXPECT_TRUE(has_warning(load_cube(with_part(5.0, 1.0, true), "").warnings,
                          "4 of 16 triangles, a part by itself at (5, 5, 5), are turned round"));
}

}  // namespace
}  // namespace spacedyn::mjcf_world_test
