// Every rule of a model description: one way to break it, and the exact message.
#include <cmath>
#include <functional>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing::model_validation_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

LinkDescription link(const std::string& name, const std::string& parent) {
  LinkDescription description;
  description.name = name;
  description.parent = parent;
  description.mass = 1.0;
  description.inertia = Matrix3::Identity();
  return description;
}

ModelDescription valid() {
  ModelDescription description;
  description.name = "robot";
  description.base.name = "base";
  description.base.mass = 10.0;
  description.base.inertia = Matrix3::Identity();
  description.links = {link("arm", "base"), link("hand", "arm")};
  description.frames.push_back({"tip", "hand", Pose{}, Notes{}});
  return description;
}

std::vector<std::string> texts(const ModelDescription& description) {
  std::vector<std::string> result;
  for (const Problem& problem : ModelBuilder(description).validate()) {
    result.push_back((problem.severity == Severity::error ? "error: " : "warning: ") +
                     problem.path + ": " + problem.message);
  }
  return result;
}

struct Rule {
  const char* name;
  std::function<void(ModelDescription&)> breaks;
  const char* expected;
};

const double kNan = std::nan("");
const double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"EmptyName",
       [](auto& d) {
         d.links[0].name = "";
         d.links[1].parent = "base";
       },
       "error: links.0.name: expected a name without dots and control characters, got ''"},
      {"DottedName", [](auto& d) { d.frames[0].name = "tip.x"; },
       "error: frames.0.name: expected a name without dots and control characters, got 'tip.x'"},
      {"LinkNamedAsBase",
       [](auto& d) {
         d.links[1].name = "base";
         d.frames.clear();
       },
       "error: links.1.name: expected a name of its own, got 'base' like base.name"},
      {"FrameNamedAsLink", [](auto& d) { d.frames[0].name = "arm"; },
       "error: frames.0.name: expected a name of its own, got 'arm' like links.0.name"},
      {"TwoJointsOfOneName", [](auto& d) { d.links[0].joint.name = d.links[1].joint.name = "j"; },
       "error: links.1.joint.name: expected a name of its own, got 'j' like links.0.joint.name"},
      {"UnknownParent", [](auto& d) { d.links[1].parent = "amr"; },
       "error: links.1.parent: expected the name of a link, got 'amr', did you mean 'arm'?"},
      {"UnknownFrameLink", [](auto& d) { d.frames[0].link = "wrist_yaw"; },
       "error: frames.0.link: expected the name of a link, got 'wrist_yaw'"},
      {"NegativeMass", [](auto& d) { d.links[0].mass = -1.0; },
       "error: links.0.mass: expected a finite mass of at least 0 kg, got -1"},
      {"NanMass", [](auto& d) { d.base.mass = kNan; },
       "error: base.mass: expected a finite mass of at least 0 kg, got nan"},
      {"InfiniteCentroid", [](auto& d) { d.links[0].center_of_mass.x() = kInfinity; },
       "error: links.0.center_of_mass: expected finite numbers"},
      {"NanInertia", [](auto& d) { d.links[0].inertia(0, 1) = kNan; },
       "error: links.0.inertia: expected finite numbers"},
      {"AsymmetricInertia", [](auto& d) { d.links[0].inertia(0, 1) = 0.1; },
       "error: links.0.inertia: expected a symmetric tensor, got elements that differ by 0.1 kg "
       "m²"},
      {"IndefiniteInertia", [](auto& d) { d.links[0].inertia(2, 2) = -0.5; },
       "error: links.0.inertia: expected a positive semidefinite tensor, got the eigenvalue -0.5 "
       "kg m²"},
      {"IndefiniteInertiaAccepted",
       [](auto& d) {
         d.links[0].inertia(2, 2) = -0.5;
         d.links[0].unphysical_inertia = true;
       },
       "warning: links.0.inertia: expected a positive semidefinite tensor, got the eigenvalue -0.5 "
       "kg m²"},
      {"TriangleInequality", [](auto& d) { d.links[0].inertia(2, 2) = 3.0; },
       "warning: links.0.inertia: no rigid body has these principal moments: 1 + 1 < 3 kg m²"},
      {"ZeroAxis", [](auto& d) { d.links[0].joint.axis.setZero(); },
       "error: links.0.joint.axis: expected a finite vector other than zero"},
      {"InfiniteOrigin", [](auto& d) { d.links[0].joint.origin.position.z() = kInfinity; },
       "error: links.0.joint.origin.xyz: expected finite numbers"},
      {"OriginNoRotation", [](auto& d) { d.links[0].joint.origin.rotation(0, 0) = 1.1; },
       "error: links.0.joint.origin: expected a rotation: orthonormal to 1e-6 with determinant +1"},
      {"FrameReflection", [](auto& d) { d.frames[0].origin.rotation(0, 0) = -1.0; },
       "error: frames.0: expected a rotation: orthonormal to 1e-6 with determinant +1"},
      {"NegativeStiffness", [](auto& d) { d.links[0].joint.stiffness = -1.0; },
       "error: links.0.joint.stiffness: expected a finite number of at least 0"},
      {"NegativeDamping", [](auto& d) { d.links[0].joint.damping = -1.0; },
       "error: links.0.joint.damping: expected a finite number of at least 0"},
      {"NanRestPosition", [](auto& d) { d.links[0].joint.rest_position = kNan; },
       "error: links.0.joint.rest_position: expected a finite number"},
      {"RestOutsideLimits",
       [](auto& d) {
         d.links[0].joint.position_upper = -1.0;
         d.links[0].joint.stiffness = 1.0;
       },
       "warning: links.0.joint.rest_position: the spring is at rest outside the position limits"},
      {"LimitsReversed",
       [](auto& d) {
         d.links[0].joint.position_lower = 1.0;
         d.links[0].joint.position_upper = 0.5;
         d.links[0].joint.rest_position = 1.0;
         d.links[0].joint.rest_position = 0.75;
       },
       "error: links.0.joint.position_limits: expected [lower, upper] with lower ≤ upper"},
      {"ZeroVelocityLimit", [](auto& d) { d.links[0].joint.velocity_limit = 0.0; },
       "error: links.0.joint.velocity_limit: expected a positive number"},
      {"ZeroEffortLimit", [](auto& d) { d.links[0].joint.effort_limit = 0.0; },
       "error: links.0.joint.effort_limit: expected a positive number"},
      {"StiffFixedJoint",
       [](auto& d) {
         d.links[0].joint.type = JointType::fixed;
         d.links[0].joint.stiffness = 5.0;
       },
       "error: links.0.joint.stiffness: a fixed joint does not move, so this has no effect; remove "
       "it"},
  };
  return all;
}

