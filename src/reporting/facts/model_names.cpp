#include "reporting/facts/model_names.hpp"

#include <map>
#include <utility>

#include "recording/robot_columns.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/recording/channels.hpp"

namespace spacedyn {
namespace {

using Names = std::map<std::string, SeriesName>;

/// Columns of the layout that hold numbers of joints or frames, and how to name their series.
Names own_names(const Model& model) {
  Names names;
  const auto add = [&](Channel channel, int width, int first, int count, const auto& rename) {
    const std::vector<Column> columns = RowLayout(model, {channel}).columns();
    for (int i = 0; i < width * count; ++i) {
      const Column& column = columns[static_cast<std::size_t>(first + i)];
      names[column.name] = rename(series_name(column), i / width);
    }
  };
  const std::vector<int> joints = recorded_joints(model);
  const auto joint = [&](const SeriesName& name, int i) {
    return SeriesName{name.group, model.joint(joints[static_cast<std::size_t>(i)]).name};
  };
  const auto frame = [&](const SeriesName& name, int i) {
    const std::string start = name.group.substr(0, name.group.find(" of ") + 4);
    return SeriesName{start + model.frames()[static_cast<std::size_t>(i)].name, name.label};
  };
  const int n = static_cast<int>(joints.size());
  const int robots = static_cast<int>(model.robots().size());
  // after time, position and quaternion of the base, and after its velocities; after all bases
  const int q = robots > 0 ? 1 + kBaseWidth * robots : 8;
  const int qd = robots > 0 ? q + n : 14 + n;
  add(Channel::state, 1, q, n, joint);
  add(Channel::state, 1, qd, n, joint);
  add(Channel::joint_torque, 1, 1, n, joint);
  add(Channel::frames, 7, 1, static_cast<int>(model.frames().size()), frame);
  return names;
}

}  // namespace

void use_model_names(ReportData& report, const Model& model) {
  const Names names = own_names(model);
  for (ReportSeries& series : report.series) {
    const auto found = names.find(series.column);
    if (found == names.end()) continue;
    series.group = found->second.group;
    series.label = found->second.label;
  }
}

}  // namespace spacedyn
