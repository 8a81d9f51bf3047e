// Writing a model and reading it back: the same numbers, bit by bit.
#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/allocation_guard.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::model_writer_test {
namespace {

template <typename A, typename B>
bool same_bits(const A& a, const B& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void expect_same_model(const Model& a, const Model& b) {
  ASSERT_EQ(a.joint_count(), b.joint_count());
  EXPECT_EQ(a.topology().connection(), b.topology().connection());
  for (int i = 0; i <= a.joint_count(); ++i) {
    EXPECT_EQ(a.body(i).name, b.body(i).name);
    EXPECT_EQ(a.body(i).mass, b.body(i).mass);
    EXPECT_TRUE(same_bits(a.body(i).center_of_mass, b.body(i).center_of_mass)) << i;
    EXPECT_TRUE(same_bits(a.body(i).inertia_L, b.body(i).inertia_L)) << i;
    if (i == 0) continue;
    EXPECT_EQ(a.joint(i).name, b.joint(i).name);
    EXPECT_EQ(a.joint(i).type, b.joint(i).type);
    EXPECT_TRUE(same_bits(a.joint(i).origin, b.joint(i).origin)) << i;
    EXPECT_TRUE(same_bits(a.joint(i).rotation, b.joint(i).rotation)) << i;
    EXPECT_EQ(a.joint(i).position_lower, b.joint(i).position_lower);
    EXPECT_EQ(a.joint(i).position_upper, b.joint(i).position_upper);
    EXPECT_EQ(a.joint(i).velocity_limit, b.joint(i).velocity_limit);
    EXPECT_EQ(a.joint(i).effort_limit, b.joint(i).effort_limit);
    EXPECT_EQ(a.joint(i).stiffness, b.joint(i).stiffness);
    EXPECT_EQ(a.joint(i).damping, b.joint(i).damping);
    EXPECT_EQ(a.joint(i).rest_position, b.joint(i).rest_position);
  }
  ASSERT_EQ(a.frames().size(), b.frames().size());
  for (std::size_t i = 0; i < a.frames().size(); ++i) {
    EXPECT_EQ(a.frames()[i].name, b.frames()[i].name);
    EXPECT_EQ(a.frames()[i].body, b.frames()[i].body);
    EXPECT_TRUE(same_bits(a.frames()[i].position, b.frames()[i].position)) << i;
    EXPECT_TRUE(same_bits(a.frames()[i].rotation, b.frames()[i].rotation)) << i;
  }
}

/// Also that the text itself no longer changes, and that H has the same bits.
void expect_round_trip(const Model& model) {
  const std::string text = write_model(model);
  const Model again = *parse_model(text, "written.yaml").model;
  expect_same_model(model, again);
  EXPECT_EQ(write_model(again), text);
  State state(model);
  for (int i = 0; i < model.joint_count(); ++i) state.q(i) = 0.3 - 0.7 * i;
  EXPECT_TRUE(same_bits(inertia_matrix(model, state), inertia_matrix(again, state)));
}

TEST(ModelWriter, KeepsTheBitsOfReferenceModels) {
  for (const std::string& name : testing::reference_names()) {
    SCOPED_TRACE(name);
    expect_round_trip(testing::reference_model(testing::reference(name).at("model")));
  }
}

TEST(ModelWriter, KeepsTheBitsOfShippedModels) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SPACEDYN_MODELS "/robots")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().string());
    expect_round_trip(*load_model(entry.path().string()).model);
    ++count;
  }
  EXPECT_GT(count, 0);
}

