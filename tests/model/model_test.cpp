#include "spacedyn/model/model.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::model_test {
namespace {

class LinkVectorReference : public ::testing::TestWithParam<std::string> {};

// differences of numbers of order one
constexpr double kTolerance = 1e-15;

TEST_P(LinkVectorReference, HaveTheirValues) {
  const nlohmann::json& data = reference(GetParam()).at("model");
  const Model model = reference_model(data);
  const int n = model.joint_count();
  for (int i = 1; i <= n; ++i) {
    const auto row = static_cast<std::size_t>(i - 1);
    EXPECT_LE(relative_difference(model.c_0(i), vector_of(data.at("c0").at(row))), kTolerance);
    for (int j = 1; j <= n; ++j) {
      const auto column = static_cast<std::size_t>(j - 1);
      const Vector3 c_ij = vector3_of(data.at("cc").at(row).at(column));
      EXPECT_LE(relative_difference(model.c(i, j), c_ij), kTolerance);
      if (model.topology().connection(j) != i) continue;
      EXPECT_LE(relative_difference(model.l(i, j), model.c(i, j) - model.c(i, i)), kTolerance);
    }
    if (data.at("SE").at(row) == 0) continue;
    const Frame endpoint = model.frame("endpoint_" + std::to_string(i));
    EXPECT_LE(relative_difference(model.c_e(endpoint), vector_of(data.at("ce").at(row))),
              kTolerance);
    EXPECT_LE(relative_difference(model.l_e(endpoint), model.c_e(endpoint) - model.c(i, i)),
              kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(AllModels, LinkVectorReference, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

TEST(Model, FindsBodiesJointsAndPointsByName) {
  const Model model = reference_model(reference("tree12").at("model"));
  EXPECT_EQ(model.find_body("base"), 0);
  EXPECT_EQ(model.find_body("link_7"), 7);
  EXPECT_EQ(model.find_joint("link_12"), 12);
  EXPECT_EQ(model.find_body("nobody"), std::nullopt);
  EXPECT_EQ(model.find_joint("base"), std::nullopt);
  EXPECT_EQ(model.frame("link_7.com").position, model.body(7).center_of_mass);
  EXPECT_EQ(model.frame("link_7").position, Vector3(Vector3::Zero()));
  EXPECT_EQ(model.frame("endpoint_5").body, 5);
}

TEST(Model, SuggestsTheNearestPointForAMisspeltOne) {
  const Model model = reference_model(reference("tree12").at("model"));
  try {
    model.frame("endpont_5");
    FAIL() << "a misspelt frame was found";
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(),
                 "no frame, link or centroid is named 'endpont_5', did you mean "
                 "'endpoint_5'?");
  }
}

TEST(Model, UserFrameOfALinkIsIndependentOfItsAxis) {
  // A_user = A_parent A_origin R_a R_z(q) R_aᵀ: a rotation by q about the axis the user gave
  RandomModels random(3);
  for (int repetition = 0; repetition < 20; ++repetition) {
    ModelDescription description = random.description(TreeShape{1, 1, 0.0, true});
    const Model model = ModelBuilder(description).build();
    const State state = random.state(model);
    LinkFrames frames(model);
    compute_link_frames(model, state, frames);
    const JointDescription& joint = description.links[0].joint;
    const Matrix3 expected =
        state.A_0 * joint.origin.rotation * rotation_about(joint.axis, state.q(0));
    EXPECT_LE(relative_difference(frame_orientation(frames, model.frame("link_1")), expected),
              1e-14);
  }
}

}  // namespace
}  // namespace spacedyn::testing::model_test
