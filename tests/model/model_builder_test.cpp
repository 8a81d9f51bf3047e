#include "spacedyn/model/model_builder.hpp"

#include <algorithm>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::model_builder_test {
namespace {

using ::testing::ElementsAre;

LinkDescription link(const std::string& name, const std::string& parent) {
  LinkDescription description;
  description.name = name;
  description.parent = parent;
  description.mass = 1.0;
  description.inertia = Matrix3::Identity();
  return description;
}

ModelDescription with_links(std::vector<LinkDescription> links) {
  ModelDescription description;
  description.name = "robot";
  description.base.name = "base";
  description.base.mass = 10.0;
  description.base.inertia = Matrix3::Identity();
  description.links = std::move(links);
  return description;
}

std::vector<std::string> link_names(const Model& model) {
  std::vector<std::string> names;
  for (int i = 1; i <= model.joint_count(); ++i) names.push_back(model.body(i).name);
  return names;
}

TEST(ModelBuilder, KeepsAFileOrderThatIsAlreadyValid) {
  const Model model = ModelBuilder(with_links({link("a", "base"), link("b", "base"), link("c", "a"),
                                               link("d", "b"), link("e", "a")}))
                          .build();
  EXPECT_THAT(link_names(model), ::testing::ElementsAreArray({"a", "b", "c", "d", "e"}));
  EXPECT_THAT(model.topology().connection(), ::testing::ElementsAreArray({0, 0, 1, 2, 1}));
}

TEST(ModelBuilder, PutsParentsFirstWhateverTheirOrder) {
  const Model model =
      ModelBuilder(with_links({link("hand", "arm"), link("arm", "mast"), link("mast", "base")}))
          .build();
  EXPECT_THAT(link_names(model), ElementsAre("mast", "arm", "hand"));
  EXPECT_THAT(model.topology().connection(), ElementsAre(0, 1, 2));
}

TEST(ModelBuilder, AnyOrderOfLinksGivesTheSamePhysics) {
  RandomModels random(11);
  ModelDescription description = random.description(TreeShape{});
  const Model straight = ModelBuilder(description).build();
  std::reverse(description.links.begin(), description.links.end());
  const Model reversed = ModelBuilder(description).build();
  const State state = random.state(straight);
  State permuted = state;
  for (int i = 1; i <= straight.joint_count(); ++i) {
    const int j = *reversed.find_joint(straight.joint(i).name);
    permuted.q(j - 1) = state.q(i - 1);
    permuted.qd(j - 1) = state.qd(i - 1);
  }
  const auto energy = [](const Model& model, const State& s) {
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, s, frames);
    compute_link_velocities(model, s, frames, velocities);
    return kinetic_energy(model, frames, velocities);
  };
  const double expected = energy(straight, state);
  EXPECT_NEAR(energy(reversed, permuted), expected, 1e-13 * expected);
}

/// The same robot with every body split in two by a fixed joint, halves in odd places and axes.
ModelDescription split_bodies(const ModelDescription& whole, RandomModels& random) {
  ModelDescription split = whole;
  for (const LinkDescription& link : whole.links) {
    LinkDescription part;
    part.name = link.name + "_part";
    part.parent = link.name;
    part.joint.type = JointType::fixed;
    part.joint.origin.position = random.vector(3, 0.4);
    part.joint.origin.rotation = random.rotation();
    part.mass = random.number(0.1, 2.0);
    part.center_of_mass = random.vector(3, 0.3);
    part.inertia = 0.1 * Matrix3::Identity();
    split.links.push_back(part);
  }
  return split;
}

