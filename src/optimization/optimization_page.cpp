#include "optimization/optimization_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "optimization/search_page.hpp"
#include "optimization/searches.hpp"

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
        escape_markup(own.unit), bounds_text(own));
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
        escape_markup(own.collect.unit),
        own.is_equation() ? fmt::format("= {:.6g}", own.upper)
                          : fmt::format("{:.6g} … {:.6g}", own.lower, own.upper),
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

}  // namespace spacedyn
