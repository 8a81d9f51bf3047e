// Collision shapes and contacts of files: what is read, written again, paired, and recorded.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::contact_file_test {
namespace {

const std::string kModel = R"(
    name: pair
    base:
      name: world
      fixed: true
      collision: [{name: floor, shape: box, size: [4, 4, 1], origin: {xyz: [0, 0, -0.5]}}]
    links:
      - name: ball
        parent: world
        joint: {type: free}
        mass: 1
        inertia: [0.004, 0.004, 0.004]
        collision: [{shape: sphere, radius: 10 cm}]
      - name: bar
        parent: ball
        joint: {name: hinge, type: revolute, origin: {xyz: [0.2, 0, 0]}}
        mass: 0.1
        inertia: [0.001, 0.001, 0.001]
        collision:
          - {name: rod, shape: capsule, radius: 0.02, length: 0.3, origin: {xyz: [0.1, 0, 0], rpy: [0, 90 deg, 0]}}
          - {name: drum, shape: cylinder, radius: 0.03, length: 0.1, origin: {xyz: [0.3, 0, 0]}}
)";

Scenario scenario(const std::string& lines) {
  return parse_scenario(
      "spacedyn: 1\nscenario:\n  name: a\n  duration: 2\n  model:" + kModel +
          "  environment: {gravity: [0, 0, -9.81], terrain: {type: plane, height: "
          "-3}}\n" +
          lines,
      "scenario.yaml");
}

const ContactForce& contact_of(const Scenario& scenario, std::size_t number = 0) {
  return dynamic_cast<const ContactForce&>(*scenario.setup.forces.at(number));
}

TEST(ContactInAFile, ShapesAreReadAndWrittenAgain) {
  std::string text = "spacedyn: 1\nmodel:" + kModel;
  const auto model = parse_model(text, "model.yaml").model;
  const auto same = parse_model(write_model(*model), "again.yaml").model;
  const auto shapes = collision_shapes(*model), again = collision_shapes(*same);
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[1].name, "ball_collision_0");
  EXPECT_EQ(shapes[1].size.x(), 0.1);
  EXPECT_EQ(shapes[2].type, CollisionType::capsule);
  EXPECT_EQ(Vector3(shapes[3].size.x(), shapes[3].size.y(), 0), Vector3(0.03, 0.1, 0));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    EXPECT_EQ(shapes[i].name, again[i].name);
    EXPECT_EQ(shapes[i].type, again[i].type);
    EXPECT_EQ(shapes[i].size, again[i].size);
    EXPECT_EQ(shapes[i].frame.position, again[i].frame.position);
    EXPECT_EQ(shapes[i].frame.rotation, again[i].frame.rotation);
  }
}

TEST(ContactInAFile, KeysArriveAtTheElement) {
  const Scenario read = scenario(R"(
  initial: {joints: {ball_x: {position: 0}, ball_z: {position: 1}}}
  contacts:
    - name: all_laws
      between: [ball, terrain]
      normal: {law: hunt_crossley, stiffness: 2.0e5, restitution: 0.4, exponent: 1.25, least_impact_speed: 2 mm/s}
      friction: {coefficient: 0.3, static_coefficient: 0.5, law: bristle, stiffness: 1000 N/m, damping: 7, stribeck_velocity: 3 cm/s, rolling: 1 mm, spinning: 2 mm, slip_rate: 0.5}
    - {between: [bar, terrain], normal: {law: linear, stiffness: 300, damping: 4}}
)");
  const auto& first = contact_of(read).settings();
  EXPECT_EQ(contact_of(read).name(), "all_laws");
  EXPECT_EQ(first.pairs.size(), 1u);
  EXPECT_TRUE(first.pairs[0].on_ground);
  EXPECT_EQ(first.normal.stiffness, 2e5);
  EXPECT_EQ(first.normal.restitution, 0.4);
  EXPECT_EQ(first.normal.exponent, 1.25);
  EXPECT_EQ(first.normal.least_impact_speed, 2e-3);
  EXPECT_EQ(first.friction.law, FrictionLaw::bristle);
  EXPECT_EQ(first.friction.coefficient, 0.3);
  EXPECT_EQ(first.friction.static_coefficient, 0.5);
  EXPECT_EQ(first.friction.stiffness, 1000.0);
  EXPECT_EQ(first.friction.damping, 7.0);
  EXPECT_EQ(first.friction.stribeck_velocity, 0.03);
  EXPECT_EQ(first.friction.rolling, 1e-3);
  EXPECT_EQ(first.friction.spinning, 2e-3);
  EXPECT_EQ(first.friction.slip_rate, 0.5);
  const auto& second = contact_of(read, 1).settings();
  EXPECT_EQ(contact_of(read, 1).name(), "contact_1");
  EXPECT_EQ(second.pairs.size(), 2u);
  EXPECT_EQ(second.normal.law, NormalContactLaw::linear);
  EXPECT_EQ(second.normal.damping, 4.0);
  EXPECT_FALSE(second.friction.is_present());
}

TEST(ContactInAFile, AllPairsThoseThatCanTouch) {
  const std::string start = "\n  initial: {joints: {ball_z: {position: 1}}}\n";
  const auto pairs = [&](const std::string& between) {
    return contact_of(scenario(start + "  contacts: [{between: " + between +
                               ", normal: {law: linear, stiffness: 300}}]\n"))
        .settings()
        .pairs;
  };
  EXPECT_EQ(pairs("[all, terrain]").size(), 4u);
  const auto ball = pairs("[ball, all]");  // its bar is a neighbour
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_EQ(ball[0].b.name, "floor");
  EXPECT_EQ(pairs("[floor, ball]").size(), 1u);
}

