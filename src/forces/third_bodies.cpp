#include "spacedyn/forces/third_bodies.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

constexpr double kSecondsOfDay = 86400.0, kDaysOfCentury = 36525.0;
constexpr double kArcSecond = kDegree / 3600.0;
constexpr double kObliquity = 23.43929111 * kDegree;
constexpr double kLeapSeconds = 69.184;  // TT − UTC since 2017
constexpr int kFirstYear = 1950, kLastYear = 2050;

/// From axes of the ecliptic to those of the equator.
Vector3 equatorial(double longitude, double latitude, double distance) {
  const double flat = distance * std::cos(latitude);
  return rotation_x(kObliquity) * Vector3(flat * std::cos(longitude), flat * std::sin(longitude),
                                          distance * std::sin(latitude));
}

/// Days from 1970 January 1 to a date of the Gregorian calendar, years counted from March.
int days_since_1970(int year, int month, int day) {
  const int y = month > 2 ? year : year - 1;
  const int in_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return 365 * y + y / 4 - y / 100 + y / 400 + in_year - 719468;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int days_of_month(int year, int month) {
  const int next =
      month == 12 ? days_since_1970(year + 1, 1, 1) : days_since_1970(year, month + 1, 1);
  return next - days_since_1970(year, month, 1);
}

}  // namespace

// Mean elements of the sun, referred to the fixed equinox of J2000, with the equation of the
// centre.
Vector3 sun_position(double days) {
  const double T = days / kDaysOfCentury;
  const double M = (357.5256 + 35999.049 * T) * kDegree;
  const double longitude =
      (280.4665 + 35999.3729 * T) * kDegree +
      (6892.6 * std::sin(M) + 72.0 * std::sin(2.0 * M) + std::sin(3.0 * M)) * kArcSecond;
  const double distance = (149.619 - 2.499 * std::cos(M) - 0.021 * std::cos(2.0 * M)) * 1e9;
  return equatorial(longitude, 0.0, distance);
}

// The largest terms of Brown's theory, as Montenbruck and Gill list them, Satellite Orbits, 3.3.2.
Vector3 moon_position(double days) {
  const double T = days / kDaysOfCentury;
  const double L_0 = (218.31617 + 481267.88088 * T - 1.3972 * T) * kDegree;
  const double l = (134.96292 + 477198.86753 * T) * kDegree;
  const double l_s = (357.52543 + 35999.04944 * T) * kDegree;
  const double F = (93.27283 + 483202.01873 * T) * kDegree;
  const double D2 = 2.0 * (297.85027 + 445267.11135 * T) * kDegree;
  const auto s = [](double angle) { return std::sin(angle); };
  const auto c = [](double angle) { return std::cos(angle); };
  const double ahead =
      (22640.0 * s(l) + 769.0 * s(2.0 * l) - 4586.0 * s(l - D2) + 2370.0 * s(D2) - 668.0 * s(l_s) -
       412.0 * s(2.0 * F) - 212.0 * s(2.0 * l - D2) - 206.0 * s(l + l_s - D2) + 192.0 * s(l + D2) -
       165.0 * s(l_s - D2) + 148.0 * s(l - l_s) - 125.0 * s(0.5 * D2) - 110.0 * s(l + l_s) -
       55.0 * s(2.0 * F - D2)) *
      kArcSecond;
  const double argument = F + ahead + (412.0 * s(2.0 * F) + 541.0 * s(l_s)) * kArcSecond;
  const double latitude =
      (18520.0 * s(argument) - 526.0 * s(F - D2) + 44.0 * s(l + F - D2) - 31.0 * s(F - l - D2) -
       25.0 * s(F - 2.0 * l) - 23.0 * s(l_s + F - D2) + 21.0 * s(F - l) + 11.0 * s(F - l_s - D2)) *
      kArcSecond;
  const double distance = 385000.0 - 20905.0 * c(l) - 3699.0 * c(D2 - l) - 2956.0 * c(D2) -
                          570.0 * c(2.0 * l) + 246.0 * c(2.0 * l - D2) - 205.0 * c(l_s - D2) -
                          171.0 * c(l + D2) - 152.0 * c(l + l_s - D2);
  return equatorial(L_0 + ahead, latitude, 1e3 * distance);
}

