#include "optimization/path_dynamics.hpp"

#include <algorithm>
#include <limits>

#include "collision/core_direction.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "optimization/shape_distances.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {

PathDynamics::PathDynamics(const Model& model, const State& state, std::vector<int> joints,
                           const Vector3& gravity)
    : model_(model),
      state_(state),
      joints_(std::move(joints)),
      loads_(model),
      floats_(!model.has_fixed_base()),
      tree_(model),
      memory_(model),
      at_rest_(model),
      moving_(model),
      acceleration_(VectorX::Zero(model.velocity_size())),
      forces_(acceleration_),
      effort_(VectorX::Zero(static_cast<Eigen::Index>(joints_.size()))),
      H_(model.velocity_size(), model.velocity_size()) {
  loads_.gravity = gravity;
  state_.qd.setZero();
  state_.v_0.setZero();
  state_.omega_0.setZero();
  // torques do not depend on where a base floats, and its axes are then those of the numbers
  if (floats_) state_.A_0.setIdentity();
  const auto f = effort_.size();
  rate_by_q_ = rate_by_qd_ = Matrix3X::Zero(3, f);
}

/// Columns of the joints, with those that follow them.
MatrixX PathDynamics::columns(MatrixX whole) const {
  lead(model_, whole);
  MatrixX part(whole.rows(), effort_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    part.col(static_cast<Eigen::Index>(i)) = whole.col(joints_[i] + 5);
  }
  return part;
}

MatrixX PathDynamics::rows(const MatrixX& whole) const {
  return columns(whole.transpose()).transpose();
}

void PathDynamics::update(const VectorX& q, const VectorX& qd, const VectorX& qdd) {
  acceleration_.setZero();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    state_.q(joints_[i] - 1) = q(row);
    state_.qd(joints_[i] - 1) = qd(row);
    acceleration_(joints_[i] + 5) = qdd(row);
  }
  follow(model_, state_);
  follow(model_, acceleration_);
  if (floats_) {
    // [H_b, H_bm] u = 0, then the six rows of F_b = 0
    composite_rigid_body(state_, tree_, H_);
    const Eigen::LLT<Matrix6> H_b(H_.topLeftCorner<6, 6>());
    if (H_b.info() != Eigen::Success) {
      throw DomainError("the base of '" + model_.name() + "' has no inertia that can be inverted");
    }
    const Vector6 twist = -H_b.solve(H_.topRightCorner(6, model_.joint_count()) * state_.qd);
    state_.v_0 = twist.head<3>();
    state_.omega_0 = base_rate_ = twist.tail<3>();
    inverse_dynamics(state_, acceleration_, loads_, tree_, forces_);
    acceleration_.head<6>() = -H_b.solve(forces_.head<6>());
  }
  inverse_dynamics(state_, acceleration_, loads_, tree_, forces_);
  for (int i = 1; i <= model_.joint_count(); ++i) {
    const Joint& joint = model_.joint(i);
    if (joint.spherical != 0) continue;
    forces_(i + 5) += joint.stiffness * (state_.q(i - 1) - joint.rest_position) +
                      joint.damping * state_.qd(i - 1);
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    effort_(static_cast<Eigen::Index>(i)) =
        own_force(model_, forces_.tail(model_.joint_count()), joints_[i]);
  }
}

void PathDynamics::differentiate(const VectorX& q, const VectorX& qd, const VectorX& qdd) {
  update(q, qd, qdd);
  inverse_dynamics_derivatives(state_, acceleration_, loads_, memory_, moving_);
  const MatrixX by_q = columns(moving_.configuration), by_qd = columns(moving_.velocity);
  const MatrixX by_qdd = columns(moving_.acceleration);
  effort_by_q_ = rows(by_q);
  effort_by_qd_ = rows(by_qd);
  effort_by_qdd_ = rows(by_qdd);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const auto add = [&](int joint, double ratio) {
      effort_by_q_(row, row) += ratio * ratio * model_.joint(joint).stiffness;
      effort_by_qd_(row, row) += ratio * ratio * model_.joint(joint).damping;
    };
    add(joints_[i], 1.0);
    for (const Follower& each : model_.followers()) {
      if (each.followed == joints_[i]) add(each.joint, each.ratio);
    }
  }
  if (!floats_) return;
  // momentum H u is inverse dynamics at rest with the acceleration u: ∂u_b = −H_b⁻¹ ∂(H u)_b
  State rest = state_;
  rest.v_0.setZero();
  rest.omega_0.setZero();
  rest.qd.setZero();
  const Vector3 gravity = loads_.gravity;
  loads_.gravity.setZero();
  inverse_dynamics_derivatives(rest, state_.velocity(), loads_, memory_, at_rest_);
  loads_.gravity = gravity;
  const Eigen::LLT<Matrix6> H_b(moving_.acceleration.topLeftCorner<6, 6>());
  const MatrixX twist_by_q = -H_b.solve(columns(at_rest_.configuration).topRows<6>());
  const MatrixX twist_by_qd = -H_b.solve(by_qdd.topRows<6>());
  rate_by_q_ = twist_by_q.bottomRows<3>();
  rate_by_qd_ = twist_by_qd.bottomRows<3>();
  const MatrixX base_by_twist = moving_.velocity.topLeftCorner<6, 6>();
  const MatrixX joints_by_twist = rows(moving_.velocity.leftCols<6>());
  const MatrixX joints_by_base = rows(moving_.acceleration.leftCols<6>());
  const MatrixX base_by_q = -H_b.solve(MatrixX(by_q.topRows<6>() + base_by_twist * twist_by_q));
  const MatrixX base_by_qd = -H_b.solve(MatrixX(by_qd.topRows<6>() + base_by_twist * twist_by_qd));
  effort_by_q_ += joints_by_twist * twist_by_q + joints_by_base * base_by_q;
  effort_by_qd_ += joints_by_twist * twist_by_qd + joints_by_base * base_by_qd;
  effort_by_qdd_ += joints_by_base * twist_by_qd;
}

