#include "reporting/report_series.hpp"

#include <array>
#include <cmath>

#include "reporting/series_names.hpp"
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
  add_energy_balance(result, series);
  return series;
}

}  // namespace spacedyn
