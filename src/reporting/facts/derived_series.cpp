#include "spacedyn/reporting/derived_series.hpp"

#include <cmath>

#include "reporting/facts/derived_rows.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// A base by its columns.
struct Base {
  std::string columns;  ///< what their names begin with: `base`, `robots_chaser_base`
  std::string body;     ///< the same of what belongs to the body: ``, `robots_chaser_`
  std::string suffix;   ///< of titles: ``, ` of chaser`
};

/// What stands between a beginning and an end of names of columns.
std::vector<std::string> names_between(const std::vector<Column>& columns, const std::string& start,
                                       const std::string& end) {
  std::vector<std::string> names;
  for (const Column& column : columns) {
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
std::vector<Base> bases_of(const std::vector<Column>& columns) {
  std::vector<Base> bases{{"base", "", ""}};
  for (const std::string& robot : names_between(columns, "robots_", "_base_quaternion_w")) {
    bases.push_back({"robots_" + robot + "_base", "robots_" + robot + '_', " of " + robot});
  }
  return bases;
}

/// Columns of a name followed by several endings; nothing where one is missing.
template <std::size_t Size>
std::optional<std::array<int, Size>> find_all(const ColumnIndex& index, const std::string& start,
                                              const std::array<const char*, Size>& ends) {
  std::array<int, Size> columns{};
  for (std::size_t i = 0; i < Size; ++i) {
    columns[i] = index.find(start + ends[i]);
    if (columns[i] < 0) return std::nullopt;
  }
  return columns;
}

std::optional<std::array<int, 4>> find_quaternion(const ColumnIndex& index,
                                                  const std::string& start) {
  return find_all<4>(index, start + "_quaternion_", {"w", "x", "y", "z"});
}

Quaternion quaternion_in(const double* row, const std::array<int, 4>& columns) {
  return {row[columns[0]], row[columns[1]], row[columns[2]], row[columns[3]]};
}

Vector3 vector_in(const double* row, const std::array<int, 3>& columns) {
  return {row[columns[0]], row[columns[1]], row[columns[2]]};
}

}  // namespace

DerivedRows::DerivedRows(const std::vector<Column>& columns) {
  const ColumnIndex index(columns);
  const std::vector<Base> bases = bases_of(columns);
  for (const Base& base : bases) {
    add_attitude(index, {base.columns, base.columns + "_attitude", "Base attitude" + base.suffix});
  }
  for (const Base& base : bases) {
    add_rates(index, {base.columns, base.body + "body_angular_velocity",
                      "Base angular velocity in body axes" + base.suffix});
  }
  for (const std::string& name : names_between(columns, "frames_", "_angular_velocity_x_rad_s")) {
    add_rates(index, {"frames_" + name, "own-axis_angular_velocity_of_" + name,
                      "Own-axis angular velocity of " + name});
  }
  const auto energies = find_all<3>(index, "", {"energy_total_J", "work_J", "dissipated_J"});
  if (!energies) return;
  balance_ = Balance{*energies, {}};
  series_.push_back(
      {"", "Energy balance", "energy − work + dissipated", "J", {}, "energy_balance"});
}

void DerivedRows::add_attitude(const ColumnIndex& index, const Origin& origin) {
  const auto quaternion = find_quaternion(index, origin.start);
  if (!quaternion) return;
  attitudes_.push_back({*quaternion, {}});
  add_triple(origin, "rad", {"roll", "pitch", "yaw"});
}

void DerivedRows::add_rates(const ColumnIndex& index, const Origin& origin) {
  const auto quaternion = find_quaternion(index, origin.start);
  const auto rates =
      find_all<3>(index, origin.start + "_angular_velocity_", {"x_rad_s", "y_rad_s", "z_rad_s"});
  if (!quaternion || !rates) return;
  rates_.push_back({*quaternion, *rates});
  add_triple(origin, "rad/s", {"x", "y", "z"});
}

void DerivedRows::add_triple(const Origin& origin, const char* unit,
                             const std::array<const char*, 3>& labels) {
  for (const char* label : labels) {
    series_.push_back({"", origin.group, label, unit, {}, origin.channel + '_' + label});
  }
}

void DerivedRows::next(const double* row, double* values) {
  const auto put = [&values](const Vector3& numbers) {
    for (const double number : numbers) *values++ = number;
  };
  for (Attitude& attitude : attitudes_) {
    const Quaternion turn = quaternion_in(row, attitude.quaternion);
    const bool good = turn.coeffs().allFinite() && turn.norm() > 0.0;
    Vector3 angles =
        good ? rpy_from_matrix(matrix_from_quaternion(turn)) : Vector3::Constant(std::nan(""));
    // whole turns, so that an angle never jumps by more than half a turn
    for (Eigen::Index i = 0; attitude.last && i < 3; ++i) {
      const double jump = angles(i) - (*attitude.last)(i);
      if (std::isfinite(jump)) angles(i) -= 2.0 * kPi * std::round(jump / (2.0 * kPi));
    }
    attitude.last = angles;
    put(angles);
  }
  for (const OwnRates& rates : rates_) {
    const Quaternion turn = quaternion_in(row, rates.quaternion).normalized();
    put(turn.conjugate() * vector_in(row, rates.rates));
  }
  if (!balance_) return;
  const Vector3 energies = vector_in(row, balance_->columns);
  if (!balance_->first) balance_->first = energies;
  // E − E(0) − W + D, which is zero for a perfect integration
  const Vector3 change = energies - *balance_->first;
  *values = change(0) - change(1) + change(2);
}

std::vector<ReportSeries> derived_series(const ResultTable& result) {
  DerivedRows rows(result.columns);
  std::vector<ReportSeries> series = rows.series();
  if (series.empty()) return series;
  for (ReportSeries& one : series) one.values.resize(result.values.rows());
  VectorX row, values(static_cast<Eigen::Index>(series.size()));
  for (Eigen::Index i = 0; i < result.values.rows(); ++i) {
    row = result.values.row(i).transpose();
    rows.next(row.data(), values.data());
    for (std::size_t k = 0; k < series.size(); ++k) {
      series[k].values(i) = values(static_cast<Eigen::Index>(k));
    }
  }
  return series;
}

}  // namespace spacedyn
