#include <Eigen/Eigenvalues>

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reconfiguration.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/property.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::reconfiguration_properties_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A random robot of up to 40 links on revolute, prismatic and fixed joints, and a state of it.
struct Case {
  RandomModels random;
  Model model;
  State state;

  static Case generate() {
    // resized: large trees from the first case on, not only towards the last
    RandomModels random(*rc::gen::resize(100, rc::gen::arbitrary<unsigned>()));
    TreeShape shape;
    shape.links = *rc::gen::resize(100, rc::gen::inRange(1, 41));
    shape.window = *rc::gen::resize(100, rc::gen::inRange(1, 6));
    shape.prismatic_fraction = 0.3;
    ModelDescription description = random.description(shape);
    for (LinkDescription& link : description.links) {
      if (random.number(0.0, 1.0) < 0.2) link.joint.type = JointType::fixed;
    }
    Model model = ModelBuilder(description).build();
    State state = random.state(model);
    return {std::move(random), std::move(model), std::move(state)};
  }

  std::string any_link() {
    return "link_" + std::to_string(*rc::gen::resize(100, rc::gen::inRange(1, links() + 1)));
  }
  int links() const { return static_cast<int>(model.description().links.size()); }
};

/// Everything about the motion of a system.
struct Motion {
  Motion(const Model& model, const State& state) : frames(model), velocities(model) {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    total = momentum(model, frames, velocities);
    scale = momentum_scale(model, frames, velocities);
    energy = kinetic_energy(model, frames, velocities);
    center = center_of_mass(model, frames);
    scale.linear += 1.0;
    // angular momentum about the inertial origin has the moment of P in it, which may cancel
    scale.angular += 1.0 + center.norm() * scale.linear;
  }

  LinkFrames frames;
  LinkVelocities velocities;
  Momentum total;
  MomentumScale scale;
  double energy = 0.0;
  Vector3 center;
};