TEST(ModelBuilder, MergedFixedBodiesWeighAndTurnLikeTheirParts) {
  // oracle: the same parts on joints that do not move, so every part is a body of its own
  RandomModels random(12);
  const ModelDescription split =
      split_bodies(random.description(TreeShape{6, 3, 0.3, true}), random);
  ModelDescription jointed = split;
  for (LinkDescription& link : jointed.links) {
    if (link.joint.type == JointType::fixed) link.joint.type = JointType::revolute;
  }
  const Model merged = ModelBuilder(split).build();
  const Model whole = ModelBuilder(jointed).build();
  ASSERT_EQ(merged.joint_count(), 6);
  ASSERT_EQ(whole.joint_count(), 12);
  EXPECT_NEAR(merged.total_mass(), whole.total_mass(), 1e-13 * whole.total_mass());

  const State state = random.state(merged);
  State spread(whole);
  spread.r_0 = state.r_0;
  spread.A_0 = state.A_0;
  std::vector<int> rows{0, 1, 2, 3, 4, 5};
  for (int i = 1; i <= merged.joint_count(); ++i) {
    const int j = *whole.find_joint(merged.joint(i).name);
    spread.q(j - 1) = state.q(i - 1);
    rows.push_back(5 + j);
  }
  const MatrixX H = inertia_matrix(merged, state);
  const MatrixX H_whole = inertia_matrix(whole, spread);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows.size(); ++column) {
      EXPECT_NEAR(H(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)),
                  H_whole(rows[row], rows[column]), 1e-12 * H_whole.cwiseAbs().maxCoeff());
    }
  }
  LinkFrames frames(merged), frames_whole(whole);
  compute_link_frames(merged, state, frames);
  compute_link_frames(whole, spread, frames_whole);
  for (const std::string name : {"link_3_part", "link_3_part.com", "link_5", "hand"}) {
    EXPECT_LE(relative_difference(frame_position(frames, merged.frame(name)),
                                  frame_position(frames_whole, whole.frame(name))),
              1e-13)
        << name;
    EXPECT_LE(relative_difference(frame_orientation(frames, merged.frame(name)),
                                  frame_orientation(frames_whole, whole.frame(name))),
              1e-13)
        << name;
  }
}

TEST(ModelBuilder, NamesOfMergedBodiesFollowTheUsersFrames) {
  LinkDescription tool = link("tool", "arm");
  tool.joint.type = JointType::fixed;
  ModelDescription description = with_links({link("arm", "base"), tool});
  description.frames.push_back({"camera", "base", Pose{}, Notes{}});
  description.frames.push_back({"tip", "tool", Pose{}, Notes{}});
  const Model model = ModelBuilder(description).build();
  std::vector<std::string> names;
  for (const Frame& frame : model.frames()) names.push_back(frame.name);
  EXPECT_THAT(names, ElementsAre("camera", "tip", "tool"));
  EXPECT_EQ(model.frame("tip").body, 1);
}

TEST(ModelBuilder, AScrewedOnBaseMakesOneBody) {
  LinkDescription plate = link("plate", "base");
  plate.joint.type = JointType::fixed;
  plate.joint.origin.position = Vector3(1.0, 0.0, 0.0);
  const Model model = ModelBuilder(with_links({plate})).build();
  EXPECT_EQ(model.joint_count(), 0);
  EXPECT_DOUBLE_EQ(model.body(0).mass, 11.0);
  EXPECT_DOUBLE_EQ(model.body(0).center_of_mass.x(), 1.0 / 11.0);
  EXPECT_DOUBLE_EQ(model.body(0).inertia_L(2, 2), 2.0 + 10.0 / 11.0);
}

TEST(ModelBuilder, ARoundedRotationBecomesExactAndAnExactOneKeepsItsBits) {
  LinkDescription arm = link("arm", "base");
  arm.joint.origin.rotation = rotation_x(0.3) * rotation_y(0.4);
  const Model exact = ModelBuilder(with_links({arm})).build();
  EXPECT_EQ(exact.joint(1).rotation, arm.joint.origin.rotation);
  arm.joint.origin.rotation =
      (1e7 * arm.joint.origin.rotation).array().round().matrix() / 1e7;  // seven printed digits
  const Model rounded = ModelBuilder(with_links({arm})).build();
  EXPECT_LE(orthogonality_error(rounded.joint(1).rotation), 1e-15);
}

TEST(ModelBuilder, TenThousandLinksCostLinearMemory) {
  std::vector<LinkDescription> links;
  for (int i = 0; i < 10000; ++i) {
    links.push_back(link("l" + std::to_string(i), i == 0 ? "base" : "l" + std::to_string(i - 1)));
  }
  const Model model = ModelBuilder(with_links(std::move(links))).build();
  EXPECT_EQ(model.joint_count(), 10000);
  EXPECT_EQ(model.c(9999, 10000), Vector3(Vector3::Zero()));
  LinkFrames frames(model);
  compute_link_frames(model, State(model), frames);
  EXPECT_EQ(frames.r.size(), 10001u);
}

}  // namespace
}  // namespace spacedyn::testing::model_builder_test
