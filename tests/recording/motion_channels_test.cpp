// Channels of accelerations, links and reactions of joints: against differences of recorded
// motion, closed forms and the balance of each body.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recording/rows.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/allocation_guard.hpp"
#include "support/recorders.hpp"

namespace spacedyn::motion_channels_test {
namespace {

/// Rows of a flight, each column by its name.
class Rows final : public RowSink {
 public:
  Rows(const Scenario& scenario, std::vector<Channel> channels)
      : layout_(scenario.setup, scenario.initial, std::move(channels)) {
    Recorder recorder(layout_, *this);
    result = Simulator(scenario.setup)
                 .run(scenario.initial, scenario.duration, scenario.output_interval, recorder);
  }
  void write(ConstVectorRef row) override { rows_.emplace_back(row); }
  void flush() override {}

  std::size_t size() const { return rows_.size(); }
  const std::vector<Column>& columns() const { return layout_.columns(); }
  double at(std::size_t row, const std::string& name) const {
    for (std::size_t i = 0; i < columns().size(); ++i) {
      if (columns()[i].name == name) return rows_[row](static_cast<Eigen::Index>(i));
    }
    throw Error("no column " + name);
  }
  /// Columns that differ in the letter of an axis, which stands for `*`.
  Vector3 vector(std::size_t row, const std::string& name) const {
    Vector3 values;
    const std::size_t star = name.find('*');
    for (int i = 0; i < 3; ++i) {
      std::string column = name;
      column[star] = "xyz"[i];
      values(i) = at(row, column);
    }
    return values;
  }
  Matrix3 attitude(std::size_t row, const std::string& stem) const {
    const std::string start = stem + "_quaternion_";
    return matrix_from_quaternion(Quaternion(at(row, start + "w"), at(row, start + "x"),
                                             at(row, start + "y"), at(row, start + "z")));
  }

  SimulationResult result;

 private:
  RowLayout layout_;
  std::vector<VectorX> rows_;
};

constexpr const char* kArm = R"(
spacedyn: 1
scenario:
  name: arm
  model:
    name: arm
    base: {name: base, mass: 20, inertia: [2, 3, 4]}
    links:
      - {name: upper, parent: base, mass: 2, center_of_mass: [0.3, 0.02, 0], inertia: [0.02, 0.1, 0.1], joint: {name: shoulder, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0], rpy: [0.2, 0, 0.3]}}}
      - {name: lower, parent: upper, mass: 1.5, center_of_mass: [0.25, 0, 0.03], inertia: [0.01, 0.06, 0.05], joint: {name: elbow, type: spherical, origin: {xyz: [0.6, 0, 0]}}}
      - {name: rod, parent: lower, mass: 0.5, center_of_mass: [0, 0, 0.2], inertia: [0.01, 0.02, 0.01], joint: {name: slide, type: prismatic, axis: [1, 0, 0.5], stiffness: 30, damping: 1}}
    frames: [{name: hand, link: rod, xyz: [0.1, 0.2, 0.3], rpy: [0.3, 0.1, 0.2]}, {name: upper_centroid, link: upper, xyz: [0.3, 0.02, 0]}, {name: lower_centroid, link: lower, xyz: [0.25, 0, 0.03]}, {name: rod_centroid, link: rod, xyz: [0, 0, 0.2]}]
  environment: {gravity: [0, 0, -1]}
  initial: {base: {angular_velocity: [0.1, -0.2, 0.3]}, joints: {shoulder: {velocity: 0.5}, elbow: {angular_velocity: [0.2, -0.1, 0.4]}, slide: {position: 0.1}}}
  forces:
    - {type: wrench, name: push, at: base, force: [3, -2, 1]}
    - {type: wrench, name: tug, at: lower.com, force: [0, 2, 1], torque: [0.1, 0.2, 0]}
  duration: 1
  output: {interval: 0.002}
  integrator: {method: dop853, relative_tolerance: 1.0e-12, absolute_tolerance: 1.0e-12, max_step: 0.01}
)";

Scenario arm() { return parse_scenario(kArm, "arm.yaml"); }

/// The derivative at a row from four rows about it, each `h` apart; errs by h⁴ of the fifth one.
template <typename Value>
Vector3 derivative(const Value& value, std::size_t row, double h) {
  return (8.0 * (value(row + 1) - value(row - 1)) - (value(row + 2) - value(row - 2))) / (12.0 * h);
}