ShapeDistances::ShapeDistances(const Model& model, const State& state, std::vector<int> joints)
    : model_(model),
      joints_(std::move(joints)),
      shapes_(collision_shapes(model)),
      state_(state),
      frames_(model) {
  for (std::size_t b = 0; b < shapes_.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const int body_a = shapes_[a].frame.body, body_b = shapes_[b].frame.body;
      const auto moves_them = [&](int joint) {
        return model.topology().is_ancestor(joint, body_a) !=
               model.topology().is_ancestor(joint, body_b);
      };
      bool moves = std::any_of(joints_.begin(), joints_.end(), moves_them);
      for (const Follower& each : model.followers()) {
        moves |=
            std::count(joints_.begin(), joints_.end(), each.followed) > 0 && moves_them(each.joint);
      }
      if (!moves || are_neighbours(model, body_a, body_b)) continue;
      pairs_.push_back({a, b});
      if (may_touch(shapes_[a].type, shapes_[b].type)) continue;
      throw DomainError("a planned motion: the distance between the shapes " + names(count() - 1) +
                        " is not known, for one is an ellipsoid");
    }
  }
  if (!pairs_.empty()) return;
  throw DomainError(
      "a planned motion: a clearance needs collision shapes that the joints move against each "
      "other, on bodies that no joint joins");
}

void ShapeDistances::update(ConstVectorRef q) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    state_.q(joints_[i] - 1) = q(static_cast<Eigen::Index>(i));
  }
  follow(model_, state_);
  compute_link_frames(model_, state_, frames_);
}

double ShapeDistances::distance(int pair) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  return -nearest_place(shapes_[of.a].at(frames_), shapes_[of.b].at(frames_)).depth;
}

double ShapeDistances::differentiate(int pair, VectorRef by_q) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  const ContactPoint place = nearest_place(shapes_[of.a].at(frames_), shapes_[of.b].at(frames_));
  by_q.setZero();
  add_motion(shapes_[of.a].frame.body, place.point, place.normal, by_q);
  add_motion(shapes_[of.b].frame.body, place.point, -place.normal, by_q);
  return -place.depth;
}

void ShapeDistances::add_motion(int body, const Vector3& place, const Vector3& along,
                                VectorRef by_q) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto add = [&](int joint, double ratio) {
      if (!model_.topology().is_ancestor(joint, body)) return;
      by_q(static_cast<Eigen::Index>(i)) +=
          ratio * along.dot(linear_column(model_, frames_, joint, place));
    };
    add(joints_[i], 1.0);
    for (const Follower& each : model_.followers()) {
      if (each.followed == joints_[i]) add(each.joint, each.ratio);
    }
  }
}

double ShapeDistances::least(int& pair) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count(); ++i) {
    const double own = distance(i);
    if (!(own < least)) continue;
    least = own;
    pair = i;
  }
  return least;
}

std::string ShapeDistances::names(int pair) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  return "'" + shapes_[of.a].name + "' and '" + shapes_[of.b].name + "'";
}

double ShapeDistances::size(int pair) const {
  const Pair& of = pairs_[static_cast<std::size_t>(pair)];
  double size = 0.0;
  for (const std::size_t i : {of.a, of.b}) {
    size += bounding_radius(shapes_[i].type, shapes_[i].size, shapes_[i].hull.get());
  }
  return size;
}

}  // namespace spacedyn
