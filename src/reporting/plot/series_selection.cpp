#include <algorithm>
#include <array>

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

/// Groups of columns that have a name of their own.
constexpr std::array kGroups{"state",           "momentum",      "energy",
                             "frames",          "joint_torque",  "frame_twists",
                             "singular_values", "modal_energy",  "element_energy",
                             "element_forces",  "accelerations", "joint_reactions"};

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
  if (channel == "momentum") {  // not that of wheels
    return column.find("_momentum_") != std::string_view::npos &&
           !starts_with(column, "actuators_");
  }
  if (channel == "state") {
    const bool is_motion =
        !effort && !in_channel("accelerations", series) && !in_channel("joint_reactions", series);
    return is_motion && (starts_with(column, "base_") || starts_with(column, "joints_"));
  }
  return false;
}

const std::string& name_of(const ReportSeries& series) {
  return series.column.empty() ? series.derived : series.column;
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
  collect([&](const ReportSeries& series) { return series.dataset == '/' + channel; });
  const std::string beginning = !channel.empty() && channel.back() == '_' ? channel : channel + '_';
  collect([&](const ReportSeries& series) { return starts_with(name_of(series), beginning); });
  collect([&](const ReportSeries& series) { return matches(channel, name_of(series)); });
  // what there is of one robot is there of each of several
  for (const char* rest : {"", "_*"}) {
    const std::string pattern = "robots_*_" + channel + rest;
    collect([&](const ReportSeries& series) { return matches(pattern, name_of(series)); });
  }
  return found;
}

/// All that a misspelt channel may have meant: groups, names, and what several names begin with.
std::vector<std::string> known_channels(const ReportData& report) {
  std::vector<std::string> known;
  for (const char* group : kGroups) {
    const auto is_in = [&](const ReportSeries& series) { return in_channel(group, series); };
    if (std::any_of(report.series.begin(), report.series.end(), is_in)) known.push_back(group);
  }
  for (const ReportSeries& series : report.series) {
    if (!series.dataset.empty()) known.push_back(series.dataset.substr(1));
    const std::string& name = name_of(series);
    for (std::size_t end = name.size(); end != std::string::npos && end > 0;
         end = name.rfind('_', end - 1)) {
      known.push_back(name.substr(0, end));
    }
  }
  return known;
}

/// A joint, body or frame is named in the middle of its columns.
std::string nearest_channel(const ReportData& report, const std::string& channel) {
  for (const ReportSeries& series : report.series) {
    if (!matches("*_" + channel + "_*", name_of(series))) continue;
    return ", did you mean '" + name_of(series) + "'?";
  }
  return did_you_mean(channel, known_channels(report));
}

}  // namespace

std::vector<ReportSeries> select_series(const ReportData& report,
                                        const std::vector<std::string>& channels) {
  std::vector<const ReportSeries*> chosen;
  for (const std::string& channel : channels) {
    const std::vector<const ReportSeries*> found = find(report, channel);
    if (found.empty()) {
      throw DomainError("no channel of '" + report.path + "' is named '" + channel + "'" +
                        nearest_channel(report, channel));
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
