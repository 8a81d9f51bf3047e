// Batches of robots with joints of all types, some of which follow others, against single states.
#include <cmath>

#include <gtest/gtest.h>

#include "batch/batch_robots.hpp"
#include "spacedyn/batch/state_rows.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"
#include "support/allocation_guard.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::batch_joint_types_test {
namespace {

const Vector3 kGravity{0.3, -0.2, -9.81};
constexpr int kCount = 11;

/// A random tree with joints of every type, with springs and dampers; two joints follow others.
std::shared_ptr<const Model> robot(unsigned seed, bool fixed, bool followers) {
  constexpr JointType kTypes[] = {JointType::spherical,  JointType::universal, JointType::revolute,
                                  JointType::prismatic,  JointType::free,      JointType::revolute,
                                  JointType::planar,     JointType::spherical, JointType::screw,
                                  JointType::cylindrical};
  RandomModels random(seed);
  ModelDescription description = random.description({10, 3, 0.0, true});
  description.base.fixed = fixed;
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    LinkDescription& link = description.links[i];
    JointDescription joint;
    joint.name = "j" + std::to_string(i);
    joint.type = kTypes[i];
    joint.origin = link.joint.origin;
    joint.axis = random.vector(3);
    joint.second_axis = joint.axis.cross(Vector3(random.vector(3)));
    if (joint.type == JointType::screw) joint.pitch = 0.4;
    const auto size = static_cast<std::size_t>(joint_traits(joint.type).size);
    if (size > 1) joint.coordinates.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      JointDescription& coordinate = size > 1 ? joint.coordinates[k] : joint;
      coordinate.stiffness = random.number(0.5, 2.0);
      coordinate.damping = random.number(0.05, 0.2);
    }
    link.joint = joint;
  }
  if (followers) {
    description.links[5].joint.mimic = MimicDescription{"j2", -0.7, 0.3};
    description.links[8].joint.mimic = MimicDescription{"j3", 1.3, -0.1};
  }
  return std::make_shared<const Model>(ModelBuilder(description).build());
}

struct Flights {
  Flights(unsigned seed, bool fixed, bool followers)
      : random(seed + 100),
        model(robot(seed, fixed, followers)),
        states(*model, kCount),
        forces(model->velocity_size(), kCount) {
    for (int k = 0; k < kCount; ++k) {
      State state = random.state(*model);
      if (fixed) {
        state.v_0.setZero();
        state.omega_0.setZero();
      }
      follow(*model, state);
      states.set(k, state);
      VectorX force = random.vector(model->velocity_size(), 3.0);
      if (fixed) force.head<6>().setZero();
      forces.set(k, force);
    }
  }

  Loads loads(int k) const {
    Loads loads(*model);
    loads.gravity = kGravity;
    loads.F_b = forces.get(k).head<6>();
    loads.tau = forces.get(k).tail(model->joint_count());
    return loads;
  }

  RandomModels random;
  std::shared_ptr<const Model> model;
  BatchStates states;
  TiledVectors forces;
};

TEST(BatchJointTypes, HaveTheBitsOfSingleStates) {
  for (const bool fixed : {false, true}) {
    const Flights flights(fixed ? 4 : 3, fixed, false);
    BatchDynamics dynamics(flights.model, {1, kGravity});
    TiledVectors acceleration(flights.model->velocity_size(), kCount), forces = acceleration;
    dynamics.forward_dynamics(flights.states, flights.forces, acceleration);
    dynamics.inverse_dynamics(flights.states, acceleration, forces);
    for (int k = 0; k < kCount; ++k) {
      const State state = flights.states.get(k);
      EXPECT_EQ(acceleration.get(k), forward_dynamics(*flights.model, state, flights.loads(k)));
      // a recursion against a recursion
      const double size = flights.forces.get(k).norm();
      EXPECT_LE((forces.get(k) - flights.forces.get(k)).tail(flights.model->joint_count()).norm(),
                1e-10 * size)
          << k;
    }
  }
}

