#include "reporting/facts/report_bodies.hpp"

#include <fmt/format.h>

#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/reporting/report.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

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
  add("Degrees of freedom",
      fmt::format("{}", model.joint_count() + (model.has_fixed_base() ? 0 : 6)));
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

}  // namespace spacedyn
