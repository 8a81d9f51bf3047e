#include "spacedyn/control/vehicle_drive.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forces/element_checks.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

constexpr double kLeastTravel = 0.05;  // of the speed that is asked for

bool is_positive(double x) { return std::isfinite(x) && x > 0.0; }
bool is_not_negative(double x) { return std::isfinite(x) && x >= 0.0; }

double wheel_effort(double torque, int joint, const Model& model) {
  const double limit = model.joint(joint).effort_limit;
  return std::clamp(torque, -limit, limit);
}

}  // namespace

void GuidePath::check() const {
  if (x.size() < 2 || x.size() != y.size()) throw DomainError("a path needs two points");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      throw DomainError("the points of a path must be finite");
    }
    if (i > 0 && x[i] == x[i - 1] && y[i] == y[i - 1]) {
      throw DomainError("a path must not stand still");
    }
  }
  if (!is_positive(lookahead)) throw DomainError("the lookahead must be positive");
}

std::array<double, 2> GuidePath::pursue(double at_x, double at_y,
                                        const std::array<double, 2>& heading) const {
  // the nearest point: its segment, and how far along
  std::size_t segment = 0;
  double past = 0.0, least = std::numeric_limits<double>::infinity(), left = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double dx = x[i + 1] - x[i], dy = y[i + 1] - y[i], length = std::hypot(dx, dy);
    const double along = ((at_x - x[i]) * dx + (at_y - y[i]) * dy) / length;
    const bool is_last = i + 2 == x.size();
    const double on = std::clamp(along, 0.0, is_last ? std::max(along, length) : length);
    const double away = std::hypot(x[i] + on * dx / length - at_x, y[i] + on * dy / length - at_y);
    left += length;
    if (away >= least) continue;
    least = away;
    segment = i;
    past = on;
    left = length - on;
  }
  // L further
  double ahead = past + lookahead;
  for (; segment + 2 < x.size(); ++segment) {
    const double length = std::hypot(x[segment + 1] - x[segment], y[segment + 1] - y[segment]);
    if (ahead <= length) break;
    ahead -= length;
  }
  const double dx = x[segment + 1] - x[segment], dy = y[segment + 1] - y[segment];
  const double part = ahead / std::hypot(dx, dy);
  const double to_x = x[segment] + part * dx - at_x, to_y = y[segment] + part * dy - at_y;
  const double aside = heading[0] * to_y - heading[1] * to_x;
  return {2.0 * aside / (to_x * to_x + to_y * to_y), std::clamp(left / lookahead, 0.0, 1.0)};
}

