/// @file
/// Pictures as text, and their axes. Private.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spacedyn {

/// Text that is safe in XML and HTML: marks escaped, bytes that are no UTF-8 and control characters
/// replaced.
std::string escape_markup(const std::string& text);

/// Width of a text, px, near enough to place things beside it.
double text_width(std::string_view text, double font_size);

/// A point of a picture, px from its top left corner.
struct SvgPoint {
  double x, y;
};

/// Collects the elements of a picture.
class SvgWriter {
 public:
  /// @param attributes  of the element, for instance `stroke="#000"`
  void line(SvgPoint from, SvgPoint to, std::string_view attributes);
  void text(SvgPoint at, const std::string& text, std::string_view attributes);
  /// A line through points; a point that is not finite breaks it.
  void curve(const std::vector<SvgPoint>& points, std::string_view attributes);
  void rectangle(SvgPoint corner, double width, double height, std::string_view attributes);

  /// The whole picture.
  /// @param title      for readers that do not see it
  /// @param font_size  of texts that have none of their own, px
  std::string picture(double width, double height, const std::string& title,
                      double font_size) const;

 private:
  std::string body_;
};

/// A range that is drawn and the numbers that are written beside it.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  double step = 0.2;
  std::vector<double> ticks;  ///< multiples of the step inside the range

  /// A tick with as many decimals as the step needs.
  std::string label(double tick) const;
};

/// An axis for values between two bounds, with about so many ticks; a step is 1, 2 or 5 times a
/// power of ten. @param tight  end at the bounds instead of at ticks
Axis make_axis(double least, double greatest, int about, bool tight);

}  // namespace spacedyn
