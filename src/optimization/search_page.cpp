#include "optimization/search_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "spacedyn/error.hpp"

#include "reporting/results/output_file.hpp"

#include "optimization/trials.hpp"

namespace spacedyn {
namespace {

constexpr double kFont = 11.0;
constexpr double kLeft = 86.0, kRight = 14.0, kTop = 12.0, kBottom = 34.0;
constexpr std::size_t kMostPoints = 4000;  // drawn of a curve

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

}  // namespace

std::string search_page_start(const std::string& kind, const std::string& name,
                              const Notes& notes) {
  std::string page = kPageStart;
  page += "<title>" + escape_markup(name) + "</title></head><body>\n";
  page += "<h1>" + kind + ' ' + escape_markup(name) + "</h1>\n";
  if (!notes.description.empty()) page += "<p>" + escape_markup(notes.description) + "</p>\n";
  return page;
}

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
}

std::string bounds_text(double lower, double upper) {
  if (std::isinf(lower) && std::isinf(upper)) return "–";
  if (std::isinf(lower)) return fmt::format("at most {:.6g}", upper);
  if (std::isinf(upper)) return fmt::format("at least {:.6g}", lower);
  return lower == upper ? fmt::format("= {:.6g}", upper)
                        : fmt::format("{:.6g} … {:.6g}", lower, upper);
}

std::string ending_text(bool converged, const std::string& message) {
  return fmt::format("<span{}>{}</span>", converged ? "" : " class=\"bad\"",
                     escape_markup(message));
}

CurvePlot::CurvePlot(const PlotRange& across, const PlotRange& up, const PlotSize& size)
    : title_(up.label + " over " + across.label),
      size_(size),
      across_(make_axis(across.low, across.high, size.width > 500.0 ? 8 : 4, true)),
      up_(make_axis(up.low, up.high, 5, false)) {
  constexpr const char* kGrid = R"(stroke="#dddddd" stroke-width="0.7")";
  for (const double tick : across_.ticks) {
    svg_.line(at(tick, up_.low), at(tick, up_.high), kGrid);
    svg_.text({at(tick, up_.low).x, size_.height - kBottom + 14.0}, across_.label(tick),
              R"(text-anchor="middle")");
  }
  for (const double tick : up_.ticks) {
    const SvgPoint place = at(across_.low, tick);
    svg_.line(place, at(across_.high, tick), kGrid);
    svg_.text({place.x - 5.0, place.y + 4.0}, up_.label(tick), R"(text-anchor="end")");
  }
  svg_.text({0.5 * size_.width, size_.height - 5.0}, across.label, R"(text-anchor="middle")");
  const double middle = 0.5 * size_.height;
  svg_.text({12.0, middle}, up.label,
            fmt::format(R"x(text-anchor="middle" transform="rotate(-90 12 {:.1f})")x", middle));
}

void CurvePlot::dots(const std::vector<double>& x, const VectorX& y, const char* color) {
  const std::size_t stride = x.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < x.size(); i += stride) {
    const double value = y(static_cast<Eigen::Index>(i));
    if (!std::isfinite(value)) continue;
    const SvgPoint place = at(x[i], value);
    // a line without length is a dot as wide as its pen
    svg_.line(place, place,
              fmt::format(R"(stroke="{}" stroke-width="3" stroke-linecap="round")", color));
  }
}

void CurvePlot::curve(const std::vector<double>& x, const VectorX& y, const char* color) {
  std::vector<SvgPoint> points;
  const std::size_t stride = x.size() / kMostPoints + 1;
  for (std::size_t i = 0; i < x.size(); i += stride) {
    points.push_back(at(x[i], y(static_cast<Eigen::Index>(i))));
  }
  svg_.curve(points, fmt::format(R"(fill="none" stroke="{}" stroke-width="1.3")", color));
}

std::string CurvePlot::picture() const {
  return svg_.picture(size_.width, size_.height, title_, kFont);
}

SvgPoint CurvePlot::at(double x, double y) const {
  const double right = size_.width - kRight, bottom = size_.height - kBottom;
  return {kLeft + (right - kLeft) * (x - across_.low) / (across_.high - across_.low),
          bottom + (kTop - bottom) * (y - up_.low) / (up_.high - up_.low)};
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void write_numbers(hid_t parent, const NumberSet& set, const double* numbers) {
  using hdf5::Handle;
  const Handle space(
      H5Screate_simple(static_cast<int>(set.shape.size()), set.shape.data(), nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(parent, set.name.c_str(), H5T_IEEE_F64LE, space,
                                  hdf5::link_properties(set.name), H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  hdf5::check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  if (!set.unit.empty()) hdf5::write_attribute(dataset, "units", set.unit);
  if (!set.columns.empty()) hdf5::write_attribute(dataset, "columns", set.columns);
}

void write_search_hdf5(const std::string& path, const SearchInputs& inputs,
                       const std::function<void(hid_t file)>& write) {
  std::remove(path.c_str());
  const hdf5::Silence silence;
  try {
    hdf5::Handle file = hdf5::open_file(path, hdf5::Access::create);
    hdf5::write_attribute(file, "format", inputs.format);
    write(file);
    hdf5::write_text(hdf5::group(file, "/meta"), "record", inputs.record);
    hdf5::write_inputs(file, {inputs.sources.begin(), inputs.sources.end()}, inputs.overrides);
    if (!file.reset()) throw hdf5::Failure(hdf5::last_reason());
  } catch (const hdf5::Failure& failure) {
    throw IoError("cannot write '" + path + "': " + failure.what());
  }
}

std::vector<std::string> write_best_scenario(const loading::ScenarioFamily& family,
                                             const std::vector<ScenarioVariable>& variables,
                                             const VectorX& values, const std::string& folder,
                                             const std::string& stem) {
  std::vector<std::string> files;
  for (const auto& [name, text] :
       family.write_variant(overrides_of(variables, values), folder, stem)) {
    files.push_back((std::filesystem::path(folder) / name).string());
    write_file_atomically(files.back(), text);
  }
  return files;
}

}  // namespace spacedyn