TEST(BatchJointTypes, FollowWhatTheyFollow) {
  for (const bool fixed : {false, true}) {
    const Flights flights(fixed ? 6 : 5, fixed, true);
    const Model& model = *flights.model;
    BatchDynamics dynamics(flights.model, {1, kGravity});
    TiledVectors acceleration(model.velocity_size(), kCount), forces = acceleration;
    dynamics.forward_dynamics(flights.states, flights.forces, acceleration);
    dynamics.inverse_dynamics(flights.states, acceleration, forces);
    for (int k = 0; k < kCount; ++k) {
      // the same joints as gears that close loops, by another algorithm
      const ConstrainedMotion motion =
          constrained_motion(model, flights.states.get(k), flights.loads(k));
      const VectorX found = acceleration.get(k);
      EXPECT_LE(relative_difference(found, motion.acceleration), 1e-11) << k;
      for (const Follower& each : model.followers()) {
        EXPECT_NEAR(found(5 + each.joint), each.ratio * found(5 + each.followed),
                    1e-15 * std::abs(found(5 + each.joint)));
        EXPECT_EQ(forces.get(k)(5 + each.joint), 0.0);
      }
      const VectorX needed = own_force(model, forces.get(k).tail(model.joint_count()));
      const VectorX given = own_force(model, flights.forces.get(k).tail(model.joint_count()));
      EXPECT_LE((needed - given).norm(), 1e-10 * given.norm()) << k;
    }
  }
}

TEST(BatchJointTypes, LetMasslessBodiesFollow) {
  // a slide of 2 kg that a pointer without mass follows: H of the tree is singular, that of the
  // slide is its mass
  ModelDescription description =
      ModelBuilder("pointer")
          .set_base(base_body(1.0, {1, 1, 1}))
          .add_link(link_body("slide", "base", 2.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}))
          .add_link(link_body("needle", "base", 0.0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}))
          .description();
  description.base.fixed = true;
  description.links[0].joint.type = JointType::prismatic;
  description.links[1].joint.mimic = MimicDescription{"slide", 3.0, 0.0};
  const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
  BatchStates states(*model, 1);
  TiledVectors forces(8, 1), acceleration(8, 1);
  forces(6, 0) = 4.0;
  forces(7, 0) = 2.0;
  BatchDynamics(model).forward_dynamics(states, forces, acceleration);
  EXPECT_DOUBLE_EQ(acceleration(6, 0), (4.0 + 3.0 * 2.0) / 2.0);
  EXPECT_DOUBLE_EQ(acceleration(7, 0), 15.0);
}

/// The largest difference of two states, of spherical joints by the turn between them.
double difference(const Model& model, const State& a, const State& b) {
  double worst = (a.r_0 - b.r_0).lpNorm<Eigen::Infinity>();
  worst = std::max(worst, (a.A_0 - b.A_0).cwiseAbs().maxCoeff());
  worst = std::max(worst, joint_difference(model, a.q, b.q).lpNorm<Eigen::Infinity>());
  return std::max(worst, relative_difference(a.velocity(), b.velocity()));
}

TEST(BatchJointTypes, TakeTheStepsOfTheSimulator) {
  for (const bool followers : {false, true}) {
    Flights flights(7, true, followers);
    const Model& model = *flights.model;
    const BatchStates start = flights.states;
    const TiledVectors none(model.velocity_size(), kCount);
    BatchDynamics dynamics(flights.model, {2, kGravity});
    // in two runs: the charts of ball joints, which turn by radians, stay where they are
    EXPECT_EQ(dynamics.integrate(flights.states, none, {0.0, 2e-3, 100, nullptr}), 0);
    EXPECT_EQ(dynamics.integrate(flights.states, none, {0.2, 2e-3, 150, nullptr}), 0);
    double turn = 0.0;
    for (int k = 0; k < kCount; k += 2) {
      SimulationSetup setup;
      setup.model = flights.model;
      setup.base_mode = BaseMode::fixed;
      setup.gravity = kGravity;
      setup.integrator = rk4(2e-3);
      const State expected = simulate(setup, start.get(k), 0.5).state;
      const State state = flights.states.get(k);
      // the same method in another order of operations
      EXPECT_LE(difference(model, state, expected), 1e-10) << k;
      const int ball = model.spherical_joints().front();
      turn = std::max(turn,
                      joint_difference(model, start.get(k).q, state.q).segment<3>(ball - 1).norm());
      for (const Follower& each : model.followers()) {
        EXPECT_EQ(state.q(each.joint - 1), each.ratio * state.q(each.followed - 1) + each.offset);
      }
    }
    EXPECT_GT(turn, 1.0);
  }
}

