#include "spacedyn/reporting/derived_series.hpp"

#include <array>
#include <cmath>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// Adds whole turns so that an angle never jumps by more than half a turn.
void unwrap(VectorX& angle) {
  for (Eigen::Index i = 1; i < angle.size(); ++i) {
    const double jump = angle(i) - angle(i - 1);
    if (std::isfinite(jump)) angle(i) -= 2.0 * kPi * std::round(jump / (2.0 * kPi));
  }
}

/// A base by its columns.
struct Base {
  std::string columns;  ///< what their names begin with: `base`, `robots_chaser_base`
  std::string body;     ///< the same of what belongs to the body: ``, `robots_chaser_`
  std::string suffix;   ///< of titles: ``, ` of chaser`
};

/// What stands between a beginning and an end of names of columns.
std::vector<std::string> names_between(const ResultTable& result, const std::string& start,
                                       const std::string& end) {
  std::vector<std::string> names;
  for (const Column& column : result.columns) {
    const std::string& name = column.name;
    const bool fits = name.size() > start.size() + end.size() &&
                      name.compare(0, start.size(), start) == 0 &&
                      name.compare(name.size() - end.size(), end.size(), end) == 0;
    if (fits) {
      names.push_back(name.substr(start.size(), name.size() - start.size() - end.size()));
    }
  }
  return names;
}

/// The only base, and those of several robots.
std::vector<Base> bases_of(const ResultTable& result) {
  std::vector<Base> bases{{"base", "", ""}};
  for (const std::string& robot : names_between(result, "robots_", "_base_quaternion_w")) {
    bases.push_back({"robots_" + robot + "_base", "robots_" + robot + '_', " of " + robot});
  }
  return bases;
}

/// Columns of a name followed by several endings; empty where one is missing.
std::vector<int> find_all(const ResultTable& result, const std::string& start,
                          const std::vector<const char*>& ends) {
  std::vector<int> columns;
  for (const char* end : ends) {
    columns.push_back(result.find(start + end));
    if (columns.back() < 0) return {};
  }
  return columns;
}

/// A channel of three series that share a unit.
struct Triple {
  std::string channel, group;
  const char* unit;
  std::array<const char*, 3> labels;
};

void add_triple(const Triple& triple, std::array<VectorX, 3> values,
                std::vector<ReportSeries>& series) {
  for (std::size_t i = 0; i < 3; ++i) {
    series.push_back({"", triple.group, triple.labels[i], triple.unit, std::move(values[i]),
                      triple.channel + '_' + triple.labels[i]});
  }
}

Quaternion quaternion_at(const ResultTable& result, Eigen::Index row,
                         const std::vector<int>& columns) {
  const auto part = [&](std::size_t i) { return result.values(row, columns[i]); };
  return {part(0), part(1), part(2), part(3)};
}

/// Roll, pitch and yaw of a base.
void add_attitude(const ResultTable& result, const Base& base, std::vector<ReportSeries>& series) {
  const auto columns = find_all(result, base.columns + "_quaternion_", {"w", "x", "y", "z"});
  if (columns.empty()) return;
  const Eigen::Index rows = result.values.rows();
  std::array<VectorX, 3> angles{VectorX(rows), VectorX(rows), VectorX(rows)};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Quaternion attitude = quaternion_at(result, row, columns);
    const bool good = attitude.coeffs().allFinite() && attitude.norm() > 0.0;
    const Vector3 rpy =
        good ? rpy_from_matrix(matrix_from_quaternion(attitude)) : Vector3::Constant(std::nan(""));
    for (std::size_t i = 0; i < 3; ++i) angles[i](row) = rpy(static_cast<Eigen::Index>(i));
  }
  for (VectorX& angle : angles) unwrap(angle);
  add_triple(
      {base.columns + "_attitude", "Base attitude" + base.suffix, "rad", {"roll", "pitch", "yaw"}},
      std::move(angles), series);
}

/// Aᵀ ω of a body or frame whose attitude and inertial angular velocity are recorded.
void add_body_rates(const ResultTable& result, const std::string& start, const std::string& channel,
                    const std::string& group, std::vector<ReportSeries>& series) {
  const auto attitude = find_all(result, start + "_quaternion_", {"w", "x", "y", "z"});
  const auto rates =
      find_all(result, start + "_angular_velocity_", {"x_rad_s", "y_rad_s", "z_rad_s"});
  if (attitude.empty() || rates.empty()) return;
  const Eigen::Index rows = result.values.rows();
  std::array<VectorX, 3> own{VectorX(rows), VectorX(rows), VectorX(rows)};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Quaternion turn = quaternion_at(result, row, attitude).normalized();
    const Vector3 inertial(result.values(row, rates[0]), result.values(row, rates[1]),
                           result.values(row, rates[2]));
    const Vector3 turned = turn.conjugate() * inertial;
    for (std::size_t i = 0; i < 3; ++i) own[i](row) = turned(static_cast<Eigen::Index>(i));
  }
  add_triple({channel, group, "rad/s", {"x", "y", "z"}}, std::move(own), series);
}

/// Angular velocities in the axes of each frame.
void add_frame_rates(const ResultTable& result, std::vector<ReportSeries>& series) {
  for (const std::string& name : names_between(result, "frames_", "_angular_velocity_x_rad_s")) {
    add_body_rates(result, "frames_" + name, "own-axis_angular_velocity_of_" + name,
                   "Own-axis angular velocity of " + name, series);
  }
}

/// E − E(0) − W + D, which is zero for a perfect integration.
void add_energy_balance(const ResultTable& result, std::vector<ReportSeries>& series) {
  const int energy = result.find("energy_total_J");
  const int work = result.find("work_J");
  const int dissipated = result.find("dissipated_J");
  if (energy < 0 || work < 0 || dissipated < 0) return;
  const auto change = [&](int column) {
    const VectorX values = result.values.col(column);
    return values.size() == 0 ? values : VectorX(values.array() - values(0));
  };
  VectorX residual = change(energy) - change(work) + change(dissipated);
  series.push_back({"", "Energy balance", "energy − work + dissipated", "J", std::move(residual),
                    "energy_balance"});
}

}  // namespace

std::vector<ReportSeries> derived_series(const ResultTable& result) {
  std::vector<ReportSeries> series;
  const std::vector<Base> bases = bases_of(result);
  for (const Base& base : bases) add_attitude(result, base, series);
  for (const Base& base : bases) {
    add_body_rates(result, base.columns, base.body + "body_angular_velocity",
                   "Base angular velocity in body axes" + base.suffix, series);
  }
  add_frame_rates(result, series);
  add_energy_balance(result, series);
  return series;
}

}  // namespace spacedyn
