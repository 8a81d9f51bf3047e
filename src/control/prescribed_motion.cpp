#include "spacedyn/control/prescribed_motion.hpp"

#include <cmath>
#include <utility>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "forces/separation.hpp"
#include "math/rodrigues.hpp"
#include "math/rotation_series.hpp"
#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/control/rotation_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// dexp(θ) x = x + a θ × x + b θ × (θ × x) with a = (1 − cos φ)/φ², b = (φ − sin φ)/φ³, φ = |θ|,
/// and da/dφ /φ, db/dφ /φ.
struct DexpFactors {
  double a = 0.0, b = 0.0, a_slope = 0.0, b_slope = 0.0;

  explicit DexpFactors(double phi) {
    // below, closed forms cancel; the series are complete to rounding up to here
    constexpr double kSeries = 2.0;
    const double square = phi * phi;
    if (phi < kSeries) {
      for (int k = 10; k >= 0; --k) {
        a = kCoscSeries[k] - square * a;
        b = kSincSeries[k + 1] - square * b;
      }
      for (int k = 10; k >= 1; --k) {
        a_slope = 2.0 * k * kCoscSeries[k] - square * a_slope;
        b_slope = 2.0 * k * kSincSeries[k + 1] - square * b_slope;
      }
      a_slope = -a_slope;
      b_slope = -b_slope;
      return;
    }
    const double sine = std::sin(phi), versine = 1.0 - std::cos(phi);
    a = versine / square;
    b = (phi - sine) / (square * phi);
    a_slope = (phi * sine - 2.0 * versine) / (square * square);
    b_slope = (versine - 3.0 * phi * phi * b) / (square * square);
  }
};

}  // namespace

void PrescribedBase::evaluate(const Instant& now, State& state, Vector6& acceleration) const {
  state.r_0 = initial_position;
  state.v_0.setZero();
  acceleration.setZero();
  if (position) {
    for (int i = 0; i < 3; ++i) {
      const ReferenceValue value = position->at(i, now);
      state.r_0(i) = value.position;
      state.v_0(i) = value.velocity;
      acceleration(i) = value.acceleration;
    }
  }

  const ReferenceValue turn = angle ? angle->at(0, now) : ReferenceValue{};
  state.A_0 = turn_by(turn.position * axis, initial_attitude);
  state.omega_0 = turn.velocity * axis;
  acceleration.tail<3>() = turn.acceleration * axis;
}

RotationPath::RotationPath(std::shared_ptr<const Reference> vector, const Matrix3& first)
    : vector_(std::move(vector)), first_(first) {
  if (!vector_) throw DomainError("a path of a rotation needs a reference");
  check_same_size("the rotation vector", vector_->size(), 3);
  (void)HeldPose({Vector3::Zero(), first_});  // refuses what is no rotation
}

PoseMotion RotationPath::evaluate(const Instant& now, const Pose&) const {
  Vector3 theta, rate, change;
  for (int i = 0; i < 3; ++i) {
    const ReferenceValue value = vector_->at(i, now);
    theta(i) = value.position;
    rate(i) = value.velocity;
    change(i) = value.acceleration;
  }
  // ω = dexp(θ) θ̇ and its derivative, in which θ̇ × θ̇ = 0
  const DexpFactors of(theta.norm());
  const double growth = theta.dot(rate);  // φ φ̇
  const Vector3 swing = theta.cross(rate), twice = theta.cross(swing), pull = theta.cross(change);
  PoseMotion motion;
  motion.rotation = first_ * exp_so3(theta);
  motion.velocity.tail<3>() = first_ * (rate + of.a * swing + of.b * twice);
  motion.acceleration.tail<3>() =
      first_ * (change + of.a * pull + of.b * (theta.cross(pull) + rate.cross(swing)) +
                growth * (of.a_slope * swing + of.b_slope * twice));
  return motion;
}

MatrixX rotation_vectors(const std::vector<Matrix3>& attitudes) {
  if (attitudes.empty()) throw DomainError("a table of attitudes has no rows");
  MatrixX vectors = MatrixX::Zero(3, static_cast<Eigen::Index>(attitudes.size()));
  Vector3 last = Vector3::Zero();
  for (std::size_t k = 1; k < attitudes.size(); ++k) {
    const Vector3 turn = log_so3(attitudes.front().transpose() * attitudes[k]);
    const double angle = turn.norm();
    // of all that lead to the attitude, turn + 2π m along its axis, the one nearest to the last
    const Vector3 axis = angle > 0.0         ? Vector3(turn / angle)
                         : last.norm() > 0.0 ? Vector3(last.normalized())
                                             : Vector3(Vector3::UnitX());
    const double turns = std::round((axis.dot(last) - angle) / (2.0 * kPi));
    last = (angle + 2.0 * kPi * turns) * axis;
    const auto column = static_cast<Eigen::Index>(k);
    if ((last - vectors.col(column - 1)).norm() >= kPi) {
      throw DomainError("attitudes " + std::to_string(k) + " and " + std::to_string(k + 1) +
                        " are half a turn or more apart: the way between them is not known");
    }
    vectors.col(column) = last;
  }
  return vectors;
}