double condition(const Model& model, const State& state) {
  const Eigen::SelfAdjointEigenSolver<MatrixX> solver(inertia_matrix(model, state),
                                                      Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
}

/// The same forces for the same bodies and joints of another model.
Loads same_loads(const Model& from, const Loads& loads, const Model& to) {
  Loads result(to);
  result.gravity = loads.gravity;
  for (int body = 0; body < from.body_count(); ++body) {
    const int other = to.frame(from.body(body).name).body;
    result.force.col(other) = loads.force.col(body);
    result.moment.col(other) = loads.moment.col(body);
  }
  for (int joint = 1; joint <= from.joint_count(); ++joint) {
    result.tau(*to.find_joint(from.joint(joint).name) - 1) = loads.tau(joint - 1);
  }
  return result;
}

LinkAccelerations accelerations(const Model& model, const State& state, const Loads& loads) {
  const Motion motion(model, state);
  LinkAccelerations result(model);
  compute_link_accelerations(model, state, motion.frames, motion.velocities,
                             forward_dynamics(model, state, loads), result);
  return result;
}

/// Largest |v̇| or |ω̇|.
double size_of(const LinkAccelerations& accelerations) {
  double size = 0.0;
  for (const Vector3& vd : accelerations.vd) size = std::max(size, vd.norm());
  for (const Vector3& omegad : accelerations.omegad) size = std::max(size, omegad.norm());
  return size;
}

void expect_same_momentum(const Motion& before, const Motion& after, double tolerance) {
  RC_ASSERT((after.center - before.center).norm() <= 1e-13 * (1.0 + before.center.norm()));
  RC_ASSERT((after.total.linear - before.total.linear).norm() <= tolerance * before.scale.linear);
  RC_ASSERT((after.total.angular_origin - before.total.angular_origin).norm() <=
            tolerance * before.scale.angular);
}

TEST(ReconfigurationProperties, RerootingKeepsMotionEnergyAndMomentum) {
  check_property([] {
    Case c = Case::generate();
    const ModelState turned = rerooted(c.model, c.state, c.any_link());
    const Motion before(c.model, c.state);
    const Motion after(turned.model, turned.state);
    // kinematics alone: roundings along up to 40 joints, no solution of equations
    const double tolerance = 500.0 * kEps;
    RC_ASSERT(std::abs(after.energy - before.energy) <= tolerance * before.energy);
    expect_same_momentum(before, after, tolerance);
    for (int body = 0; body < c.model.body_count(); ++body) {
      const auto i = static_cast<std::size_t>(body);
      const int other = turned.model.frame(c.model.body(body).name).body;
      const auto j = static_cast<std::size_t>(other);
      RC_ASSERT((after.frames.r[j] - before.frames.r[i]).norm() <=
                tolerance * (1.0 + before.frames.r[i].norm()));
      RC_ASSERT((after.velocities.omega[j] - before.velocities.omega[i]).norm() <=
                tolerance * (1.0 + before.velocities.omega[i].norm()));
    }
  });
}

TEST(ReconfigurationProperties, RerootingKeepsEveryAcceleration) {
  check_property([] {
    Case c = Case::generate();
    const ModelState turned = rerooted(c.model, c.state, c.any_link());
    Loads loads = c.random.loads(c.model);
    loads.F_b.setZero();  // a force on what is no longer the base; bodies have their own
    const LinkAccelerations before = accelerations(c.model, c.state, loads);
    const LinkAccelerations after =
        accelerations(turned.model, turned.state, same_loads(c.model, loads, turned.model));
    const double kappa =
        std::max(condition(c.model, c.state), condition(turned.model, turned.state));
    const double tolerance = 20.0 * kEps * kappa * std::max(1.0, size_of(before));
    for (int body = 0; body < c.model.body_count(); ++body) {
      const auto i = static_cast<std::size_t>(body);
      const auto j = static_cast<std::size_t>(turned.model.frame(c.model.body(body).name).body);
      RC_ASSERT((after.vd[j] - before.vd[i]).norm() <= tolerance);
      RC_ASSERT((after.omegad[j] - before.omegad[i]).norm() <= tolerance);
    }
  });
}

TEST(ReconfigurationProperties, RerootingKeepsFramesAndCentroids) {
  check_property([] {
    Case c = Case::generate();
    const ModelState turned = rerooted(c.model, c.state, c.any_link());
    const Motion before(c.model, c.state);
    const Motion after(turned.model, turned.state);
    const Frame hand = c.model.frame("hand");
    const Frame same = turned.model.frame("hand");
    RC_ASSERT((frame_position(after.frames, same) - frame_position(before.frames, hand)).norm() <=
              1e-12);
    RC_ASSERT(
        (frame_orientation(after.frames, same) - frame_orientation(before.frames, hand)).norm() <=
        1e-12);
    RC_ASSERT((frame_velocity(after.frames, after.velocities, same) -
               frame_velocity(before.frames, before.velocities, hand))
                  .norm() <= 1e-11);
  });
}

TEST(ReconfigurationProperties, LockingKeepsMomentumAndGainsNoEnergy) {
  check_property([] {
    Case c = Case::generate();
    std::vector<std::string> joints;
    JointPositions positions;
    for (int joint = 1; joint <= c.model.joint_count(); ++joint) {
      if (c.random.number(0.0, 1.0) > 0.4) continue;
      joints.push_back(c.model.joint(joint).name);
      positions[joints.back()] = c.state.q(joint - 1);
    }
    const ModelState locked = lock_joints(c.model, c.state, joints);
    const Motion before(c.model, c.state);
    const Motion after(locked.model, locked.state);
    RC_ASSERT(locked.model.joint_count() + static_cast<int>(joints.size()) ==
              c.model.joint_count());
    const double tolerance = 20.0 * kEps * condition(locked.model, locked.state);
    expect_same_momentum(before, after, tolerance);
    RC_ASSERT(after.energy <= before.energy * (1.0 + tolerance));

    // and back: every body where it was
    const ModelState free = unlock_joints(locked.model, locked.state, c.model, positions);
    const Motion again(free.model, free.state);
    for (std::size_t i = 0; i < before.frames.r.size(); ++i) {
      RC_ASSERT((again.frames.r[i] - before.frames.r[i]).norm() <= 1e-12);
    }
    RC_ASSERT((again.total.angular_centroid - after.total.angular_centroid).norm() <=
              1e-12 * after.scale.angular);
  });
}

TEST(ReconfigurationProperties, DetachedPartsAddUpToTheWhole) {
  check_property([] {
    Case c = Case::generate();
    const DetachedModels parts = detach(c.model, c.state, c.any_link());
    const Motion whole(c.model, c.state);
    const Motion a(parts.remaining.model, parts.remaining.state);
    const Motion b(parts.detached.model, parts.detached.state);
    const double m_a = parts.remaining.model.total_mass();
    const double m_b = parts.detached.model.total_mass();
    RC_ASSERT(std::abs(m_a + m_b - c.model.total_mass()) <= 1e-14 * (m_a + m_b));
    const Vector3 center = (m_a * a.center + m_b * b.center) / (m_a + m_b);
    RC_ASSERT((center - whole.center).norm() <= 1e-13 * (1.0 + whole.center.norm()));
    RC_ASSERT((a.total.linear + b.total.linear - whole.total.linear).norm() <=
              1e-13 * whole.scale.linear);
    RC_ASSERT(
        (a.total.angular_origin + b.total.angular_origin - whole.total.angular_origin).norm() <=
        1e-13 * whole.scale.angular);
    RC_ASSERT(std::abs(a.energy + b.energy - whole.energy) <= 1e-13 * whole.energy);
  });
}

TEST(ReconfigurationProperties, ASubmodelMovesAsInTheWhole) {
  check_property([] {
    Case c = Case::generate();
    const std::string root = c.any_link();
    const ModelState part = submodel(c.model, c.state, root);
    const Motion whole(c.model, c.state);
    const Motion alone(part.model, part.state);
    for (int body = 1; body < part.model.body_count(); ++body) {
      const auto i = static_cast<std::size_t>(body);
      const auto j = static_cast<std::size_t>(*c.model.find_body(part.model.body(body).name));
      RC_ASSERT((alone.frames.r[i] - whole.frames.r[j]).norm() <= 1e-12);
      RC_ASSERT((alone.velocities.v[i] - whole.velocities.v[j]).norm() <= 1e-11);
      RC_ASSERT((alone.velocities.omega[i] - whole.velocities.omega[j]).norm() <= 1e-12);
    }
  });
}

TEST(ReconfigurationProperties, ACaughtRobotKeepsMassAndMomentum) {
  check_property([] {
    Case robot = Case::generate();
    Case target = Case::generate();
    const ModelState joined = attach(robot.model, robot.state, target.model, target.state,
                                     {robot.any_link(), "target_", JoinVelocity::plastic});
    const Motion a(robot.model, robot.state);
    const Motion b(target.model, target.state);
    const Motion whole(joined.model, joined.state);
    const double m_a = robot.model.total_mass();
    const double m_b = target.model.total_mass();
    RC_ASSERT(std::abs(m_a + m_b - joined.model.total_mass()) <= 1e-14 * (m_a + m_b));
    const Vector3 center = (m_a * a.center + m_b * b.center) / (m_a + m_b);
    RC_ASSERT((center - whole.center).norm() <= 1e-13 * (1.0 + center.norm()));
    const double tolerance = 20.0 * kEps * condition(joined.model, joined.state);
    RC_ASSERT((a.total.linear + b.total.linear - whole.total.linear).norm() <=
              tolerance * (a.scale.linear + b.scale.linear));
    RC_ASSERT(
        (a.total.angular_origin + b.total.angular_origin - whole.total.angular_origin).norm() <=
        tolerance * (a.scale.angular + b.scale.angular));
    RC_ASSERT(whole.energy <= (a.energy + b.energy) * (1.0 + tolerance));
  });
}

}  // namespace
}  // namespace spacedyn::testing::reconfiguration_properties_test
