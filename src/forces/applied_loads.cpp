#include "spacedyn/forces/applied_loads.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
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

namespace {

void check_times(const std::vector<double>& times) {
  if (times.size() < 2) {
    throw DimensionError("a time table has " + std::to_string(times.size()) +
                         " rows, expected at least 2");
  }
  for (std::size_t row = 0; row < times.size(); ++row) {
    const bool may_be_infinite = row + 1 == times.size() && times[row] > 0.0;
    if (!std::isfinite(times[row]) && !(may_be_infinite && std::isinf(times[row]))) {
      throw DomainError("time " + std::to_string(row + 1) + " of a time table is not finite");
    }
    if (row > 0 && !(times[row] > times[row - 1])) {
      throw DomainError("the times of a time table must increase, but time " +
                        std::to_string(row + 1) + " does not exceed the one before it");
    }
  }
}

/// The row that a time is before, or 0 outside the table.
Eigen::Index row_after(const std::vector<double>& times, double time) {
  if (time < times.front() || time >= times.back()) return 0;
  return std::upper_bound(times.begin(), times.end(), time) - times.begin();
}

}  // namespace

TimeTable::TimeTable(std::vector<double> times, MatrixX values)
    : times_(std::move(times)), values_(std::move(values)) {
  check_times(times_);
  if (values_.cols() != static_cast<Eigen::Index>(times_.size())) {
    throw DimensionError("a time table has " + std::to_string(times_.size()) + " times but " +
                         std::to_string(values_.cols()) + " values");
  }
  if (!values_.allFinite()) throw DomainError("a value of a time table is not finite");
}

TimeTable TimeTable::constant(const VectorX& value, double from, double until) {
  if (!(until > from)) throw DomainError("a constant load must end later than it begins");
  MatrixX values(value.size(), 2);
  values << value, value;
  return TimeTable({from, until}, std::move(values));
}

TimeTable TimeTable::starting_at(int event) const {
  TimeTable table = *this;
  table.start_ = EventStart(event, times_);
  return table;
}

void TimeTable::append_discontinuities(std::vector<double>& times) const {
  if (!start_.waits()) times.insert(times.end(), times_.begin(), times_.end());
}

void TimeTable::append_event_discontinuities(const EventTimes& events,
                                             std::vector<double>& times) const {
  start_.append(events, times);
}

void TimeTable::evaluate(const Instant& now, VectorRef value) const {
  SPACEDYN_ASSERT(value.size() == values_.rows());
  const double time = start_.since(now);
  const Eigen::Index right = row_after(times_, time);
  if (right == 0) {
    value.setZero();
    return;
  }
  const double start = times_[static_cast<std::size_t>(right - 1)];
  const double end = times_[static_cast<std::size_t>(right)];
  const double s = (time - start) / (end - start);  // 0 on a row that holds for ever
  value = values_.col(right - 1) + s * (values_.col(right) - values_.col(right - 1));
}

void TimeTable::slope(const Instant& now, VectorRef value) const {
  SPACEDYN_ASSERT(value.size() == values_.rows());
  const double time = start_.since(now);
  const Eigen::Index right = row_after(times_, time);
  if (right == 0) {
    value.setZero();
    return;
  }
  const double start = times_[static_cast<std::size_t>(right - 1)];
  const double end = times_[static_cast<std::size_t>(right)];
  value = (values_.col(right) - values_.col(right - 1)) / (end - start);
}

}  // namespace spacedyn
