// What commands say of a robot in which a joint follows another: projections of what they say of
// its tree.
#include <cmath>
#include <fstream>

#include "cli/program.hpp"

namespace spacedyn::mimic_commands_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run_program;
using testing::Surroundings;

constexpr double kRatio = -0.4, kOffset = 0.1;

/// Three joints, of which the second may follow the third.
std::string robot(const std::string& mimic) {
  return R"(spacedyn: 1
model:
  name: pair
  base: {name: body, mass: 10, inertia: [5, 6, 7]}
  links:
    - {name: a, parent: body, joint: {type: revolute, axis: [0, 1, 0], stiffness: 2, origin: {xyz: [1, 0, 0]}}, mass: 2, center_of_mass: [0.3, 0.1, 0], inertia: [0.1, 0.2, 0.3]}
    - {name: b, parent: a, joint: {type: prismatic, axis: [1, 0, 0], stiffness: 30, damping: 3, origin: {xyz: [0.5, 0, 0]})" +
         mimic + R"(}, mass: 1, center_of_mass: [0.2, 0, 0.1], inertia: [0.1, 0.1, 0.2]}
    - {name: c, parent: body, joint: {type: revolute, axis: [0, 0, 1], stiffness: 4, origin: {xyz: [0, 1, 0]}}, mass: 3, center_of_mass: [0, 0.4, 0], inertia: [0.3, 0.2, 0.1]}
  frames:
    - {name: hand, link: b, xyz: [0.3, 0, 0]}
)";
}

class Mimic : public ::testing::Test {
 protected:
  Mimic() {
    write("pair.yaml", robot(", mimic: {joint: c, ratio: -0.4, offset: 0.1}"));
    write("tree.yaml", robot(""));
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  json answer(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Surroundings surroundings;
    surroundings.directory = folder_.path().string();
    surroundings.input = input;
    const Outcome outcome = run_program(arguments, surroundings);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
  Outcome fails(const std::vector<std::string>& arguments, const std::string& input = "") const {
    Surroundings surroundings;
    surroundings.directory = folder_.path().string();
    surroundings.input = input;
    return run_program(arguments, surroundings);
  }

  testing::TemporaryDirectory folder_;
};

/// Rows of a matrix or a vector without the joint that follows, `before` entries before the joints.
json without(const json& list, std::size_t before) {
  json rest = list;
  rest.erase(before + 1);
  return rest;
}

/// Gᵀ v: the entry of the joint that follows is added to that of the other.
json folded(const json& list, std::size_t before) {
  json sum = list;
  sum[before + 2] = sum[before + 2].get<double>() + kRatio * sum[before + 1].get<double>();
  return without(sum, before);
}

json columns_folded(const json& rows, std::size_t before) {
  json all = json::array();
  for (const json& row : rows) all.push_back(folded(row, before));
  return all;
}

json both_folded(const json& rows, std::size_t before) {
  const json columns = columns_folded(rows, before);
  json sum = columns;
  for (std::size_t j = 0; j < columns[0].size(); ++j) {
    sum[before + 2][j] =
        columns[before + 2][j].get<double>() + kRatio * columns[before + 1][j].get<double>();
  }
  return without(sum, before);
}

void expect_near(const json& a, const json& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i) expect_near(a[i], b[i], what);
  } else {
    EXPECT_NEAR(a.get<double>(), b.get<double>(), 1e-12 * (1.0 + std::abs(a.get<double>())))
        << what;
  }
}

TEST_F(Mimic, EvaluateProjectsWhatTheTreeSays) {
  const double q = 0.7, qd = -0.3, qdd = 0.9;
  const std::string rest = R"(, "v0": [0.1, 0.2, 0.3], "w0": [0.3, -0.1, 0.2], "vd0": [1, 2, 3],
    "wd0": [0.5, 0.1, -0.2], "gravity": [0, 0, -9.81], "rpy": [0.1, 0.2, 0.3]})";
  const json pair = answer({"evaluate", "pair.yaml", "-"},
                           R"({"q": [0.2, 0.7], "qd": {"a": 0.4, "c": -0.3}, "qdd": [0.5, 0.9],
                               "joint_order": ["a", "c"])" +
                               rest);
  const json list = {0.2, kRatio * q + kOffset, q};
  const json rates = {0.4, kRatio * qd, qd}, changes = {0.5, kRatio * qdd, qdd};
  const json tree = answer({"evaluate", "tree.yaml", "-"},
                           "{\"q\": " + list.dump() + ", \"qd\": " + rates.dump() +
                               ", \"qdd\": " + changes.dump() + rest);
  EXPECT_EQ(pair.at("joint_order"), json({"a", "c"}));
  for (const char* key : {"RR", "vv", "ww", "vd", "wd", "momentum", "parameters"}) {
    EXPECT_EQ(pair.at(key), tree.at(key)) << key;
  }
  expect_near(pair.at("H"), both_folded(tree.at("H"), 6), "H");
  expect_near(pair.at("H_star"), both_folded(tree.at("H_star"), 0), "H_star");
  for (const char* key : {"bias", "inverse_dynamics"}) {
    expect_near(pair.at(key), folded(tree.at(key), 6), key);
  }
  expect_near(pair.at("passive_torque"), folded(tree.at("passive_torque"), 0), "passive_torque");
  for (const char* key : {"J_m", "J_m_dot", "generalized_jacobian"}) {
    expect_near(pair.at("frames").at("hand").at(key),
                columns_folded(tree.at("frames").at("hand").at(key), 0), key);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    expect_near(pair.at("JJ_t")[i], columns_folded(tree.at("JJ_t")[i], 0), "JJ_t");
    expect_near(pair.at("JJ_r")[i], columns_folded(tree.at("JJ_r")[i], 0), "JJ_r");
  }
  // regressor · parameters = inverse_dynamics, of 6 + 2 rows
  ASSERT_EQ(pair.at("regressor").size(), 8U);
  for (std::size_t row = 0; row < 8; ++row) {
    double sum = 0.0;
    for (std::size_t k = 0; k < pair.at("parameters").size(); ++k) {
      sum += pair.at("regressor")[row][k].get<double>() * pair.at("parameters")[k].get<double>();
    }
    EXPECT_NEAR(sum, pair.at("inverse_dynamics")[row].get<double>(), 1e-12 * 100.0);
  }
  // H u̇ + bias = 0 of the pair itself, without loads
  const json& free = pair.at("forward_dynamics");
  std::vector<double> rate;
  for (const char* key : {"vd0", "wd0", "qdd"}) {
    for (const json& value : free.at(key)) rate.push_back(value.get<double>());
  }
  ASSERT_EQ(rate.size(), 8U);
  for (std::size_t row = 0; row < 8; ++row) {
    double sum = pair.at("bias")[row].get<double>();
    for (std::size_t k = 0; k < 8; ++k) sum += pair.at("H")[row][k].get<double>() * rate[k];
    EXPECT_NEAR(sum, 0.0, 1e-11) << row;
  }
  EXPECT_FALSE(pair.contains("constraint_jacobian"));
  // H Δu = Jᵀ p of impulses at the hand
  const json& hand = pair.at("frames").at("hand");
  ASSERT_EQ(hand.at("velocity_per_impulse").size(), 8U);
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t p = 0; p < 6; ++p) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 8; ++k) {
        sum += pair.at("H")[row][k].get<double>() *
               hand.at("velocity_per_impulse")[k][p].get<double>();
      }
      const json& J = row < 6 ? hand.at("J_b") : hand.at("J_m");
      EXPECT_NEAR(sum, J[p][row < 6 ? row : row - 6].get<double>(), 1e-12 * 10.0) << row;
    }
  }
  EXPECT_TRUE(hand.contains("impact"));
}

