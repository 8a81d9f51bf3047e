#include "spacedyn/forces/magnetic_torquer.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "model/short_number.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {
namespace {

double value_at(const TimeTable& table, const Instant& now) {
  Eigen::Matrix<double, 1, 1> value;
  table.evaluate(now, value);
  return value(0);
}

/// Largest magnitude of a table that is linear between its rows.
double largest(const TimeTable& table) {
  double most = 0.0;
  for (const double time : table.times()) {
    if (std::isinf(time)) continue;
    // the last row is where the schedule ends: its value is the limit from the left
    const double before = std::nextafter(time, -std::numeric_limits<double>::infinity());
    most = std::max({most, std::abs(value_at(table, time)), std::abs(value_at(table, before))});
  }
  return most;
}

}  // namespace

Vector3 Torquer::direction(const LinkFrames& frames) const {
  return frame_orientation(frames, at) * axis;
}

Vector3 Torquer::field_at(const EvaluationContext& context) const {
  return field.at(context.time, frame_position(context.frames, at));
}

void Torquer::apply(const EvaluationContext& context, double dipole, Loads& loads) const {
  loads.moment.col(at.body) += dipole * direction(context.frames).cross(field_at(context));
}

ActuatorOutput Torquer::output(
    std::function<double(const EvaluationContext&, ConstVectorRef command)> value) const {
  return {name, {"dipole", "_dipole_A_m2", "A m²"}, std::move(value)};
}

MagneticTorquer::MagneticTorquer(std::string name, const Frame& at, const Vector3& axis,
                                 const MagneticField& field, double dipole_limit,
                                 std::optional<TimeTable> dipole)
    : ForceElement(std::move(name)),
      torquer_{this->name(), at, axis, dipole_limit, field, dipole.has_value()},
      dipole_(std::move(dipole)) {
  check_magnetic_field(field);
  if (!axis.allFinite() || std::abs(axis.norm() - 1.0) > 1e-9) {
    throw DomainError(owner_prefix(*this) + "its axis must be a unit vector");
  }
  if (!(dipole_limit > 0.0)) {
    throw DomainError(owner_prefix(*this) + "dipole_limit must be positive");
  }
  if (!dipole_) return;
  if (dipole_->size() != 1) {
    throw DimensionError("the dipole of '" + this->name() + "' has " +
                         std::to_string(dipole_->size()) + " rows, expected 1");
  }
  if (largest(*dipole_) > dipole_limit) {
    throw DomainError(owner_prefix(*this) + "expected a dipole of at most " +
                      short_number(dipole_limit) + " A m², its dipole_limit, got " +
                      short_number(largest(*dipole_)));
  }
}

double MagneticTorquer::dipole(const Instant& now) const {
  return dipole_ ? value_at(*dipole_, now) : 0.0;
}

void MagneticTorquer::declare(Declarations& declared) const {
  declared.torquer = &torquer_;
  declared.actuators.push_back(
      torquer_.output([this](const EvaluationContext& context, ConstVectorRef) {
        return dipole(context.instant());
      }));
}

void MagneticTorquer::check(const Model& model) const {
  check_body(*this, torquer_.at.body, model);
}

void MagneticTorquer::apply(const EvaluationContext& context, Loads& loads) const {
  const double strength = dipole(context.instant());
  if (strength != 0.0) torquer_.apply(context, strength, loads);
}

namespace {

/// μ_0/(4π), T m/A.
constexpr double kMagneticConstant = 1e-7;
constexpr double kUnitLength = 1e-9;

}  // namespace

Vector3 MagneticField::at(double time, const Vector3& point) const {
  if (dipole == 0.0 && !harmonics) return uniform;
  const BodyAxes::Pose pose = axes.at(time);
  const Vector3 r = pose.attitude.transpose() * (point - pose.origin);
  Vector3 field = Vector3::Zero();
  if (dipole != 0.0) {
    const double distance = r.norm();
    const Vector3 up = r / distance;
    const double strength = kMagneticConstant * dipole / (distance * distance * distance);
    field = strength * (north - 3.0 * north.dot(up) * up);
  }
  if (harmonics) field -= harmonics->at(r, time).gradient;
  return uniform + pose.attitude * field;
}

void check_magnetic_field(const MagneticField& field) {
  const auto require = [](bool rule, const char* what) {
    if (!rule) throw DomainError(std::string("the magnetic field: ") + what);
  };
  require(field.uniform.allFinite() && std::isfinite(field.dipole) && field.axes.is_finite(),
          "its numbers must be finite");
  require(std::abs(field.north.norm() - 1.0) <= kUnitLength, "its north must be a unit vector");
  require(field.dipole != 0.0 || !field.uniform.isZero(0.0) || field.harmonics, "it is zero");
}

}  // namespace spacedyn