double earth_rotation_angle(double days) {
  const double ut = days - kLeapSeconds / kSecondsOfDay;
  const double turns = 0.7790572732640 + std::fmod(ut, 1.0) + 0.00273781191135448 * ut;
  return 2.0 * kPi * (turns - std::floor(turns));
}

std::optional<double> epoch_of(const std::string& utc) {
  // widths are fixed, so that no sign or space passes
  const std::string form = "dddd-dd-ddTdd:dd:dd";
  if (utc.size() < form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? !is_digit(utc[i]) : utc[i] != form[i]) return std::nullopt;
  }
  const auto number = [&](std::size_t first, std::size_t count) {
    int value = 0;
    for (std::size_t i = first; i < first + count; ++i) value = 10 * value + (utc[i] - '0');
    return value;
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2), hour = number(11, 2),
            minute = number(14, 2), whole = number(17, 2);
  std::size_t at = form.size();
  double part = 0.0, weight = 0.1;
  if (at < utc.size() && utc[at] == '.') {
    for (++at; at < utc.size() && is_digit(utc[at]); ++at, weight *= 0.1) {
      part += weight * (utc[at] - '0');
    }
    if (weight == 0.1) return std::nullopt;
  }
  if (at < utc.size() && utc[at] == 'Z') ++at;
  const bool is_date = year >= kFirstYear && year < kLastYear && month >= 1 && month <= 12 &&
                       day >= 1 && day <= days_of_month(year, month);
  if (at != utc.size() || !is_date || hour > 23 || minute > 59 || whole > 59) return std::nullopt;
  const int days = days_since_1970(year, month, day) - days_since_1970(2000, 1, 1);
  return days - 0.5 + (3600.0 * hour + 60.0 * minute + whole + part + kLeapSeconds) / kSecondsOfDay;
}

Vector3 Sky::sun(double time) const { return equator * sun_position(epoch + time / kSecondsOfDay); }

ThirdBodies::ThirdBodies(std::vector<ThirdBody> bodies, double epoch)
    : bodies_(std::move(bodies)), epoch_(epoch) {
  if (bodies_.empty()) throw DomainError("there must be a third body");
  if (!std::isfinite(epoch)) throw DomainError("the epoch must be finite");
  for (const ThirdBody& body : bodies_) {
    if (!std::isfinite(body.mu) || body.mu <= 0.0) {
      throw DomainError("mu of '" + body.name + "' must be positive and finite");
    }
    if (body.ephemeris == nullptr) check_orbit(body.orbit, '\'' + body.name + "': ");
  }
}

Vector3 ThirdBodies::place(const ThirdBody& body, double time) const {
  if (body.ephemeris != nullptr) return body.ephemeris(epoch_ + time / kSecondsOfDay);
  const ReferenceOrbit::Place now = body.orbit.at(time);
  return body.orbit_axes * (now.radius * Vector3(std::cos(now.angle), std::sin(now.angle), 0.0));
}

GravityPotential ThirdBodies::at(const Vector3& r, double time) const {
  GravityPotential sum;
  for (const ThirdBody& body : bodies_) {
    const Vector3 s = place(body, time), d = s - r;
    const double q = r.dot(r - 2.0 * s) / s.squaredNorm();
    const double f = q * (3.0 + 3.0 * q + q * q) / (1.0 + std::sqrt(1.0 + q) * (1.0 + q));
    const double square = d.squaredNorm(), pull = body.mu / (square * std::sqrt(square));
    sum.gradient -= pull * (r + f * s);
    sum.second += pull * (3.0 / square * d * d.transpose() - Matrix3::Identity());
  }
  return sum;
}

}  // namespace spacedyn
