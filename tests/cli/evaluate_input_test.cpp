#include "cli/program.hpp"
#include "support/case_name.hpp"

namespace spacedyn::evaluate_input_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::StarterDirectory;
using ::testing::StartsWith;
using testing::Surroundings;

/// Answer to a state given on standard input.
json evaluate(const StarterDirectory& starter, const std::string& state) {
  Surroundings surroundings;
  surroundings.input = state;
  const Outcome outcome = starter.run({"evaluate", "bot/robot.yaml", "-"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return json::parse(outcome.out);
}

TEST(Evaluate, TakesWhatIsMissingForZero) {
  const StarterDirectory starter;
  const json answer = evaluate(starter, "{}");
  EXPECT_EQ(answer.at("AA").at(0), json({{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}));
  EXPECT_EQ(answer.at("frames").at("hand").at("position"), json({2.3, 0.0, 0.0}));
  EXPECT_EQ(answer, evaluate(starter,
                             R"({"r0":[0,0,0],"A0":[[1,0,0],[0,1,0],[0,0,1]],"v0":[0,0,0],
                                 "w0":[0,0,0],"q":[0,0],"qd":[0,0],"vd0":[0,0,0],"wd0":[0,0,0],
                                 "qdd":[0,0],"gravity":[0,0,0],"F0":[0,0,0],"T0":[0,0,0],
                                 "tau":[0,0],"wrenches":[]})"));
}

TEST(Evaluate, PrintsExactlyTheDocumentedKeys) {
  const json answer = evaluate(StarterDirectory(), "{}");
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.push_back(key);
  EXPECT_THAT(keys, ::testing::UnorderedElementsAre(
                        "joint_order", "B", "S", "S0", "Se", "AA", "RR", "joints", "vv", "ww", "vd",
                        "wd", "frames", "JJ_t", "JJ_r", "H", "bias", "H_star", "inverse_dynamics",
                        "parameters", "regressor", "forward_dynamics", "passive_torque", "momentum",
                        "kinetic_energy", "gravity_potential", "elastic_energy", "potential_energy",
                        "mass", "center_of_mass"));
  keys.clear();
  for (const auto& [key, value] : answer.at("frames").at("hand").items()) keys.push_back(key);
  EXPECT_THAT(
      keys, ::testing::UnorderedElementsAre(
                "position", "orientation", "velocity", "angular_velocity", "acceleration",
                "angular_acceleration", "J_m", "J_b", "J_m_dot", "J_b_dot", "generalized_jacobian",
                "inverse_inertia", "velocity_per_impulse", "effective_mass", "impact"));
}

TEST(Evaluate, MeasuresClustersOfGyros) {
  // three about y, z and x with momenta of 2 N m s along x, y and z: a cube's edges
  const StarterDirectory starter;
  std::string gyros;
  const char* const axes[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  for (int i = 0; i < 3; ++i) {
    gyros += std::string("    - {name: g") + std::to_string(i) +
             ", body: bus, spin_axis: " + axes[i] + ", gimbal_axis: " + axes[(i + 1) % 3] +
             ", gimbal_inertia: 0.1, spin_inertia: 0.2, rotor_speed: 10}\n";
  }
  testing::write_text(starter / "bot/robot.yaml",
                      "spacedyn: 1\nmodel:\n  name: craft\n"
                      "  base: {name: bus, mass: 1, inertia: [1, 1, 1]}\n"
                      "  control_moment_gyros:\n" +
                          gyros);
  const json answer =
      evaluate(starter, "{qd: {g0_rotor: 10, g1_rotor: 10, g2_rotor: 10}}").at("gyros");
  EXPECT_EQ(answer.at("gimbals"), json({"g0", "g1", "g2"}));
  const double torque[3][3] = {{0.0, -2.0, 0.0}, {0.0, 0.0, -2.0}, {-2.0, 0.0, 0.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(answer.at("momentum").at(i).get<double>(), 2.0, 1e-14);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(answer.at("torque").at(i).at(k).get<double>(), torque[i][k], 1e-14);
    }
  }
  EXPECT_NEAR(answer.at("singularity").get<double>(), 1.0, 1e-15);
  EXPECT_NEAR(answer.at("strengths").at(2).get<double>(), 2.0, 1e-14);
}

TEST(Evaluate, AnswersAListWithAList) {
  const StarterDirectory starter;
  const json single = evaluate(starter, "{q: [0.1, 0.2]}");
  EXPECT_EQ(evaluate(starter, "[{q: [0.1, 0.2]}]"), json::array({single}));
  EXPECT_EQ(evaluate(starter, "- q: [0.1, 0.2]\n- q: [0.1, 0.2]\n"), json::array({single, single}));
  EXPECT_EQ(evaluate(starter, "[]"), json::array());
}

TEST(Evaluate, OfManyStatesNeedsTheMemoryOfOne) {
#ifdef SPACEDYN_SANITIZED
  GTEST_SKIP() << "a sanitizer maps terabytes";
#endif
  std::string states;
  for (int i = 0; i < 2000; ++i)
    states += "- {q: [0, 0, 0, 0, 0, " + std::to_string(1e-3 * i) + "]}\n";
  Surroundings surroundings;
  surroundings.input = states;
  surroundings.memory_limit = 250'000'000;  // all answers together have more
  const Outcome outcome = run_program(
      {"evaluate", std::string(SPACEDYN_MODELS) + "/robots/ets7.yaml", "-"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> lines = testing::lines_of(outcome.out);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "  {"), 2000);
  EXPECT_EQ(lines.front(), "[");
  EXPECT_EQ(lines.back(), "]");
}

TEST(Evaluate, SaysThatMemoryIsMissing) {
#ifdef SPACEDYN_SANITIZED
  GTEST_SKIP() << "a sanitizer maps terabytes";
#endif
  Surroundings surroundings;
  for (int i = 0; i < 20000; ++i) surroundings.input += "- {q: [0, 0, 0, 0, 0, 1]}\n";
  surroundings.input += "- {q: none}\n";  // what has been read is refused at last
  constexpr long kStep = 16'000'000;
  int said = 0;
  for (surroundings.memory_limit = 4 * kStep; surroundings.memory_limit < 100 * kStep;
       surroundings.memory_limit += kStep) {
    const Outcome outcome = run_program(
        {"evaluate", std::string(SPACEDYN_MODELS) + "/robots/ets7.yaml", "-"}, surroundings);
    if (outcome.exit_code == 3) break;
    // with still less the program cannot even be loaded
    if (said == 0 && outcome.exit_code != 7) continue;
    ++said;
    EXPECT_EQ(outcome.exit_code, 7) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("there is not enough memory"));
  }
  EXPECT_GT(said, 0);
}

TEST(Evaluate, TakesJointsByName) {
  const StarterDirectory starter;
  EXPECT_EQ(evaluate(starter, "{q: {elbow: 0.2}, qd: {shoulder: 0.1}, tau: {elbow: 3}}"),
            evaluate(starter, "{q: [0, 0.2], qd: [0.1, 0], tau: [0, 3]}"));
}

TEST(Evaluate, TakesTheAttitudeInThreeForms) {
  const StarterDirectory starter;
  const json matrix = evaluate(starter, "{A0: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}");
  for (const char* state : {"{rpy: [0, 0, 90 deg]}", "{quaternion: [0.7071, 0, 0, 0.7071]}"}) {
    const json answer = evaluate(starter, state);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(answer.at("RR").at(1).at(i), matrix.at("RR").at(1).at(i).get<double>(), 1e-15);
    }
  }
}

TEST(Evaluate, PutsAWrenchOnAnyPoint) {
  const StarterDirectory starter;
  const json on_frame = evaluate(starter, "{wrenches: [{frame: hand, force: [0, 5, 0]}]}");
  // moved to the centroid of the link, 0.4 m away
  const json on_centroid = evaluate(
      starter, "{wrenches: [{frame: forearm.com, force: [0, 5, 0], torque: [0, 0, 2.0]}]}");
  const json on_base =
      evaluate(starter, "{wrenches: [{frame: satellite, force: [0, 5, 0], torque: [1, 0, 0]}]}");
  const json as_base_force = evaluate(starter, "{F0: [0, 5, 0], T0: [1, 0, 0]}");
  for (const char* key : {"vd0", "wd0", "qdd"}) {
    const auto numbers = [&](const json& answer) {
      return answer.at("forward_dynamics").at(key).get<std::vector<double>>();
    };
    EXPECT_THAT(numbers(on_frame),
                ::testing::Pointwise(::testing::DoubleNear(1e-14), numbers(on_centroid)));
    EXPECT_THAT(numbers(on_base),
                ::testing::Pointwise(::testing::DoubleNear(1e-14), numbers(as_base_force)));
  }
  // inverse dynamics knows of wrenches, not of forces that are what it computes
  EXPECT_EQ(as_base_force.at("inverse_dynamics").at(1), 0.0);
  EXPECT_EQ(on_base.at("inverse_dynamics").at(1), -5.0);
}

TEST(Evaluate, PrintsPassiveTorquesApart) {
  const StarterDirectory starter;
  starter.edit("bot/robot.yaml", "name: elbow\n",
               "name: elbow\n        stiffness: 10.0\n"
               "        damping: 2.0\n");
  const json answer = evaluate(starter, "{q: [0, 0.5], qd: [0, 0.25]}");
  EXPECT_EQ(answer.at("passive_torque"), json({0.0, -5.5}));
  EXPECT_EQ(answer.at("elastic_energy"), 1.25);
  EXPECT_EQ(answer.at("potential_energy"), 1.25);
  const json without = evaluate(StarterDirectory(), "{q: [0, 0.5], qd: [0, 0.25]}");
  EXPECT_EQ(answer.at("forward_dynamics"), without.at("forward_dynamics"));
}

TEST(Evaluate, KeepsAllShapesOnAFixedBase) {
  const StarterDirectory starter;
  starter.edit("bot/robot.yaml", "    mass: 200.0 ", "    fixed: true\n    mass: 200.0 ");
  const json answer = evaluate(starter, "{tau: [1, 0], F0: [9, 9, 9]}");
  EXPECT_EQ(answer.at("H").size(), 8U);
  EXPECT_EQ(answer.at("inverse_dynamics").size(), 8U);
  EXPECT_EQ(answer.at("forward_dynamics").at("vd0"), json({0.0, 0.0, 0.0}));
  EXPECT_EQ(answer.at("H_star").at(0).at(1), answer.at("H").at(6).at(7));
  const json& hand = answer.at("frames").at("hand");
  EXPECT_EQ(hand.at("generalized_jacobian"), hand.at("J_m"));
}

/// A starter whose elbow is geared to its shoulder.
struct Geared : StarterDirectory {
  Geared() {
    edit(
        "bot/robot.yaml", "  frames:",
        "  loops:\n    - {name: belt, type: gear, joints: [shoulder, elbow], ratio: 2}\n  frames:");
  }
};

TEST(Evaluate, TellsOfAClosedChain) {
  const Geared geared;
  const json answer = evaluate(
      geared, "{q: {shoulder: 0.4, elbow: 0.2}, qdd: [1, 1], actuated: [elbow], vd0: [0.1, 0, 0]}");
  const json& chain = answer.at("closed_chain");
  std::vector<std::string> keys;
  for (const auto& [key, value] : chain.items()) keys.push_back(key);
  EXPECT_THAT(keys, ::testing::UnorderedElementsAre("independent", "G", "g", "H_star",
                                                    "generalized_jacobian", "reaction_null_space",
                                                    "inverse_dynamics"));
  ASSERT_EQ(chain.at("independent").size(), 1U);
  const bool by_shoulder = chain.at("independent").at(0) == "shoulder";
  const std::vector<double> G{chain.at("G").at(0).at(0), chain.at("G").at(1).at(0)};
  // q_elbow = 2 q_shoulder
  EXPECT_NEAR(G[by_shoulder ? 1 : 0], by_shoulder ? 2.0 : 0.5, 1e-15);
  const json& H = answer.at("H_star");
  double expected = 0.0;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) expected += G[i] * H.at(i).at(j).get<double>() * G[j];
  }
  EXPECT_NEAR(chain.at("H_star").at(0).at(0), expected, 1e-13 * expected);
  const json& drive = chain.at("inverse_dynamics");
  EXPECT_EQ(drive.at("tau").at(0), 0.0);
  EXPECT_NE(drive.at("tau").at(1), 0.0);
  EXPECT_EQ(drive.at("multipliers").size(), 1U);
}

