// Screw joints: closed forms, and the same mechanism as a cylindrical joint with a coupling.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "support/case_name.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::screw_test {
namespace {

constexpr double kGravity = 9.81, kMass = 1.7, kInertia = 0.02;  // m/s², kg, kg m² about the axis

LinkDescription nut(double pitch) {
  LinkDescription link =
      link_body("nut", "base", kMass, {0.05, 0.04, kInertia}, {0.3, -0.1, 0.2}, Vector3::Zero());
  link.joint.type = JointType::screw;
  link.joint.pitch = pitch;
  return link;
}

/// A nut on a vertical screw that is fixed.
std::shared_ptr<const Model> descending(const LinkDescription& link) {
  ModelDescription robot;
  robot.name = "descending";
  robot.base = base_body(10.0, {1.0, 1.0, 1.0});
  robot.base.fixed = true;
  robot.links = {link};
  return std::make_shared<const Model>(ModelBuilder(robot).build());
}

/// z = h q, h = p / 2π: (J + m h²) q̈ = −m g h.
double angular_acceleration(double pitch) {
  const double h = pitch / (2.0 * kPi);
  return -kMass * kGravity * h / (kInertia + kMass * h * h);
}

class DescendingScrew : public ::testing::TestWithParam<double> {};

TEST_P(DescendingScrew, FallsAsItsPitchSays) {
  const double pitch = GetParam(), h = pitch / (2.0 * kPi), time = 1.3;
  const auto model = descending(nut(pitch));
  SimulationSetup setup = tight_setup(model);
  setup.gravity = {0.0, 0.0, -kGravity};
  State start(*model);
  start.q(0) = 0.4;
  start.qd(0) = -0.7;
  const SimulationResult result = fly(setup, start, time);
  const double qdd = angular_acceleration(pitch);
  const double q = 0.4 - 0.7 * time + 0.5 * qdd * time * time;
  // rounding of a parabola, whatever the steps
  EXPECT_NEAR(result.state.q(0), q, 1e-12 * (1.0 + std::abs(q)));
  EXPECT_NEAR(result.state.qd(0), -0.7 + qdd * time, 1e-12 * (1.0 + std::abs(qdd)));
  LinkFrames frames(*model);
  compute_link_frames(*model, result.state, frames);
  EXPECT_NEAR(frames.r[1].z(), 0.2 + h * q, 1e-12 * (1.0 + std::abs(h * q)));
  EXPECT_NEAR(frames.A[1](1, 0), std::sin(q), 1e-12 * (1.0 + std::abs(q)));
}

TEST_P(DescendingScrew, RisesUnderTheTorqueOfItsWeight) {
  const double h = GetParam() / (2.0 * kPi);
  const auto model = descending(nut(GetParam()));
  Loads loads(*model);
  loads.gravity = {0.0, 0.0, -kGravity};
  loads.tau(0) = kMass * kGravity * h;
  EXPECT_NEAR(forward_dynamics(*model, State(*model), loads)(6), 0.0, 1e-13);
}

TEST_P(DescendingScrew, SwingsOnItsSpringWithItsRotor) {
  const double h = GetParam() / (2.0 * kPi), time = 0.9;
  LinkDescription link = nut(GetParam());
  link.joint.stiffness = 3.0;
  link.joint.rest_position = 0.25;
  link.joint.rotor_inertia = 1e-4;
  link.joint.gear_ratio = 7.0;
  const auto model = descending(link);
  State start(*model);
  start.q(0) = 1.1;
  const double omega = std::sqrt(3.0 / (kInertia + kMass * h * h + 49.0 * 1e-4));
  EXPECT_NEAR(fly(tight_setup(model), start, time).state.q(0), 0.25 + 0.85 * std::cos(omega * time),
              1e-10);
}

INSTANTIATE_TEST_SUITE_P(Pitches, DescendingScrew, ::testing::Values(0.01, 0.6, -0.6, -4.0),
                         NamedByValue());

/// Every screw of a robot as a slide along its axis and a turn about it that a coupling ties.
ModelDescription with_couplings(const ModelDescription& robot) {
  ModelDescription other = robot;
  other.links.clear();
  for (LinkDescription link : robot.links) {
    if (link.joint.type == JointType::screw) {
      LinkDescription slide;
      slide.name = link.name + "_slide";
      slide.parent = link.parent;
      slide.joint = link.joint;
      slide.joint.type = JointType::prismatic;
      slide.joint.pitch = 0.0;
      LoopDescription loop;
      loop.name = link.name + "_thread";
      loop.type = LoopType::gear;
      loop.joints = {link.name, slide.name};
      loop.ratio = link.joint.pitch / (2.0 * kPi);
      other.loops.push_back(loop);
      link.parent = slide.name;
      link.joint.type = JointType::revolute;
      link.joint.pitch = 0.0;
      link.joint.origin = Pose();
      other.links.push_back(slide);
    }
    other.links.push_back(link);
  }
  return other;
}

/// Numbers of joints of one robot in another one that has joints of the same names, and more.
void copy_joints(const Model& from, ConstVectorRef numbers, const Model& to, VectorRef target) {
  for (int i = 1; i <= from.joint_count(); ++i) {
    target(*to.find_joint(from.joint(i).name) - 1) = numbers(i - 1);
  }
  for (const Loop& loop : to.loops()) {
    // −r q_a + q_b = 0
    target(loop.joints[1] - 1) =
        -loop.coefficients(0) / loop.coefficients(1) * target(loop.joints[0] - 1);
  }
}

class ScrewAndCoupling : public ::testing::TestWithParam<unsigned> {
 protected:
  ScrewAndCoupling() {
    description_ = random_.description({8, 3, 0.2, true, 0.7});
    description_.base.fixed = GetParam() % 3 == 0;
    model_ = std::make_shared<const Model>(ModelBuilder(description_).build());
    other_ = std::make_shared<const Model>(ModelBuilder(with_couplings(description_)).build());
    start_ = random_.state(*model_);
    if (model_->has_fixed_base()) {
      start_.v_0.setZero();
      start_.omega_0.setZero();
    }
    loads_ = random_.loads(*model_);
  }

