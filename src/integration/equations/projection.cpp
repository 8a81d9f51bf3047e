#include "integration/equations/projection.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "forces/separation.hpp"
#include "math/squared_arm.hpp"
#include "model/robot_of.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

/// Inertia of the whole system about its centroid, joints locked.
Matrix3 locked_inertia(const Model& model, const LinkFrames& frames, const Vector3& r_g) {
  Matrix3 inertia = Matrix3::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    inertia += frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose() +
               model.body(body).mass * squared_arm(frames.r[i] - r_g);
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
  const LinkFrames& frames = equations.own_motion().frames;
  const Vector3 r_g = center_of_mass(model, frames);
  const Vector3 spin = -locked_inertia(model, frames, r_g).partialPivLu().solve(angular);
  x.segment<3>(equations.layout().omega_0()) += spin;
  x.segment<3>(equations.layout().v_0()) +=
      spin.cross(frames.r[0] - r_g) - linear / model.total_mass();
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

/// A point of a body, its centroid.
Frame centroid_of(const Model& model, int body) {
  return {"", body, model.body(body).center_of_mass, Matrix3::Identity()};
}

/// Zero where it is the rounding of the place that it is from.
Vector3 beyond_rounding(const Vector3& offset, const Vector3& place) {
  return offset.norm() <= kPlaceRounding * place.norm() ? Vector3(Vector3::Zero()) : offset;
}

/// robot_sums() of a robot that floats, seen from its base: no digits are lost far away.
RobotSums own_sums(const EquationsOfMotion& equations, const Robot& robot) {
  const EvaluationContext now = equations.context();
  RobotSums sums;
  Vector3 place = Vector3::Zero(), velocity = place, spin = place;
  Matrix3 inertia = Matrix3::Zero();
  for (int body = robot.first; body < robot.end; ++body) {
    const Body& own = now.model.body(body);
    const double m = own.mass;
    // wheels may have inertia alone
    if (m == 0.0 && own.inertia_L.isZero(0.0)) continue;
    const auto i = static_cast<std::size_t>(body);
    const Separation at = separation(now, robot.base, centroid_of(now.model, body));
    const Matrix3 I = now.frames.A[i] * own.inertia_L * now.frames.A[i].transpose();
    sums.mass += m;
    place += m * at.distance;
    velocity += m * at.velocity;
    spin += I * now.velocities.omega[i] + m * at.distance.cross(at.velocity);
    inertia += I + m * squared_arm(at.distance);
  }
  if (!(sums.mass > 0.0)) return sums;
  place /= sums.mass;
  sums.r_g = frame_position(now.frames, robot.base) + place;
  sums.momentum.linear =
      sums.mass * point_velocity(now.frames, now.velocities, robot.base) + velocity;
  sums.momentum.angular_centroid = spin - place.cross(velocity);
  sums.inertia = inertia - sums.mass * squared_arm(place);
  return sums;
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

void FreeGroups::restrict_to(const Model& model, const Mobility& mobility) {
  const auto is_held = [&](const Group& group) {
    return !mobility.joint_free(model.robots()[group.robots.front()].first);
  };
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), is_held), groups_.end());
}

RobotSums FreeGroups::sums_of(const EquationsOfMotion& equations, const Group& group) {
  const auto own = [&](std::size_t i) {
    return own_sums(equations, equations.model().robots()[i]);
  };
  if (group.robots.size() == 1) return own(group.robots.front());
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
    all.inertia += robot.inertia + robot.mass * squared_arm(arm);
  }
  return all;
}

void FreeGroups::note(const EquationsOfMotion& equations) {
  const Model& model = equations.model();
  for (Group& group : groups_) group.kept = {sums_of(equations, group)};
  whole_ = {};
  whole_.before.mass = model.total_mass();
  whole_.before.momentum = equations.momentum();
  whole_.before.r_g = center_of_mass(model, equations.frames());
  moves_whole_ = equations.mobility().base_free() && model.total_mass() > 0.0;
}

bool FreeGroups::restore_momentum(EquationsOfMotion& equations, VectorX& x, double time) const {
  if (!moves_whole_ && groups_.empty()) return true;
  move_momentum(equations, x);
  return equations.update_kinematics(x, time);
}

void FreeGroups::move_momentum(const EquationsOfMotion& equations, VectorX& x) const {
  const Model& model = equations.model();
  if (moves_whole_) {
    const Momentum now = equations.momentum();
    return remove_momentum(equations, now.linear - whole_.linear(),
                           now.angular_centroid - whole_.angular(), x);
  }
  const int rates = equations.layout().qd();
  for (const Group& group : groups_) {
    const RobotSums now = sums_of(equations, group);
    if (!(now.mass > 0.0)) continue;
    const Vector3 spin = spin_of(now.inertia, group.kept.angular() - now.momentum.angular_centroid);
    const Vector3 drift = (group.kept.linear() - now.momentum.linear) / now.mass;
    for (const std::size_t i : group.robots) {
      const Robot& robot = model.robots()[i];
      const auto base = static_cast<std::size_t>(robot.base.body);
      const Vector3 arm = equations.frames().o[base] - now.r_g;
      x.segment<3>(rates + robot.first - 1) += drift + spin.cross(arm);
      x.segment<3>(rates + robot.first + 2) += equations.frames().A[base].transpose() * spin;
    }
  }
}

