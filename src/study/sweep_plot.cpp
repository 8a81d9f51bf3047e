#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reporting/plot/svg_writer.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/study/sweep_report.hpp"

namespace spacedyn {
namespace {

/// Values of a column, and what is written beside its axis.
struct SweepColumn {
  std::string label;
  std::vector<double> values;
};

SweepColumn column_of(const SweepTable& table, const std::string& name) {
  const auto label = [](const Column& column) {
    return column.unit.empty() ? column.name : column.name + " [" + column.unit + ']';
  };
  std::vector<std::string> known;
  for (const bool is_parameter : {true, false}) {
    const auto& columns = is_parameter ? table.parameters : table.collected;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      known.push_back(columns[k].name);
      if (columns[k].name != name) continue;
      SweepColumn column{label(columns[k]), {}};
      for (const SweepRow& row : table.flown) {
        column.values.push_back(is_parameter ? row.draw.parameters[k] : row.collected[k]);
      }
      return column;
    }
  }
  throw DomainError("the sweep has no parameter or collected number '" + name + "'" +
                    did_you_mean(name, known));
}

Axis axis_of(const std::vector<double>& values, int about) {
  double least = INFINITY, greatest = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  if (!(least <= greatest)) return make_axis(0.0, 1.0, about, false);
  return make_axis(least, greatest, about, false);
}

}  // namespace

std::string sweep_scatter_svg(const SweepTable& table, const std::string& x, const std::string& y,
                              double width, double height, double font_size) {
  const SweepColumn across = column_of(table, x), up = column_of(table, y);
  const Axis horizontal = axis_of(across.values, static_cast<int>(width / 90.0)),
             vertical = axis_of(up.values, static_cast<int>(height / 40.0));
  double widest = 0.0;
  for (const double tick : vertical.ticks) {
    widest = std::max(widest, text_width(vertical.label(tick), font_size));
  }
  const double left = widest + 2.6 * font_size, right = width - 1.2 * font_size;
  const double top = font_size, bottom = height - 3.4 * font_size;
  const auto at = [&](double a, double b) {
    return SvgPoint{
        left + (right - left) * (a - horizontal.low) / (horizontal.high - horizontal.low),
        bottom + (top - bottom) * (b - vertical.low) / (vertical.high - vertical.low)};
  };
  SvgWriter svg;
  constexpr const char* kGrid = R"(stroke="#dddddd" stroke-width="0.7")";
  for (const double tick : horizontal.ticks) {
    svg.line(at(tick, vertical.low), at(tick, vertical.high), kGrid);
    const SvgPoint place = at(tick, vertical.low);
    svg.text({place.x, place.y + 1.3 * font_size}, horizontal.label(tick),
             R"(text-anchor="middle")");
  }
  for (const double tick : vertical.ticks) {
    svg.line(at(horizontal.low, tick), at(horizontal.high, tick), kGrid);
    const SvgPoint place = at(horizontal.low, tick);
    svg.text({place.x - 0.4 * font_size, place.y + 0.35 * font_size}, vertical.label(tick),
             R"(text-anchor="end")");
  }
  for (std::size_t i = 0; i < across.values.size(); ++i) {
    if (!std::isfinite(across.values[i]) || !std::isfinite(up.values[i])) continue;
    const SvgPoint place = at(across.values[i], up.values[i]);
    // a line without length is a dot as wide as its pen
    svg.line(place, place, R"(stroke="#2f7ed8" stroke-width="3.2" stroke-linecap="round")");
  }
  svg.text({0.5 * (left + right), height - 0.7 * font_size}, across.label,
           R"(text-anchor="middle")");
  const double middle = 0.5 * (top + bottom);
  svg.text({font_size, middle}, up.label,
           fmt::format(R"x(text-anchor="middle" transform="rotate(-90 {:.1f} {:.1f})")x", font_size,
                       middle));
  return svg.picture(width, height, up.label + " over " + across.label, font_size);
}

}  // namespace spacedyn
