/// @file
/// What pages of fits and of optimizations have in common. Private.
#pragma once

#include <string>
#include <vector>

#include "reporting/plot/svg_writer.hpp"
#include "spacedyn/optimization/fit.hpp"

namespace spacedyn {

/// Colors that are told apart without seeing red and green [Okabe and Ito 2008].
inline constexpr const char *kBlue = "#0072B2", *kOrange = "#D55E00", *kGreen = "#009E73";

/// Head of a page that needs no other file and no network, and what it is about.
/// @param kind  of search
std::string search_page_start(const std::string& kind, const std::string& name, const Notes& notes);
/// Three digits, or a dash.
std::string number_text(double value);
/// The bounds of a variable.
std::string bounds_text(const ScenarioVariable& variable);
/// How a search has ended, marked where it has not converged.
std::string ending_text(bool converged, const std::string& message);

/// What an axis of a picture shows.
struct PlotRange {
  std::string label;
  double low = 0.0, high = 1.0;
};
/// Size of a picture, px.
struct PlotSize {
  double width = 860.0, height = 230.0;
};

/// A picture of curves.
class CurvePlot {
 public:
  CurvePlot(const PlotRange& across, const PlotRange& up, const PlotSize& size = {});

  void dots(const std::vector<double>& x, const VectorX& y, const char* color);
  void curve(const std::vector<double>& x, const VectorX& y, const char* color);
  std::string picture() const;

 private:
  SvgPoint at(double x, double y) const;

  std::string title_;
  PlotSize size_;
  Axis across_, up_;
  SvgWriter svg_;
};

}  // namespace spacedyn
