#include <algorithm>

#include "reporting/facts/report_series.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/reporting/svg_plot.hpp"

namespace spacedyn {
namespace {

/// Whether a name follows a pattern in which `*` stands for anything.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!starts_with(name, pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skip = star; skip <= name.size(); ++skip) {
    if (matches(rest, name.substr(skip))) return true;
  }
  return false;
}

/// Groups of columns by the names that scenarios give to them.
bool in_channel(std::string_view channel, const ReportSeries& series) {
  const std::string_view column = series.column;
  const bool effort = series.group == "Joint torques" || series.group == "Joint forces";
  if (channel == "joint_torque") return effort;
  if (channel == "frames") return starts_with(column, "frames_");
  if (channel == "frame_twists") return series.group.find("elocity of ") != std::string::npos;
  if (channel == "accelerations") return column.find("_acceleration_") != std::string_view::npos;
  if (channel == "joint_reactions") return column.find("_reaction_") != std::string_view::npos;
  if (channel == "singular_values") return column.find("_sigma_") != std::string_view::npos;
  if (channel == "modal_energy") return starts_with(column, "modes_");
  if (channel == "element_energy") return starts_with(column, "elements_");
  if (channel == "element_forces") return starts_with(column, "forces_");
  if (channel == "energy") return series.group == "Energy";
  if (channel == "momentum") return column.find("_momentum_") != std::string_view::npos;
  if (channel == "state") {
    const bool is_motion =
        !effort && !in_channel("accelerations", series) && !in_channel("joint_reactions", series);
    return is_motion && (starts_with(column, "base_") || starts_with(column, "joints_"));
  }
  return false;
}

/// Derived series have no column; they go by their group and label in the style of columns.
std::string name_of(const ReportSeries& series) {
  if (!series.column.empty()) return series.column;
  if (series.group == kBaseRatesInBodyAxes) return "body_angular_velocity_" + series.label;
  std::string name =
      series.group == "Energy balance" ? series.group : series.group + ' ' + series.label;
  std::replace(name.begin(), name.end(), ' ', '_');
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

std::vector<const ReportSeries*> find(const ReportData& report, const std::string& channel) {
  std::vector<const ReportSeries*> found;
  const auto collect = [&](auto&& wanted) {
    if (!found.empty()) return;
    for (const ReportSeries& series : report.series) {
      if (wanted(series)) found.push_back(&series);
    }
  };
  collect([&](const ReportSeries& series) { return name_of(series) == channel; });
  collect([&](const ReportSeries& series) { return in_channel(channel, series); });
  collect([&](const ReportSeries& series) { return starts_with(name_of(series), channel + '_'); });
  collect([&](const ReportSeries& series) { return matches(channel, name_of(series)); });
  return found;
}

}  // namespace

std::vector<ReportSeries> select_series(const ReportData& report,
                                        const std::vector<std::string>& channels) {
  std::vector<const ReportSeries*> chosen;
  for (const std::string& channel : channels) {
    const std::vector<const ReportSeries*> found = find(report, channel);
    if (found.empty()) {
      std::vector<std::string> known{"state", "momentum", "energy", "frames", "joint_torque"};
      for (const ReportSeries& series : report.series) known.push_back(name_of(series));
      throw DomainError("no channel of '" + report.path + "' is named '" + channel + "'" +
                        did_you_mean(channel, known));
    }
    for (const ReportSeries* series : found) {
      if (std::find(chosen.begin(), chosen.end(), series) == chosen.end()) chosen.push_back(series);
    }
  }
  std::vector<ReportSeries> list;
  for (const ReportSeries* series : chosen) list.push_back(*series);
  return list;
}

}  // namespace spacedyn
