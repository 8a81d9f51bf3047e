#include "reporting/plot/svg_writer.hpp"

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

}  // namespace spacedyn