ModelDescription awkward_description() {
  ModelDescription robot;
  robot.name = "010";
  robot.notes.description = "two lines\nwith \"quotes\", a \\ and a\ttab: # no comment";
  robot.notes.details["file.source"] = "a file";
  robot.base.name = "no";
  robot.base.mass = 1.0 / 3.0;
  robot.base.center_of_mass = {-0.0, 1e-300, 5e-324};
  robot.base.inertia = Vector3(1e-9, 2e-9, 2.5e-9).asDiagonal();
  robot.base.notes.details["inertia.source"] = "guessed";
  LinkDescription arm;
  arm.name = "arm 1: left";
  arm.parent = "no";
  arm.mass = 1e22;
  arm.inertia << 1, 0.1, 0.2, 0.1 + 1e-15, 2, 0.3, 0.2, 0.3, 2.5;
  arm.joint.axis = {-0.0, 0.3, -4};
  arm.joint.origin.rotation = matrix_from_twist({0.1, -2.0, 3.0});
  arm.joint.position_lower = -1.0 / 7.0;
  arm.joint.notes.details["origin.description"] = "as built";
  Visual picture;
  picture.shape = "mesh";
  picture.mesh = "folder/arm #1.stl";
  picture.color = "#a0b1c2";
  arm.visuals.push_back(picture);
  arm.notes.details["visual.0.source"] = "scanned";
  robot.links.push_back(arm);
  LinkDescription tool;
  tool.name = "tool";
  tool.parent = arm.name;
  tool.mass = 1.0;
  tool.inertia = Matrix3::Identity();
  tool.joint.type = JointType::fixed;
  tool.joint.origin.position = {0, 0, 1};
  robot.links.push_back(tool);
  FrameDescription frame;
  frame.name = "ünïcode";
  frame.link = "tool";
  // orthonormal to 1e-9 only: cleaned in the same way when read
  frame.origin.rotation = rotation_z(1.0) + 1e-9 * Matrix3::Ones();
  frame.notes.source = "drawing";
  robot.frames.push_back(frame);
  return robot;
}

TEST(ModelWriter, KeepsAwkwardNamesAndNumbers) {
  const Model model = ModelBuilder(awkward_description()).build();
  const Model again = *parse_model(write_model(model), "written.yaml").model;
  expect_same_model(model, again);
  EXPECT_EQ(write_model(again), write_model(*parse_model(write_model(again), "b.yaml").model));
}

TEST(ModelWriter, KeepsNotes) {
  const ModelDescription given = awkward_description();
  const ModelDescription read =
      parse_model(write_model(ModelBuilder(given).build()), "written.yaml").model->description();
  EXPECT_EQ(read.name, given.name);
  EXPECT_EQ(read.notes.description, given.notes.description);
  EXPECT_EQ(read.notes.details, given.notes.details);
  EXPECT_EQ(read.base.notes.details, given.base.notes.details);
  EXPECT_EQ(read.links[0].notes.details, given.links[0].notes.details);
  EXPECT_EQ(read.links[0].joint.notes.details, given.links[0].joint.notes.details);
  EXPECT_EQ(read.frames[0].notes.source, "drawing");
  EXPECT_EQ(read.links[0].visuals[0].mesh, "folder/arm #1.stl");
  EXPECT_EQ(read.links[0].visuals[0].color, "#a0b1c2");
}

TEST(ModelWriter, KeepsNotesOfDefaults) {
  ModelDescription robot = awkward_description();
  robot.links[0].joint.origin = Pose();
  robot.links[0].joint.notes.details["origin.source"] = "drawing";
  const Model again = *parse_model(write_model(ModelBuilder(robot).build()), "written.yaml").model;
  EXPECT_EQ(again.description().links[0].joint.notes.details.at("origin.source"), "drawing");
}

TEST(ModelWriter, WritesReadableText) {
  ModelDescription robot;
  robot.name = "robot";
  robot.base.name = "base";
  robot.base.mass = 2.5;
  robot.base.inertia = Vector3(1, 2, 2.5).asDiagonal();
  LinkDescription arm;
  arm.name = "arm";
  arm.parent = "base";
  arm.mass = 1e-9;
  arm.inertia = Matrix3::Identity();
  robot.links.push_back(arm);
  EXPECT_EQ(write_model(ModelBuilder(robot).build()),
            "spacedyn: 1\n"
            "model:\n"
            "  name: robot\n"
            "  base:\n"
            "    name: base\n"
            "    mass: 2.5\n"
            "    inertia: {xx: 1.0, yy: 2.0, zz: 2.5}\n"
            "  links:\n"
            "    - name: arm\n"
            "      parent: base\n"
            "      joint:\n"
            "        type: revolute\n"
            "      mass: 1.0e-09\n"
            "      inertia: {xx: 1.0, yy: 1.0, zz: 1.0}\n");
}

// In a process of its own, as ctest runs each suite: tables are made when they are first needed.
TEST(ModelWriterTables, AreMadeOnce) {
  if (!testing::counts_allocations()) GTEST_SKIP() << "allocations are not counted";
  const long before = testing::allocation_count();
  const Model model = *parse_model(R"(spacedyn: 1
model:
  name: m
  base: {name: b, mass: 1, inertia: [1, 1, 1]}
)",
                                   "m.yaml")
                           .model;
  write_model(model);
  // some 10,000; 200,000 where kinds copy the tables below them
  EXPECT_LT(testing::allocation_count() - before, 30000);
}

}  // namespace
}  // namespace spacedyn::model_writer_test