class ModelRule : public ::testing::TestWithParam<Rule> {};

TEST_P(ModelRule, IsReportedWithItsPath) {
  ModelDescription description = valid();
  GetParam().breaks(description);
  EXPECT_THAT(texts(description), ::testing::Contains(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(Rules, ModelRule, ::testing::ValuesIn(rules()),
                         [](const auto& instance) { return instance.param.name; });

TEST(ModelValidation, AValidDescriptionHasNoProblem) { EXPECT_THAT(texts(valid()), IsEmpty()); }

TEST(ModelValidation, NamesEveryLinkOfACycleButNotThoseThatHangOnIt) {
  ModelDescription description = valid();
  description.links = {link("a", "c"), link("b", "a"), link("c", "b"),
                       link("d", "c"), link("e", "e"), link("f", "base")};
  description.frames.clear();
  EXPECT_THAT(
      texts(description),
      ::testing::ElementsAreArray(
          {"error: links.0.parent: expected parents that lead to the base, got link 'a' again",
           "error: links.1.parent: expected parents that lead to the base, got link 'b' again",
           "error: links.2.parent: expected parents that lead to the base, got link 'c' again",
           "error: links.4.parent: expected parents that lead to the base, got link 'e' again"}));
}

TEST(ModelValidation, ListsAllProblemsOfABrokenModelAtOnce) {
  ModelDescription description = valid();
  description.base.mass = -2.0;
  description.links[0].joint.axis.setZero();
  description.frames[0].link = "nowhere_near";
  try {
    ModelBuilder(description).build();
    FAIL() << "a broken model was built";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "base.mass: expected a finite mass of at least 0 kg, got -2\n"
                 "links.0.joint.axis: expected a finite vector other than zero\n"
                 "frames.0.link: expected the name of a link, got 'nowhere_near'");
  }
}

TEST(ModelValidation, WarningsDoNotPreventBuildingAndAreKept) {
  ModelDescription description = valid();
  description.links[0].inertia(2, 2) = 3.0;
  const Model model = ModelBuilder(description).build();
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_EQ(model.warnings()[0].path, "links.0.inertia");
}

}  // namespace
}  // namespace spacedyn::testing::model_validation_test
