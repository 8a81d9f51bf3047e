// Rigid contacts of files: what is read, what events see, what channels record.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::rigid_contact_file_test {
namespace {

/// A ball of 0.1 m and 2 kg, 0.5 m above the ground.
Scenario scenario(const std::string& lines) {
  return parse_scenario(R"(
spacedyn: 1
scenario:
  name: drop
  duration: 2
  model:
    name: ball
    base:
      name: ball
      mass: 2
      inertia: [0.008, 0.008, 0.008]
      collision: [{shape: sphere, name: ball, radius: 0.1}]
  initial: {base: {position: [0, 0, 0.6]}}
  environment: {gravity: [0, 0, -9.81], terrain: {type: plane}}
)" + lines,
                        "scenario.yaml");
}

const RigidContact& contact_of(const Scenario& scenario) {
  return dynamic_cast<const RigidContact&>(*scenario.setup.forces.at(0));
}

TEST(RigidContactInAFile, LawsAreRead) {
  const RigidContact::Settings plain =
      contact_of(scenario("  contacts: [{between: [ball, terrain], normal: {law: rigid, "
                          "restitution: 0.25}}]\n"))
          .settings();
  EXPECT_EQ(plain.restitution, 0.25);
  EXPECT_EQ(plain.impact, ImpactLaw::newton);
  EXPECT_EQ(plain.friction, 0.0);
  const RigidContact::Settings full =
      contact_of(scenario("  contacts: [{between: [ball, terrain], normal: {law: rigid, "
                          "restitution: 1, impact: poisson}, friction: {law: rigid, coefficient: "
                          "0.3, static_coefficient: 0.4}}]\n"))
          .settings();
  EXPECT_EQ(full.impact, ImpactLaw::poisson);
  EXPECT_EQ(full.friction, 0.3);
  EXPECT_EQ(full.static_friction, 0.4);
  EXPECT_EQ(full.pairs.size(), 1u);
}

TEST(RigidContactInAFile, EventsSeeImpactsAndPartings) {
  const Scenario read = scenario(R"(
  contacts: [{name: ground, between: [ball, terrain], normal: {law: rigid, restitution: 0.5}}]
  events:
    - {type: contact, name: hit, contact: ground}
    - {type: separation, name: away, contact: ground}
)");
  const SimulationResult end = simulate(read.setup, read.initial, read.duration);
  std::vector<std::string> names;
  for (const EventRecord& event : end.events) names.push_back(event.name);
  ASSERT_GE(names.size(), 6u);
  EXPECT_EQ(std::vector<std::string>(names.begin(), names.begin() + 3),
            (std::vector<std::string>{"hit", "away", "ground touches"}));
  EXPECT_EQ(names.back(), "ground rests");
  EXPECT_NEAR(end.events.back().time, 3.0 * std::sqrt(1.0 / 9.81), 1e-8);
}

TEST(RigidContactInAFile, ARunMayStopAtTheFirstImpact) {
  const Scenario read = scenario(R"(
  contacts: [{name: ground, between: [ball, terrain], normal: {law: rigid, restitution: 0.5}}]
  events:
    - {type: contact, name: hit, contact: ground, actions: [{type: stop}]}
)");
  const SimulationResult end = simulate(read.setup, read.initial, read.duration);
  EXPECT_EQ(end.stopped_by, "hit");
  EXPECT_NEAR(end.time, std::sqrt(1.0 / 9.81), 1e-11);
}

/// Keeps the rows of the channel `contacts`.
class Rows final : public SimulationObserver {
 public:
  explicit Rows(RowLayout& layout) : layout_(layout) {}
  void on_output(const SimulationPoint& point) override {
    last.resize(static_cast<Eigen::Index>(layout_.columns().size()));
    layout_.fill(point, last);
  }
  VectorX last;

 private:
  RowLayout& layout_;
};

TEST(RigidContactInAFile, TheChannelHasItsForces) {
  const Scenario read = scenario(R"(
  contacts: [{name: ground, between: [ball, terrain], normal: {law: rigid, restitution: 0}}]
  output: {interval: 0.5, channels: [contacts]}
)");
  RowLayout layout(read.setup, read.initial, read.channels);
  Rows rows(layout);
  Simulator(read.setup).run(read.initial, 2.0, 0.5, rows);
  for (std::size_t i = 0; i < layout.columns().size(); ++i) {
    const double value = rows.last(static_cast<Eigen::Index>(i));
    if (layout.columns()[i].name == "contacts_ground_normal_force_N") {
      EXPECT_NEAR(value, 2.0 * 9.81, 1e-11);
    } else if (layout.columns()[i].name == "contacts_ground_depth_m") {
      EXPECT_NEAR(value, 0.0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace spacedyn::testing::rigid_contact_file_test