TEST(BatchJointTypes, ComeInRowsAndTurnFreely) {
  const Flights flights(8, false, true);
  const Model& model = *flights.model;
  const int size = state_row_size(model), width = model.velocity_size();
  RowMatrixX rows(kCount, size), input(kCount, width), rates = input;
  for (int k = 0; k < kCount; ++k) {
    rows.row(k) = state_row(flights.states.get(k)).transpose();
    input.row(k) = flights.forces.get(k).transpose();
  }
  BatchDynamics one(flights.model), three(flights.model, {3, Vector3::Zero()});
  one.forward_dynamics(rows, input, rates);
  TiledVectors acceleration(width, kCount);
  for (int k = 0; k < kCount; ++k) {
    BatchStates single(model, 1);
    single.set(0, state_from_row(model, rows.row(k).transpose()));
    TiledVectors force(width, 1), rate(width, 1);
    force.set(0, input.row(k).transpose());
    one.forward_dynamics(single, force, rate);
    // rows hold quaternions of A_0: rounding times the condition of H, some thousands
    EXPECT_LE(relative_difference(VectorX(rates.row(k).transpose()), rate.get(0)), 1e-12) << k;
  }
  RowMatrixX flown(kCount, 4 * size), threaded = flown, controls(kCount, 3 * width);
  controls << input, input, input;
  one.rollout(rows, controls, {1e-3, 3, 5}, flown);
  three.rollout(rows, controls, {1e-3, 3, 5}, threaded);
  EXPECT_EQ(flown, threaded);
  BatchStates states = flights.states;
  one.integrate(states, flights.forces, {0.0, 2e-4, 15, nullptr});
  for (int k = 0; k < kCount; ++k) {
    const State end = state_from_row(model, flown.row(k).tail(size).transpose());
    EXPECT_LE(difference(model, end, states.get(k)), 1e-13) << k;
  }
}

TEST(BatchJointTypes, DoNotAllocate) {
  Flights flights(9, false, true);
  BatchDynamics dynamics(flights.model);
  TiledVectors acceleration(flights.model->velocity_size(), kCount);
  if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has its own allocator";
  const long before = allocation_count();
  dynamics.forward_dynamics(flights.states, flights.forces, acceleration);
  dynamics.inverse_dynamics(flights.states, acceleration, acceleration);
  dynamics.integrate(flights.states, flights.forces, {0.0, 1e-3, 3, nullptr});
  EXPECT_EQ(allocation_count(), before);
}

TEST(BatchJointTypes, StatesOfOtherJointsAreRefused) {
  const auto ball = robot(3, false, false);
  ModelDescription description = RandomModels(1).description({1, 1, 0.0, true});
  description.links[0].joint.type = JointType::spherical;
  const auto one = std::make_shared<const Model>(ModelBuilder(description).build());
  const auto plain = RandomModels(1).model({3, 1, 0.0, true});
  BatchStates states(plain, 1);
  TiledVectors vectors(9, 1), result(9, 1);
  EXPECT_EQ(
      message_of<DimensionError>(
          [&] { BatchDynamics(one).forward_dynamics(states, vectors, result); }),
      "the states are of another model than '" + one->name() + "', with other spherical joints");
}

}  // namespace
}  // namespace spacedyn::testing::batch_joint_types_test
