#include "optimization/search_page.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "optimization/searches.hpp"
#include "reporting/plot/svg_writer.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

constexpr double kLeastViolation = 1e-16;  // drawn of constraints that hold

/// Extent of what is finite among numbers.
void extend(PlotRange& range, const VectorX& numbers) {
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    range.low = std::min(range.low, number);
    range.high = std::max(range.high, number);
  }
}

PlotRange no_range(const std::string& label) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {label, kInfinity, -kInfinity};
}

std::string variable_table(const OptimizationSettings& settings, const OptimizationResult& result) {
  std::string rows;
  for (std::size_t j = 0; j < settings.variables.size(); ++j) {
    const ScenarioVariable& own = settings.variables[j];
    rows += fmt::format(
        "<tr><td>{}</td><td>{:.6g}</td><td>{:.8g}</td><td>{}</td><td>{}</td></tr>\n",
        escape_markup(own.key), own.start, result.best.variables(static_cast<Eigen::Index>(j)),
        escape_markup(own.unit), bounds_text(own.lower, own.upper));
  }
  return "<div class=\"scroll\"><table><tr><th>variable</th><th>start</th><th>best</th>"
         "<th>unit</th><th>bounds</th></tr>\n" +
         rows + "</table></div>\n";
}

std::string constraint_table(const OptimizationSettings& settings,
                             const OptimizationResult& result) {
  if (settings.constraints.empty()) return "";
  std::string rows;
  for (std::size_t i = 0; i < settings.constraints.size(); ++i) {
    const OptimizationConstraint& own = settings.constraints[i];
    const auto at = static_cast<Eigen::Index>(i);
    const double value = result.best.constraints(at), violation = own.violation(value);
    const bool has_start = !result.evaluations.empty();
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.8g}</td><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
        escape_markup(own.label()),
        has_start ? number_text(result.evaluations.front().constraints(at)) : "–", value,
        escape_markup(own.collect.unit), bounds_text(own.lower, own.upper),
        violation > settings.tolerance ? "<span class=\"bad\">" : "<span>",
        number_text(violation) + "</span>");
  }
  return "<h2>Constraints</h2>\n<div class=\"scroll\"><table><tr><th>constraint</th>"
         "<th>start</th><th>best</th><th>unit</th><th>limits</th><th>violation</th></tr>\n" +
         rows + "</table></div>\n";
}

/// Objective and violation, evaluation by evaluation.
std::string convergence_section(const OptimizationSettings& settings,
                                const OptimizationResult& result) {
  const auto count = static_cast<Eigen::Index>(result.evaluations.size());
  if (count < 2) return "";
  std::vector<double> numbers;
  VectorX objective(count), best(count), violation(count);
  OptimizationPoint least;
  least.objective = std::nan("");
  for (Eigen::Index i = 0; i < count; ++i) {
    const OptimizationPoint& point = result.evaluations[static_cast<std::size_t>(i)];
    numbers.push_back(static_cast<double>(i + 1));
    objective(i) = point.objective;
    violation(i) = std::log10(std::max(kLeastViolation, point.violation));
    if (is_better(point, least, settings.tolerance)) least = point;
    best(i) = least.objective;
  }
  const PlotRange across{"evaluation", 1.0, static_cast<double>(count)};
  PlotRange up = no_range("objective");
  extend(up, objective);
  if (!(up.low <= up.high)) return "";
  CurvePlot plot(across, up);
  plot.curve(numbers, best, kOrange);
  plot.dots(numbers, objective, kBlue);
  std::string text =
      "<h2>Convergence</h2>\n" + plot.picture() +
      "<p>Dots: evaluations; curve: the best one so far, least violation first.</p>\n";
  if (settings.constraints.empty()) return text;
  PlotRange decades = no_range("log10 of the largest violation");
  extend(decades, violation);
  CurvePlot violations(across, decades);
  violations.dots(numbers, violation, kBlue);
  return text + violations.picture();
}

std::string curve_section(const OptimizationCurve& curve) {
  const std::string unit = curve.unit.empty() ? "" : " [" + curve.unit + ']';
  PlotRange time = no_range("time [s]"), up = no_range(curve.channel + unit);
  for (const OptimizationCurve::Flight* flight : {&curve.start, &curve.best}) {
    extend(up, flight->values);
    time.low = std::min(time.low, flight->times.front());
    time.high = std::max(time.high, flight->times.back());
  }
  if (!(up.low <= up.high)) return "";
  CurvePlot plot(time, up);
  plot.curve(curve.start.times, curve.start.values, kBlue);
  plot.curve(curve.best.times, curve.best.values, kOrange);
  return "<h2>" + escape_markup(curve.channel) + "</h2>\n" + plot.picture();
}

}  // namespace

