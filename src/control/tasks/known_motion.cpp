#include "control/tasks/known_motion.hpp"

#include "control/tasks/own_inertia.hpp"
#include "forces/point_load.hpp"
#include "forces/separation.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"

namespace spacedyn {

KnownMotion::KnownMotion(const WholeBody::Settings& settings, const Model& model)
    : settings_(settings),
      scratch_(model),
      loads_(model),
      external_(model),
      acceleration_(VectorX::Zero(model.velocity_size())),
      forces_(acceleration_),
      none_(acceleration_) {}

void KnownMotion::add_gravity(const EvaluationContext& context) {
  loads_.clear();
  loads_.gravity = settings_.known.gravity;
  for (const auto& field : settings_.known.fields) field->apply(context, loads_);
}

void KnownMotion::update(const EvaluationContext& context, TreeWorkspace& workspace) {
  const KnownSurroundings& known = settings_.known;
  add_gravity(context);
  passive_.apply(context, loads_);
  if (!settings_.forces.empty() || settings_.observed) add_external(context);
  acceleration_.setZero();
  if (known.base) {
    Vector6 imposed;
    known.base->evaluate(context.instant(), scratch_, imposed);
    acceleration_.head<6>() = imposed;
  }
  for (const PrescribedJoint& joint : known.prescribed) {
    acceleration_(joint.joint + 5) = joint.reference->at(0, context.instant()).acceleration;
  }
  // a run whose dynamics are singular ends without a word of this
  (void)forward_dynamics(context.state, loads_, workspace, acceleration_, forces_);
}

void KnownMotion::add_observed(const EvaluationContext& context) {
  if (context.readings == nullptr) return;
  const Frame& at = settings_.observed->at;
  const Matrix3 axes = frame_orientation(context.frames, at);
  const auto read = context.readings->segment<6>(settings_.observed->first);
  const Vector3 force = axes * read.head<3>();
  const Vector3 arm = arm_of(context.model, context.frames, at);
  external_.force.col(at.body) = force;
  external_.moment.col(at.body) = axes * read.tail<3>() + arm.cross(force);
}

void KnownMotion::add_external(const EvaluationContext& context) {
  external_.clear();
  if (settings_.observed) add_observed(context);
  for (const KnownForce& known : settings_.forces) {
    // a result that is drawn has no z, and of torques it draws nothing
    const Eigen::Index end = known.first_auxiliary + known.force->auxiliary_size();
    if (context.state.z.size() < end) continue;
    const EvaluationContext own{
        context.time,
        context.model,
        context.state,
        context.frames,
        context.velocities,
        context.state.z.segment(known.first_auxiliary, known.force->auxiliary_size()),
        context.q_step_start,
        context.acceleration,
        context.mobility,
        context.events};
    known.force->apply(own, external_);
  }
  for (const Task& task : settings_.tasks) {
    if (task.mass.size() == 0) continue;
    loads_.force.col(task.frame.body) = external_.force.col(task.frame.body);
    loads_.moment.col(task.frame.body) = external_.moment.col(task.frame.body);
  }
}

Vector6 KnownMotion::acceleration_of(const EvaluationContext& context, const Frame& frame,
                                     Matrix6X& J) const {
  const ClassicalAcceleration bias =
      bias_acceleration(context.model, context.state, context.frames, context.velocities, frame);
  Vector6 result;
  result << bias.linear, bias.angular;
  full_jacobian(context, frame, J);
  result.noalias() += J.lazyProduct(acceleration_);
  return result;
}

Vector6 KnownMotion::load(const EvaluationContext& context, int first, int end,
                          const Vector3& point) const {
  Vector6 sum = Vector6::Zero();
  for (int body = first; body < end; ++body) {
    const Vector3 force = loads_.force.col(body) + context.model.body(body).mass * loads_.gravity;
    const Vector3 arm = context.frames.r[static_cast<std::size_t>(body)] - point;
    sum.head<3>() += force;
    sum.tail<3>() += loads_.moment.col(body) + arm.cross(force);
  }
  return sum;
}

Vector6 KnownMotion::wrench(const EvaluationContext& context, const Task& task) const {
  const Vector3 arm = arm_of(context.model, context.frames, task.frame);
  const Vector3 force = external_.force.col(task.frame.body);
  const Vector3 moment = external_.moment.col(task.frame.body) - arm.cross(force);
  const Matrix3 axes = task.relative_to ? frame_orientation(context.frames, *task.relative_to)
                                        : Matrix3(Matrix3::Identity());
  Vector6 result;
  result << axes.transpose() * force, axes.transpose() * moment;
  return result;
}

const VectorX& KnownMotion::holding(const EvaluationContext& context, TreeWorkspace& workspace) {
  add_gravity(context);
  scratch_ = context.state;
  scratch_.v_0.setZero();
  scratch_.omega_0.setZero();
  scratch_.qd.setZero();
  inverse_dynamics(scratch_, none_, loads_, workspace, forces_);
  return forces_;
}

RelativePose::RelativePose(const EvaluationContext& context, const Frame& frame,
                           const std::optional<Frame>& relative_to) {
  pose.rotation = frame_orientation(context.frames, frame);
  if (!relative_to) {
    pose.position = frame_position(context.frames, frame);
    velocity = frame_velocity(context.frames, context.velocities, frame);
    return;
  }
  const auto& omega = context.velocities.omega;
  const Separation apart = separation(context, *relative_to, frame);
  A_F = frame_orientation(context.frames, *relative_to);
  d = apart.distance;
  omega_F = omega[static_cast<std::size_t>(relative_to->body)];
  slip = apart.velocity - omega_F.cross(d);
  spin = omega[static_cast<std::size_t>(frame.body)] - omega_F;
  pose.position = A_F.transpose() * d;
  pose.rotation = A_F.transpose() * pose.rotation;
  velocity << A_F.transpose() * slip, A_F.transpose() * spin;
}

void RelativePose::relate(Eigen::Ref<Matrix6X> J, const Matrix6X* J_F) const {
  if (J_F == nullptr) return;  // the axes are inertial ones
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const Vector3 turn = J_F->col(j).tail<3>();
    const Vector3 linear = J.col(j).head<3>() - J_F->col(j).head<3>() - turn.cross(d);
    const Vector3 angular = J.col(j).tail<3>() - turn;
    J.col(j) << A_F.transpose() * linear, A_F.transpose() * angular;
  }
}

