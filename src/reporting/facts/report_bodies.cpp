#include "reporting/facts/report_bodies.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "recording/column_names.hpp"
#include "reporting/results/series_names.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/derived_series.hpp"
#include "spacedyn/reporting/report.hpp"
#include "state/spherical.hpp"

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

std::vector<ReportBody> report_bodies(const Model& model) {
  std::vector<ReportBody> bodies;
  for (int i = 0; i < model.body_count(); ++i) {
    ReportBody body;
    body.name = model.body(i).name;
    body.mass = model.body(i).mass;
    body.center_of_mass = model.body(i).center_of_mass;
    if (i > 0) {
      body.parent = model.topology().connection(i);
      const Joint& joint = model.joint(i);
      body.joint = joint.name;
      body.joint_type = joint_traits(joint.type).name;
      if (joint.type == JointType::screw) body.screw_slide = joint.slide;
      body.is_carrier = model.is_carrier(i);
      body.joint_pose = {joint.origin, joint.rotation};
      body.position_lower = joint.position_lower;
      body.position_upper = joint.position_upper;
      if (joint.spherical > 0) {
        const Matrix3 turn = exp_so3(Vector3::Unit(joint.spherical - 1));
        body.rotation_axis = log_so3(turned_by(Joint{}, turn));
      }
      if (joint.stiffness > 0.0) body.rest_position = joint.rest_position;
    }
    bodies.push_back(std::move(body));
  }
  for (const CompoundJoint& compound : model.compound_joints()) {
    bodies[static_cast<std::size_t>(compound.first + compound.size - 1)].compound_joint =
        compound.name + ", " + joint_traits(compound.type).name;
  }
  for (const int wheel : wheel_joints(model))
    bodies[static_cast<std::size_t>(wheel)].is_wheel = true;
  return bodies;
}

void add_model_facts(ReportData& report, const Model& model) {
  const auto add = [&](const char* label, std::string value) {
    report.facts.push_back({"Model", label, std::move(value)});
  };
  add("Name", model.name());
  int bodies = 0;
  for (int i = 0; i < model.body_count(); ++i) bodies += model.is_carrier(i) ? 0 : 1;
  add("Bodies", fmt::format("{}", bodies));
  add("Degrees of freedom", fmt::format("{}", static_cast<int>(model.coordinates().size()) +
                                                  (model.has_fixed_base() ? 0 : 6)));
  add("Total mass", fmt::format("{:.6g} kg", model.total_mass()));
}

ReportData robot_report(const Model& model) {
  ReportData report;
  report.model = model.name();
  report.generator = "spacedyn " + build_info().spacedyn;
  report.bodies = report_bodies(model);
  report.shapes = report_shapes(model);
  report.frames = model.frames();
  add_model_facts(report, model);
  return report;
}

std::vector<ReportSeries> report_series(const ResultTable& result) {
  std::vector<ReportSeries> series;
  for (std::size_t i = 1; i < result.columns.size(); ++i) {
    const Column& column = result.columns[i];
    SeriesName name = series_name(column);
    series.push_back({column.name,
                      std::move(name.group),
                      std::move(name.label),
                      column.unit,
                      result.values.col(static_cast<Eigen::Index>(i)),
                      {},
                      column.dataset});
  }
  for (ReportSeries& derived : derived_series(result)) series.push_back(std::move(derived));
  return series;
}

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
