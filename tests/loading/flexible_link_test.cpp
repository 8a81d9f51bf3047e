// Flexible links of model files, and what is placed on them.
#include <gtest/gtest.h>

#include "loading/temporary_folder.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::flexible_link_test {
namespace {

using testing::TemporaryFolder;

const std::string kBoom = R"(spacedyn: 1
model:
  name: boom_part
  base: {name: hub, mass: 10, inertia: [1, 1, 1]}
  links:
    - name: camera
      parent: boom
      joint: {type: revolute, origin: {xyz: [1.6, 0, 0.1]}}
      mass: 1
      inertia: [0.1, 0.1, 0.1]
  flexible_links:
    - name: boom
      parent: hub
      origin: {xyz: [0.5, 0, 0]}
      length: 2 m
      density: 1.5
      bending_stiffness: {y: 100.0, z: .inf}
      damping_ratio: 0.02
      segments: 4
      hinges: segment_ends
      tip: {mass: 500 g, inertia: [0.01, 0.01, 0.01]}
      source: trust E
    - name: whip
      parent: boom
      origin: {xyz: [2, 0, 0]}
      length: 1
      mass: 0.1
      bending_stiffness: {z: 1.0}
      segments: 2
  frames:
    - {name: middle, link: boom, xyz: [1, 0, 0.05]}
)";

TEST(FlexibleLink, BecomesAChainThatCarriesOtherThings) {
  const LoadedModel loaded = parse_model(kBoom, "boom.yaml");
  const Model& model = *loaded.model;
  EXPECT_TRUE(loaded.warnings.empty());
  ASSERT_EQ(model.joint_count(), 7);
  EXPECT_DOUBLE_EQ(model.joint(*model.find_joint("boom_1_y")).stiffness, 2 * 100.0 / 0.5);
  EXPECT_DOUBLE_EQ(model.joint(*model.find_joint("boom_2_y")).stiffness, 100.0 / 0.5);
  EXPECT_NEAR(model.total_mass(), 10 + 1 + 3 + 0.5 + 0.1, 1e-14);
  // the camera at 1.6 m is on the fourth segment, which begins at 1.5 m
  const int camera = *model.find_joint("camera");
  EXPECT_EQ(model.body(model.topology().connection(camera)).name, "boom_4");
  EXPECT_EQ(model.frame("middle").body, *model.find_body("boom_2"));
  EXPECT_EQ(model.frame("whip").body, *model.find_body("boom_4"));
  EXPECT_EQ(model.frame("whip_tip").body, *model.find_body("whip_2"));
}

TEST(FlexibleLink, CarriesAlsoWhatAnIncludingFilePlacesOnIt) {
  const TemporaryFolder folder;
  folder.write("boom.yaml", kBoom);
  const std::string whole = folder.write("whole.yaml", R"(spacedyn: 1
model:
  name: whole
  base: {name: bus, mass: 100, inertia: [10, 10, 10]}
  links:
    - name: lamp
      parent: left_boom
      joint: {type: fixed, origin: {xyz: [0.7, 0, 0]}}
      mass: 1
      inertia: [0.1, 0.1, 0.1]
  include:
    - {file: boom.yaml, prefix: left_, parent: bus, origin: {xyz: [0, 1, 0]}}
    - {file: boom.yaml, prefix: right_, parent: left_boom, origin: {xyz: [1.2, 1, 0]}}
)");
  const auto model = load_model(whole).model;
  EXPECT_EQ(model->frame("lamp").body, *model->find_body("left_boom_2"));
  EXPECT_EQ(model->frame("right_hub").body, *model->find_body("left_boom_3"));
  EXPECT_EQ(model->joint_count(), 14);
}

TEST(FlexibleLink, IsWrittenAsItsChainBitForBit) {
  const auto model = parse_model(kBoom, "boom.yaml").model;
  const std::string text = write_model(*model);
  const auto again = parse_model(text, "again.yaml").model;
  ASSERT_EQ(again->joint_count(), model->joint_count());
  for (int i = 1; i <= model->joint_count(); ++i) {
    EXPECT_EQ(again->joint(i).name, model->joint(i).name);
    EXPECT_EQ(again->joint(i).stiffness, model->joint(i).stiffness);
    EXPECT_EQ(again->joint(i).damping, model->joint(i).damping);
    EXPECT_EQ(again->joint(i).origin, model->joint(i).origin);
    EXPECT_EQ(again->body(i).inertia_L, model->body(i).inertia_L);
  }
  EXPECT_EQ(write_model(*again), text);
}

}  // namespace
}  // namespace spacedyn::flexible_link_test
