// Regularity against the eigenvalues of the dense H, and on models singular by construction.
#include "spacedyn/inertia/regularity.hpp"

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::regularity_test {
namespace {

LinkDescription link(const std::string& name, const std::string& parent, double mass,
                     const Vector3& axis = Vector3::UnitZ()) {
  LinkDescription description;
  description.name = name;
  description.parent = parent;
  description.mass = mass;
  description.inertia = mass * Matrix3::Identity();
  description.joint.axis = axis;
  return description;
}

ModelDescription robot(std::vector<LinkDescription> links) {
  ModelDescription description;
  description.name = "robot";
  description.base.name = "base";
  description.base.mass = 10.0;
  description.base.inertia = Matrix3::Identity();
  description.links = std::move(links);
  return description;
}

std::optional<std::string> singularity(const ModelDescription& description, bool base_free = true) {
  const Model model = ModelBuilder(description).build();
  return find_singularity(model, State(model), base_free);
}

TEST(Regularity, AcceptsRandomTrees) {
  for (unsigned seed = 1; seed < 20; ++seed) {
    RandomModels random(seed);
    const Model model = random.model(TreeShape{});
    EXPECT_EQ(find_singularity(model, random.state(model), true), std::nullopt) << "seed " << seed;
  }
}

TEST(Regularity, AcceptsAMasslessLinkThatCarriesAMassiveOne) {
  EXPECT_EQ(singularity(robot({link("gimbal", "base", 0.0, Vector3::UnitX()),
                               link("antenna", "gimbal", 2.0, Vector3::UnitY())})),
            std::nullopt);
}

TEST(Regularity, NamesAMasslessTip) {
  EXPECT_EQ(singularity(robot({link("arm", "base", 2.0), link("tip", "arm", 0.0)})), "joint 'tip'");
}

TEST(Regularity, NamesParallelAxesOfAMasslessLinkThatCarriesARotor) {
  // the two joints turn the same body about the same line: only their sum has inertia
  EXPECT_EQ(singularity(robot({link("gimbal", "base", 0.0), link("rotor", "gimbal", 2.0)})),
            "joint 'gimbal'");
}

TEST(Regularity, AcceptsAPointMassPendulumButNotAPointMassOnItsAxis) {
  LinkDescription bob = link("bob", "base", 1.0);
  bob.inertia.setZero();
  EXPECT_EQ(singularity(robot({bob})), "joint 'bob'");
  bob.center_of_mass = Vector3(1.0, 0.0, 0.0);
  EXPECT_EQ(singularity(robot({bob})), std::nullopt);
}

TEST(Regularity, AMasslessBaseIsSingularOnlyWhereItMoves) {
  ModelDescription description = robot({link("arm", "base", 2.0)});
  description.base.mass = 0.0;
  description.base.inertia.setZero();
  EXPECT_EQ(singularity(description, true), "the base");
  EXPECT_EQ(singularity(description, false), std::nullopt);
}

TEST(Regularity, ServesTenThousandLinks) {
  std::vector<LinkDescription> links;
  for (int i = 0; i < 10000; ++i) {
    links.push_back(link("link_" + std::to_string(i),
                         i == 0 ? "base" : "link_" + std::to_string(i - 1), 1.0,
                         i % 2 == 0 ? Vector3::UnitX() : Vector3::UnitY()));
    links.back().joint.origin.position = Vector3(0.1, 0.0, 0.0);
  }
  EXPECT_EQ(singularity(robot(std::move(links))), std::nullopt);
}

}  // namespace
}  // namespace spacedyn::testing::regularity_test