PoseCoordinates::PoseCoordinates(std::shared_ptr<const PoseReference> pose, const Pose& start)
    : pose_(std::move(pose)), start_(start) {
  if (!pose_) throw DomainError("a joint that follows a pose needs one");
}

ReferenceValue PoseCoordinates::evaluate(int component, double time) const {
  return at(component, time);
}

ReferenceValue PoseCoordinates::at(int component, const Instant& now) const {
  const PoseMotion motion = pose_->evaluate(now, start_);
  if (component < 3) {
    return {motion.position(component), motion.velocity(component), motion.acceleration(component)};
  }
  // d/dt (Aᵀ ω) = Aᵀ ω̇, as ω × ω = 0
  const int i = component - 3;
  const auto axis = motion.rotation.col(i);
  return {log_so3(motion.rotation)(i), axis.dot(motion.velocity.tail<3>()),
          axis.dot(motion.acceleration.tail<3>())};
}

std::vector<PrescribedJoint> prescribed_joints(const CompoundJoint& joint,
                                               std::shared_ptr<const PoseReference> pose,
                                               const Pose& start) {
  if (joint.type != JointType::spherical && joint.type != JointType::free) {
    throw DomainError("joint '" + joint.name + "' is neither spherical nor free: it has no pose");
  }
  const auto whole = std::make_shared<const PoseCoordinates>(std::move(pose), start);
  std::vector<PrescribedJoint> joints;
  for (int k = 0; k < joint.size; ++k) {
    const int component = whole->size() - joint.size + k;
    joints.push_back(
        {joint.first + k, std::make_shared<const ReferenceComponent>(whole, component)});
  }
  return joints;
}

RheonomicDistance::RheonomicDistance(std::string name, Settings settings)
    : MotionConstraint(std::move(name)), settings_(std::move(settings)) {
  if (settings_.length == nullptr) throw DomainError(owner_prefix(*this) + "it has no reference");
  if (settings_.length->size() == 1) return;
  throw DimensionError(owner_prefix(*this) + "its reference has " +
                       std::to_string(settings_.length->size()) + " components, expected 1");
}

void RheonomicDistance::check(const Model& model) const {
  for (const Frame* point : {&settings_.from, &settings_.to}) {
    check_body(*this, point->body, model);
    check_frame(model, *point);
  }
  if (settings_.from.body != settings_.to.body) return;
  throw DomainError(owner_prefix(*this) + "both points are on body '" +
                    model.body(settings_.to.body).name + "'");
}

void RheonomicDistance::declare(Declarations& declared) const {
  MotionConstraint::declare(declared);
  declared.line = {settings_.from, settings_.to};
}

void RheonomicDistance::rows(const EvaluationContext& context, MotionRows& rows) const {
  const auto acceleration_of = [&](const Frame& point) {
    return bias_acceleration(context.model, context.state, context.frames, context.velocities,
                             point)
        .linear;
  };
  const ReferenceValue length = settings_.length->at(0, context.instant());
  rows.points[0] = frame_position(context.frames, settings_.to);
  rows.points[1] = frame_position(context.frames, settings_.from);
  const auto [distance, velocity] = separation(context, settings_.from, settings_.to);
  const double size = distance.norm();
  const Vector3 direction = distance / size;
  const double rate = direction.dot(velocity);
  const double bias =
      direction.dot(acceleration_of(settings_.to) - acceleration_of(settings_.from)) +
      (velocity.squaredNorm() - rate * rate) / size;
  rows.rows[0] = {{direction, -direction},
                  rate - length.velocity,
                  bias - length.acceleration,
                  length.velocity,
                  size - length.position};
}

WinchTether::WinchTether(std::string name, Settings settings,
                         std::shared_ptr<const Reference> rest_length)
    : Tether(std::move(name), std::move(settings)), rest_length_(std::move(rest_length)) {
  if (rest_length_ == nullptr)
    throw DomainError(owner_prefix(*this) + "its winch has no reference");
  if (rest_length_->size() == 1) return;
  throw DimensionError(owner_prefix(*this) + "the reference of its winch has " +
                       std::to_string(rest_length_->size()) + " components, expected 1");
}

Tether::Rest WinchTether::rest(const Instant& now) const {
  const ReferenceValue value = rest_length_->at(0, now);
  if (value.position < 0.0) return {0.0, 0.0, true};
  return {value.position, value.velocity, true};
}

bool WinchTether::differentiate(const EvaluationContext& /*context*/,
                                LoadDerivatives& /*derivatives*/) const {
  return false;  // in time, too: by differences
}

}  // namespace spacedyn
