/// @file
/// Pictures of series for papers: scalable, labelled, made without any other program.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// How a picture looks.
struct SvgOptions {
  double width = 480.0;             ///< px at 96 per inch: 480 is 127 mm
  double panel_height = 190.0;      ///< px, of each panel
  double font_size = 11.0;          ///< px; 96 px are 72 pt
  std::string title;                ///< above the panels; may be empty
  std::vector<std::string> labels;  ///< of the results in the legend, in their order, instead of
                                    ///< their titles
  bool degrees = false;             ///< draw rad as degrees
};

/// The series that some channels name, in the order of the channels, each once.
///
/// A channel is the name of a column, of a group of columns (`state`, `momentum`, `energy`,
/// `frames`, `joint_torque`), the beginning of column names up to an underscore
/// (`joints_elbow`, `base_position`), or a pattern in which `*` stands for anything
/// (`joints_*_rad`).
/// @throws DomainError if a channel names nothing, with the nearest name
SPACEDYN_EXPORT std::vector<ReportSeries> select_series(const ReportData& report,
                                                        const std::vector<std::string>& channels);

/// One panel per unit and group of series, with a common time axis; axes are labelled with their
/// units, and marked as closely as their labels leave room. Results are told apart by their dashes,
/// and the legend names them if there are several or labels are given. Beyond seven series colours
/// return with other dashes.
/// @param channels  as for select_series(); all results must have them
/// @throws DomainError if there is no result, no channel, more labels than results, a channel names
/// nothing, or letters leave no room for curves
SPACEDYN_EXPORT std::string svg_plot(const std::vector<ReportData>& reports,
                                     const std::vector<std::string>& channels,
                                     const SvgOptions& options = {});

}  // namespace spacedyn
