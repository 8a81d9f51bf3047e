// Inverse and forward dynamics against the numbers of the original toolbox, 1e-11 relative.
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::dynamics_reference_test {
namespace {

constexpr double kTolerance = 1e-11;

class DynamicsReference : public ::testing::TestWithParam<std::string> {
 protected:
  DynamicsReference() : data_(reference(GetParam())), model_(reference_model(data_.at("model"))) {}

  template <typename Check>
  void for_each_state(Check check) {
    for (const nlohmann::json& entry : data_.at("states")) {
      check(entry, reference_inputs(model_, entry.at("inputs")));
    }
  }

  const nlohmann::json& data_;
  Model model_;
};

TEST_P(DynamicsReference, InverseAgrees) {
  for_each_state([&](const nlohmann::json& entry, const ReferenceInputs& inputs) {
    const nlohmann::json& expected = entry.at("inverse_dynamics");
    Loads gravity_only(model_);
    gravity_only.gravity = inputs.loads.gravity;
    EXPECT_LE(relative_difference(
                  inverse_dynamics(model_, inputs.state, inputs.acceleration, gravity_only),
                  vector_of(expected.at("no_endpoint_wrench"))),
              kTolerance);
    EXPECT_LE(relative_difference(
                  inverse_dynamics(model_, inputs.state, inputs.acceleration, inputs.wrenches),
                  vector_of(expected.at("endpoint_wrench_on_robot"))),
              kTolerance);
  });
}

TEST_P(DynamicsReference, BiasForcesAgree) {
  for_each_state([&](const nlohmann::json& entry, const ReferenceInputs& inputs) {
    const nlohmann::json& expected = entry.at("inverse_dynamics");
    EXPECT_LE(relative_difference(bias_forces(model_, inputs.state, inputs.loads.gravity),
                                  vector_of(expected.at("bias"))),
              kTolerance);
    EXPECT_LE(relative_difference(bias_forces(model_, inputs.state, Vector3::Zero()),
                                  vector_of(expected.at("bias_no_gravity"))),
              kTolerance);
  });
}

TEST_P(DynamicsReference, ForwardAgrees) {
  for_each_state([&](const nlohmann::json& entry, const ReferenceInputs& inputs) {
    const nlohmann::json& expected = entry.at("forward_dynamics");
    const VectorX actual = forward_dynamics(model_, inputs.state, inputs.loads);
    VectorX all(model_.velocity_size());
    all << vector_of(expected.at("vd0")), vector_of(expected.at("wd0")),
        vector_of(expected.at("qdd"));
    EXPECT_LE(relative_difference(actual, all), kTolerance);
  });
}

INSTANTIATE_TEST_SUITE_P(AllModels, DynamicsReference, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn::testing::dynamics_reference_test
