#include "spacedyn/reporting/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "reporting/facts/decimation.hpp"
#include "reporting/facts/report_motion.hpp"
#include "reporting/plot/svg_writer.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

// for a font of 11 px; they grow with it
constexpr double kFont = 11.0;
constexpr double kLeft = 78.0, kRight = 14.0, kTop = 10.0, kBottom = 40.0;
constexpr double kLegendRow = 16.0, kGap = 14.0, kSample = 22.0, kTitle = 24.0, kTitleFont = 13.0;
constexpr double kLabelRow = 13.0;    // of the name of an axis
constexpr double kLeastWidth = 60.0;  // of panels
constexpr int kMostTicks = 6;         // of an axis, about

// Okabe and Ito's colors, which almost everybody can tell apart
constexpr std::array<const char*, 7> kColors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000"};
constexpr int kBlack = 6;
constexpr std::array<const char*, 6> kDashes{"", "6,3", "2,2", "8,3,2,3", "12,3", "1,4"};

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

/// The color belongs to the label, the dash to the result and to how often colors have returned.
std::string style_of(int color, std::size_t result, std::size_t results) {
  const auto number = static_cast<std::size_t>(color);
  const std::size_t dashes = result + results * (number / kColors.size());
  const char* dash = kDashes[dashes % kDashes.size()];
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\" stroke-linejoin=\"round\"{}",
                     kColors[number % kColors.size()],
                     *dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void add_curve(const ReportData& report, const ReportSeries& series, const Decimation& decimation,
               Panel& panel, std::string style) {
  Curve curve;
  curve.label = series.label;
  curve.times.resize(static_cast<Eigen::Index>(decimation.rows().size()));
  for (std::size_t i = 0; i < decimation.rows().size(); ++i) {
    curve.times(static_cast<Eigen::Index>(i)) = report.times(decimation.rows()[i]);
  }
  curve.values = panel.factor * decimation.apply(series.values);
  curve.style = std::move(style);
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
      add_curve(report, series, decimation, panel,
                style_of(is_new ? panel.labels : number, result, reports.size()));
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

/// Words in as few lines as fit into a width; a word is never divided.
std::vector<std::string> wrapped(const std::string& text, double width, double font) {
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && text_width(lines.back() + word, font) > width) {
      lines.push_back(word.substr(1));
    } else {
      lines.back() += word;
    }
    at = end;
  }
  return lines;
}

double widest_label(const Axis& axis, double font) {
  double widest = 0.0;
  for (const double tick : axis.ticks) {
    widest = std::max(widest, text_width(axis.label(tick), font));
  }
  return widest;
}

Axis value_axis(const Panel& panel, const SvgOptions& options) {
  std::vector<const VectorX*> values;
  for (const Curve& curve : panel.curves) values.push_back(&curve.values);
  const auto [least, greatest] = bounds(values);
  const int most = static_cast<int>(options.panel_height / (3.0 * options.font_size));
  return make_axis(least, greatest, std::clamp(most, 1, kMostTicks - 1), false);
}

/// The quantity and its unit, along the axis.
std::vector<std::string> axis_name(const Panel& panel, const SvgOptions& options) {
  const std::string unit = panel.unit.empty() ? "" : " (" + panel.unit + ')';
  return wrapped(panel.group + unit, options.panel_height, options.font_size);
}

/// Draws the panels below one another.
class Picture {
 public:
  Picture(const SvgOptions& options, const std::vector<Panel>& panels, double start, double end)
      : options_(options), scale_(options.font_size / kFont), left_(kLeft * scale_) {
    for (const Panel& panel : panels) {
      const auto lines = static_cast<double>(axis_name(panel, options).size());
      const double labels = widest_label(value_axis(panel, options), options.font_size);
      left_ = std::max(left_, scale_ * (kLabelRow * lines + 11.0) + labels);
    }
    right_ = options.width - kRight * scale_;
    if (right_ - left_ < kLeastWidth * scale_ || options.panel_height < 3.0 * options.font_size) {
      throw DomainError(
          "the picture is too small for its letters: enlarge it or its panels, or "
          "take a smaller font");
    }
    set_times(start, end);
    if (options.title.empty()) return;
    for (const std::string& line : wrapped(options.title, right_ - left_, kTitleFont * scale_)) {
      writer_.text({left_, y_ + options.font_size}, line,
                   fmt::format("font-weight=\"bold\" font-size=\"{:g}\"", kTitleFont * scale_));
      y_ += kLegendRow * scale_;
    }
    y_ += (kTitle - kLegendRow) * scale_;
  }

  /// Labels with samples of lines; those without a style are text alone.
  void legend(const std::vector<std::pair<std::string, std::string>>& entries) {
    double x = left_;
    for (const auto& [label, style] : entries) {
      const double sample = style.empty() ? 0.0 : kSample + 6.0;
      const double room = right_ - left_ - sample;
      const double width = std::min(text_width(label, options_.font_size), room);
      if (x > left_ && x + sample + width > right_) {
        x = left_;
        y_ += kLegendRow * scale_;
      }
      if (!style.empty()) {
        writer_.line({x, y_ + 8.0 * scale_}, {x + kSample, y_ + 8.0 * scale_}, style);
      }
      const std::vector<std::string> lines = wrapped(label, room, options_.font_size);
      for (const std::string& line : lines) {
        if (&line != &lines.front()) y_ += kLegendRow * scale_;
        writer_.text({x + sample, y_ + 12.0 * scale_}, line, "");
      }
      x += sample + width + kGap;
    }
    y_ += kLegendRow * scale_ + 4.0;
  }

