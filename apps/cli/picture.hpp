/// @file
/// Pictures in the formats of papers and slides.
#pragma once

#include <string>

namespace spacedyn::cli {

enum class PictureFormat { svg, png, pdf };

/// The format that the ending of a file name asks for, in any case.
/// @throws Failure (2) if there is no such format
PictureFormat picture_format(const std::string& path);

/// An SVG picture in a format.
/// @param resolution  of PNG, dots per inch
/// @throws Failure (6) if it cannot be drawn
std::string draw_picture(const std::string& svg, PictureFormat format, double resolution);

}  // namespace spacedyn::cli
