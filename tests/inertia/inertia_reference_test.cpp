// H, momentum and energy against the numbers of the original toolbox, 1e-12 relative.
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::inertia_reference_test {
namespace {

constexpr double kTolerance = 1e-12;

class InertiaReference : public ::testing::TestWithParam<std::string> {
 protected:
  InertiaReference() : data_(reference(GetParam())), model_(reference_model(data_.at("model"))) {}

  const nlohmann::json& data_;
  Model model_;
};

TEST_P(InertiaReference, InertiaMatrixAgrees) {
  for (const nlohmann::json& entry : data_.at("states")) {
    const ReferenceInputs inputs = reference_inputs(model_, entry.at("inputs"));
    EXPECT_LE(relative_difference(inertia_matrix(model_, inputs.state), matrix_of(entry.at("HH"))),
              kTolerance);
  }
}

TEST_P(InertiaReference, MomentumAgrees) {
  for (const nlohmann::json& entry : data_.at("states")) {
    const ReferenceInputs inputs = reference_inputs(model_, entry.at("inputs"));
    const nlohmann::json& totals = entry.at("totals");
    LinkFrames frames(model_);
    LinkVelocities velocities(model_);
    compute_link_frames(model_, inputs.state, frames);
    compute_link_velocities(model_, inputs.state, frames, velocities);
    const Momentum actual = momentum(model_, frames, velocities);
    const auto agrees = [&](const Vector3& value, const char* key) {
      EXPECT_LE(relative_difference(value, vector_of(totals.at(key))), kTolerance) << key;
    };
    agrees(actual.linear, "P");
    agrees(actual.angular_base, "L_base");
    agrees(actual.angular_origin, "L_origin");
    agrees(actual.angular_centroid, "L_com");
    agrees(center_of_mass(model_, frames), "r_com");
    agrees(center_of_mass_velocity(model_, velocities), "v_com");
    const auto agrees_scalar = [&](double value, const char* key) {
      const double expected = totals.at(key).get<double>();
      EXPECT_NEAR(value, expected, kTolerance * std::max(1.0, std::abs(expected))) << key;
    };
    agrees_scalar(kinetic_energy(model_, frames, velocities), "kinetic_energy");
    agrees_scalar(gravity_potential(model_, frames, inputs.loads.gravity), "gravity_potential");
  }
}

TEST_P(InertiaReference, TotalMassAgrees) {
  EXPECT_DOUBLE_EQ(model_.total_mass(), data_.at("model").at("mass").get<double>());
}

INSTANTIATE_TEST_SUITE_P(AllModels, InertiaReference, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn::testing::inertia_reference_test
