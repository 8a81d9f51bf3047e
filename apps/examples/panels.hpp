/// @file
/// Curves in panels side by side, as an .svg file.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace example {

struct Axis {
  const char* title;
  double from, to, tick;
};

struct Curve {
  const char* label;
  std::function<double(double)> value;
};

struct Panel {
  Axis across, up;
  std::vector<Curve> curves;
};

/// Three panels a row, each of 300 × 200 pixels.
class Picture {
 public:
  explicit Picture(const std::vector<Panel>& panels) {
    const int rows = static_cast<int>((panels.size() + 2) / 3);
    text_ = text(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1130 %d\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"1130\" height=\"%d\" fill=\"white\"/>\n",
        kRow * rows, kRow * rows);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      left_ = 55.0 + 375.0 * static_cast<double>(i % 3);
      top_ = 40.0 + kRow * static_cast<double>(i / 3);
      draw(panels[i]);
    }
    text_ += "</svg>\n";
  }

  bool write(const char* name) const {
    std::FILE* const file = std::fopen(name, "w");
    if (file == nullptr) return false;
    const bool complete = std::fputs(text_.c_str(), file) >= 0;
    return std::fclose(file) == 0 && complete;
  }

 private:
  static constexpr int kRow = 300;
  static constexpr double kWidth = 300.0, kHeight = 200.0;

  template <typename... Values>
  static std::string text(const char* format, Values... values) {
    std::array<char, 400> line{};
    std::snprintf(line.data(), line.size(), format, values...);
    return line.data();
  }
  void add(double x, double y, const char* anchor, const std::string& words, const char* color) {
    text_ += text("<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, y,
                  anchor, color, words.c_str());
  }
  double x_of(const Axis& axis, double x) const {
    return left_ + kWidth * (x - axis.from) / (axis.to - axis.from);
  }
  double y_of(const Axis& axis, double y) const {
    return top_ + kHeight * (axis.to - y) / (axis.to - axis.from);
  }

  void draw(const Panel& panel) {
    const char* const kInk = "#333333";
    add(left_, top_ - 14.0, "start", panel.up.title, kInk);
    add(left_ + 0.5 * kWidth, top_ + kHeight + 38.0, "middle", panel.across.title, kInk);
    std::string grid;
    for (double x = panel.across.from; x < panel.across.to + 1e-9; x += panel.across.tick) {
      grid += text("M%.2f %.2fv%.2f", x_of(panel.across, x), top_, kHeight);
      add(x_of(panel.across, x), top_ + kHeight + 18.0, "middle", text("%g", x), kInk);
    }
    for (double y = panel.up.from; y < panel.up.to + 1e-9; y += panel.up.tick) {
      grid += text("M%.2f %.2fh%.2f", left_, y_of(panel.up, y), kWidth);
      add(left_ - 6.0, y_of(panel.up, y) + 4.0, "end", text("%g", y), kInk);
    }
    text_ += "<path stroke=\"#dddddd\" fill=\"none\" d=\"" + grid + "\"/>\n";
    for (std::size_t i = 0; i < panel.curves.size(); ++i) draw(panel, i);
  }

  /// A curve, its label at its end: that of the first one above it, others below.
  void draw(const Panel& panel, std::size_t number) {
    constexpr int kParts = 90;
    constexpr std::array<const char*, 3> kColors = {"#1f6feb", "#b35900", "#22863a"};
    const char* const color = kColors[number % 3];
    const Curve& curve = panel.curves[number];
    std::string points;
    for (int i = 0; i <= kParts; ++i) {
      const double x = panel.across.from + (panel.across.to - panel.across.from) * i / kParts;
      points += text("%.2f,%.2f ", x_of(panel.across, x), y_of(panel.up, curve.value(x)));
    }
    text_ += "<polyline stroke-width=\"2\" fill=\"none\" stroke=\"" + std::string(color) +
             "\" points=\"" + points + "\"/>\n";
    const double y = y_of(panel.up, curve.value(panel.across.to));
    add(left_ + kWidth - 4.0, y + (number == 0 ? -6.0 : 16.0), "end", curve.label, color);
  }

  std::string text_;
  double left_ = 0.0, top_ = 0.0;
};

}  // namespace example
