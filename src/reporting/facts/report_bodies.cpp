#include "reporting/facts/report_bodies.hpp"

#include <fmt/format.h>

#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/model/joint_traits.hpp"

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
      body.joint_type = joint_traits(joint.type).name;
      body.is_carrier = model.is_carrier(i);
      body.joint_pose = {joint.origin, joint.rotation};
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

}  // namespace spacedyn