TEST(Accelerations, AreTheDerivativesOfTheRecordedVelocities) {
  const Rows rows(arm(), {Channel::state, Channel::frame_twists, Channel::accelerations});
  EXPECT_EQ(rows.columns().back().unit, "rad/s^2");
  for (const auto& [motion, changes] :
       {std::pair("base_velocity_*_m_s", "base_acceleration_*_m_s2"),
        std::pair("base_angular_velocity_*_rad_s", "base_angular_acceleration_*_rad_s2"),
        std::pair("frames_hand_velocity_*_m_s", "frames_hand_acceleration_*_m_s2"),
        std::pair("frames_hand_angular_velocity_*_rad_s",
                  "frames_hand_angular_acceleration_*_rad_s2")}) {
    for (std::size_t row = 2; row + 2 < rows.size(); row += 31) {
      const auto velocity = [&, name = motion](std::size_t at) { return rows.vector(at, name); };
      const Vector3 found = rows.vector(row, changes);
      // fifth derivatives are below 1e5, so the difference errs by 2e-11 × 1e5 / 30
      EXPECT_LT((derivative(velocity, row, 0.002) - found).norm(), 1e-6) << changes << row;
      EXPECT_GT(found.norm(), 0.01);
    }
  }
}

TEST(Links, AreWhereFramesOnThemAre) {
  const Rows rows(arm(), {Channel::frames, Channel::links});
  for (const std::string link : {"upper", "lower", "rod"}) {
    for (std::size_t row = 0; row < rows.size(); row += 100) {
      EXPECT_LT((rows.vector(row, "links_" + link + "_position_*_m") -
                 rows.vector(row, "frames_" + link + "_centroid_position_*_m"))
                    .norm(),
                1e-15);
      EXPECT_LT(
          (rows.attitude(row, "links_" + link) - rows.attitude(row, "frames_" + link + "_centroid"))
              .norm(),
          1e-15);
    }
  }
  EXPECT_EQ(rows.columns()[rows.columns().size() - 21].dataset, "/links/upper/position");
}

/// Force and moment of a joint in inertial axes, about the origin of its link.
Vector6 reaction(const Rows& rows, std::size_t row, const std::string& joint,
                 const std::string& link) {
  const Matrix3 A = rows.attitude(row, "links_" + link);
  Vector6 sum;
  sum << A * rows.vector(row, "joints_" + joint + "_reaction_force_*_N"),
      A * rows.vector(row, "joints_" + joint + "_reaction_moment_*_N_m");
  return sum;
}

TEST(JointReactions, BalanceEachLink) {
  // Newton's and Euler's laws of single bodies, from what other channels record
  const Scenario scenario = arm();
  const Rows rows(scenario, {Channel::links, Channel::accelerations, Channel::frame_twists,
                             Channel::joint_reactions});
  const Vector3 gravity(0, 0, -1);
  const auto centroid = [&](std::size_t row, const std::string& link) {
    return rows.vector(row, "links_" + link + "_position_*_m");
  };
  const auto needed = [&](std::size_t row, const std::string& link, double mass,
                          const Vector3& inertia) {
    const std::string frame = "frames_" + link + "_centroid";
    const Matrix3 A = rows.attitude(row, "links_" + link);
    const Matrix3 I = A * inertia.asDiagonal() * A.transpose();
    const Vector3 omega = rows.vector(row, frame + "_angular_velocity_*_rad_s");
    Vector6 wrench;
    wrench << mass * (rows.vector(row, frame + "_acceleration_*_m_s2") - gravity),
        I * rows.vector(row, frame + "_angular_acceleration_*_rad_s2") + omega.cross(I * omega);
    return wrench;
  };
  const auto moved = [](Vector6 wrench, const Vector3& arm) {
    const Vector3 force = wrench.head<3>();
    wrench.tail<3>() += arm.cross(force);
    return wrench;
  };
  const auto origin = [&](std::size_t row, const std::string& link, const Vector3& center) {
    return Vector3(centroid(row, link) - rows.attitude(row, "links_" + link) * center);
  };
  for (std::size_t row = 0; row < rows.size(); row += 50) {
    const Vector3 lower = centroid(row, "lower"), rod = centroid(row, "rod");
    const Vector6 slide =
        moved(reaction(rows, row, "slide", "rod"), origin(row, "rod", {0, 0, 0.2}) - rod);
    EXPECT_LT((slide - needed(row, "rod", 0.5, {0.01, 0.02, 0.01})).norm(), 1e-13);
    const Vector6 elbow =
        moved(reaction(rows, row, "elbow", "lower"), origin(row, "lower", {0.25, 0, 0.03}) - lower);
    Vector6 tug;
    tug << 0, 2, 1, 0.1, 0.2, 0;
    EXPECT_LT(
        (elbow + tug - moved(slide, rod - lower) - needed(row, "lower", 1.5, {0.01, 0.06, 0.05}))
            .norm(),
        1e-13);
    EXPECT_GT(elbow.norm(), 0.1);
    // a free spherical joint transmits no moment about its centre
    EXPECT_LT(reaction(rows, row, "elbow", "lower").tail<3>().norm(), 1e-13);
  }
  EXPECT_EQ(rows.columns().back().dataset, "/joints/reaction/slide");
  EXPECT_EQ(rows.columns().back().frame, "rod");
}