TEST_F(Mimic, EvaluateTakesNoValueOfTheJointThatFollows) {
  EXPECT_THAT(fails({"evaluate", "pair.yaml", "-"}, "{q: {b: 1}}").err, HasSubstr("'b'"));
  EXPECT_THAT(fails({"evaluate", "pair.yaml", "-"}, "{q: [1, 2, 3]}").err,
              HasSubstr("expected a list of 2 numbers"));
}

TEST_F(Mimic, CommandsListTheOtherJoints) {
  const json info = answer({"info", "--json", "pair.yaml"});
  EXPECT_EQ(info.at("degrees_of_freedom"), 8);
  EXPECT_EQ(info.at("links")[1].at("joint").at("mimic"),
            json({{"joint", "c"}, {"ratio", kRatio}, {"offset", kOffset}}));
  const json modes = answer({"modes", "--json", "--clamped", "pair.yaml"});
  EXPECT_EQ(modes.at("joint_order"), json({"a", "c"}));
  ASSERT_EQ(modes.at("modes").size(), 2U);
  for (const json& mode : modes.at("modes")) {
    EXPECT_EQ(mode.at("shape").size(), 8U);
    ASSERT_EQ(mode.at("strain_share").size(), 2U);
    EXPECT_NEAR(mode.at("strain_share")[0].get<double>() + mode.at("strain_share")[1].get<double>(),
                1.0, 1e-12);
  }
  const json linear = answer({"linearize", "--json", "pair.yaml"});
  EXPECT_EQ(linear.at("joint_order"), json({"a", "c"}));
  EXPECT_EQ(linear.at("points")[0].at("A").size(), 16U);
  EXPECT_EQ(linear.at("points")[0].at("B")[0].size(), 8U);
  EXPECT_EQ(linear.at("points")[0].at("H").size(), 8U);
  EXPECT_THAT(fails({"modes", "pair.yaml", "--lock", "b"}).err,
              HasSubstr("joint 'b' follows 'c'; lock that one"));
}

TEST_F(Mimic, ResultsListTheOtherJoints) {
  write("flight.yaml", R"(spacedyn: 1
scenario:
  name: flight
  model: pair.yaml
  duration: 1
  initial: {joints: {c: {position: 0.5, velocity: 0.2}}}
  output: {interval: 0.1, format: csv, channels: [state, joint_torque, element_forces, singular_values, joint_reactions, energy]}
)");
  const json result = answer({"simulate", "--json", "flight.yaml", "--no-report"});
  EXPECT_EQ(result.at("final_state").at("joint_order"), json({"a", "c"}));
  EXPECT_EQ(result.at("final_state").at("q").size(), 2U);
  EXPECT_FALSE(result.contains("constraints"));
  const std::string rows = testing::read_text(folder_ / "results/flight/flight.csv");
  EXPECT_THAT(rows, HasSubstr("joints_a_rad,joints_c_rad,"));
  EXPECT_THAT(rows, HasSubstr("joints_a_torque_N_m,joints_c_torque_N_m,"));
  EXPECT_THAT(rows, HasSubstr("joints_b_reaction_force_x_N"));
  EXPECT_THAT(rows, ::testing::Not(HasSubstr("joints_b_m,")));
  EXPECT_THAT(rows, ::testing::Not(HasSubstr("joints_b_force_N,")));
  const json still = answer(
      {"simulate", "--json", "flight.yaml", "--no-report", "--force", "--set", "duration=0.2"});
  EXPECT_LT(still.at("energy_residual").get<double>(), 1e-6);
}

}  // namespace
}  // namespace spacedyn::mimic_commands_test
