#include "spacedyn/reporting/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "reporting/facts/decimation.hpp"
#include "reporting/plot/svg_writer.hpp"
#include "reporting/plot/ticks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

constexpr double kFont = 11.0;
constexpr double kLeft = 78.0, kRight = 14.0, kTop = 10.0, kBottom = 40.0;
constexpr double kLegendRow = 16.0, kGap = 14.0, kSample = 22.0;

// Okabe and Ito's colors, which almost everybody can tell apart
constexpr std::array<const char*, 7> kColors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000"};
constexpr std::array<const char*, 4> kDashes{"", "6,3", "2,2", "8,3,2,3"};

/// A drawn line: a series of one of the results.
struct Curve {
  std::string label;
  VectorX times, values;
  std::string style;
};

/// What shares an axis.
struct Panel {
  std::string group, unit;
  double factor = 1.0;
  std::vector<Curve> curves;
  int labels = 0;  // distinct ones, each with a color
};

std::string unit_text(const std::string& unit) {
  std::string text = unit;
  const std::size_t square = text.find("^2");
  if (square != std::string::npos) text.replace(square, 2, "²");
  return text;
}

Panel make_panel(const ReportSeries& series, bool degrees) {
  Panel panel{series.group, unit_text(series.unit), 1.0, {}, 0};
  if (degrees && (series.unit == "rad" || series.unit == "rad/s")) {
    panel.unit = series.unit == "rad" ? "°" : "°/s";
    panel.factor = 1.0 / kDegree;
  }
  return panel;
}

Panel& panel_of(const ReportSeries& series, bool degrees, std::vector<Panel>& panels) {
  Panel panel = make_panel(series, degrees);
  for (Panel& other : panels) {
    if (other.group == panel.group && other.unit == panel.unit) return other;
  }
  panels.push_back(std::move(panel));
  return panels.back();
}

