/// @file
/// The data of a page: JSON with arrays of numbers in base64; and the page that they are put into.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/reporting/report_data.hpp"

namespace spacedyn {

/// Data for the page of some results, safe inside a script element: it holds no `<`.
/// @param live  further members of the data, as JSON; empty for a page that is complete
std::string report_json(const std::vector<ReportData>& reports, const std::string& live = {});

/// Motion and series of a report alone, as JSON.
std::string report_rows_json(const ReportData& report);

/// What a run leaves behind beside its rows, as JSON: facts, audit, events, warnings, inputs.
std::string report_texts_json(const ReportData& report);

/// @name Where what the page may connect to, the title and the data go; each occurs once, in this
/// order
/// @{
inline constexpr std::string_view kConnectMarker = "@@spacedyn-connect@@";
inline constexpr std::string_view kTitleMarker = "@@spacedyn-title@@";
inline constexpr std::string_view kDataMarker = "@@spacedyn-data@@";
/// @}

std::string_view report_template();

/// The page with everything in its place.
/// @param connect  source list of its policy, for instance 'none'
std::string filled_template(std::string_view connect, const std::string& title,
                            const std::string& data);

}  // namespace spacedyn
