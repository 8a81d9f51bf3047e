#include "reporting/report_bodies.hpp"

#include <fmt/format.h>

namespace spacedyn {

std::vector<ReportBody> report_bodies(const Model& model) {
  std::vector<ReportBody> bodies;
  for (int i = 0; i < model.body_count(); ++i) {
    ReportBody body;
    body.name = model.body(i).name;
    body.mass = model.body(i).mass;
    if (i > 0) {
      body.parent = model.topology().connection(i);
      const Joint& joint = model.joint(i);
      body.joint = joint.name;
      body.joint_type = joint.type == JointType::prismatic ? "prismatic" : "revolute";
      body.joint_pose = {joint.origin, joint.rotation};
      if (joint.stiffness > 0.0) body.rest_position = joint.rest_position;
    }
    bodies.push_back(std::move(body));
  }
  return bodies;
}

void add_model_facts(ReportData& report, const Model& model) {
  const auto add = [&](const char* label, std::string value) {
    report.facts.push_back({"Model", label, std::move(value)});
  };
  add("Name", model.name());
  add("Bodies", fmt::format("{}", model.body_count()));
  add("Degrees of freedom",
      fmt::format("{}", model.joint_count() + (model.has_fixed_base() ? 0 : 6)));
  add("Total mass", fmt::format("{:.6g} kg", model.total_mass()));
}

}  // namespace spacedyn