/// The color belongs to the label, the dash to the result.
std::string style_of(int color, std::size_t result) {
  const auto count = static_cast<int>(kColors.size());
  const char* dash = kDashes[result % kDashes.size()];
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                     kColors[static_cast<std::size_t>(color % count)], color >= count ? 0.9 : 1.4,
                     *dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void add_curve(const ReportData& report, std::size_t result, const ReportSeries& series,
               const Decimation& decimation, Panel& panel, int color) {
  Curve curve;
  curve.label = series.label;
  curve.times.resize(static_cast<Eigen::Index>(decimation.rows().size()));
  for (std::size_t i = 0; i < decimation.rows().size(); ++i) {
    curve.times(static_cast<Eigen::Index>(i)) = report.times(decimation.rows()[i]);
  }
  curve.values = panel.factor * decimation.apply(series.values);
  curve.style = style_of(color, result);
  panel.curves.push_back(std::move(curve));
}

std::vector<Panel> make_panels(const std::vector<ReportData>& reports,
                               const std::vector<std::string>& channels, bool degrees) {
  std::vector<Panel> panels;
  for (std::size_t result = 0; result < reports.size(); ++result) {
    const ReportData& report = reports[result];
    const Decimation decimation(static_cast<int>(report.times.size()), kMaxReportPoints);
    for (const ReportSeries& series : select_series(report, channels)) {
      Panel& panel = panel_of(series, degrees, panels);
      const auto same = [&](const Curve& curve) { return curve.label == series.label; };
      const auto first = std::find_if(panel.curves.begin(), panel.curves.end(), same);
      const bool is_new = first == panel.curves.end();
      const auto number = static_cast<int>(first - panel.curves.begin());
      add_curve(report, result, series, decimation, panel, is_new ? panel.labels : number);
      if (is_new) ++panel.labels;
    }
  }
  return panels;
}

/// Least and greatest finite number.
std::pair<double, double> bounds(const std::vector<const VectorX*>& vectors) {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (const VectorX* vector : vectors) {
    for (const double value : *vector) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  }
  return least <= greatest ? std::pair(least, greatest) : std::pair(0.0, 1.0);
}

/// Draws the panels below one another.
class Picture {
 public:
  Picture(const SvgOptions& options, Axis times) : options_(options), times_(std::move(times)) {
    if (options.title.empty()) return;
    writer_.text({kLeft, y_ + kFont}, options.title, "font-weight=\"bold\" font-size=\"13\"");
    y_ += 24.0;
  }

  void legend(const std::vector<std::pair<std::string, std::string>>& entries) {
    double x = kLeft;
    for (const auto& [label, style] : entries) {
      const double width = kSample + 6.0 + text_width(label, kFont) + kGap;
      if (x > kLeft && x + width > options_.width - kRight + kGap) {
        x = kLeft;
        y_ += kLegendRow;
      }
      writer_.line({x, y_ + 8.0}, {x + kSample, y_ + 8.0}, style);
      writer_.text({x + kSample + 6.0, y_ + 12.0}, label, "");
      x += width;
    }
    y_ += kLegendRow + 4.0;
  }

  void panel(const Panel& panel, bool last) {
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<const VectorX*> values;
    for (const Curve& curve : panel.curves) {
      if (static_cast<int>(entries.size()) < panel.labels) {
        entries.emplace_back(curve.label, curve.style);
      }
      values.push_back(&curve.values);
    }
    legend(entries);
    const auto [least, greatest] = bounds(values);
    const Axis axis = make_axis(least, greatest, 5, false);
    grid(axis, last);
    for (const Curve& curve : panel.curves) draw(curve, axis);
    label(panel);
    y_ += options_.panel_height + (last ? kBottom : kGap);
  }

  std::string finish(const std::string& title) const {
    return writer_.picture(options_.width, y_, title);
  }

 private:
  double x_of(double time) const {
    const double width = options_.width - kLeft - kRight;
    return kLeft + (time - times_.low) / (times_.high - times_.low) * width;
  }
  double y_of(double value, const Axis& axis) const {
    return y_ + options_.panel_height * (axis.high - value) / (axis.high - axis.low);
  }

  void grid(const Axis& axis, bool last) {
    constexpr const char* kThin = "stroke=\"#e3e6ea\" stroke-width=\"0.8\"";
    const double bottom = y_ + options_.panel_height;
    const double right = options_.width - kRight;
    for (const double tick : axis.ticks) {
      const double y = y_of(tick, axis);
      writer_.line({kLeft, y}, {right, y}, kThin);
      writer_.text({kLeft - 6.0, y + 4.0}, axis.label(tick), "text-anchor=\"end\"");
    }
    for (const double tick : times_.ticks) {
      const double x = x_of(tick);
      writer_.line({x, y_}, {x, bottom}, kThin);
      writer_.line({x, bottom}, {x, bottom + 4.0}, "stroke=\"#333333\" stroke-width=\"0.8\"");
      if (last) writer_.text({x, bottom + 16.0}, times_.label(tick), "text-anchor=\"middle\"");
    }
    writer_.rectangle({kLeft, y_}, right - kLeft, options_.panel_height,
                      "fill=\"none\" stroke=\"#333333\" stroke-width=\"0.8\"");
    if (last) {
      writer_.text({(kLeft + right) / 2.0, bottom + 33.0}, "Time (s)", "text-anchor=\"middle\"");
    }
  }

  void draw(const Curve& curve, const Axis& axis) {
    std::vector<SvgPoint> points;
    for (Eigen::Index i = 0; i < curve.times.size(); ++i) {
      points.push_back({x_of(curve.times(i)), y_of(curve.values(i), axis)});
    }
    writer_.curve(points, curve.style);
  }

  /// The quantity and its unit along the axis, in two lines where one would be too long.
  void label(const Panel& panel) {
    const std::string unit = panel.unit.empty() ? "" : " (" + panel.unit + ')';
    std::vector<std::string> lines{panel.group + unit};
    const std::size_t space = panel.group.find(' ', panel.group.size() / 3);
    if (text_width(lines[0], kFont) > options_.panel_height && space != std::string::npos) {
      lines = {panel.group.substr(0, space), panel.group.substr(space + 1) + unit};
    }
    const double middle = y_ + options_.panel_height / 2.0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double x = 14.0 + 13.0 * static_cast<double>(i);
      const auto turn =
          fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {:.2f} {:.2f})\"", x, middle);
      writer_.text({x, middle}, lines[i], turn);
    }
  }

  SvgWriter writer_;
  SvgOptions options_;
  Axis times_;
  double y_ = kTop;
};

}  // namespace

std::string svg_plot(const std::vector<ReportData>& reports,
                     const std::vector<std::string>& channels, const SvgOptions& options) {
  if (reports.empty()) throw DomainError("a picture needs at least one result");
  if (channels.empty()) throw DomainError("a picture needs at least one channel");
  const std::vector<Panel> panels = make_panels(reports, channels, options.degrees);
  std::vector<const VectorX*> times;
  for (const ReportData& report : reports) times.push_back(&report.times);
  const auto [start, end] = bounds(times);
  Picture picture(options, make_axis(start, end, 6, true));
  std::string title = options.title;
  std::vector<std::pair<std::string, std::string>> results;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const ReportData& report = reports[i];
    results.emplace_back(report.title + " (" + report.path + ')', style_of(6, i));
    if (options.title.empty()) title += (i > 0 ? ", " : "") + report.title;
  }
  if (reports.size() > 1) picture.legend(results);
  for (const Panel& panel : panels) picture.panel(panel, &panel == &panels.back());
  return picture.finish(title);
}

}  // namespace spacedyn
