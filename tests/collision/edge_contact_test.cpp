// Wheels at steps and kerbs: both touches of a corner, edges, rates, statics, the pull over a kerb.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"
#include "spacedyn/terrain/profile_terrain.hpp"
#include "support/contact_models.hpp"
#include "support/contexts.hpp"
#include "support/dice.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::edge_contact_test {
namespace {

constexpr double kRadius = 0.25, kWidth = 0.3, kStep = 0.5;

/// A face at x = 0, as high as a wheel.
std::shared_ptr<const ProfileTerrain> step(double height = kStep) {
  return std::make_shared<ProfileTerrain>(std::vector<Eigen::Vector2d>{{0.0, 0.0}, {0.0, height}});
}

/// A wheel whose axle is y, then yawed and rolled.
ShapePose wheel(const Vector3& center, double yaw = 0.0, double roll = 0.0) {
  return {CollisionType::cylinder,
          {kRadius, kWidth, 0.0},
          center,
          exp_so3({0, 0, yaw}) * exp_so3({roll - kPi / 2, 0, 0})};
}

int count(const ShapePose& shape, const Terrain& ground) {
  return contact_point_count(shape) * ground.part_count();
}

TEST(EdgeContact, AWheelInACornerTouchesFloorAndFace) {
  const auto ground = step();
  const double down = 0.002, ahead = 0.003;
  const ShapePose shape = wheel({ahead - kRadius, 0.0, kRadius - down});
  int touching = 0;
  for (int k = 0; k < count(shape, *ground); ++k) {
    const ContactPoint at = contact_point(shape, *ground, k);
    if (!(at.depth > 0.0)) continue;
    ++touching;
    const bool at_face = k >= contact_point_count(shape);
    EXPECT_NEAR(at.depth, at_face ? ahead : down, 1e-15);
    EXPECT_NEAR((at.normal - (at_face ? Vector3(-1, 0, 0) : Vector3(0, 0, 1))).norm(), 0.0, 1e-15);
    const Vector3 foot =
        at_face ? Vector3(ahead, 0, kRadius - down) : Vector3(ahead - kRadius, 0, -down);
    EXPECT_NEAR((at.point - foot).cwiseAbs().y(), 0.5 * kWidth, 1e-15);  // on both rims
    EXPECT_NEAR(std::hypot(at.point.x() - foot.x(), at.point.z() - foot.z()), 0.0, 1e-15);
  }
  EXPECT_EQ(touching, 4);
}

TEST(EdgeContact, ForcesOfAWheelInACornerBalanceWeightAndPush) {
  const double down = 0.002, ahead = 0.003, stiffness = 1e5;
  const Model model = body_with(shape_of(CollisionType::cylinder, "wheel", {kRadius, kWidth, 0}),
                                10.0, {0.2, 0.2, 0.3});
  const ContactForce contact("ground", on_ground(model, linear_law(stiffness, 0.0), {}, step()));
  State state(model);
  const ShapePose pose = wheel({ahead - kRadius, 0.0, kRadius - down});
  state.r_0 = pose.position;
  state.A_0 = pose.rotation;
  state.z = VectorX::Zero(contact.auxiliary_size());
  const Snapshot snapshot(model, state);
  Loads loads(model);
  contact.apply(snapshot.at(0.0), loads);
  // each rim is a spring of its own
  EXPECT_NEAR(loads.force.col(0).x(), -2.0 * stiffness * ahead, 1e-9);
  EXPECT_NEAR(loads.force.col(0).z(), 2.0 * stiffness * down, 1e-9);
  EXPECT_NEAR(loads.force.col(0).y(), 0.0, 1e-9);
  EXPECT_NEAR(loads.moment.col(0).norm(), 0.0, 1e-9);
}

TEST(EdgeContact, DepthAtAnEdgeIsThatOfTheLeastMotionThatParts) {
  const auto ground = step();
  const Terrain& block = ground->part(1);
  const Vector3 edge(0.0, 0.0, kStep);
  Dice dice(1);
  for (int run = 0; run < 60; ++run) {
    const double yaw = dice.number(-0.6, 0.6), roll = dice.number(-0.3, 0.3);
    const double turn = dice.number(0.1, 1.4);
    const Vector3 away(-std::cos(turn), 0.0, std::sin(turn));
    const ShapePose shape = wheel(edge + (kRadius - dice.number(0.0, 0.01)) * away, yaw, roll);
    const Vector3 axis = shape.rotation.col(2);
    for (const int end : {0, 4}) {
      const Vector3 center = shape.position + (end == 0 ? -0.5 : 0.5) * kWidth * axis;
      // the widest gap between planes square to n that rim and block have on either side
      const auto gap = [&](double angle) {
        const Vector3 n(-std::cos(angle), 0.0, std::sin(angle));
        const double sine = std::sqrt(1.0 - std::pow(n.dot(axis), 2));
        return n.dot(center - edge) - kRadius * sine;
      };
      double left = 0.0, right = kPi / 2;
      for (int i = 0; i < 80; ++i) {
        const double a = left + 0.382 * (right - left), b = left + 0.618 * (right - left);
        (gap(a) > gap(b) ? right : left) = gap(a) > gap(b) ? b : a;
      }
      const ContactPoint at = contact_point(shape, block, end);
      // a search for a maximum finds its value to rounding, its place to the root of that
      EXPECT_NEAR(at.depth, -gap(0.5 * (left + right)), 1e-14);
      const Vector3 n(-std::cos(left), 0.0, std::sin(left));
      EXPECT_NEAR((at.normal - n).norm(), 0.0, 1e-6);
      // on the rim
      EXPECT_NEAR((at.point - center).norm(), kRadius, 1e-14);
      EXPECT_NEAR((at.point - center).dot(axis), 0.0, 1e-14);
    }
  }
}

TEST(EdgeContact, DepthsChangeWithTheVelocityAlongTheNormal) {
  const auto ground = step();
  Dice dice(2);
  for (int run = 0; run < 100; ++run) {
    const ShapePose shape = wheel({dice.number(-0.35, -0.12), 0.0, dice.number(0.3, 0.75)},
                                  dice.number(-0.5, 0.5), dice.number(-0.2, 0.2));
    const Vector3 shift = dice.vector(1e-5), turn = dice.vector(1e-5);
    const auto moved = [&](double part) {
      ShapePose now = shape;
      now.position += part * shift;
      now.rotation = exp_so3(part * turn) * shape.rotation;
      return now;
    };
    for (const int k : {0, 4, 8, 12}) {
      const ContactPoint at = contact_point(shape, *ground, k);
      const double change = contact_point(moved(1.0), *ground, k).depth -
                            contact_point(moved(-1.0), *ground, k).depth;
      const Vector3 velocity = shift + turn.cross(at.point - shape.position);
      // terms of third order of the motion: 1e-15 over the radius squared
      EXPECT_NEAR(0.5 * change, -at.normal.dot(velocity), 2e-13) << run << ' ' << k;
    }
  }
}

TEST(EdgeContact, PointsMoveSteadilyFromFaceToTop) {
  const auto ground = step();
  const double sink = 0.002;
  ContactPoint last;
  double turned = 0.0;
  constexpr int kSteps = 2000;
  for (int i = 0; i <= kSteps; ++i) {
    // up the face, around the edge, on the top; the wheel is sink deep all the time
    const double s = 1.6 * i / kSteps, arc = (kRadius - sink) * kPi / 2;
    const double angle = std::min(std::max(0.0, s - 0.25), arc) / (kRadius - sink);
    const double up = std::min(0.0, s - 0.25), on = std::max(0.0, s - 0.25 - arc);
    const Vector3 center(on - (kRadius - sink) * std::cos(angle), 0.0,
                         kStep + up + (kRadius - sink) * std::sin(angle));
    const ContactPoint at = contact_point(wheel(center), *ground, 8);
    EXPECT_NEAR(at.depth, sink, 1e-15);
    if (i > 0) {
      EXPECT_LT((at.point - last.point).norm(), 1.5 * 1.6 / kSteps);
      turned += std::acos(std::min(1.0, at.normal.dot(last.normal)));
      EXPECT_LT((at.normal - last.normal).norm(), 1.01 * 1.6 / kSteps / (kRadius - sink));
    }
    last = at;
  }
  EXPECT_NEAR(turned, kPi / 2, 1e-3);  // arcs added up
}

TEST(EdgeContact, ARidgeOfAMeshIsTheEdgeOfAProfile) {
  // a block of triangles whose front face is x = 0 and whose top is at 0.5 m
  const double low = -4.0, far = 6.0, half = 5.0;
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    mesh.points.emplace_back((k & 1) != 0 ? far : 0.0, (k & 2) != 0 ? half : -half,
                             (k & 4) != 0 ? kStep : low);
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const MeshTerrain block(mesh, Vector3::Zero());
  const auto ground = step();
  Dice dice(3);
  for (int run = 0; run < 100; ++run) {
    const ShapePose shape = wheel({dice.number(-0.26, 0.4), 0.0, dice.number(0.3, 0.76)},
                                  dice.number(-0.4, 0.4), dice.number(-0.2, 0.2));
    for (const int k : {0, 4}) {
      const ContactPoint a = contact_point(shape, block, k);
      const ContactPoint b = contact_point(shape, ground->part(1), k);
      if (ground->part(1).nearest(shape.position).distance < 0.2) continue;
      EXPECT_NEAR(a.depth, b.depth, 1e-13);
      EXPECT_NEAR((a.normal - b.normal).norm(), 0.0, 1e-12);
    }
  }
}

constexpr double kMass = 10.0, kG = 9.81, kWeight = kMass * kG;

/// A wheel that floats alone, at rest on the floor in front of a step.
struct LoneWheel {
  Model model = body_with(shape_of(CollisionType::cylinder, "wheel", {kRadius, kWidth, 0.0}), kMass,
                          {0.2, 0.2, 0.3});
  State at(double x, double z) const {
    State state(model);
    const ShapePose pose = wheel({x, 0.0, z});
    state.r_0 = pose.position;
    state.A_0 = pose.rotation;
    return state;
  }
};

/// A force along x and a moment about y at the axle, both in proportion to time.
std::shared_ptr<ForceElement> ramp(double force_rate, double moment_rate) {
  return std::make_shared<FunctionForce>(
      "ramp", [=](const EvaluationContext& context, Loads& loads) {
        loads.add_wrench(0, context.frames.r[0], context.frames.r[0],
                         {force_rate * context.time, 0, 0}, {0, moment_rate * context.time, 0});
      });
}

/// When the wheel has left the floor.
double lift_off(const SimulationSetup& setup, const State& start, double duration) {
  Trajectory path;
  Simulator(setup).run(start, duration, duration / 1000.0, path);
  for (const TrajectoryPoint& sample : path.points) {
    if (sample.state.r_0.z() > kRadius) return sample.time;
  }
  ADD_FAILURE() << "it stays on the floor";
  return 0.0;
}

/// W √(r² − (r − h)²)/(r − h): moments about the edge.
double pull_over(double height) {
  const double up = kRadius - height;
  return kWeight * std::sqrt(kRadius * kRadius - up * up) / up;
}

TEST(EdgeContact, APullLiftsAWheelOverAKerbAsStaticsSay) {
  const LoneWheel wheel;
  constexpr double kStiffness = 5e5, kDuration = 2.0;
  for (const double share : {0.1, 0.4}) {
    const double height = share * kRadius, pull = pull_over(height);
    const double before = std::sqrt(kRadius * kRadius - std::pow(kRadius - height, 2));
    SimulationSetup setup = contact_setup(
        wheel.model, on_ground(wheel.model, linear_law(kStiffness, 2e3), {}, step(height)),
        {0, 0, -kG});
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-8);
    setup.forces.push_back(ramp(1.2 * pull / kDuration, 0.0));
    const State start = wheel.at(-before, kRadius - 0.5 * kWeight / kStiffness);
    const double found = 1.2 * pull / kDuration * lift_off(setup, start, kDuration);
    // W/(2 k) = 0.1 mm of yielding against h and the distance to the edge; outputs at each 0.12 %
    EXPECT_NEAR(found / pull, 1.0, 5e-3) << share;
  }
}