std::string optimization_page(const Optimization& optimization, const OptimizationResult& result) {
  const OptimizationSettings& settings = optimization.settings();
  std::string page = search_page_start("Optimization", settings.name, settings.notes);
  page += fmt::format(
      "<p>Scenario {}; objective {} at the start, {:.8g} after {} evaluations and {} flights: {}. "
      "Derivatives are {}.</p>\n",
      escape_markup(optimization.scenario().name),
      result.evaluations.empty() ? "–" : number_text(result.evaluations.front().objective),
      result.best.objective, result.evaluations.size(), result.progress.flights,
      ending_text(result.converged, result.message), escape_markup(result.derivatives));
  page += variable_table(settings, result) + constraint_table(settings, result);
  page += convergence_section(settings, result);
  for (const OptimizationCurve& curve : result.curves) page += curve_section(curve);
  if (!result.curves.empty()) page += "<p>Blue: from the start; orange: with the best.</p>\n";
  return page + "</body></html>\n";
}

namespace {

/// A number with as many digits as its deviation is worth.
std::string value_text(double value, double deviation) {
  if (!std::isfinite(deviation) || deviation <= 0.0) return fmt::format("{:.6g}", value);
  const double digits = std::ceil(std::log10(std::max(std::abs(value), deviation) / deviation)) + 2;
  return fmt::format("{:.{}g}", value, std::clamp(static_cast<int>(digits), 2, 15));
}

std::string parameter_table(const Fit& fit, const FitResult& result) {
  std::string rows;
  for (std::size_t j = 0; j < fit.settings().parameters.size(); ++j) {
    const ScenarioVariable& own = fit.settings().parameters[j];
    const auto at = static_cast<Eigen::Index>(j);
    const double deviation = result.standard_deviations(at);
    const auto& prior = fit.settings().priors[j];
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.6g}</td><td>{}</td><td>{}</td></"
        "tr>\n",
        escape_markup(own.key), value_text(result.values(at), deviation),
        std::isinf(deviation) ? "<span class=\"bad\">not determined</span>"
                              : "± " + number_text(deviation),
        escape_markup(own.unit), own.start, bounds_text(own.lower, own.upper),
        prior ? fmt::format("{:.4g} ± {:.3g}", prior->mean, prior->standard_deviation) : "–");
  }
  return "<div class=\"scroll\"><table><tr><th>parameter</th><th>value</th><th>standard "
         "deviation</th><th>unit</th><th>start</th><th>bounds</th><th>prior</th></tr>\n" +
         rows + "</table></div>\n";
}

std::string correlation_table(const Fit& fit, const FitResult& result) {
  std::string head = "<tr><th></th>", rows;
  for (std::size_t j = 0; j < fit.settings().parameters.size(); ++j) {
    head += fmt::format("<th>{}</th>", j + 1);
    rows +=
        fmt::format("<tr><td>{} {}</td>", j + 1, escape_markup(fit.settings().parameters[j].key));
    for (Eigen::Index i = 0; i < result.correlation.cols(); ++i) {
      const double value = result.correlation(static_cast<Eigen::Index>(j), i);
      if (std::isfinite(value)) {
        rows +=
            fmt::format("<td style=\"background: rgba({}, {:.2f})\">{:.3f}</td>",
                        value < 0.0 ? "213, 94, 0" : "0, 114, 178", 0.6 * std::abs(value), value);
      } else {
        rows += "<td>–</td>";
      }
    }
    rows += "</tr>\n";
  }
  return "<div class=\"scroll\"><table>" + head + "</tr>\n" + rows + "</table></div>\n";
}

/// Sizes of ellipses, times the last one, at which they are drawn.
constexpr double kSizes[] = {8.0, 4.0, 2.0, 1.0};
constexpr Eigen::Index kMostEllipses = 4;  // parameters

double deviation_of(const FitCovariance& at, Eigen::Index parameter) {
  return std::sqrt(std::max(0.0, at.matrix(parameter, parameter)));
}

std::string parameter_name(const Fit& fit, Eigen::Index parameter) {
  const ScenarioVariable& own = fit.settings().parameters[static_cast<std::size_t>(parameter)];
  return std::to_string(parameter + 1) + (own.unit.empty() ? "" : " [" + own.unit + ']');
}

/// Where two parameters are to one standard deviation: p = p̂ + √C [cos α, sin α].
std::string ellipses(const Fit& fit, const FitResult& result, Eigen::Index i, Eigen::Index j) {
  const std::vector<FitCovariance>& all = result.covariance_over_time;
  const auto size = [&](const FitCovariance& at) {
    return std::max(deviation_of(at, i) / deviation_of(all.back(), i),
                    deviation_of(at, j) / deviation_of(all.back(), j));
  };
  std::vector<const FitCovariance*> drawn;
  for (const double wanted : kSizes) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const FitCovariance& at) {
      return size(at) <= (1.0 + 1e-9) * wanted;
    });
    if (found != all.end() && (drawn.empty() || drawn.back() != &*found)) drawn.push_back(&*found);
  }
  const auto range = [&](Eigen::Index k) {
    const double reach = 1.1 * deviation_of(*drawn.front(), k), middle = result.values(k);
    return PlotRange{parameter_name(fit, k), middle - reach, middle + reach};
  };
  CurvePlot plot(range(i), range(j), {420.0, 340.0});
  for (const FitCovariance* at : drawn) {
    // the root that is a lower triangle
    const double a = deviation_of(*at, i), b = at->matrix(i, j) / a;
    const double c = std::sqrt(std::max(0.0, at->matrix(j, j) - b * b));
    constexpr int kParts = 120;
    std::vector<double> x;
    VectorX y(kParts + 1);
    for (int k = 0; k <= kParts; ++k) {
      const double angle = 2.0 * kPi * k / kParts;
      x.push_back(result.values(i) + a * std::cos(angle));
      y(k) = result.values(j) + b * std::cos(angle) + c * std::sin(angle);
    }
    plot.curve(x, y, at == drawn.back() ? kOrange : kBlue);
  }
  return plot.picture();
}

