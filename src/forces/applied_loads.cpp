#include "spacedyn/forces/applied_loads.hpp"

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"

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

void AppliedWrench::apply(const Situation& situation, Loads& loads) const {
  Vector6 wrench;
  schedule_.evaluate(situation.time, wrench);
  Vector3 force = wrench.head<3>();
  Vector3 torque = wrench.tail<3>();
  if (axes_ == WrenchAxes::body) {
    const Matrix3 A = frame_orientation(situation.frames, at_);
    force = A * force;
    torque = A * torque;
  }
  loads.add_wrench(at_.body, situation.frames.r[static_cast<std::size_t>(at_.body)],
                   frame_position(situation.frames, at_), force, torque);
}

void AppliedWrench::append_discontinuities(std::vector<double>& times) const {
  times.insert(times.end(), schedule_.times().begin(), schedule_.times().end());
}

AppliedJointTorque::AppliedJointTorque(std::string name, int joint, TimeTable schedule)
    : ForceElement(std::move(name)), joint_(joint), schedule_(std::move(schedule)) {
  check_rows(this->name(), schedule_, 1);
}

void AppliedJointTorque::check(const Model& model) const { check_joint(*this, joint_, model); }

void AppliedJointTorque::apply(const Situation& situation, Loads& loads) const {
  Eigen::Matrix<double, 1, 1> torque;
  schedule_.evaluate(situation.time, torque);
  loads.tau(joint_ - 1) += torque(0);
}

void AppliedJointTorque::append_discontinuities(std::vector<double>& times) const {
  times.insert(times.end(), schedule_.times().begin(), schedule_.times().end());
}

}  // namespace spacedyn