struct BadState {
  std::string text;
  std::string message;
};

class EvaluateBadState : public ::testing::TestWithParam<BadState> {};

TEST(EvaluateActuated, NamesWhatIsWrong) {
  const auto message = [](const StarterDirectory& starter, const std::string& actuated) {
    Surroundings surroundings;
    surroundings.input = "{actuated: " + actuated + "}";
    const Outcome outcome = starter.run({"evaluate", "bot/robot.yaml", "-"}, surroundings);
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.out, "");
    return testing::lines_of(outcome.err).front();
  };
  const Geared geared;
  EXPECT_EQ(message(geared, "[elbw]"),
            "<stdin>:1:13: error: actuated.0: expected the name of a joint, got 'elbw'");
  EXPECT_EQ(message(geared, "[elbow, elbow]"),
            "<stdin>:1:20: error: actuated.1: expected each joint once, got 'elbow' again");
  EXPECT_EQ(message(StarterDirectory(), "[elbow]").substr(0, 31),
            "<stdin>:1:12: error: actuated: ");
}

TEST_P(EvaluateBadState, EndsWithThree) {
  Surroundings surroundings;
  surroundings.input = GetParam().text;
  const Outcome outcome = StarterDirectory().run({"evaluate", "bot/robot.yaml", "-"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(testing::lines_of(outcome.err).front(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, EvaluateBadState,
    ::testing::Values(
        BadState{"{q: [1]}",
                 "<stdin>:1:5: error: q: expected a list of 2 numbers, one for each joint, or a "
                 "mapping by joint name, got a list of 1 value"},
        BadState{"{q: 1}",
                 "<stdin>:1:5: error: q: expected a list of 2 numbers, one for each joint, or a "
                 "mapping by joint name, got '1'"},
        BadState{"{q: {elbw: 1}}",
                 "<stdin>:1:6: error: q.elbw: expected the key 'elbow', got the unknown key "
                 "'elbw'"},
        BadState{"{tau: [1, x]}",
                 "<stdin>:1:11: error: tau.1: expected a torque (N*m, mN*m), got 'x'"},
        BadState{"{qdot: [0, 0]}",
                 "<stdin>:1:2: error: qdot: expected the key 'qd', got the unknown key 'qdot'"},
        BadState{"{r0: [1, 2]}",
                 "<stdin>:1:6: error: r0: expected a list of 3 numbers, got a list of 2 values"},
        BadState{"{A0: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}",
                 "<stdin>:1:6: error: A0: expected a matrix of determinant +1, got a reflection, "
                 "determinant -1"},
        BadState{"{A0: [[2, 0, 0], [0, 1, 0], [0, 0, 1]]}",
                 "<stdin>:1:6: error: A0: expected a matrix that is orthonormal to 1e-6, got a "
                 "deviation of 3"},
        BadState{"{rpy: [0, 0, 0], quaternion: [1, 0, 0, 0]}",
                 "<stdin>:1:30: error: quaternion: expected one of A0, rpy or quaternion, got "
                 "quaternion beside rpy"},
        BadState{"{wrenches: [{frame: hadn}]}",
                 "<stdin>:1:21: error: wrenches.0.frame: no frame, link or centroid is named "
                 "'hadn', did you mean 'hand'?"},
        BadState{"{wrenches: [{force: [1, 0, 0]}]}",
                 "<stdin>:1:13: error: wrenches.0.frame: expected the name of a frame or link, got "
                 "nothing: this key is required"},
        BadState{"{joint_order: [elbow, shoulder]}",
                 "<stdin>:1:16: error: joint_order.0: expected 'shoulder', the order of the model, "
                 "got 'elbow'"},
        BadState{"[{q: [0, 0]}, 3]", "<stdin>:1:15: error: 1: expected a mapping, got '3'"}),
    [](const auto& state) { return testing::numbered_name(state.index, state.param.text); });

TEST(Evaluate, NamesTheModelThatIsTooLarge) {
  const StarterDirectory starter;
  std::string links;
  for (int i = 0; i < 2001; ++i) {
    links += "    - {name: l" + std::to_string(i) +
             ", parent: base, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}\n";
  }
  testing::write_text(starter / "large.yaml",
                      "spacedyn: 1\nmodel:\n  name: large\n"
                      "  base: {name: base, mass: 1, inertia: [1, 1, 1]}\n  links:\n" +
                          links);
  Surroundings surroundings;
  surroundings.input = "{}";
  const Outcome outcome = starter.run({"evaluate", "large.yaml", "-"}, surroundings);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("large.yaml: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("2001 links"));
}

TEST(Evaluate, RefusesEmptyInput) {
  const Outcome outcome = StarterDirectory().run({"evaluate", "bot/robot.yaml", "-"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("<stdin>"));
}

}  // namespace
}  // namespace spacedyn::evaluate_input_test