  State in_other(const State& state) const {
    State result(*other_);
    result.r_0 = state.r_0;
    result.A_0 = state.A_0;
    result.v_0 = state.v_0;
    result.omega_0 = state.omega_0;
    copy_joints(*model_, state.q, *other_, result.q);
    copy_joints(*model_, state.qd, *other_, result.qd);
    return result;
  }

  RandomModels random_{GetParam()};
  ModelDescription description_;
  std::shared_ptr<const Model> model_, other_;
  State start_;
  Loads loads_;
};

TEST_P(ScrewAndCoupling, HaveTheSameAccelerations) {
  ASSERT_GT(other_->joint_count(), model_->joint_count());
  Loads loads(*other_);
  loads.gravity = loads_.gravity;
  loads.F_b = loads_.F_b;
  for (int i = 1; i <= model_->joint_count(); ++i) {
    loads.tau(*other_->find_joint(model_->joint(i).name) - 1) = loads_.tau(i - 1);
  }
  for (int i = 0; i < model_->body_count(); ++i) {
    const int body = *other_->find_body(model_->body(i).name);
    loads.force.col(body) = loads_.force.col(i);
    loads.moment.col(body) = loads_.moment.col(i);
  }
  const VectorX acceleration = forward_dynamics(*model_, start_, loads_);
  VectorX expected(other_->velocity_size());
  expected.head<6>() = acceleration.head<6>();
  copy_joints(*model_, acceleration.tail(model_->joint_count()), *other_,
              expected.tail(other_->joint_count()));
  // two methods on inertias of condition 1e3
  EXPECT_LT(relative_difference(constrained_motion(*other_, in_other(start_), loads).acceleration,
                                expected),
            1e-11);
}

TEST_P(ScrewAndCoupling, FlyTheSameWay) {
  const SimulationResult screw = fly(tight_setup(model_), start_, 1.0);
  const SimulationResult coupled = fly(tight_setup(other_), in_other(start_), 1.0);
  // both to the tolerance of 1e-12 of their steps
  const State expected = in_other(screw.state);
  EXPECT_LT((coupled.state.q - expected.q).lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_LT((coupled.state.r_0 - expected.r_0).norm(), 1e-10);
  EXPECT_LT((coupled.state.A_0 - expected.A_0).norm(), 1e-10);
  EXPECT_LT(screw.audit.energy_residual(), 1e-11);
  if (!model_->has_fixed_base()) EXPECT_LT(screw.audit.momentum_drift(), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Robots, ScrewAndCoupling, ::testing::Range(1u, 7u), NamedByValue());

/// Bodies are where they were, whichever of them is the base.
TEST(Screw, IsTheSameScrewFromItsOtherEnd) {
  RandomModels random(5);
  const ModelDescription robot = random.description({5, 1, 0.2, true, 0.8});
  const Model model = ModelBuilder(robot).build();
  const Model turned = ModelBuilder(rerooted(robot, "link_5")).build();
  State state(model), other(turned);
  state.q = random.vector(model.joint_count(), 2.0);
  for (int i = 1; i <= model.joint_count(); ++i) {
    other.q(*turned.find_joint(model.joint(i).name) - 1) = state.q(i - 1);
  }
  LinkFrames frames(model), others(turned);
  compute_link_frames(model, state, frames);
  compute_link_frames(turned, other, others);
  const auto from_tip = [](const Model& which, const LinkFrames& its, const std::string& name) {
    const auto tip = static_cast<std::size_t>(*which.find_body("link_5"));
    const auto body = static_cast<std::size_t>(*which.find_body(name));
    const Matrix3 axes = frame_orientation(its, which.frame("link_5"));
    return Vector3(axes.transpose() * (its.r[body] - its.r[tip]));
  };
  for (const char* name : {"base", "link_1", "link_2", "link_3", "link_4"}) {
    EXPECT_LT((from_tip(model, frames, name) - from_tip(turned, others, name)).norm(), 1e-13)
        << name;
  }
}

TEST(Screw, LockedIsWhereItWas) {
  LinkDescription link = nut(0.6);
  link.joint.axis = {1.0, 2.0, -1.0};
  link.center_of_mass = {0.1, 0.2, 0.3};
  const auto model = descending(link);
  const ModelDescription locked = lock_joints(model->description(), {{"nut", 2.1}});
  State state(*model);
  state.q(0) = 2.1;
  LinkFrames frames(*model);
  compute_link_frames(*model, state, frames);
  const Model rigid = ModelBuilder(locked).build();
  LinkFrames at_rest(rigid);
  compute_link_frames(rigid, State(rigid), at_rest);
  const Vector3 base = frames.o[0], other = at_rest.o[0];
  EXPECT_LT((frame_position(frames, model->frame("nut.com")) - base -
             (frame_position(at_rest, rigid.frame("nut.com")) - other))
                .norm(),
            1e-14);
}

TEST(Screw, NeedsAPitchAndOthersHaveNone) {
  LinkDescription link = nut(0.0);
  EXPECT_NE(message_of<ModelError>([&] {
              descending(link);
            }).find("a finite length per turn other than 0"),
            std::string::npos);
  link.joint.pitch = std::nan("");
  EXPECT_THROW(descending(link), ModelError);
  link = nut(0.01);
  link.joint.type = JointType::revolute;
  EXPECT_NE(message_of<ModelError>([&] { descending(link); }).find("only a screw has a pitch"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::screw_test