TEST(JointReactions, OfAPendulumAreItsClosedForm) {
  // m g cos θ + m l ω² along the rod; across it −m g sin θ (1 − m l²/I), I about the pivot
  const Rows rows(parse_scenario(R"(
spacedyn: 1
scenario:
  name: pendulum
  model:
    name: pendulum
    base: {name: base, fixed: true}
    links: [{name: rod, parent: base, mass: 2, center_of_mass: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01], joint: {name: pivot, type: revolute, axis: [0, 1, 0]}}]
  environment: {gravity: [0, 0, -9.81]}
  initial: {joints: {pivot: {position: 1}}}
  duration: 2
  output: {interval: 0.1}
  integrator: {method: dop853, relative_tolerance: 1.0e-12, absolute_tolerance: 1.0e-12}
)",
                                 "pendulum.yaml"),
                  {Channel::state, Channel::joint_reactions});
  const double m = 2, l = 0.5, g = 9.81, I = 0.2 + m * l * l;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double angle = rows.at(row, "joints_pivot_rad"),
                 rate = rows.at(row, "joints_pivot_rad_s");
    const Vector3 force = rows.vector(row, "joints_pivot_reaction_force_*_N");
    EXPECT_NEAR(force.z(), m * g * std::cos(angle) + m * l * rate * rate, 1e-12);
    EXPECT_NEAR(force.x(), -m * g * std::sin(angle) * (1 - m * l * l / I), 1e-12);
    EXPECT_LT(rows.vector(row, "joints_pivot_reaction_moment_*_N_m").norm(), 1e-12);
  }
}

TEST(JointReactions, AmongLoopsAreThoseOfTheSameTree) {
  // the lower link hangs on the upper one, by a joint or by a loop; what flows through the
  // shoulder is the same
  const auto fly = [](const std::string& lower, const std::string& loops) {
    return Rows(parse_scenario(R"(
spacedyn: 1
scenario:
  name: arm
  model:
    name: arm
    base: {name: base, mass: 20, inertia: [2, 3, 4]}
    links:
      - {name: upper, parent: base, mass: 2, center_of_mass: [0.3, 0.02, 0], inertia: [0.02, 0.1, 0.1], joint: {name: shoulder, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}}}
      - {name: lower, mass: 1.5, center_of_mass: [0.25, 0, 0.03], inertia: [0.01, 0.06, 0.05], )" +
                                   lower + R"(}
    frames: [{name: tip, link: upper, xyz: [0.6, 0, 0]}]
)" + loops + R"(
  initial: {base: {angular_velocity: [0.1, -0.2, 0.3]}, joints: {shoulder: {velocity: 0.5}})" +
                                   (loops.empty() ? "" : ", assemble: true") + R"(}
  forces: [{type: wrench, name: tug, at: lower.com, force: [0, 2, 1]}]
  duration: 1
  output: {interval: 0.1}
  integrator: {method: dop853, relative_tolerance: 1.0e-12, absolute_tolerance: 1.0e-12}
)",
                               "arm.yaml"),
                {Channel::joint_reactions});
  };
  const Rows tree =
      fly("parent: upper, joint: {name: elbow, type: revolute, axis: [0, 1, 0], origin: {xyz: "
          "[0.6, 0, 0]}}",
          "");
  const Rows looped =
      fly("parent: base, joint: {name: elbow, type: free, origin: {xyz: [1.1, 0, 0]}}",
          "    loops: [{name: pin, type: revolute, axis: [0, 1, 0], from: tip, to: lower}]\n");
  ASSERT_EQ(tree.size(), looped.size());
  for (std::size_t row = 0; row < tree.size(); ++row) {
    for (const std::string part : {"force_*_N", "moment_*_N_m"}) {
      const std::string shoulder = "joints_shoulder_reaction_" + part;
      // loops are kept closed to 1e-10
      EXPECT_LT((tree.vector(row, shoulder) - looped.vector(row, shoulder)).norm(), 1e-8) << row;
      EXPECT_GT(tree.vector(row, shoulder).norm(), 0.1);
      // nothing flows through the free joint
      EXPECT_LT(looped.vector(row, "joints_elbow_reaction_" + part).norm(), 1e-8) << row;
    }
  }
}

