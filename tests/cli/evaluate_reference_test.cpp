// The numbers of the original toolbox, reproduced through files and the command line.
#include <limits>

#include "cli/program.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::evaluate_reference_test {
namespace {

using nlohmann::json;
using testing::matrix_of;
using testing::Outcome;
using testing::relative_difference;
using testing::run_program;

// relative to max(1, largest element), as the reference data recommends
constexpr double kTolerance = 1e-12;
constexpr double kForceTolerance = 1e-11;

/// Inputs of the reference data as `evaluate` takes them.
json state_of(const json& model, const json& inputs) {
  json state{{"r0", inputs.at("R0")}};
  for (const char* key : {"A0", "v0", "w0", "q", "qd", "vd0", "wd0", "qdd", "F0", "T0", "tau"}) {
    state[key] = inputs.at(key);
  }
  state["gravity"] = inputs.at("Gravity");
  json wrenches = json::array();
  for (std::size_t i = 0; i < model.at("SE").size(); ++i) {
    if (model.at("SE").at(i) == 0) continue;
    wrenches.push_back({{"frame", "endpoint_" + std::to_string(i + 1)},
                        {"force", inputs.at("Fe").at(i)},
                        {"torque", inputs.at("Te").at(i)}});
  }
  state["wrenches"] = wrenches;
  return state;
}

/// Numbers in the order in which they stand, whatever the nesting.
void flatten(const json& value, std::vector<double>& numbers) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  if (!value.is_array()) return;
  for (const json& item : value) flatten(item, numbers);
}

void expect_equal(const json& actual, const json& expected, double tolerance,
                  const std::string& what) {
  std::vector<double> a;
  std::vector<double> e;
  flatten(actual, a);
  flatten(expected, e);
  ASSERT_EQ(a.size(), e.size()) << what;
  double scale = 1.0;
  for (const double number : e) scale = std::max(scale, std::abs(number));
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], e[i], tolerance * scale) << what << ", number " << i;
  }
}

void expect_links(const json& actual, const json& state) {
  for (const char* key : {"AA", "RR", "vv", "ww"}) {
    expect_equal(actual.at(key), state.at("links").at(key), kTolerance, key);
  }
  for (const char* key : {"vd", "wd"}) {
    expect_equal(actual.at(key), state.at("links").at(key), kForceTolerance, key);
  }
  for (const char* key : {"JJ_t", "JJ_r"}) {
    expect_equal(actual.at(key), state.at(key), kTolerance, key);
  }
}

/// (17): the acceleration of an endpoint from the printed Jacobians and their derivatives.
void expect_acceleration(const json& frame, const json& endpoint, const json& inputs) {
  const auto input = [&](const char* key) { return testing::vector_of(inputs.at(key)); };
  Vector6 base_twist;
  Vector6 base_acceleration;
  Vector6 expected;
  base_twist << input("v0"), input("w0");
  base_acceleration << input("vd0"), input("wd0");
  expected << testing::vector_of(endpoint.at("vd_e")), testing::vector_of(endpoint.at("wd_e"));
  const Vector6 actual =
      matrix_of(frame.at("J_m")) * input("qdd") + matrix_of(frame.at("J_m_dot")) * input("qd") +
      matrix_of(frame.at("J_b")) * base_acceleration + matrix_of(frame.at("J_b_dot")) * base_twist;
  EXPECT_LE(relative_difference(actual, expected), kForceTolerance);
}

void expect_endpoints(const json& actual, const json& state) {
  for (const json& endpoint : state.at("endpoints")) {
    const std::string name = "endpoint_" + std::to_string(endpoint.at("link").get<int>());
    const json& frame = actual.at("frames").at(name);
    expect_equal(frame.at("position"), endpoint.at("POS_e"), kTolerance, name);
    expect_equal(frame.at("orientation"), endpoint.at("ORI_e"), kTolerance, name);
    expect_equal(frame.at("velocity"), endpoint.at("v_e"), kTolerance, name);
    expect_equal(frame.at("angular_velocity"), endpoint.at("w_e"), kTolerance, name);
    expect_equal(frame.at("acceleration"), endpoint.at("vd_e"), kForceTolerance, name);
    expect_equal(frame.at("angular_acceleration"), endpoint.at("wd_e"), kForceTolerance, name);
    expect_equal(frame.at("J_m"), endpoint.at("JJ_e"), kTolerance, name);
    expect_equal(frame.at("J_b"), endpoint.at("J_base"), kTolerance, name);
    expect_equal(frame.at("generalized_jacobian"), endpoint.at("GJ"), kTolerance, name);
    expect_acceleration(frame, endpoint, state.at("inputs"));
    std::size_t i = 0;
    for (const json& joint : endpoint.at("joints")) {
      expect_equal(actual.at("joints").at(joint.get<std::size_t>() - 1),
                   endpoint.at("POS_j").at(i++), kTolerance, "joint of " + name);
    }
  }
}

