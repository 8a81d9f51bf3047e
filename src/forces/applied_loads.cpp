#include "spacedyn/forces/applied_loads.hpp"

#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

void check_rows(const std::string& name, const TimeTable& schedule, int expected) {
  if (schedule.size() == expected) return;
  throw DimensionError("the schedule of '" + name + "' has " + std::to_string(schedule.size()) +
                       " rows, expected " + std::to_string(expected));
}

}  // namespace

AppliedWrench::AppliedWrench(std::string name, Frame at, WrenchAxes axes, TimeTable schedule)
    : ForceElement(std::move(name)),
      at_(std::move(at)),
      axes_(axes),
      schedule_(std::move(schedule)) {
  check_rows(this->name(), schedule_, 6);
}

void AppliedWrench::check(const Model& model) const { check_body(*this, at_.body, model); }

struct AppliedWrench::Wrench {
  Vector3 force, moment;  // at the frame
};

AppliedWrench::Wrench AppliedWrench::wrench(const LinkFrames& frames,
                                            const Vector6& scheduled) const {
  Wrench wrench{scheduled.head<3>(), scheduled.tail<3>()};
  if (axes_ == WrenchAxes::body) {
    const Matrix3 A = frame_orientation(frames, at_);
    wrench.force = A * wrench.force;
    wrench.moment = A * wrench.moment;
  }
  return wrench;
}

void AppliedWrench::apply(const EvaluationContext& context, Loads& loads) const {
  Vector6 scheduled;
  schedule_.evaluate(context.instant(), scheduled);
  const Wrench now = wrench(context.frames, scheduled);
  add_at(at_, context, now.force, now.moment, loads);
}

bool AppliedWrench::differentiate(const EvaluationContext& context,
                                  LoadDerivatives& derivatives) const {
  const Model& model = context.model;
  const LinkFrames& frames = context.frames;
  Vector6 scheduled;
  schedule_.evaluate(context.instant(), scheduled);
  const Wrench now = wrench(frames, scheduled);
  const Vector3 arm = arm_of(model, frames, at_), moment_now = now.moment + arm.cross(now.force);
  // a turn δ of the body turns the arm, or arm, force and torque together
  const auto turn = [&](const Vector3& axis, Eigen::Index column) {
    const bool turns_along = axes_ == WrenchAxes::body;
    const Vector3 force = turns_along ? Vector3(axis.cross(now.force)) : Vector3(Vector3::Zero());
    const Vector3 moment = turns_along ? axis.cross(moment_now) : axis.cross(arm).cross(now.force);
    add_generalized_force(model, frames, at_.body, force, moment,
                          derivatives.force_configuration.col(column));
  };
  for (int i = 0; i < 3; ++i) turn(Vector3::Unit(i), 3 + i);
  for_each_joint_below(model, at_.body, [&](int joint) {
    if (model.joint(joint).type == JointType::prismatic) return;
    turn(angular_column(model, frames, joint), LoadDerivatives::joint(joint));
  });
  schedule_.slope(context.instant(), scheduled);
  const Wrench rate = wrench(frames, scheduled);
  add_generalized_force(model, frames, at_.body, rate.force, rate.moment + arm.cross(rate.force),
                        derivatives.force_time);
  return true;
}

AppliedJointTorque::AppliedJointTorque(std::string name, int joint, TimeTable schedule)
    : ForceElement(std::move(name)), joint_(joint), schedule_(std::move(schedule)) {
  check_rows(this->name(), schedule_, 1);
}

void AppliedJointTorque::declare(Declarations& declared) const {
  declared.driven_joints = {joint_};
}

void AppliedJointTorque::check(const Model& model) const { check_joint(*this, joint_, model); }

void AppliedJointTorque::apply(const EvaluationContext& context, Loads& loads) const {
  Eigen::Matrix<double, 1, 1> torque;
  schedule_.evaluate(context.instant(), torque);
  loads.tau(joint_ - 1) += torque(0);
}

bool AppliedJointTorque::differentiate(const EvaluationContext& context,
                                       LoadDerivatives& derivatives) const {
  Eigen::Matrix<double, 1, 1> slope;
  schedule_.slope(context.instant(), slope);
  derivatives.force_time(LoadDerivatives::joint(joint_)) += slope(0);
  return true;
}

}  // namespace spacedyn
