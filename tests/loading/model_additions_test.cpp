// What a scenario adds to the model of a file: frames, loops and shapes, as if the file had them.
#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/collision/convex_hull.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::model_additions_test {
namespace {

using testing::TemporaryFolder;

const std::string kArm = R"(spacedyn: 1
model:
  name: arm
  base: {name: bus, mass: 100, inertia: [9, 9, 9], collision: [{shape: box, size: [1, 1, 1]}]}
  links:
    - {name: upper, parent: bus, mass: 5, inertia: [1, 1, 1], center_of_mass: [0.5, 0, 0], joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}}
    - {name: fore, parent: upper, mass: 5, inertia: [1, 1, 1], center_of_mass: [0.5, 0, 0], joint: {name: elbow, type: revolute, axis: [0, 0, 1], origin: {xyz: [1, 0, 0]}}}
  frames:
    - {name: hand, link: fore, xyz: [1, 0, 0]}
)";

const std::string kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string scenario_of(const std::string& model) {
  return "spacedyn: 1\nscenario:\n  name: s\n  duration: 1\n  model:\n" + model;
}

const std::string kAdditions = R"(    file: parts/arm.yaml
    frames:
      - {name: grip, link: fore, xyz: [1, 0.5, 0]}
    loops:
      - {name: strut, type: distance, from: grip, to: bus, length: 2.0}
    collision:
      - {link: fore, name: palm, shape: sphere, radius: 0.1, origin: {xyz: [1, 0, 0]}}
      - {link: fore, shape: mesh, file: hull.obj}
      - {link: bus, shape: sphere, radius: 0.5}
)";

class ModelAdditions : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("parts/arm.yaml", kArm);
    folder_.write("hull.obj", kTetrahedron);
  }
  Scenario load(const std::string& text, const std::vector<Override>& overrides = {}) const {
    return load_scenario(folder_.write("s.yaml", text), overrides);
  }
  std::string errors_of(const std::string& text,
                        const std::vector<Override>& overrides = {}) const {
    try {
      load(text, overrides);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
  const TemporaryFolder folder_;
};

TEST_F(ModelAdditions, AreAsIfTheFileHadThem) {
  const Scenario scenario = load(scenario_of(kAdditions) + "  initial: {assemble: true}\n");
  const Model& model = *scenario.setup.model;
  EXPECT_EQ(scenario.model_file, folder_.path("parts/arm.yaml"));
  ASSERT_EQ(model.frames().size(), 2u);
  ASSERT_EQ(model.loops().size(), 1u);
  LinkFrames frames(model);
  compute_link_frames(model, scenario.initial, frames);
  const Vector3 span =
      frame_position(frames, model.frame("grip")) - frame_position(frames, model.frame("bus"));
  EXPECT_NEAR(span.norm(), 2.0, 1e-9);
  const auto& fore = model.description().links.at(1).collisions;
  ASSERT_EQ(fore.size(), 2u);
  EXPECT_EQ(fore[0].name, "palm");
  EXPECT_EQ(fore[1].hull->corners().size(), 4u) << "the mesh lies beside the scenario";
  const auto& bus = model.description().base.collisions;
  ASSERT_EQ(bus.size(), 2u);
  EXPECT_EQ(bus[0].name, "bus_collision_0");
  EXPECT_EQ(bus[1].name, "bus_collision_1");
}

TEST_F(ModelAdditions, NeedNotBeAny) {
  const Scenario plain = load(scenario_of("    file: parts/arm.yaml\n"));
  EXPECT_EQ(plain.setup.model->frames().size(), 1u);
}

TEST_F(ModelAdditions, BelongToOneOfSeveralRobots) {
  const Scenario scenario = load(R"(spacedyn: 1
scenario:
  name: pair
  duration: 1
  robots:
    - {name: a, model: {file: parts/arm.yaml, frames: [{name: grip, link: fore, xyz: [1, 0.5, 0]}]}}
    - {name: b, model: parts/arm.yaml, initial: {base: {position: [5, 0, 0]}}}
)");
  EXPECT_TRUE(scenario.setup.model->find_frame("a.grip"));
  EXPECT_FALSE(scenario.setup.model->find_frame("b.grip"));
}

TEST_F(ModelAdditions, AndTheFileAreChangedByOverrides) {
  const std::string text = scenario_of(
      "    file: parts/arm.yaml\n    frames:\n      - {name: grip, link: fore, xyz: [1, 0.5, "
      "0]}\n");
  const Scenario changed =
      load(text, {{"model.base.mass", "70"}, {"model.frames.grip.xyz", "[0, 0, 2]"}});
  EXPECT_EQ(changed.setup.model->body(0).mass, 70.0);
  EXPECT_EQ(changed.setup.model->description().frames.at(1).origin.position, Vector3(0, 0, 2));
}

TEST_F(ModelAdditions, SurviveTheirFiles) {
  const Scenario scenario = load(scenario_of(kAdditions) + "  initial: {assemble: true}\n");
  const Scenario again = reload_scenario(scenario.sources, {});
  EXPECT_EQ(again.setup.model->loops().size(), 1u);
  EXPECT_EQ(again.initial.q, scenario.initial.q);
}

TEST_F(ModelAdditions, AreRefusedAtTheirPlaces) {
  struct Case {
    std::string before, after, message;
  };
  for (const Case& c : {
           Case{"link: bus,", "link: buss,",
                "s.yaml:14:16: error: scenario.model.collision.2.link: expected the name of the "
                "base or of a link of the file, got 'buss', did you mean 'bus'?"},
           Case{"    loops:", "    lops:",
                "s.yaml:9:5: error: scenario.model.lops: expected the key 'loops'"},
           Case{"link: fore, xyz", "link: hind, xyz", "s.yaml:8:28: error: "},
           Case{"name: grip, link", "name: hand, link", "s.yaml:8:16: error: "},
           Case{"radius: 0.5", "radius: -0.5", "s.yaml:14:44: error: "},
           Case{"{link: bus, shape", "{shape",
                "s.yaml:14:9: error: scenario.model.collision.2.link: expected the name of the "
                "base or of a link"},
           Case{"file: parts/arm.yaml", "file: parts/leg.yaml",
                "s.yaml:6:11: error: scenario.model.file: expected a model file that can be read"},
       }) {
    std::string text = scenario_of(kAdditions) + "  initial: {assemble: true}\n";
    const std::size_t at = text.find(c.before);
    ASSERT_NE(at, std::string::npos) << c.before;
    text.replace(at, c.before.size(), c.after);
    EXPECT_NE(errors_of(text).find(c.message), std::string::npos) << errors_of(text);
  }
}

}  // namespace
}  // namespace spacedyn::model_additions_test
