#include "optimization/fit_residuals.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "optimization/least_squares.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn {

FitResiduals::FitResiduals(const Fit::Implementation& fit, const SearchOptions& options,
                           Trials::Reached reached)
    : fit_(fit),
      trials_({*fit.family, fit.plan, fit.times}, fit.settings.parameters, options,
              std::move(reached)),
      noise_(integration_noise(fit.family->original().setup.integrator)),
      part_(difference_part(fit.family->original().setup.integrator)) {
  for (const FitColumn& column : fit.settings.columns) {
    double largest = 0.0;
    for (const double value : column.values) largest = std::max(largest, std::abs(value));
    largest_.push_back(largest / column.sigma);
  }
}

VectorX FitResiduals::residuals_of(const SweepRow& row, const VectorX& point) {
  if (row.has_failed()) {
    why_ = row.message;
    return {};
  }
  std::vector<double> residuals;
  const auto& columns = fit_.settings.columns;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t i = 0; i < columns[k].values.size(); ++i) {
      const double sample = row.collected[fit_.places[k][i] * columns.size() + k];
      double difference = sample - columns[k].values[i];
      if (fit_.is_angle[k]) difference = std::remainder(difference, 2.0 * kPi);
      if (!std::isfinite(difference)) {
        why_ = "the flight ends before the data";
        return {};
      }
      residuals.push_back(difference / columns[k].sigma);
    }
  }
  for (std::size_t j = 0; j < fit_.settings.priors.size(); ++j) {
    const auto& prior = fit_.settings.priors[j];
    if (!prior) continue;
    residuals.push_back((point(static_cast<Eigen::Index>(j)) - prior->mean) /
                        prior->standard_deviation);
  }
  return Eigen::Map<const VectorX>(residuals.data(), static_cast<Eigen::Index>(residuals.size()));
}

VectorX FitResiduals::at(const VectorX& point) {
  return residuals_of(trials_.fly({point}).front(), point);
}

double FitResiduals::step_of(Eigen::Index parameter, double value) const {
  const auto j = static_cast<std::size_t>(parameter);
  const ScenarioVariable& own = fit_.settings.parameters[j];
  double scale = std::max(std::abs(value), 1e-3 * std::abs(own.start));
  const double range = own.upper - own.lower;
  if (scale == 0.0 && std::isfinite(range)) scale = 0.01 * range;
  if (scale == 0.0 && fit_.settings.priors[j]) scale = fit_.settings.priors[j]->standard_deviation;
  if (scale == 0.0) scale = 1.0;
  return scale * part_;
}

double FitResiduals::influence_of(const VectorX& low, const VectorX& high) const {
  double largest = 0.0;
  Eigen::Index i = 0;
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    for (std::size_t n = 0; n < fit_.settings.columns[k].values.size(); ++n, ++i) {
      const double change = std::abs(high(i) - low(i));
      if (change > 0.0) largest = std::max(largest, change / std::max(largest_[k], 1e-300));
    }
  }
  return largest;
}

FitResiduals::Differences FitResiduals::differences(const VectorX& point, const VectorX& residuals,
                                                    double part) {
  const Eigen::Index count = point.size();
  std::vector<VectorX> points;
  for (Eigen::Index j = 0; j < count; ++j) {
    const ScenarioVariable& own = fit_.settings.parameters[static_cast<std::size_t>(j)];
    const double step = part * step_of(j, point(j));
    VectorX low = point, high = point;
    low(j) = std::max(point(j) - step, own.lower);
    high(j) = std::min(point(j) + step, own.upper);
    points.push_back(std::move(low));
    points.push_back(std::move(high));
  }
  const std::vector<SweepRow> rows = trials_.fly(points);
  Differences result{MatrixX(residuals.size(), count), VectorX(count)};
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto at = static_cast<std::size_t>(2 * j);
    VectorX low = residuals_of(rows[at], points[at]);
    VectorX high = residuals_of(rows[at + 1], points[at + 1]);
    double below = points[at](j), above = points[at + 1](j);
    if (low.size() == 0 && high.size() == 0) {
      throw NumericalError("the scenario cannot be flown on either side of " +
                               fit_.settings.parameters[at / 2].key + ": " + why_,
                           0.0, 0, fit_.settings.parameters[at / 2].key);
    }
    if (low.size() == 0) {
      low = residuals;
      below = point(j);
    } else if (high.size() == 0) {
      high = residuals;
      above = point(j);
    }
    result.jacobian.col(j) = (high - low) / (above - below);
    result.influence(j) = std::max(
        {influence_of(low, high), influence_of(low, residuals), influence_of(residuals, high)});
  }
  return result;
}