VehicleDrive::VehicleDrive(std::string name, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  const Settings& s = settings_;
  const auto require = [this](bool condition, const std::string& what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  require(!s.wheels.empty(), "a drive needs wheels");
  bool steers = false;
  for (const Wheel& wheel : s.wheels) {
    require(is_positive(wheel.radius), "the radius of a wheel must be positive");
    require(std::count_if(s.wheels.begin(), s.wheels.end(),
                          [&](const Wheel& other) { return other.link == wheel.link; }) == 1,
            "link " + std::to_string(wheel.link) + " is driven twice");
    steers = steers || wheel.steering > 0;
  }
  const PlanarMotion& motion = s.motion;
  require(std::isfinite(motion.direction_x) && std::isfinite(motion.direction_y) &&
              std::isfinite(motion.rotation) && std::isfinite(motion.speed),
          "the motion must be finite");
  require(is_not_negative(s.from) && is_positive(s.ramp),
          "the start must not be negative, the ramp positive");
  require(is_positive(s.damping), "the damping of drives must be positive");
  require(!steers || (is_positive(s.steering_stiffness) && is_not_negative(s.steering_damping)),
          "the stiffness of steering must be positive, its damping not negative");
  require(s.slip_limit > 0.0 && (s.slip_limit < 1.0 || std::isinf(s.slip_limit)),
          "the slip limit must be above 0 and below 1");
  require(is_not_negative(s.sample_period), "sample_period must be finite and not negative");
  if (!s.path.x.empty() || s.path.lookahead != 0.0) s.path.check();
}

void VehicleDrive::check(const Model& model) const {
  check_frame(model, settings_.at);
  const auto refuse = [this](const std::string& what) {
    throw DomainError(owner_prefix(*this) + what);
  };
  for (const Wheel& wheel : settings_.wheels) {
    check_joint(*this, wheel.link, model);
    if (model.joint(wheel.link).type != JointType::revolute) {
      refuse("a wheel turns on a revolute joint, '" + model.joint(wheel.link).name + "' is none");
    }
    if (wheel.steering == 0) continue;
    check_joint(*this, wheel.steering, model);
    if (model.joint(wheel.steering).type != JointType::revolute || wheel.steering == wheel.link ||
        !model.topology().is_ancestor(wheel.steering, wheel.link)) {
      refuse("'" + model.joint(wheel.steering).name + "' does not steer '" +
             model.joint(wheel.link).name + "'");
    }
  }
}

void VehicleDrive::command(const EvaluationContext& context, VectorRef command) const {
  const PlanarMotion& motion = settings_.motion;
  const double begun = smooth_step((context.time - settings_.from) / settings_.ramp);
  command << motion.direction_x, motion.direction_y, motion.rotation, begun * motion.speed;
  if (settings_.path.x.empty()) return;
  const Vector3 place = frame_position(context.frames, settings_.at);
  const Vector3 ahead = frame_orientation(context.frames, settings_.at).col(0);
  const double length = std::hypot(ahead.x(), ahead.y());
  const auto [curvature, factor] =
      settings_.path.pursue(place.x(), place.y(), {ahead.x() / length, ahead.y() / length});
  command(2) = curvature;
  command(3) *= factor;
}

void VehicleDrive::apply(const EvaluationContext& context, ConstVectorRef command,
                         Loads& loads) const {
  const PlanarMotion motion{command(0), command(1), command(2), command(3)};
  for (const Wheel& wheel : settings_.wheels) apply(context, motion, wheel, loads);
}

void VehicleDrive::apply(const EvaluationContext& context, const PlanarMotion& motion,
                         const Wheel& wheel, Loads& loads) const {
  const auto i = static_cast<std::size_t>(wheel.link);
  const Matrix3 axes = frame_orientation(context.frames, settings_.at);
  const Vector3 place =
      axes.transpose() * (context.frames.o[i] - frame_position(context.frames, settings_.at));
  const Vector3 velocity(motion.direction_x - motion.rotation * place.y(),
                         motion.direction_y + motion.rotation * place.x(), 0.0);
  const Vector3 up = axes.col(2);
  const Vector3 heading = (axes.transpose() * context.frames.k[i].cross(up)).normalized();
  if (wheel.steering > 0) {
    // the angle from the heading to the line of the velocity, by at most 90°
    double turn = std::atan2(heading.x() * velocity.y() - heading.y() * velocity.x(),
                             heading.x() * velocity.x() + heading.y() * velocity.y());
    const double q = context.state.q(wheel.steering - 1);
    const double sense =
        context.frames.k[static_cast<std::size_t>(wheel.steering)].dot(up) < 0.0 ? -1.0 : 1.0;
    // counted from the heading at zero, so that the fold stays in one place
    double angle = sense * turn + q;
    angle -= kPi * std::round(angle / kPi);
    const double torque = settings_.steering_stiffness * (angle - q) -
                          settings_.steering_damping * context.state.qd(wheel.steering - 1);
    loads.tau(wheel.steering - 1) += wheel_effort(torque, wheel.steering, context.model);
  }
  double rim = motion.speed * heading.dot(velocity);
  if (std::isfinite(settings_.slip_limit) && rim != 0.0) {
    const Vector3 travel = context.velocities.v[i] + context.velocities.omega[i].cross(
                                                         context.frames.o[i] - context.frames.r[i]);
    const double asked = std::abs(rim);
    const double speed = std::copysign(1.0, rim) * heading.dot(axes.transpose() * travel);
    const double least = kLeastTravel * asked;
    const double bound = least * smooth_floor(speed / least) / (1.0 - settings_.slip_limit);
    rim = std::copysign(std::min(asked, bound), rim);
  }
  const double torque = settings_.damping * (rim / wheel.radius - context.state.qd(wheel.link - 1));
  loads.tau(wheel.link - 1) += wheel_effort(torque, wheel.link, context.model);
}

void VehicleDrive::append_discontinuities(std::vector<double>& times) const {
  if (settings_.sample_period > 0.0) return;
  times.push_back(settings_.from);
  times.push_back(settings_.from + settings_.ramp);
}

}  // namespace spacedyn
