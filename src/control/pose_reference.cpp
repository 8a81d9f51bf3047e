#include "spacedyn/control/pose_reference.hpp"

#include "control/reference_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// How far a matrix may be from a rotation.
constexpr double kRotationTolerance = 1e-6;

void check_rotation(const Matrix3& rotation) {
  const bool is_rotation = rotation.allFinite() && rotation.determinant() > 0.0 &&
                           orthogonality_error(rotation) <= kRotationTolerance;
  if (!is_rotation) throw DomainError("the attitude of a pose is no rotation");
}

void check_pose(const Pose& pose) {
  check_finite("position", pose.position);
  check_rotation(pose.rotation);
}

std::vector<double> ends_of(const std::vector<PosePath::Stop>& stops) {
  std::vector<double> times;
  for (const PosePath::Stop& stop : stops) times.push_back(stop.at);
  return times;
}

}  // namespace

double PoseReference::since_start(const Instant& now) const { return now.time; }

HeldPose::HeldPose(const Pose& pose) : pose_(pose) { check_pose(pose_); }

PoseMotion HeldPose::evaluate(const Instant&, const Pose&) const {
  return {pose_.position, pose_.rotation, Vector6::Zero(), Vector6::Zero()};
}

PointPath::PointPath(std::shared_ptr<const Reference> position, const Matrix3& rotation)
    : position_(std::move(position)), rotation_(rotation) {
  if (!position_) throw DomainError("a path of a point needs a reference");
  check_same_size("the reference", position_->size(), 3);
  check_rotation(rotation_);
}

PoseMotion PointPath::evaluate(const Instant& now, const Pose&) const {
  PoseMotion motion;
  motion.rotation = rotation_;
  for (int i = 0; i < 3; ++i) {
    const ReferenceValue value = position_->at(i, now);
    motion.position(i) = value.position;
    motion.velocity(i) = value.velocity;
    motion.acceleration(i) = value.acceleration;
  }
  return motion;
}

PosePath::PosePath(std::optional<Pose> from, std::vector<Stop> stops, double from_time, int event)
    : from_(std::move(from)),
      stops_(std::move(stops)),
      from_time_(from_time),
      event_(event, ends_of(stops_)) {
  check_finite("from_time", from_time_);
  if (from_) check_pose(*from_);
  if (stops_.empty()) throw DomainError("a path of a pose leads nowhere");
  double last = 0.0;
  for (const Stop& stop : stops_) {
    check_finite("the time of a pose", stop.at);
    if (!(stop.at > last)) throw DomainError("the times of poses must be positive and ascend");
    if (stop.position) check_finite("position", *stop.position);
    if (stop.rotation) check_rotation(*stop.rotation);
    last = stop.at;
  }
}

PoseMotion PosePath::evaluate(const Instant& now, const Pose& start) const {
  const Pose& first = from_ ? *from_ : start;
  PoseMotion motion;
  motion.position = first.position;
  motion.rotation = first.rotation;
  double begin = 0.0;
  const double since = since_start(now);
  for (const Stop& stop : stops_) {
    if (since < begin) break;
    const Vector3 way =
        stop.position ? Vector3(*stop.position - motion.position) : Vector3(Vector3::Zero());
    const Vector3 turn = stop.rotation ? orientation_error(*stop.rotation, motion.rotation)
                                       : Vector3(Vector3::Zero());
    if (since >= stop.at) {
      if (stop.position) motion.position = *stop.position;
      if (stop.rotation) motion.rotation = *stop.rotation;
      begin = stop.at;
      continue;
    }
    const double duration = stop.at - begin, s = (since - begin) / duration, rest = 1.0 - s;
    const double sigma = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    const double rate = 30.0 * s * s * rest * rest / duration;
    const double rise = 60.0 * s * rest * (rest - s) / (duration * duration);
    motion.position += sigma * way;
    motion.rotation = exp_so3(sigma * turn) * motion.rotation;
    motion.velocity << rate * way, rate * turn;
    motion.acceleration << rise * way, rise * turn;
    break;
  }
  return motion;
}

double PosePath::since_start(const Instant& now) const {
  return event_.waits() ? event_.since(now) : now.time - from_time_;
}

void PosePath::append_event_discontinuities(const EventTimes& events,
                                            std::vector<double>& times) const {
  event_.append(events, times);
}

void PosePath::append_discontinuities(std::vector<double>& times) const {
  if (event_.waits()) return;
  times.push_back(from_time_);
  for (const Stop& stop : stops_) times.push_back(from_time_ + stop.at);
}

}  // namespace spacedyn
