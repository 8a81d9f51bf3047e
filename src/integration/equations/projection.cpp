#include "integration/equations/projection.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "model/robot_of.hpp"
#include "spacedyn/math/rotations.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

/// Inertia of the whole system about its centroid, joints locked.
Matrix3 locked_inertia(const Model& model, const LinkFrames& frames, const Vector3& r_g) {
  Matrix3 inertia = Matrix3::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 arm = frames.r[i] - r_g;
    inertia +=
        frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose() +
        model.body(body).mass * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
  }
  return inertia;
}

}  // namespace

void MomentumProjection::start(const EquationsOfMotion& equations) {
  reference_ = equations.momentum();
  centroid_ = center_of_mass(equations.model(), equations.frames());
}

void remove_momentum(const EquationsOfMotion& equations, const Vector3& linear,
                     const Vector3& angular, VectorX& x) {
  // δω_0 turns the locked system about its centroid, δv_g moves the centroid
  const Model& model = equations.model();
  const Vector3 r_g = center_of_mass(model, equations.frames());
  const Vector3 spin =
      -locked_inertia(model, equations.frames(), r_g).partialPivLu().solve(angular);
  x.segment<3>(equations.layout().omega_0()) += spin;
  x.segment<3>(equations.layout().v_0()) +=
      spin.cross(equations.frames().r[0] - r_g) - linear / model.total_mass();
}

MomentumProjection::Removed MomentumProjection::apply(EquationsOfMotion& equations, VectorX& x,
                                                      double time) const {
  if (!equations.update_kinematics(x, time)) return {};
  const Model& model = equations.model();
  const AuditIntegrals integrals = equations.balance().integrals(x);
  const Momentum momentum = equations.momentum();
  Removed removed{
      momentum.linear - reference_.linear - integrals.impulse,
      momentum.angular_centroid - reference_.angular_centroid - integrals.angular_impulse};
  remove_momentum(equations, removed.linear, removed.angular, x);
  if (integrals.impulse.isZero(0.0)) {
    x.segment<3>(StateLayout::r_0) += centroid_ + time / model.total_mass() * reference_.linear -
                                      center_of_mass(model, equations.frames());
  }
  return removed;
}

namespace {

CentroidPathRule rule_of(const SimulationSetup& setup) {
  return method_traits(setup.integrator).centroid_path;
}

}  // namespace

CentroidPath::CentroidPath(const SimulationSetup& setup)
    : is_possible_(setup.base_mode == BaseMode::floating && setup.gravity.isZero(0.0) &&
                   !setup.integrator.project_momentum &&
                   rule_of(setup) != CentroidPathRule::as_computed && !draws_from_tanks(setup) &&
                   setup.model->total_mass() > 0.0),
      moves_steps_(rule_of(setup) == CentroidPathRule::corrected) {}

void CentroidPath::start(const AuditPoint& point) {
  centroid_ = point.r_g;
  momentum_ = point.momentum.linear;
}

Vector3 CentroidPath::apply(const EquationsOfMotion& equations, const AuditPoint& point, VectorX& x,
                            double time) const {
  if (!is_possible_ || !equations.balance().integrals(x).impulse.isZero(0.0))
    return Vector3::Zero();
  const double mass = equations.model().total_mass();
  Vector3 excess = point.momentum.linear - momentum_;
  x.segment<3>(StateLayout::r_0) += centroid_ + time / mass * momentum_ - point.r_g;
  x.segment<3>(equations.layout().v_0()) -= excess / mass;
  return excess;
}

namespace {

/// Part of the largest moment of inertia below which a body has none about that axis.
constexpr double kNoInertia = 1e-12;

/// The least spin with an angular momentum: bodies on a line do not turn about it.
Vector3 spin_of(const Matrix3& inertia, const Vector3& angular) {
  Eigen::SelfAdjointEigenSolver<Matrix3> axes;
  axes.computeDirect(inertia);
  const Vector3& moments = axes.eigenvalues();
  Vector3 spin = Vector3::Zero();
  for (int i = 0; i < 3; ++i) {
    if (!(moments(i) > kNoInertia * moments(2))) continue;
    const Vector3 axis = axes.eigenvectors().col(i);
    spin += axis.dot(angular) / moments(i) * axis;
  }
  return spin;
}

/// Number of the robot that a body or coordinate belongs to; that of robots for the inertial frame.
std::size_t robot_number(const Model& model, int body) {
  const Robot* robot = robot_of(model, body);
  return robot == nullptr ? model.robots().size()
                          : static_cast<std::size_t>(robot - model.robots().data());
}

}  // namespace

