#include "reporting/plot/svg_writer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reporting/results/json.hpp"

namespace spacedyn {

std::string escape_markup(const std::string& text) {
  // the JSON library knows how to replace what is not UTF-8
  const auto quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  for (const char c : Json::parse(quoted).get<std::string>()) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

double text_width(std::string_view text, double font_size) {
  double characters = 0.0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) characters += 1.0;
  }
  return 0.56 * font_size * characters;
}

void SvgWriter::line(SvgPoint from, SvgPoint to, std::string_view attributes) {
  body_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                       from.x, from.y, to.x, to.y, attributes);
}

void SvgWriter::text(SvgPoint at, const std::string& text, std::string_view attributes) {
  body_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" {}>{}</text>\n", at.x, at.y, attributes,
                       escape_markup(text));
}

void SvgWriter::curve(const std::vector<SvgPoint>& points, std::string_view attributes) {
  std::string path;
  bool is_drawing = false;
  for (const SvgPoint& point : points) {
    const bool good = std::isfinite(point.x) && std::isfinite(point.y);
    if (good) path += fmt::format("{}{:.2f},{:.2f}", is_drawing ? 'L' : 'M', point.x, point.y);
    is_drawing = good;
  }
  body_ += fmt::format("<path d=\"{}\" {}/>\n", path, attributes);
}

void SvgWriter::rectangle(SvgPoint corner, double width, double height,
                          std::string_view attributes) {
  body_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>\n",
                       corner.x, corner.y, width, height, attributes);
}

std::string SvgWriter::picture(double width, double height, const std::string& title,
                               double font_size) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" "
      "font-size=\"{4:g}\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width, height, escape_markup(title), body_, font_size);
}

namespace {

/// What is left of a constant after rounding, relative to its size.
constexpr double kRounding = 1.0e-12;
/// Numbers of a damaged result may be denormal or as large as there are: their differences would
/// vanish or overflow.
constexpr double kLeast = 1.0e-290, kGreatest = 1.0e300;

double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double rest = rough / power;
  return power * (rest < 1.5 ? 1.0 : rest < 3.5 ? 2.0 : rest < 7.5 ? 5.0 : 10.0);
}

}  // namespace

Axis make_axis(double least, double greatest, int about, bool tight) {
  least = std::clamp(least, -kGreatest, kGreatest);
  greatest = std::clamp(greatest, -kGreatest, kGreatest);
  const double size = std::max(std::abs(least), std::abs(greatest));
  if (!(greatest - least > std::max(kLeast, kRounding * size))) {
    const double air = size > kLeast ? 0.1 * size : 1.0;
    least -= air;
    greatest += air;
  }
  Axis axis;
  axis.step = round_step((greatest - least) / about);
  // the slack keeps a bound that is a tick but for rounding from asking for another one
  const double slack = 1.0e-9;
  axis.low = tight ? least : axis.step * std::floor(least / axis.step + slack);
  axis.high = tight ? greatest : axis.step * std::ceil(greatest / axis.step - slack);
  const double first = std::ceil(axis.low / axis.step - slack);
  const double last = std::floor(axis.high / axis.step + slack);
  for (double k = first; k <= last; k += 1.0) axis.ticks.push_back(k * axis.step);
  return axis;
}

std::string Axis::label(double tick) const {
  if (tick == 0.0) return "0";
  const double size = std::max(std::abs(low), std::abs(high));
  const int decimals = static_cast<int>(-std::floor(std::log10(step) + 1.0e-9));
  std::string text;
  if (size >= 1.0e5 || size < 1.0e-3) {
    const int digits = static_cast<int>(std::floor(std::log10(std::abs(tick)) + 1.0e-9));
    text = fmt::format("{:.{}e}", tick, std::clamp(digits + decimals, 0, 12));
    // 2e-05 reads better as 2e-5
    const std::size_t sign = text.find('e') + 1;
    std::size_t zeros = sign + 1;
    while (zeros + 1 < text.size() && text[zeros] == '0') text.erase(zeros, 1);
    if (text[sign] == '+') text.erase(sign, 1);
  } else {
    text = fmt::format("{:.{}f}", tick, std::max(decimals, 0));
  }
  std::string signs;
  for (const char c : text) c == '-' ? signs += "−" : signs += c;
  return signs;
}

}  // namespace spacedyn