TEST(EdgeContact, ATorqueLiftsAWheelOverAKerbAsStaticsSay) {
  const LoneWheel wheel;
  constexpr double kStiffness = 5e5, kDuration = 2.0, kHeight = 0.2 * kRadius;
  // about the edge; it holds there by friction of 0.75 at least
  const double arm = std::sqrt(kRadius * kRadius - std::pow(kRadius - kHeight, 2));
  SimulationSetup setup = contact_setup(wheel.model,
                                        on_ground(wheel.model, linear_law(kStiffness, 2e3),
                                                  bristle(0.9, kStiffness, 2e3), step(kHeight)),
                                        {0, 0, -kG});
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-7);
  const double rate = 1.2 * kWeight * arm / kDuration;
  setup.forces.push_back(ramp(0.0, rate));
  const State start = wheel.at(-arm, kRadius - 0.5 * kWeight / kStiffness);
  EXPECT_NEAR(rate * lift_off(setup, start, kDuration) / (kWeight * arm), 1.0, 5e-3);
}

TEST(EdgeContact, AWheelInACornerSlipsAsStaticsSay) {
  // both touches at their limit: N_1 + μ N_2 = W, N_2 = μ N_1, M = μ r (N_1 + N_2)
  const LoneWheel wheel;
  constexpr double kMu = 0.4, kStiffness = 5e5, kDuration = 2.0;
  const double most = kMu * (1.0 + kMu) / (1.0 + kMu * kMu) * kRadius * kWeight;
  SimulationSetup setup = contact_setup(
      wheel.model,
      on_ground(wheel.model, linear_law(kStiffness, 2e3), bristle(kMu, kStiffness, 2e3), step()),
      {0, 0, -kG});
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-7);
  const double rate = 1.2 * most / kDuration;
  setup.forces.push_back(ramp(0.0, rate));
  Trajectory path;
  Simulator(setup).run(wheel.at(-kRadius, kRadius - 0.5 * kWeight / kStiffness), kDuration, 0.01,
                       path);
  for (const TrajectoryPoint& sample : path.points) {
    const double torque = rate * sample.time;
    // it yields by the bristle, and then spins up by what the torque is more
    if (torque < 0.98 * most) {
      EXPECT_LT(sample.state.omega_0.norm(), 1e-3) << sample.time;
    } else if (torque > 1.05 * most) {
      EXPECT_NEAR((torque - 0.3 * sample.acceleration(4)) / most, 1.0, 1e-3) << sample.time;
    }
  }
}