FitResiduals::Differences FitResiduals::tangents(const VectorX& point, const VectorX& residuals) {
  const FlightGradient flown = trials_.differentiate(point);
  const auto& columns = fit_.settings.columns;
  Differences result{MatrixX::Zero(residuals.size(), point.size()), VectorX::Zero(point.size())};
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t i = 0; i < columns[k].values.size(); ++i, ++row) {
      const std::size_t sample = fit_.places[k][i] * columns.size() + k;
      result.jacobian.row(row) = flown.by.row(static_cast<Eigen::Index>(sample)) / columns[k].sigma;
      for (Eigen::Index j = 0; j < point.size(); ++j) {
        const double change = std::abs(result.jacobian(row, j)) * step_of(j, point(j));
        result.influence(j) = std::max(result.influence(j), change / std::max(largest_[k], 1e-300));
      }
    }
  }
  for (std::size_t j = 0; j < fit_.settings.priors.size(); ++j) {
    if (!fit_.settings.priors[j]) continue;
    result.jacobian(row++, static_cast<Eigen::Index>(j)) =
        1.0 / fit_.settings.priors[j]->standard_deviation;
  }
  if (!result.jacobian.allFinite()) {
    throw NotDifferentiableError("a sample of the data has no derivative");
  }
  return result;
}

std::vector<VectorX> FitResiduals::model_of(const VectorX& residuals) const {
  std::vector<VectorX> model;
  Eigen::Index i = 0;
  for (const FitColumn& column : fit_.settings.columns) {
    VectorX& own = model.emplace_back(static_cast<Eigen::Index>(column.values.size()));
    for (std::size_t n = 0; n < column.values.size(); ++n) {
      own(static_cast<Eigen::Index>(n)) = column.values[n] + residuals(i++) * column.sigma;
    }
  }
  return model;
}

namespace {

using namespace loading;

/// A cell of a line and its column in bytes, from 1.
struct Cell {
  std::string_view text;
  int column;
};

std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::size_t first = begin, last = end;
    const auto is_blank = [&](std::size_t i) {
      return line[i] == ' ' || line[i] == '\t' || line[i] == '\r';
    };
    while (first < last && is_blank(first)) ++first;
    while (last > first && is_blank(last - 1)) --last;
    if (last - first >= 2 && line[first] == '"' && line[last - 1] == '"') {
      ++first;
      --last;
    }
    cells.push_back({line.substr(first, last - first), static_cast<int>(first) + 1});
    if (end == line.size()) return cells;
    begin = end + 1;
  }
}

bool is_blank_line(const std::vector<Cell>& cells) {
  return cells.size() == 1 && cells.front().text.empty();
}

/// Number of a cell, NaN of an empty one; nothing where it is none.
std::optional<double> number_in(std::string_view text) {
  if (text.empty() || text == "nan" || text == "NaN") return std::nan("");
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && stop == text.data() + text.size();
  return is_whole && std::isfinite(number) ? std::optional<double>(number) : std::nullopt;
}

/// Takes a line of numbers. @returns whether it is right; what is wrong is reported
bool take_row(const std::vector<Cell>& cells, const Mark& mark, TelemetryTable& table,
              ProblemList& problems) {
  if (cells.size() != table.names.size()) {
    problems.error(mark, "",
                   "expected " + std::to_string(table.names.size()) +
                       " numbers separated by commas, got " + std::to_string(cells.size()));
    return false;
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto number = number_in(cells[i].text);
    if (!number) {
      problems.error({mark.source, mark.line, cells[i].column}, "",
                     "expected a number or nothing, got " + quote(cells[i].text));
      return false;
    }
    table.columns[i].push_back(*number);
  }
  table.rows.push_back(mark);
  return true;
}

TelemetryTable read_csv(const Value& place, const Source& source, ProblemList& problems) {
  TelemetryTable table;
  if (source.text().size() > kMaxFileSize) {
    problems.error(place, "expected telemetry of at most " + std::to_string(kMaxFileSize >> 20U) +
                              " MiB; give the columns that are needed, or HDF5");
    return table;
  }
  for (const Cell& cell : cells_of(source.line(1))) {
    if (std::count(table.names.begin(), table.names.end(), cell.text) > 0) {
      problems.error({&source, 1, cell.column}, "",
                     "expected each column once, got " + quote(cell.text) + " again");
    }
    table.names.emplace_back(cell.text);
  }
  table.columns.resize(table.names.size());
  const auto lines =
      static_cast<int>(std::count(source.text().begin(), source.text().end(), '\n')) + 1;
  for (int line = 2; line <= lines; ++line) {
    const std::vector<Cell> cells = cells_of(source.line(line));
    if (!is_blank_line(cells) && !take_row(cells, {&source, line, 1}, table, problems)) break;
  }
  return table;
}

TelemetryTable read_hdf5(const std::string& path) {
  const ResultTable result = read_result(path);
  TelemetryTable table;
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    table.names.push_back(result.columns[i].name);
    const VectorX column = result.values.col(static_cast<Eigen::Index>(i));
    table.columns.emplace_back(column.data(), column.data() + column.size());
  }
  table.rows.resize(static_cast<std::size_t>(result.values.rows()));
  return table;
}

}  // namespace

int TelemetryTable::find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

TelemetryTable read_telemetry(const Value& place, const std::string& path, ReadContext& context) {
  try {
    if (std::filesystem::path(path).extension() == ".h5") return read_hdf5(path);
    return read_csv(place, context.session.open_source(path), context.problems);
  } catch (const IoError& error) {
    context.problems.error(
        place, std::string("expected a file of data that can be read, got ") + error.what());
    return {};
  }
}

}  // namespace spacedyn