Vector6 RelativePose::acceleration(const Vector6& own, const Vector6& of_F) const {
  const Vector3 turn = of_F.tail<3>();
  const Vector3 linear = own.head<3>() - of_F.head<3>() - turn.cross(d) -
                         omega_F.cross(omega_F.cross(d)) - 2.0 * omega_F.cross(slip);
  const Vector3 angular = own.tail<3>() - turn - omega_F.cross(spin);
  Vector6 result;
  result << A_F.transpose() * linear, A_F.transpose() * angular;
  return result;
}

void full_jacobian(const EvaluationContext& context, const Frame& frame, Matrix6X& J) {
  J.leftCols<6>() = base_jacobian(context.frames, frame);
  frame_jacobian(context.model, context.frames, frame, J.rightCols(J.cols() - 6));
}

OwnInertia::OwnInertia(const Model& model, const Mobility& mobility)
    : tree_(model, mobility), followers_(model.followers()) {
  if (!follows()) return;
  for (const int row : mobility.free()) {
    if (row < 6 || model.follower(row - 5) == nullptr) own_.push_back(row);
  }
  const auto count = static_cast<Eigen::Index>(own_.size());
  led_.resize(model.velocity_size(), model.velocity_size());
  compact_.resize(count, count);
  dense_ = Eigen::LLT<MatrixX>(count);
  excess_ = push_ = VectorX::Zero(model.velocity_size());
  gathered_.resize(count);
}

DynamicsStatus OwnInertia::factorize(const MatrixX& H) {
  if (!follows()) return tree_.factorize(H);
  led_.triangularView<Eigen::Upper>() = H;
  led_.triangularView<Eigen::StrictlyLower>() = H.transpose();
  for (const Follower& each : followers_) {
    led_.col(each.followed + 5) += each.ratio * led_.col(each.joint + 5);
  }
  for (const Follower& each : followers_) {
    led_.row(each.followed + 5) += each.ratio * led_.row(each.joint + 5);
  }
  for (Eigen::Index i = 0; i < compact_.rows(); ++i) {
    for (Eigen::Index k = 0; k <= i; ++k) {
      compact_(i, k) = led_(own_[static_cast<std::size_t>(i)], own_[static_cast<std::size_t>(k)]);
    }
  }
  dense_.compute(compact_);
  return dense_.info() == Eigen::Success ? DynamicsStatus::ok
                                         : DynamicsStatus::inertia_not_positive_definite;
}

void OwnInertia::gather(VectorRef x) const {
  for (const Follower& each : followers_) x(each.followed + 5) += each.ratio * x(each.joint + 5);
  for (Eigen::Index i = 0; i < gathered_.size(); ++i) {
    gathered_(i) = x(own_[static_cast<std::size_t>(i)]);
  }
  dense_.matrixL().solveInPlace(gathered_);
}

void OwnInertia::halve(VectorRef x) const {
  if (!follows()) return tree_.solve_from_tips(x);
  gather(x);
  x.setZero();
  x.head(gathered_.size()) = gathered_;
}

void OwnInertia::constrain(const MatrixX& H, VectorRef acceleration) {
  if (!follows()) return;
  excess_.setZero();
  for (const Follower& each : followers_) {
    const double led = each.ratio * acceleration(each.followed + 5);
    excess_(each.joint + 5) = acceleration(each.joint + 5) - led;
    acceleration(each.joint + 5) = led;
  }
  push_.noalias() = H.selfadjointView<Eigen::Upper>() * excess_;
  gather(push_);
  dense_.matrixU().solveInPlace(gathered_);
  for (Eigen::Index i = 0; i < gathered_.size(); ++i) {
    acceleration(own_[static_cast<std::size_t>(i)]) += gathered_(i);
  }
  for (const Follower& each : followers_) {
    acceleration(each.joint + 5) = each.ratio * acceleration(each.followed + 5);
  }
}

}  // namespace spacedyn
