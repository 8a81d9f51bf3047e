#include "reporting/facts/report_series.hpp"

#include <array>
#include <cmath>

#include "reporting/results/series_names.hpp"
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

void add_attitude(const ResultTable& result, std::vector<ReportSeries>& series) {
  std::array<int, 4> columns{};
  const std::array<const char*, 4> parts{"w", "x", "y", "z"};
  for (std::size_t i = 0; i < 4; ++i) {
    columns[i] = result.find(std::string("base_quaternion_") + parts[i]);
    if (columns[i] < 0) return;
  }
  const Eigen::Index rows = result.values.rows();
  std::array<VectorX, 3> angles{VectorX(rows), VectorX(rows), VectorX(rows)};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const auto part = [&](std::size_t i) { return result.values(row, columns[i]); };
    const Quaternion attitude(part(0), part(1), part(2), part(3));
    const bool good = attitude.coeffs().allFinite() && attitude.norm() > 0.0;
    const Vector3 rpy =
        good ? rpy_from_matrix(matrix_from_quaternion(attitude)) : Vector3::Constant(std::nan(""));
    for (std::size_t i = 0; i < 3; ++i) angles[i](row) = rpy(static_cast<Eigen::Index>(i));
  }
  const std::array<const char*, 3> names{"roll", "pitch", "yaw"};
  for (std::size_t i = 0; i < 3; ++i) {
    unwrap(angles[i]);
    series.push_back({"", "Base attitude", names[i], "rad", std::move(angles[i])});
  }
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

/// Aᵀ ω of a body or frame whose attitude and inertial angular velocity are recorded.
void add_body_rates(const ResultTable& result, const std::string& start, const std::string& group,
                    std::vector<ReportSeries>& series) {
  const auto attitude = find_all(result, start + "_quaternion_", {"w", "x", "y", "z"});
  const auto rates =
      find_all(result, start + "_angular_velocity_", {"x_rad_s", "y_rad_s", "z_rad_s"});
  if (attitude.empty() || rates.empty()) return;
  const Eigen::Index rows = result.values.rows();
  std::array<VectorX, 3> own{VectorX(rows), VectorX(rows), VectorX(rows)};
  for (Eigen::Index row = 0; row < rows; ++row) {
    const auto q = [&](std::size_t i) { return result.values(row, attitude[i]); };
    const Quaternion turn = Quaternion(q(0), q(1), q(2), q(3)).normalized();
    const Vector3 inertial(result.values(row, rates[0]), result.values(row, rates[1]),
                           result.values(row, rates[2]));
    const Vector3 turned = turn.conjugate() * inertial;
    for (std::size_t i = 0; i < 3; ++i) own[i](row) = turned(static_cast<Eigen::Index>(i));
  }
  const std::array<const char*, 3> axes{"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    series.push_back({"", group, axes[i], "rad/s", std::move(own[i])});
  }
}

/// Angular velocities in the axes of the base and of each frame.
void add_all_body_rates(const ResultTable& result, std::vector<ReportSeries>& series) {
  add_body_rates(result, "base", kBaseRatesInBodyAxes, series);
  const std::string start = "frames_";
  const std::string end = "_angular_velocity_x_rad_s";
  for (const Column& column : result.columns) {
    const std::string& name = column.name;
    const bool is_frame = name.rfind(start, 0) == 0 && name.size() > start.size() + end.size() &&
                          name.compare(name.size() - end.size(), end.size(), end) == 0;
    if (!is_frame) continue;
    const std::string stem = name.substr(0, name.size() - end.size());
    add_body_rates(result, stem, "Own-axis angular velocity of " + stem.substr(start.size()),
                   series);
  }
}

/// E − E(0) − W + D, which is zero for a perfect integration.
void add_energy_balance(const ResultTable& result, std::vector<ReportSeries>& series) {
  const int energy = result.find("energy_total_J");
  const int work = result.find("work_J");
  const int dissipated = result.find("dissipated_J");
  if (energy < 0 || work < 0 || dissipated < 0 || result.values.rows() == 0) return;
  const auto change = [&](int column) {
    return (result.values.col(column).array() - result.values(0, column)).matrix();
  };
  VectorX residual = change(energy) - change(work) + change(dissipated);
  series.push_back({"", "Energy balance", "energy − work + dissipated", "J", std::move(residual)});
}

}  // namespace

std::vector<ReportSeries> report_series(const ResultTable& result) {
  std::vector<ReportSeries> series;
  for (std::size_t i = 1; i < result.columns.size(); ++i) {
    const Column& column = result.columns[i];
    SeriesName name = series_name(column);
    series.push_back({column.name, std::move(name.group), std::move(name.label), column.unit,
                      result.values.col(static_cast<Eigen::Index>(i))});
  }
  add_attitude(result, series);
  add_all_body_rates(result, series);
  add_energy_balance(result, series);
  return series;
}

}  // namespace spacedyn