TEST(ContactInAFile, ABallFallsOnABoxAndAnEventSeesIt) {
  const Scenario read = scenario(R"(
  initial: {joints: {ball_z: {position: 0.6}}}
  contacts:
    - {name: floor, between: [floor, ball], normal: {law: hunt_crossley, stiffness: 1.0e6, restitution: 0.6}}
  events:
    - {type: contact, name: hit, contact: floor}
    - {type: separation, name: away, contact: floor, actions: [{type: stop}]}
    - {type: contact, name: either, contact: floor, direction: both}
  output: {interval: 0.01, channels: [state, contacts]}
)");
  const SimulationResult end = simulate(read.setup, read.initial, read.duration);
  // the bar hangs beside, so it is not the ball alone that falls: 0.5 m
  EXPECT_EQ(end.stopped_by, "away");
  ASSERT_FALSE(end.events.empty());
  EXPECT_NEAR(end.events.front().time, std::sqrt(2.0 * 0.5 / 9.81), 1e-9);
  ASSERT_EQ(end.contacts.size(), 1u);
  EXPECT_EQ(end.contacts[0].name, "floor");
  EXPECT_EQ(end.contacts[0].count, 1);
  EXPECT_EQ(end.contacts[0].last, end.time);
  const RowLayout layout(read.setup, read.initial, read.channels);
  std::vector<std::string> names, datasets;
  for (const Column& column : layout.columns()) {
    if (column.name.rfind("contacts_", 0) != 0) continue;
    names.push_back(column.name);
    datasets.push_back(column.dataset);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"contacts_floor_depth_m", "contacts_floor_normal_force_N",
                                      "contacts_floor_friction_N", "contacts_floor_point_x_m",
                                      "contacts_floor_point_y_m", "contacts_floor_point_z_m",
                                      "contacts_floor_slip_velocity_m_s"}));
  EXPECT_EQ(datasets.front(), "/contacts/floor/depth");
  EXPECT_EQ(datasets[3], "/contacts/floor/point");
}

/// The least normal force of the outputs, N.
class LeastForce final : public SimulationObserver {
 public:
  explicit LeastForce(const Scenario& read)
      : layout_(read.setup, read.initial, {Channel::contacts}),
        row_(static_cast<Eigen::Index>(layout_.columns().size())) {
    while (layout_.columns()[at_].name != "contacts_ground_normal_force_N") ++at_;
  }
  void on_output(const SimulationPoint& point) override {
    layout_.fill(point, row_);
    least = std::min(least, row_(static_cast<Eigen::Index>(at_)));
  }
  double least = 0.0;

 private:
  RowLayout layout_;
  VectorX row_;
  std::size_t at_ = 0;
};

// corners let go one by one, and a loop that is closed at each instant moves them by roundings
TEST(ContactInAFile, CornersOfABoxDoNotPullWhereDampersLetThemGo) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 0; i < 20; ++i) {
    const auto number = [&] { return std::to_string(unit(random)); };
    const auto vector = [&] {
      const std::string x = number(), y = number(), z = number();
      return "[" + x + ", " + y + ", " + z + "]";
    };
    const std::string spin = vector(), twist = vector();
    Scenario read = parse_scenario(R"(
spacedyn: 1
scenario:
  name: a
  duration: 0.6
  model:
    name: craft
    base: {name: hull, mass: 1, inertia: [0.01, 0.012, 0.014], collision: [{name: box, shape: box, size: [0.3, 0.2, 0.15]}]}
    slosh: [{name: liquid, body: hull, position: [0.02, 0.03, 0.1], type: pendulum, mass: 0.5, length: 0.2, damping: 0.02}]
  environment: {gravity: [0, 0, -1.6], terrain: {type: plane}}
  contacts: [{name: ground, between: [box, terrain], normal: {law: linear, stiffness: 1.0e4, damping: 60}}]
  initial: {base: {position: [0, 0, 0.35], velocity: [0.1, 0, -1], angular_velocity: )" +
                                       spin + ", twist: " + twist + "}}\n",
                                   "scenario.yaml");
    read.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
    LeastForce seen(read);
    const SimulationResult end = Simulator(read.setup).run(read.initial, 0.6, 5e-4, seen);
    EXPECT_GT(end.contacts[0].impulse, 0.5) << i;
    EXPECT_GE(seen.least, -1e-5) << i;  // N, of some 100 N: the part that is let go late
  }
}

TEST(ContactInAFile, AStepThatIsTooLongIsToldWithOneThatIsNot) {
  const std::string lines = R"(
  initial: {joints: {ball_z: {position: 0.6}}}
  contacts: [{between: [floor, ball], normal: {law: linear, stiffness: 1.0e6}}]
  integrator: {method: rk4, step: )";
  ASSERT_EQ(scenario(lines + "0.01}\n").warnings.size(), 1u);
  const Diagnostic warning = scenario(lines + "0.01}\n").warnings[0];
  EXPECT_EQ(warning.path, "scenario.contacts.0.normal.stiffness");
  // 0.1 √(m/k) of some 1 kg
  EXPECT_EQ(warning.message,
            "expected a stiffness that steps of 0.01 s can follow, got one that needs steps of "
            "0.0001 s");
  EXPECT_TRUE(scenario(lines + "0.00005}\n").warnings.empty());
}

}  // namespace
}  // namespace spacedyn::testing::contact_file_test