void FreeGroups::move_centroid(const EquationsOfMotion& equations, VectorX& x) const {
  const Model& model = equations.model();
  if (moves_whole_) {
    x.segment<3>(StateLayout::r_0) +=
        whole_.before.r_g + whole_.shift - center_of_mass(model, equations.frames());
    return;
  }
  for (const Group& group : groups_) {
    const Vector3 shift = group.kept.before.r_g + group.kept.shift - sums_of(equations, group).r_g;
    for (const std::size_t i : group.robots) {
      x.segment<3>(StateLayout::q + model.robots()[i].first - 1) += shift;
    }
  }
}

/// Visits what is kept with the bodies that it is the sum of, and the robot unless it is the whole.
template <typename Visit>
void FreeGroups::for_each(const Model& model, const Visit& visit) {
  if (moves_whole_) return visit(whole_, 0, model.body_count(), nullptr);
  for (Group& group : groups_) {
    if (!(group.kept.before.mass > 0.0)) continue;
    for (const std::size_t i : group.robots) {
      const Robot& robot = model.robots()[i];
      visit(group.kept, robot.first, robot.end, &robot);
    }
  }
}

Vector3 FreeGroups::receive(const EquationsOfMotion& equations, double h, BesideLoads contacts) {
  const EvaluationContext now = equations.context();
  const Loads& loads = equations.loads();
  const LinkFrames& frames = now.frames;
  const auto arm_at = [&](const BodyWrench& contact) -> Vector3 {
    return contact.point - frames.r[static_cast<std::size_t>(contact.body)];
  };
  const auto center_of = [&](const RobotSums& start) -> Vector3 {
    return start.r_g + 0.5 * h / start.mass * start.momentum.linear;
  };
  for_each(now.model, [&](Kept& kept, int first, int end, const Robot* robot) {
    Vector3 force = Vector3::Zero(), moment = force, place = force;
    const auto from_base = [&](int body) -> Vector3 {
      if (robot == nullptr) return equations.own_motion().frames.r[static_cast<std::size_t>(body)];
      return separation(now, robot->base, centroid_of(now.model, body)).distance;
    };
    const auto add = [&](const Vector3& f, const Vector3& n, const Vector3& at) {
      force += f;
      moment += n + at.cross(f);
    };
    for (int body = first; body < end; ++body) {
      const double m = now.model.body(body).mass;
      if (m == 0.0 && loads.force.col(body).isZero(0.0) && loads.moment.col(body).isZero(0.0)) {
        continue;
      }
      const Vector3 at = from_base(body);
      add(loads.force.col(body), loads.moment.col(body), at);
      place += m / kept.before.mass * at;
    }
    if (robot == nullptr) {
      add(loads.F_b.head<3>(), loads.F_b.tail<3>(), Vector3::Zero());
    } else {
      const Matrix3& A = frames.A[static_cast<std::size_t>(robot->base.body)];
      add(loads.tau.segment<3>(robot->first - 1), A * loads.tau.segment<3>(robot->first + 2),
          -A * robot->base.position);
    }
    // they act at their points, which are not quite where bodies carry them
    for (const BodyWrench& contact : equations.contact_wrenches()) {
      if (contact.body < first || contact.body >= end) continue;
      const Vector3 at = from_base(contact.body);
      add(contact.force, Vector3::Zero(), at + arm_at(contact));
      if (contacts == BesideLoads::nothing) add(-contact.force, -contact.moment, at);
    }
    const Vector3 center = center_of(kept.before);
    const Vector3 base = robot == nullptr ? frames.r[0] : frame_position(frames, robot->base);
    moment -= (place - beyond_rounding(base + place - center, center)).cross(force);
    kept.impulse += h * (force + kept.before.mass * loads.gravity);
    kept.turn += h * moment;
    kept.shift = h / kept.before.mass * (kept.before.momentum.linear + 0.5 * kept.impulse);
  });
  if (!(whole_.before.mass > 0.0)) return Vector3::Zero();
  Vector3 force = equations.forces().head<3>();
  for (int body = 0; body < now.model.body_count(); ++body) force += loads.force.col(body);
  const Vector3 center = center_of(whole_.before);
  Vector3 unseen = beyond_rounding(center_of_mass(now.model, frames) - center, center).cross(force);
  for (const BodyWrench& contact : equations.contact_wrenches()) {
    unseen += arm_at(contact).cross(contact.force) - contact.moment;
  }
  return unseen;
}

}  // namespace spacedyn