constexpr const char* kTwo = R"(
spacedyn: 1
scenario:
  name: two
  robots:
    - name: chaser
      model: {name: a, base: {name: bus, mass: 10, inertia: [1, 1, 1]}, links: [{name: arm, parent: bus, mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1], joint: {name: elbow, type: revolute, axis: [0, 0, 1]}}]}
      initial: {base: {angular_velocity: [0, 0, 0.1]}}
    - name: target
      model: {name: b, base: {name: bus, mass: 5, inertia: [1, 1, 1]}}
      initial: {base: {position: [5, 0, 0]}}
  environment: {gravity: [0, 0, -2]}
  duration: 1
)";

TEST(MotionChannels, OfSeveralRobotsAreNamedByThem) {
  const Rows rows(parse_scenario(kTwo, "two.yaml"),
                  {Channel::accelerations, Channel::links, Channel::joint_reactions});
  std::vector<std::string> names, datasets;
  for (const Column& column : rows.columns()) {
    names.push_back(column.name);
    datasets.push_back(column.dataset);
  }
  EXPECT_EQ(names[1], "robots_chaser_base_acceleration_x_m_s2");
  EXPECT_EQ(datasets[1], "/robots/chaser/base/acceleration");
  EXPECT_EQ(names[10], "robots_target_base_angular_acceleration_x_rad_s2");
  EXPECT_EQ(names[13], "links_chaser_arm_position_x_m");
  EXPECT_EQ(names[20], "joints_chaser_elbow_reaction_force_x_N");
  EXPECT_EQ(datasets[20], "/joints/reaction/chaser_elbow");
  EXPECT_EQ(names.size(), 26U);
  EXPECT_LT((rows.vector(0, "robots_target_base_acceleration_*_m_s2") - Vector3(0, 0, -2)).norm(),
            1e-15);
}

TEST(Accelerations, OfTimeSteppingAreChangesOverSteps) {
  const Scenario ball = parse_scenario(R"(
spacedyn: 1
scenario:
  name: ball
  model: {name: ball, base: {name: ball, mass: 2, inertia: [0.1, 0.1, 0.1], collision: [{name: skin, shape: sphere, radius: 0.5}]}}
  environment: {gravity: [0.3, 0, -9.81], terrain: {type: plane}}
  initial: {base: {position: [0, 0, 0.52]}}
  contacts: [{name: ground, between: [skin, terrain], normal: {law: rigid, restitution: 0}, friction: {coefficient: 0.2}}]
  duration: 0.2
  output: {interval: 0.001}
  integrator: {method: time_stepping, step: 0.001}
)",
                                       "ball.yaml");
  const Rows rows(ball, {Channel::state, Channel::accelerations});
  double largest = 0.0;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const Vector3 change =
        rows.vector(row, "base_velocity_*_m_s") - rows.vector(row - 1, "base_velocity_*_m_s");
    const Vector3 found = rows.vector(row, "base_acceleration_*_m_s2");
    // outputs are steps; differences of velocities of 1 m/s over 1 ms round at 1e-13
    EXPECT_LT((change / 0.001 - found).norm(), 1e-10) << row;
    largest = std::max(largest, found.norm());
  }
  EXPECT_GT(largest, 100.0);  // of the landing
}

TEST(MotionChannels, AllocateNothing) {
  const Scenario scenario = arm();
  class Filler final : public SimulationObserver {
   public:
    explicit Filler(const Scenario& of)
        : layout_(of.setup, of.initial,
                  {Channel::accelerations, Channel::links, Channel::joint_reactions}),
          row_(static_cast<Eigen::Index>(layout_.columns().size())) {}
    void on_output(const SimulationPoint& point) override {
      layout_.fill(point, row_);
      const long before = testing::allocation_count();
      layout_.fill(point, row_);
      allocations += testing::allocation_count() - before;
    }
    long allocations = 0;

   private:
    RowLayout layout_;
    VectorX row_;
  } filler(scenario);
  Simulator(scenario.setup).run(scenario.initial, 0.1, 0.01, filler);
  EXPECT_EQ(filler.allocations, 0);
}

}  // namespace
}  // namespace spacedyn::motion_channels_test
