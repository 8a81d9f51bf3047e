#include "spacedyn/inertia/reduced_inertia.hpp"

#include "spacedyn/error.hpp"
#include "support/reference_data.hpp"
#include "support/small_models.hpp"

namespace spacedyn {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kPi = 3.14159265358979323846;

InertiaBlocks blocks_of(const Model& model, const State& state) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  JacobianWorkspace workspace(model);
  InertiaBlocks blocks(model);
  compute_inertia_blocks(model, frames, workspace, blocks);
  return blocks;
}

TEST(ReducedInertia, IsThatOfTheClosedFormOfOneLink) {
  const Model model = testing::one_link();
  // h = A − (A + B cos q)² / (D + 2 B cos q), given to 12 decimals
  for (const auto& [q, h] :
       {std::pair{0.0, 4.055241682360}, std::pair{0.5 * kPi, 5.391619208325}}) {
    State state(model);
    state.q << q;
    EXPECT_NEAR(reduced_inertia(blocks_of(model, state))(0, 0), h, 1e-12);
  }
}

TEST(ReducedInertia, IsTheInverseOfTheJointBlockOfTheInverse) {
  for (const std::string& name : testing::reference_names()) {
    SCOPED_TRACE(name);
    const auto& reference = testing::reference(name);
    const Model model = testing::reference_model(reference.at("model"));
    const int n = model.joint_count();
    for (const auto& entry : reference.at("states")) {
      const State state = testing::reference_inputs(model, entry.at("inputs")).state;
      const MatrixX H_star = reduced_inertia(blocks_of(model, state));
      const MatrixX inverse = inertia_matrix(model, state).inverse().bottomRightCorner(n, n);
      // cond(H) ≤ 1e5 over these models, so 1e5 eps and some
      EXPECT_LE(testing::relative_difference(H_star * inverse, MatrixX::Identity(n, n)), 1e-10);
      EXPECT_EQ(H_star, H_star.transpose());
    }
  }
}

TEST(ReducedInertia, RefusesASystemWithoutInertia) {
  const Model model = testing::one_link();
  InertiaBlocks blocks = blocks_of(model, State(model));
  blocks.H_b.setZero();
  EXPECT_THAT([&] { reduced_inertia(blocks); },
              ThrowsMessage<NumericalError>(HasSubstr("H_b of the whole system")));
}

}  // namespace
}  // namespace spacedyn