TEST(EdgeContact, ARigidWheelNeedsThePullOfStatics) {
  const LoneWheel wheel;
  const double height = 0.3 * kRadius, pull = pull_over(height);
  const double before = std::sqrt(kRadius * kRadius - std::pow(kRadius - height, 2));
  for (const double share : {0.99, 1.01}) {
    RigidContact::Settings settings = on_rigid_ground(wheel.model, rigid_law(0.0));
    settings.terrain = step(height);
    SimulationSetup setup = rigid_setup(wheel.model, settings, {0, 0, -kG});
    setup.integrator = fixed_step(IntegrationMethod::time_stepping, 1e-3);
    setup.forces.push_back(std::make_shared<FunctionForce>(
        "pull", [=](const EvaluationContext& context, Loads& loads) {
          loads.add_wrench(0, context.frames.r[0], context.frames.r[0], {share * pull, 0, 0},
                           Vector3::Zero());
        }));
    const SimulationResult end = simulate(setup, wheel.at(-before, kRadius), 0.5);
    // 1 % of the pull lifts it by a few millimetres in half a second
    if (share < 1.0) {
      EXPECT_NEAR(end.state.r_0.z(), kRadius, 1e-7);
    } else {
      EXPECT_GT(end.state.r_0.z(), kRadius + 1e-3);
    }
  }
}

}  // namespace
}  // namespace spacedyn::testing::edge_contact_test