FreeGroups::FreeGroups(const Model& model, const std::vector<Loop>& loops, bool all) {
  const std::vector<Robot>& robots = model.robots();
  // one more for the inertial frame and all that is fixed to it
  std::vector<std::size_t> group(robots.size() + 1);
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = group[a], to = group[b];
    std::replace(group.begin(), group.end(), from, to);
  };
  for (std::size_t i = 0; i < robots.size(); ++i) {
    if (!robots[i].floats) join(i, robots.size());
  }
  std::vector<bool> is_held(robots.size() + 1, all);
  for (const Loop& loop : loops) {
    std::vector<std::size_t> joined;
    if (loop_traits(loop.type).joins_points) {
      joined = {robot_number(model, loop.from.body), robot_number(model, loop.to.body)};
    } else {
      for (const int joint : loop.joints) joined.push_back(robot_number(model, joint));
    }
    for (const std::size_t robot : joined) {
      is_held[robot] = true;
      join(joined.front(), robot);
    }
  }
  for (std::size_t i = 0; i < robots.size(); ++i) {
    if (group[i] == group[robots.size()] || !is_held[i]) continue;
    const auto known = std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) {
      return group[other.robots.front()] == group[i];
    });
    if (known != groups_.end()) {
      known->robots.push_back(i);
    } else {
      groups_.push_back({{i}, {}});
    }
  }
}

RobotSums FreeGroups::sums_of(const EquationsOfMotion& equations, const Group& group) {
  const Model& model = equations.model();
  const auto own = [&](std::size_t i) {
    return robot_sums(model, model.robots()[i], equations.frames(), equations.velocities());
  };
  RobotSums all;
  Vector3 moment = Vector3::Zero();
  for (const std::size_t i : group.robots) {
    const RobotSums robot = own(i);
    all.mass += robot.mass;
    moment += robot.mass * robot.r_g;
    all.momentum.linear += robot.momentum.linear;
  }
  all.r_g = moment / all.mass;
  const Vector3 v_g = all.momentum.linear / all.mass;
  for (const std::size_t i : group.robots) {
    const RobotSums robot = own(i);
    const Vector3 arm = robot.r_g - all.r_g;
    const Vector3 relative = robot.momentum.linear - robot.mass * v_g;
    all.momentum.angular_centroid += robot.momentum.angular_centroid + arm.cross(relative);
    all.inertia += robot.inertia +
                   robot.mass * (arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose());
  }
  return all;
}

void FreeGroups::note(const EquationsOfMotion& equations) {
  for (Group& group : groups_) group.before = sums_of(equations, group);
  whole_.mass = equations.mobility().base_free() ? equations.model().total_mass() : 0.0;
  if (!(whole_.mass > 0.0)) return;
  whole_.momentum = equations.momentum();
  whole_.r_g = center_of_mass(equations.model(), equations.frames());
}

bool FreeGroups::restore_momentum(EquationsOfMotion& equations, VectorX& x, double time) const {
  const Model& model = equations.model();
  if (whole_.mass > 0.0) {
    const Momentum now = equations.momentum();
    remove_momentum(equations, now.linear - whole_.momentum.linear,
                    now.angular_centroid - whole_.momentum.angular_centroid, x);
    return equations.update_kinematics(x, time);
  }
  if (groups_.empty()) return true;
  const int rates = equations.layout().qd();
  for (const Group& group : groups_) {
    const RobotSums now = sums_of(equations, group);
    if (!(now.mass > 0.0)) continue;
    const Vector3 spin = spin_of(
        now.inertia, group.before.momentum.angular_centroid - now.momentum.angular_centroid);
    const Vector3 drift = (group.before.momentum.linear - now.momentum.linear) / now.mass;
    for (const std::size_t i : group.robots) {
      const Robot& robot = model.robots()[i];
      const auto base = static_cast<std::size_t>(robot.base.body);
      const Vector3 arm = equations.frames().o[base] - now.r_g;
      x.segment<3>(rates + robot.first - 1) += drift + spin.cross(arm);
      x.segment<3>(rates + robot.first + 2) += equations.frames().A[base].transpose() * spin;
    }
  }
  return equations.update_kinematics(x, time);
}

bool FreeGroups::restore_centroid(EquationsOfMotion& equations, VectorX& x, double time) const {
  const Model& model = equations.model();
  if (whole_.mass > 0.0) {
    x.segment<3>(StateLayout::r_0) += whole_.r_g - center_of_mass(model, equations.frames());
    return equations.update_kinematics(x, time);
  }
  for (const Group& group : groups_) {
    const Vector3 shift = group.before.r_g - sums_of(equations, group).r_g;
    for (const std::size_t i : group.robots) {
      x.segment<3>(StateLayout::q + model.robots()[i].first - 1) += shift;
    }
  }
  return equations.update_kinematics(x, time);
}

}  // namespace spacedyn
