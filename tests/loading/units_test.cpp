// Units of numbers: each is its number in SI units, and must fit its key.
#include <gtest/gtest.h>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn::units_test {
namespace {

/// A robot with one joint, whose keys are given.
std::string robot(const std::string& joint) {
  return "spacedyn: 1\nmodel:\n  name: robot\n  base: {name: body, mass: 10, inertia: [5, 5, 5]}\n"
         "  links:\n    - {name: arm, parent: body, mass: 1, inertia: [1, 1, 1], joint: {" +
         joint + "}}\n";
}

Joint joint_of(const std::string& keys) {
  return parse_model(robot(keys), "robot.yaml").model->joint(1);
}

std::string scenario(const std::string& joint, const std::string& rest) {
  std::string model = robot(joint);
  model.erase(0, model.find("  name: robot"));
  std::string indented;
  for (std::size_t begin = 0; begin < model.size();) {
    const std::size_t end = model.find('\n', begin) + 1;
    indented += "  " + model.substr(begin, end - begin);
    begin = end;
  }
  return "spacedyn: 1\nscenario:\n  name: units\n  duration: 1min\n  model:\n" + indented + rest;
}

template <typename Function>
std::string error_of(const Function& function) {
  try {
    function();
  } catch (const ParseError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Units, OfASlideAreThoseOfAForceOnALength) {
  EXPECT_EQ(joint_of("type: prismatic, stiffness: 2.5 N/mm").stiffness, 2500.0);
  EXPECT_EQ(joint_of("type: prismatic, stiffness: 2.5 kN/m").stiffness, 2500.0);
  EXPECT_EQ(joint_of("type: prismatic, stiffness: 2.5 N/m").stiffness, 2.5);
  EXPECT_EQ(joint_of("type: prismatic, velocity_limit: 20 mm/s").velocity_limit, 0.02);
  EXPECT_EQ(joint_of("type: prismatic, velocity_limit: 3cm/s").velocity_limit, 0.03);
}

TEST(Units, AreReadAsTheProgramPrintsThem) {
  for (const char* torque : {"30 N*m", "30 N m", "30 N·m", "30 N⋅m", "30 Nm", "30Nm", "30 N * m"}) {
    EXPECT_EQ(joint_of("type: revolute, effort_limit: " + std::string(torque)).effort_limit, 30.0)
        << torque;
  }
  EXPECT_EQ(joint_of("type: revolute, stiffness: 3 N m/rad").stiffness, 3.0);
  EXPECT_EQ(joint_of("type: revolute, effort_limit: 30 mN m").effort_limit, 0.03);
  for (const char* inertia : {"2 kg m²", "2 kg·m^2", "2 kg*m^2"}) {
    const std::string text = robot("type: revolute, rotor_inertia: " + std::string(inertia));
    const LoadedModel loaded = parse_model(text, "robot.yaml");
    EXPECT_EQ(loaded.model->description().links[0].joint.rotor_inertia, 2.0) << inertia;
  }
  // a product of its own is not what another unit is called
  const std::string product = error_of([] {
    parse_scenario(scenario("type: revolute", "  output: {interval: 5 m s}\n"), "s.yaml");
  });
  EXPECT_NE(product.find("got '5 m s'"), std::string::npos) << product;
  EXPECT_NE(error_of([] { joint_of("type: revolute, rotor_inertia: 2 N m"); }), "accepted");
}

TEST(Units, NeedNoSpace) {
  const double degree = kPi / 180.0;
  EXPECT_EQ(joint_of("type: revolute, rest_position: 20deg").rest_position, 20.0 * degree);
  EXPECT_EQ(joint_of("type: revolute, rest_position: -2.5e1deg").rest_position, -25.0 * degree);
  EXPECT_EQ(joint_of("type: revolute, rest_position: .5rev").rest_position, kPi);
  EXPECT_EQ(joint_of("type: prismatic, rest_position: +1e-3km").rest_position, 1.0);
  EXPECT_EQ(joint_of("type: revolute, effort_limit: 3N*m").effort_limit, 3.0);
  EXPECT_EQ(joint_of("type: revolute, position_limits: [-20deg, 20  deg]").position_upper,
            20.0 * degree);
}

TEST(Units, OfAccelerations) {
  const auto gravity = [](const std::string& vector) {
    return parse_scenario(scenario("type: revolute", "  environment: {gravity: " + vector + "}\n"),
                          "s.yaml")
        .setup.gravity;
  };
  EXPECT_EQ(gravity("[9.81 m/s^2, 200 mm/s^2, 3cm/s²]"), Vector3(9.81, 0.2, 0.03));
  // v²/a and the distance: 90° at 10°/s, reached with 5°/s²
  const std::string pd =
      "  control:\n    - {type: joint_pd, joints: [arm], stiffness: 1, damping: 1,\n"
      "       reference: {type: trapezoid, to: 90deg, velocity: 10 deg/s, acceleration: 5 "
      "deg/s^2}}\n";
  const Scenario turn = parse_scenario(scenario("type: revolute", pd), "s.yaml");
  std::vector<double> times;
  turn.setup.controllers.at(0)->append_discontinuities(times);
  ASSERT_EQ(times.size(), 4U);
  EXPECT_NEAR(times[1], 2.0, 1e-12);
  EXPECT_NEAR(times[3], 11.0, 1e-12);
  EXPECT_EQ(turn.duration, 60.0);
}

// 0.2 sin(2 pi 0.5 (1/2 s)) = 0.2
TEST(Units, OfFrequenciesOfReferencesAreHertz) {
  const auto swing = [](const std::string& frequency) {
    return parse_scenario(
        scenario("type: revolute",
                 "  control:\n    - {type: joint_pd, joints: [arm], stiffness: 1, damping: 1,\n"
                 "       reference: {type: harmonic, amplitude: 0.2, frequency: " +
                     frequency + "}}\n"),
        "s.yaml");
  };
  for (const char* frequency : {"0.5", "0.5 Hz", "0.5Hz", "[0.5 Hz]"}) {
    const Scenario found = swing(frequency);
    const auto* pd = dynamic_cast<const JointPd*>(found.setup.controllers.at(0).get());
    ASSERT_NE(pd, nullptr);
    EXPECT_NEAR(pd->settings().reference->evaluate(0, 0.5).position, 0.2, 1e-15) << frequency;
  }
  EXPECT_NE(error_of([&] { swing("3 rad/s"); }).find("expected a positive number (Hz)"),
            std::string::npos);
}

TEST(Units, MustFitTheirKey) {
  const auto of_joint = [](const std::string& keys) {
    return error_of([&] { parse_model(robot(keys), "r"); });
  };
  EXPECT_EQ(of_joint("type: revolute, stiffness: 3 N/mm"),
            "r:6:97: error: model.links.0.joint.stiffness: expected a stiffness of at least 0 "
            "(N*m/rad, N*m/deg), got '3 N/mm'");
  EXPECT_EQ(of_joint("type: prismatic, stiffness: 3N*m/rad"),
            "r:6:98: error: model.links.0.joint.stiffness: expected a stiffness of at least 0 "
            "(N/m, N/mm, kN/m), got '3N*m/rad'");
  EXPECT_EQ(of_joint("type: prismatic, velocity_limit: 3 rad/s"),
            "r:6:103: error: model.links.0.joint.velocity_limit: expected a positive velocity "
            "(m/s, cm/s, mm/s, km/s), got '3 rad/s'");
  EXPECT_EQ(of_joint("type: revolute, rest_position: 20degree"),
            "r:6:101: error: model.links.0.joint.rest_position: expected an angle (rad, deg, "
            "rev), got '20degree'");
  EXPECT_EQ(error_of([] {
              parse_scenario(
                  scenario("type: revolute", "  environment: {gravity: [0, 0, 9.81 m/s]}\n"), "s");
            }),
            "s:10:33: error: scenario.environment.gravity.2: expected an acceleration (m/s^2, "
            "cm/s^2, mm/s^2), got '9.81 m/s'");
}

TEST(Units, AreNoLicenceForOctalNumbers) {
  for (const char* text : {"010deg", "0x10", "0x10 deg", "1_000 deg", "1:30"}) {
    EXPECT_NE(error_of([&] {
                parse_model(robot(std::string("type: revolute, rest_position: ") + text), "r");
              }).find("expected a decimal number"),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace spacedyn::units_test