  void panel(const Panel& panel, bool last) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const Curve& curve : panel.curves) {
      if (static_cast<int>(entries.size()) < panel.labels) {
        entries.emplace_back(curve.label, curve.style);
      }
    }
    legend(entries);
    const Axis axis = value_axis(panel, options_);
    grid(axis, last);
    for (const Curve& curve : panel.curves) draw(curve, axis);
    label(panel);
    y_ += options_.panel_height + (last ? kBottom * scale_ : kGap);
  }

  std::string finish(const std::string& title) const {
    return writer_.picture(options_.width, y_, title, options_.font_size);
  }

 private:
  /// The axis of times, with as many ticks as their labels leave room for.
  void set_times(double start, double end) {
    const double font = options_.font_size;
    for (int about = kMostTicks; about >= 1; --about) {
      times_ = make_axis(start, end, about, true);
      const double widest = widest_label(times_, font);
      const double moved = std::max(0.0, 0.5 * widest - kRight * scale_);  // of the last label
      const double distance = x_of(times_.low + times_.step) - left_;
      if (times_.ticks.size() < 2 || widest + moved + font < distance) return;
    }
    times_.ticks.resize(1);
  }

  double x_of(double time) const {
    return left_ + (time - times_.low) / (times_.high - times_.low) * (right_ - left_);
  }
  double y_of(double value, const Axis& axis) const {
    return y_ + options_.panel_height * (axis.high - value) / (axis.high - axis.low);
  }

  void grid(const Axis& axis, bool last) {
    constexpr const char* kThin = "stroke=\"#e3e6ea\" stroke-width=\"0.8\"";
    const double bottom = y_ + options_.panel_height;
    for (const double tick : axis.ticks) {
      const double y = y_of(tick, axis);
      writer_.line({left_, y}, {right_, y}, kThin);
      writer_.text({left_ - 6.0 * scale_, y + 4.0 * scale_}, axis.label(tick),
                   "text-anchor=\"end\"");
    }
    for (const double tick : times_.ticks) {
      const double x = x_of(tick);
      writer_.line({x, y_}, {x, bottom}, kThin);
      writer_.line({x, bottom}, {x, bottom + 4.0}, "stroke=\"#333333\" stroke-width=\"0.8\"");
      if (last) time_label(tick, bottom);
    }
    writer_.rectangle({left_, y_}, right_ - left_, options_.panel_height,
                      "fill=\"none\" stroke=\"#333333\" stroke-width=\"0.8\"");
    if (last) {
      writer_.text({(left_ + right_) / 2.0, bottom + 33.0 * scale_}, "Time (s)",
                   "text-anchor=\"middle\"");
    }
  }

  /// The last one stays inside the picture.
  void time_label(double tick, double bottom) {
    const std::string text = times_.label(tick);
    const double half = 0.5 * text_width(text, options_.font_size);
    const double x = std::min(x_of(tick), options_.width - half - 1.0);
    writer_.text({x, bottom + 16.0 * scale_}, text, "text-anchor=\"middle\"");
  }

  void draw(const Curve& curve, const Axis& axis) {
    std::vector<SvgPoint> points;
    for (Eigen::Index i = 0; i < curve.times.size(); ++i) {
      points.push_back({x_of(curve.times(i)), y_of(curve.values(i), axis)});
    }
    writer_.curve(points, curve.style);
  }

  void label(const Panel& panel) {
    const std::vector<std::string> lines = axis_name(panel, options_);
    const double middle = y_ + options_.panel_height / 2.0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double x = scale_ * (14.0 + kLabelRow * static_cast<double>(i));
      const auto turn =
          fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {:.2f} {:.2f})\"", x, middle);
      writer_.text({x, middle}, lines[i], turn);
    }
  }

  SvgWriter writer_;
  SvgOptions options_;
  double scale_;               // of what grows with the font
  double left_, right_ = 0.0;  // of panels
  Axis times_;
  double y_ = kTop;
};

}  // namespace

std::string svg_plot(const std::vector<ReportData>& reports,
                     const std::vector<std::string>& channels, const SvgOptions& options) {
  if (reports.empty()) throw DomainError("a picture needs at least one result");
  if (channels.empty()) throw DomainError("a picture needs at least one channel");
  if (options.labels.size() > reports.size()) {
    throw DomainError(fmt::format("there are more labels ({}) than results ({})",
                                  options.labels.size(), reports.size()));
  }
  const std::vector<Panel> panels = make_panels(reports, channels, options.degrees);
  std::vector<const VectorX*> times;
  for (const ReportData& report : reports) times.push_back(&report.times);
  const auto [start, end] = bounds(times);
  Picture picture(options, panels, start, end);
  std::vector<std::string> names = titles_of(reports);
  std::copy(options.labels.begin(), options.labels.end(), names.begin());
  std::vector<std::pair<std::string, std::string>> results;
  const bool are_several = reports.size() > 1;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    results.emplace_back(names[i], are_several ? style_of(kBlack, i, reports.size()) : "");
  }
  if (are_several || !options.labels.empty()) picture.legend(results);
  for (const Panel& panel : panels) picture.panel(panel, &panel == &panels.back());
  return picture.finish(options.title.empty() ? page_title(reports) : options.title);
}

}  // namespace spacedyn
