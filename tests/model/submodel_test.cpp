#include "spacedyn/model/submodel.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::submodel_test {
namespace {

using ::testing::ElementsAre;

/// base – a – b – c, and d on a; a frame on each of base, a and c.
ModelDescription tree() {
  ModelDescription description;
  description.name = "tree";
  description.base.name = "base";
  description.base.mass = 10.0;
  description.base.inertia = Matrix3::Identity();
  description.base.fixed = true;
  const auto add = [&](const std::string& name, const std::string& parent) {
    LinkDescription link;
    link.name = name;
    link.parent = parent;
    link.mass = 1.0;
    link.inertia = Matrix3::Identity();
    link.notes.source = "of " + name;
    description.links.push_back(link);
  };
  add("c", "b");
  add("a", "base");
  add("b", "a");
  add("d", "a");
  for (const std::string owner : {"base", "a", "c"}) {
    description.frames.push_back({"eye_" + owner, owner, Pose{}, Notes{}});
  }
  return description;
}

std::vector<std::string> names(const ModelDescription& description) {
  std::vector<std::string> result{description.base.name};
  for (const LinkDescription& link : description.links) result.push_back(link.name);
  for (const FrameDescription& frame : description.frames) result.push_back(frame.name);
  return result;
}

TEST(Submodel, HoldsALinkAndAllThatItCarries) {
  const ModelDescription part = submodel(tree(), "a");
  EXPECT_THAT(names(part), ::testing::ElementsAreArray({"a", "c", "b", "d", "eye_a", "eye_c"}));
  EXPECT_EQ(part.name, "a");
  EXPECT_EQ(part.base.notes.source, "of a");
  EXPECT_FALSE(part.base.fixed);
  EXPECT_EQ(ModelBuilder(part).build().joint_count(), 3);
}

TEST(Submodel, OfATipIsOneBody) { EXPECT_THAT(names(submodel(tree(), "d")), ElementsAre("d")); }

TEST(Submodel, OfTheBaseIsTheWholeRobot) {
  const ModelDescription whole = submodel(tree(), "base");
  EXPECT_EQ(names(whole), names(tree()));
  EXPECT_TRUE(whole.base.fixed);
}

TEST(Submodel, RefusesAnUnknownLink) {
  try {
    submodel(tree(), "e");
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "no link is named 'e'");
  }
}

TEST(Detach, SharesOutTheBodiesAndFrames) {
  const DetachedDescriptions parts = detach(tree(), "b");
  EXPECT_THAT(names(parts.remaining),
              ::testing::ElementsAreArray({"base", "a", "d", "eye_base", "eye_a"}));
  EXPECT_THAT(names(parts.detached), ElementsAre("b", "c", "eye_c"));
  EXPECT_TRUE(parts.remaining.base.fixed);
}

TEST(Detach, TotalMassIsThatOfTheParts) {
  const DetachedDescriptions parts = detach(tree(), "b");
  EXPECT_DOUBLE_EQ(ModelBuilder(parts.remaining).build().total_mass() +
                       ModelBuilder(parts.detached).build().total_mass(),
                   ModelBuilder(tree()).build().total_mass());
}

TEST(Detach, RefusesTheBase) {
  try {
    detach(tree(), "base");
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "cannot detach 'base': it is the base; choose a link");
  }
}

TEST(Detach, RefusesAnUnknownLink) {
  try {
    detach(tree(), "hand");
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "no link is named 'hand'");
  }
}

}  // namespace
}  // namespace spacedyn::testing::submodel_test