/// H* from the golden H by elimination of the base.
MatrixX reduced(const MatrixX& H) {
  const Eigen::Index n = H.cols() - 6;
  return H.bottomRightCorner(n, n) -
         H.bottomLeftCorner(n, 6) *
             Matrix6(H.topLeftCorner<6, 6>()).ldlt().solve(H.topRightCorner(6, n));
}

void expect_dynamics(const json& actual, const json& state) {
  expect_equal(actual.at("H"), state.at("HH"), kTolerance, "H");
  EXPECT_LE(relative_difference(matrix_of(actual.at("H_star")), reduced(matrix_of(state.at("HH")))),
            kForceTolerance);
  const json& inverse = state.at("inverse_dynamics");
  expect_equal(actual.at("bias"), inverse.at("bias"), kForceTolerance, "bias");
  expect_equal(actual.at("inverse_dynamics"), inverse.at("endpoint_wrench_on_robot"),
               kForceTolerance, "inverse_dynamics");
  for (const char* key : {"vd0", "wd0", "qdd"}) {
    expect_equal(actual.at("forward_dynamics").at(key), state.at("forward_dynamics").at(key),
                 kForceTolerance, key);
  }
}

void expect_totals(const json& actual, const json& state, const json& model) {
  const json& totals = state.at("totals");
  const json& momentum = actual.at("momentum");
  expect_equal(momentum.at("linear"), totals.at("P"), kTolerance, "P");
  expect_equal(momentum.at("angular"), totals.at("L_base"), kTolerance, "L_base");
  expect_equal(momentum.at("angular_origin"), totals.at("L_origin"), kTolerance, "L_origin");
  expect_equal(actual.at("kinetic_energy"), totals.at("kinetic_energy"), kTolerance, "energy");
  expect_equal(actual.at("gravity_potential"), totals.at("gravity_potential"), kTolerance,
               "potential");
  expect_equal(actual.at("center_of_mass"), totals.at("r_com"), kTolerance, "r_com");
  expect_equal(actual.at("mass"), model.at("mass"), kTolerance, "mass");
}

void expect_topology(const json& actual, const json& model) {
  const std::size_t n = model.at("num_q").get<std::size_t>();
  EXPECT_EQ(actual.at("joint_order").size(), n);
  EXPECT_EQ(actual.at("B"), model.at("BB"));
  EXPECT_EQ(actual.at("S"), model.at("SS"));
  EXPECT_EQ(actual.at("S0"), model.at("S0"));
  // S_e of the paper marks links that carry no other; the reference's SE marks endpoints
  for (std::size_t i = 0; i < n; ++i) {
    int carried = 0;
    for (const json& lower : model.at("BB")) carried += lower == i + 1 ? 1 : 0;
    EXPECT_EQ(actual.at("Se").at(i), carried == 0 ? 1 : 0);
  }
}

class EvaluateReference : public ::testing::TestWithParam<std::string> {};

TEST_P(EvaluateReference, ReproducesEveryQuantity) {
  const json& reference = testing::reference(GetParam());
  const json& model = reference.at("model");
  const testing::TemporaryDirectory directory;
  testing::write_text(directory / "robot.yaml", write_model(testing::reference_model(model)));
  json states = json::array();
  for (const json& state : reference.at("states")) {
    states.push_back(state_of(model, state.at("inputs")));
  }
  testing::write_text(directory / "states.json", states.dump());

  const Outcome outcome =
      run_program({"evaluate", directory / "robot.yaml", directory / "states.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json answers = json::parse(outcome.out);
  ASSERT_EQ(answers.size(), reference.at("states").size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    SCOPED_TRACE("state " + std::to_string(i + 1));
    const json& state = reference.at("states").at(i);
    expect_topology(answers.at(i), model);
    expect_links(answers.at(i), state);
    expect_endpoints(answers.at(i), state);
    expect_dynamics(answers.at(i), state);
    expect_totals(answers.at(i), state, model);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EvaluateReference, ::testing::ValuesIn(testing::reference_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn::evaluate_reference_test
