#include "optimization/fit_page.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reporting/plot/svg_writer.hpp"

namespace spacedyn {
namespace {

constexpr double kWidth = 860.0, kHeight = 230.0, kFont = 11.0;
constexpr double kLeft = 86.0, kRight = 14.0, kTop = 12.0, kBottom = 34.0;
constexpr std::size_t kMostPoints = 4000;  // drawn of a column

constexpr const char* kPageStart = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 15px/1.45 Helvetica, Arial, sans-serif; color: #1b1b1b; margin: 2rem auto; max-width: 1080px; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } .scroll { overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.bad { color: #a40000; font-weight: bold; } svg { max-width: 100%; height: auto; }
</style>
)";

/// A number with as many digits as its deviation is worth.
std::string value_text(double value, double deviation) {
  if (!std::isfinite(deviation) || deviation <= 0.0) return fmt::format("{:.6g}", value);
  const double digits = std::ceil(std::log10(std::max(std::abs(value), deviation) / deviation)) + 2;
  return fmt::format("{:.{}g}", value, std::clamp(static_cast<int>(digits), 2, 15));
}

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
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
        escape_markup(own.unit), own.start,
        std::isinf(own.lower) && std::isinf(own.upper)
            ? "–"
            : fmt::format("{:.6g} … {:.6g}", own.lower, own.upper),
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

/// A picture of curves over time.
class TimePlot {
 public:
  TimePlot(const std::vector<double>& times, const std::string& label, double low, double high)
      : label_(label),
        across_(make_axis(times.front(), std::max(times.back(), times.front() + 1e-9), 8, true)),
        up_(make_axis(low, high > low ? high : low + 1.0, 5, false)) {
    constexpr const char* kGrid = R"(stroke="#dddddd" stroke-width="0.7")";
    for (const double tick : across_.ticks) {
      svg_.line(at(tick, up_.low), at(tick, up_.high), kGrid);
      svg_.text({at(tick, up_.low).x, kHeight - kBottom + 14.0}, across_.label(tick),
                R"(text-anchor="middle")");
    }
    for (const double tick : up_.ticks) {
      const SvgPoint place = at(across_.low, tick);
      svg_.line(place, at(across_.high, tick), kGrid);
      svg_.text({place.x - 5.0, place.y + 4.0}, up_.label(tick), R"(text-anchor="end")");
    }
    svg_.text({0.5 * kWidth, kHeight - 5.0}, "time [s]", R"(text-anchor="middle")");
    const double middle = 0.5 * kHeight;
    svg_.text({12.0, middle}, label,
              fmt::format(R"x(text-anchor="middle" transform="rotate(-90 12 {:.1f})")x", middle));
  }

  void dots(const std::vector<double>& times, const VectorX& values, const char* color) {
    const std::size_t stride = times.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < times.size(); i += stride) {
      const SvgPoint place = at(times[i], values(static_cast<Eigen::Index>(i)));
      // a line without length is a dot as wide as its pen
      svg_.line(place, place,
                fmt::format(R"(stroke="{}" stroke-width="3" stroke-linecap="round")", color));
    }
  }
  void curve(const std::vector<double>& times, const VectorX& values, const char* color) {
    std::vector<SvgPoint> points;
    const std::size_t stride = times.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < times.size(); i += stride) {
      points.push_back(at(times[i], values(static_cast<Eigen::Index>(i))));
    }
    svg_.curve(points, fmt::format(R"(fill="none" stroke="{}" stroke-width="1.3")", color));
  }
  std::string picture() const {
    return svg_.picture(kWidth, kHeight, label_ + " over time", kFont);
  }

 private:
  SvgPoint at(double time, double value) const {
    const double right = kWidth - kRight, bottom = kHeight - kBottom;
    return {kLeft + (right - kLeft) * (time - across_.low) / (across_.high - across_.low),
            bottom + (kTop - bottom) * (value - up_.low) / (up_.high - up_.low)};
  }

  std::string label_;
  Axis across_, up_;
  SvgWriter svg_;
};

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
  TimePlot both(column.times, column.name + unit, std::min(data.minCoeff(), model.minCoeff()),
                std::max(data.maxCoeff(), model.maxCoeff()));
  both.curve(column.times, model, "#D55E00");
  both.dots(column.times, data, "#0072B2");
  TimePlot rest(column.times, "model − data" + unit, difference.minCoeff(), difference.maxCoeff());
  rest.dots(column.times, difference, "#0072B2");
  return text + both.picture() + "<p>Dots: data; curve: the model with the values above.</p>\n" +
         rest.picture();
}

}  // namespace

std::string fit_page(const Fit& fit, const FitResult& result) {
  const FitSettings& settings = fit.settings();
  std::string page = kPageStart;
  page += "<title>" + escape_markup(settings.name) + "</title></head><body>\n";
  page += "<h1>Fit " + escape_markup(settings.name) + "</h1>\n";
  if (!settings.notes.description.empty()) {
    page += "<p>" + escape_markup(settings.notes.description) + "</p>\n";
  }
  page += fmt::format(
      "<p>Scenario {}; cost {} after {} iterations and {} flights: <span{}>{}</span>. Derivatives "
      "are {}.</p>\n",
      escape_markup(fit.scenario().name), number_text(result.cost), result.progress.iterations,
      result.progress.flights, result.converged ? "" : " class=\"bad\"",
      escape_markup(result.message), escape_markup(result.derivatives));
  page += parameter_table(fit, result);
  page += "<h2>Correlation</h2>\n" + correlation_table(fit, result);
  for (std::size_t k = 0; k < settings.columns.size(); ++k) {
    page += column_section(settings.columns[k], result.model[k]);
  }
  return page + "</body></html>\n";
}

}  // namespace spacedyn