/// How the data determine the parameters, sample by sample.
std::string covariance_section(const Fit& fit, const FitResult& result) {
  const std::vector<FitCovariance>& all = result.covariance_over_time;
  const Eigen::Index count = result.values.size();
  const bool is_plain = std::all_of(all.begin(), all.end(), [](const FitCovariance& at) {
    return at.matrix.diagonal().minCoeff() > 0.0;
  });
  if (all.size() < 2 || !is_plain) return "";
  std::vector<double> times;
  MatrixX decades(static_cast<Eigen::Index>(all.size()), count);
  for (std::size_t k = 0; k < all.size(); ++k) {
    times.push_back(all[k].time);
    for (Eigen::Index j = 0; j < count; ++j) {
      decades(static_cast<Eigen::Index>(k), j) =
          std::log10(deviation_of(all[k], j) / deviation_of(all.back(), j));
    }
  }
  constexpr const char* kColors[] = {kBlue, kOrange, kGreen, "#CC79A7", "#E69F00", "#56B4E9"};
  CurvePlot plot({"time [s]", times.front(), times.back()},
                 {"log10 of σ over the last σ", decades.minCoeff(), decades.maxCoeff()});
  std::string legend;
  for (Eigen::Index j = 0; j < count; ++j) {
    const char* color = kColors[static_cast<std::size_t>(j) % std::size(kColors)];
    plot.curve(times, decades.col(j), color);
    legend +=
        fmt::format("{}<span style=\"color: {}\">{} {}</span>", j > 0 ? ", " : "", color, j + 1,
                    escape_markup(fit.settings().parameters[static_cast<std::size_t>(j)].key));
  }
  std::string text = "<h2>Covariance over time</h2>\n" + plot.picture() +
                     "<p>Standard deviations if the data ended at that time: " + legend + ".</p>\n";
  if (count < 2 || count > kMostEllipses) return text;
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = i + 1; j < count; ++j) text += ellipses(fit, result, i, j);
  }
  return text +
         "<p>Ellipses of one standard deviation, that of all data orange; the others are "
         "those of data that end when it is within twice, four and eight times that size.</p>\n";
}

std::string column_section(const FitColumn& column, const VectorX& model) {
  const VectorX data = Eigen::Map<const VectorX>(column.values.data(), model.size());
  const std::string unit = column.unit.empty() ? "" : " [" + column.unit + ']';
  std::string text = fmt::format("<h2>{}</h2>\n", escape_markup(column.name));
  if (!model.allFinite()) return text + "<p>No flight has ended.</p>\n";
  const VectorX difference = model - data;
  const double rms = std::sqrt(difference.squaredNorm() / static_cast<double>(model.size()));
  text +=
      fmt::format("<p>{} samples; rms of the residuals {:.4g}{}, σ {:.4g}.</p>\n", model.size(),
                  rms, column.unit.empty() ? "" : ' ' + escape_markup(column.unit), column.sigma);
  const PlotRange time{"time [s]", column.times.front(), column.times.back()};
  CurvePlot both(time, {column.name + unit, std::min(data.minCoeff(), model.minCoeff()),
                        std::max(data.maxCoeff(), model.maxCoeff())});
  both.curve(column.times, model, kOrange);
  both.dots(column.times, data, kBlue);
  CurvePlot rest(time, {"model − data" + unit, difference.minCoeff(), difference.maxCoeff()});
  rest.dots(column.times, difference, kBlue);
  return text + both.picture() + "<p>Dots: data; curve: the model with the values above.</p>\n" +
         rest.picture();
}

}  // namespace

std::string fit_page(const Fit& fit, const FitResult& result) {
  const FitSettings& settings = fit.settings();
  std::string page = search_page_start("Fit", settings.name, settings.notes);
  page += fmt::format(
      "<p>Scenario {}; cost {} after {} iterations and {} flights: {}. Derivatives are {}.</p>\n",
      escape_markup(fit.scenario().name), number_text(result.cost), result.progress.iterations,
      result.progress.flights, ending_text(result.converged, result.message),
      escape_markup(result.derivatives));
  page += parameter_table(fit, result);
  page += "<h2>Correlation</h2>\n" + correlation_table(fit, result);
  page += covariance_section(fit, result);
  for (std::size_t k = 0; k < settings.columns.size(); ++k) {
    page += column_section(settings.columns[k], result.model[k]);
  }
  return page + "</body></html>\n";
}

}  // namespace spacedyn
